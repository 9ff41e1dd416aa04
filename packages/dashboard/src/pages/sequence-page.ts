/**
 * One sequence: progress, then its Gantt chart with overlapping frames, throughput, latencies,
 * downloads.
 */
import { getJson, sendDelete } from '../api/requests.ts';
import type { Timeline } from '../api/types.ts';
import { factTiles } from '../frame-view/facts.ts';
import { labelBox } from '../frame-view/frame-labels.ts';
import { ganttChart } from '../gantt/gantt-chart.ts';
import { readTimeline, type TimelineRows } from '../gantt/timeline-rows.ts';
import { measureOverlap } from '../sequence/frame-overlap.ts';
import { chipletShareTable, frameTable, sequenceFacts } from '../sequence/sequence-figures.ts';
import { frameIdOf, type SequenceReport, type SequenceStatus } from '../sequence/sequence-types.ts';
import { describeTiming } from '../ui/describe-timing.ts';
import { element, replace } from '../ui/dom.ts';
import { formatMoment, formatNumber, formatShare, shortId } from '../ui/format.ts';
import {
  type PageContext,
  problemBox,
  scrollingTable,
  section,
  showingProblems,
} from '../ui/page.ts';
import { frameHref } from '../ui/routes.ts';

const ASK_AGAIN_MS = 700;

/** Shows a sequence. */
export async function sequencePage(context: PageContext, id: string): Promise<void> {
  const { root, signal, announce } = context;
  const heading = element('h1', {}, `Sequence ${shortId(id)}`);
  const labels = element('div', {});
  const head = element('div', {});
  const body = element('div', {});
  root.append(heading, labels, head, body);
  const path = `/v1/sequences/${encodeURIComponent(id)}`;
  let status = await getJson<SequenceStatus>(path, signal);
  const wasRunning = status.status === 'running';
  replace(labels, labelBox(context, status, heading));
  replace(head, sequenceHead(status));
  while (status.status === 'running') {
    await new Promise((resolve) => setTimeout(resolve, ASK_AGAIN_MS));
    const now = await getJson<SequenceStatus>(path, signal);
    if (now.status !== status.status || now.frames.length !== status.frames.length) {
      replace(head, sequenceHead(now));
    }
    status = now;
  }
  if (wasRunning) announce(`The sequence is ${status.status}`);
  if (status.status !== 'done') return;
  const report = await getJson<SequenceReport>(status.links.report, signal);
  showReport(context, body, status, report);
}

function sequenceHead(sequence: SequenceStatus): HTMLElement {
  const { status, frameCount, frames, submittedAt, error, links } = sequence;
  const isRunning = status === 'running';
  const problem = element('div', {});
  const remove = () =>
    showingProblems(problem, async () => {
      await sendDelete(links.self);
      if (!isRunning) location.hash = '#/sequences';
    });
  const said = isRunning
    ? `${frames.length} of ${frameCount} frames admitted`
    : `${frameCount} frames`;
  return element(
    'div',
    { class: 'frame-head' },
    element(
      'p',
      { 'aria-live': 'polite' },
      element('span', { class: `badge ${status}` }, status),
      ` ${said}, ${formatMoment(submittedAt)}`,
    ),
    isRunning &&
      element('progress', {
        max: frameCount,
        value: frames.length,
        'aria-label': 'Frames accepted',
      }),
    error !== null && problemBox({ code: error.code, title: '', detail: error.message, status: 0 }),
    element('button', { type: 'button', onclick: remove }, isRunning ? 'Cancel' : 'Delete'),
    problem,
  );
}

function showReport(
  { signal, announce }: PageContext,
  body: HTMLElement,
  status: SequenceStatus,
  report: SequenceReport,
): void {
  const frameIds = status.frames.map(frameIdOf);
  const ganttPlace = element('div', {}, element('p', { class: 'hint' }, 'Timeline …'));
  replace(
    body,
    section('Frames over simulated cycles', ganttPlace),
    section('Throughput', factTiles(sequenceFacts(report)), steadyNote(report)),
    section(
      'Latency of each frame',
      scrollingTable('Frames', frameTable(report, frameIds)),
      element(
        'p',
        { class: 'hint' },
        'In simulated cycles. The latency is the time from start to end.',
      ),
    ),
    section('Chiplets', scrollingTable('Chiplets', chipletShareTable(report))),
    section('Images', images(report, frameIds)),
    section('Downloads', downloads(status, report)),
  );
  if (report.timing !== 'cycle') {
    const text = 'These frames have timing=functional, so there is no timeline.';
    replace(ganttPlace, element('p', {}, text));
    return;
  }
  showingProblems(ganttPlace, async () => {
    const timeline = readTimeline(await getJson<Timeline>(status.links.timeline, signal));
    const chart = ganttChart([{ title: '', timeline }], { announce, signal });
    replace(ganttPlace, element('p', { class: 'overlap' }, describeOverlap(timeline)), chart.root);
  });
}

function describeOverlap(timeline: TimelineRows): string {
  const { severalFramesCycles, visibilityAheadCycles } = measureOverlap(timeline);
  if (severalFramesCycles === 0) return 'The frames do not overlap.';
  const share = formatShare(severalFramesCycles / timeline.endCycle);
  return (
    `In ${formatNumber(severalFramesCycles)} of ${formatNumber(timeline.endCycle)} cycles (${share}) chiplets ` +
    `rendered several frames. In ${formatNumber(visibilityAheadCycles)} cycles a visibility phase ran while bins ` +
    'of an earlier frame were rendered.'
  );
}

function steadyNote({
  steadyState,
  timing,
  coupling,
  policy,
  overlap,
  framesInFlight,
  chiplets,
  spec,
}: SequenceReport): HTMLElement {
  const none =
    timing === 'cycle'
      ? 'There are too few frames for a steady state'
      : 'Without cycle timing there is no steady state';
  const steady =
    steadyState === null
      ? none
      : `The steady state covers frames ${steadyState.firstFrame} to ${steadyState.lastFrame}`;
  const asked = `${describeTiming({ timing, coupling })}, policy ${policy}, overlap ${overlap}, at most ${framesInFlight} frames in flight`;
  return element(
    'p',
    { class: 'hint' },
    `${steady}. ${chiplets.length} chiplets of specification ${spec.name}, ${asked}.`,
  );
}

function images({ frames }: SequenceReport, frameIds: readonly string[]): HTMLElement {
  const items = frames.map(({ latencyCycles }, index) => {
    const id = frameIds[index]!;
    const src = `/v1/frames/${encodeURIComponent(id)}/image`;
    const latency = latencyCycles === null ? '' : `, ${formatNumber(latencyCycles)} cycles`;
    return element(
      'li',
      {},
      element(
        'a',
        { href: frameHref(id) },
        element('img', { src, alt: '', loading: 'lazy', decoding: 'async' }),
        `frame ${index}${latency}`,
      ),
    );
  });
  return element('ul', { class: 'sequence-images' }, ...items);
}

function downloads({ id, links }: SequenceStatus, report: SequenceReport): HTMLElement {
  const link = (href: string, name: string, text: string) =>
    element('li', {}, element('a', { href, download: `${shortId(id)}${name}` }, text));
  return element(
    'ul',
    { class: 'downloads' },
    link(links.images, '.zip', 'Images of all frames and the report (ZIP)'),
    link(links.report, '-report.json', 'Report (JSON)'),
    report.timing === 'cycle' &&
      link(links.timeline, '-timeline.json', 'Timeline (JSON, for Perfetto)'),
  );
}
