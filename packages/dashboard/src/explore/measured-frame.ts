/** Finds or makes a frame whose bins have cycles of their own. */
import { TOPOLOGY_NAMES } from '@tessera/multi-chiplet/estimate';
import { getJson, postJson } from '../api/requests.ts';
import type { FrameStatus, Report } from '../api/types.ts';
import { followFrame } from '../frame-view/follow-frame.ts';
import type { PageContext } from '../ui/page.ts';
import type { Measurement } from './estimate-frame.ts';
import type { MeasuredFrame } from './explore-panel.ts';

/** Whether the service has a measurement of a frame that estimates can be made from. */
export function isMeasured({ options }: FrameStatus): boolean {
  const { timing, coupling, organization } = options;
  return timing === 'cycle' && coupling === 'none' && organization === 'binned';
}

/**
 * Gets the measurement of a frame. It is requested once; estimates need no other request.
 *
 * @param report Report of the frame, if it is there already.
 * @throws {ProblemError}
 */
export async function loadMeasured(
  status: FrameStatus,
  report: Report | null,
  signal: AbortSignal,
): Promise<MeasuredFrame> {
  const [measurement, loaded] = await Promise.all([
    getJson<Measurement>(`${status.links.self}/measurement`, signal),
    report ?? getJson<Report>(status.links.report, signal),
  ]);
  return { status, report: loaded, measurement };
}

/** Returns the query of `POST /v1/frames/{id}/again` that measures a frame. */
export function measureQuery({ link }: Report): URLSearchParams {
  const query = new URLSearchParams({
    ...{ timing: 'cycle', coupling: 'none', placement: 'replicated', organization: 'binned' },
  });
  // Estimates have no packet network.
  if (!TOPOLOGY_NAMES.some((name) => name === link.topology)) query.set('linkTopology', 'bus');
  return query;
}

/**
 * Renders a frame again with cycles of each bin by itself, and returns its final status.
 *
 * @throws {ProblemError} If the service refuses it.
 */
export async function measureAgain(
  { live, signal }: PageContext,
  { links }: FrameStatus,
  report: Report,
): Promise<FrameStatus> {
  const posted = await postJson<FrameStatus>(`${links.self}/again?${measureQuery(report)}`);
  return followFrame({ id: posted.id, live, signal });
}
