/** The section of a frame's page that estimates the frame on other GPUs. */
import { getJson, ProblemError } from '../api/requests.ts';
import type { FrameStatus, Report } from '../api/types.ts';
import { applyAddress, hasPlotLink } from '../ui/address-state.ts';
import { element, replace } from '../ui/dom.ts';
import {
  documentLinks,
  type PageContext,
  problemBox,
  section,
  showingProblems,
} from '../ui/page.ts';
import { frameHref, parseQuery } from '../ui/routes.ts';
import { explorePanel, type MeasuredFrame } from './explore-panel.ts';
import {
  type ExploreSettings,
  readSettings,
  settingsOf,
  settingsQuery,
} from './explore-settings.ts';
import { isMeasured, loadMeasured, measureAgain } from './measured-frame.ts';

/** Name of the parameter of an address that names the frame with the measurement. */
const MEASURED = 'measured';

/** Creates the section. It reads its state from the address and keeps it there. */
export function exploreSection(
  context: PageContext,
  status: FrameStatus,
  report: Report,
): HTMLElement {
  const place = element('div', {});
  const query = parseQuery(location.hash);
  const root = section('Explore: estimates for other GPUs', place);
  const open = (measured: MeasuredFrame) => openPanel(context, place, status, measured, query);
  showingProblems(place, async () => {
    const earlier = isMeasured(status) ? status : await findEarlier(query, context.signal);
    if (earlier === null) replace(place, ...offer(context, status, report, open));
    else open(await loadMeasured(earlier, earlier === status ? report : null, context.signal));
    if (query.size > 0 && !hasPlotLink()) root.scrollIntoView();
  });
  return root;
}

/** Returns the frame with the measurement that an address names; null if it does not exist. */
async function findEarlier(
  query: URLSearchParams,
  signal: AbortSignal,
): Promise<FrameStatus | null> {
  const id = query.get(MEASURED);
  if (id === null) return null;
  try {
    const status = await getJson<FrameStatus>(`/v1/frames/${encodeURIComponent(id)}`, signal);
    return isMeasured(status) && status.status === 'done' ? status : null;
  } catch (error) {
    // The service deletes old frames. Then the frame is measured once more.
    if (error instanceof ProblemError && error.problem.code === 'NOT_FOUND') return null;
    throw error;
  }
}

/** Returns the elements that offer to measure a frame. */
function offer(
  context: PageContext,
  status: FrameStatus,
  report: Report,
  open: (measured: MeasuredFrame) => void,
): HTMLElement[] {
  const reason = reasonFor(status);
  const place = element('div', {});
  const button = element('button', { type: 'button', class: 'primary' }, 'Measure and explore');
  button.addEventListener('click', () => {
    button.disabled = true;
    replace(place, element('p', { role: 'status' }, 'Rendering once with coupling=none …'));
    showingProblems(place, async () => {
      try {
        const over = await measureAgain(context, status, report);
        if (over.error !== null) {
          const { code, message } = over.error;
          replace(place, problemBox({ code, title: '', detail: message, status: 0 }));
          return;
        }
        open(await loadMeasured(over, null, context.signal));
        context.announce('The frame was measured');
      } finally {
        button.disabled = false;
      }
    });
  });
  const hint = element(
    'p',
    {},
    `${reason} One rendering with coupling=none measures them. Then sliders for chiplets, policy and link show estimates without further requests.`,
  );
  return [hint, button, place];
}

/** Returns why a frame has no measurement for estimates. */
function reasonFor({ options: { timing, organization } }: FrameStatus): string {
  if (timing !== 'cycle') return 'This frame has timing=functional, so it has no cycles.';
  if (organization === 'binned') {
    return 'This frame has coupling=exact, so its bins have no cycles of their own.';
  }
  return `This frame has organization=${organization}. Estimates are of two-level binning.`;
}

function openPanel(
  context: PageContext,
  place: HTMLElement,
  status: FrameStatus,
  measured: MeasuredFrame,
  query: URLSearchParams,
): void {
  const { report, measurement } = measured;
  const own = settingsOf(report, measurement);
  let initial = own;
  const problem = applyAddress(() => {
    initial = readSettings(query, own, measurement);
  }, 'the settings of the frame are shown');
  const isOther = measured.status.id !== status.id;
  const addressOf = (settings: ExploreSettings) => {
    const state = settingsQuery(settings);
    if (isOther) state.set(MEASURED, measured.status.id);
    return `${frameHref(status.id)}?${state}`;
  };
  replace(
    place,
    element(
      'p',
      { class: 'hint' },
      'All figures here are estimates: each bin takes the cycles that were measured for it alone, as with coupling=none. ',
      isOther && element('a', { href: frameHref(measured.status.id) }, 'Frame of the measurement'),
    ),
    problem,
    explorePanel(context, { status, measured, initial, addressOf, isInAddress: true }),
    documentLinks(['How to explore', 'how-to/use-the-dashboard.md', 'explore-other-gpus']),
  );
}
