/** The examples that the service rendered at its first start, one of them large. */
import { getJson } from '../api/requests.ts';
import type { FrameList, FrameStatus, Report } from '../api/types.ts';
import { explorePanel, type MeasuredFrame } from '../explore/explore-panel.ts';
import { settingsOf, settingsQuery } from '../explore/explore-settings.ts';
import { isMeasured, loadMeasured } from '../explore/measured-frame.ts';
import { imageWithBins } from '../frame-view/image-with-bins.ts';
import { element, replace } from '../ui/dom.ts';
import { formatNumber } from '../ui/format.ts';
import { type PageContext, section, showingProblems } from '../ui/page.ts';
import { frameHref } from '../ui/routes.ts';

/** Tag of the examples. */
const TAG = 'example';
const ADDRESS = `/v1/frames?status=done&limit=50&tag=${TAG}`;

/**
 * Creates a place that shows an example once there is one, and adds tabs for the others as they are
 * rendered.
 */
export function exampleFrames(context: PageContext): HTMLElement {
  const { live, signal } = context;
  const root = element('div', {});
  const tabs = element('div', { class: 'toolbar', role: 'group', 'aria-label': 'Examples' });
  const stage = element('div', {});
  let frames: readonly FrameStatus[] = [];
  let shownId: string | null = null;
  let leaving = new AbortController();

  const show = (frame: FrameStatus) => {
    shownId = frame.id;
    leaving.abort();
    leaving = new AbortController();
    const own = { ...context, signal: AbortSignal.any([signal, leaving.signal]) };
    drawTabs();
    showingProblems(stage, async () => {
      const shown = await exampleStage(own, frame);
      if (shownId === frame.id) replace(stage, shown);
    });
  };
  const drawTabs = () => {
    const buttons = frames.map((frame) =>
      element(
        'button',
        {
          type: 'button',
          'aria-pressed': frame.id === shownId ? 'true' : 'false',
          onclick: () => show(frame),
        },
        frame.name,
      ),
    );
    replace(tabs, ...buttons);
  };
  const load = () =>
    showingProblems(stage, async () => {
      const list = await getJson<FrameList>(ADDRESS, signal);
      // An example that was rendered again has its name and tags, and comes before it.
      frames = [...new Map(list.frames.map((frame) => [frame.name, frame])).values()];
      const [newest] = frames;
      if (newest === undefined) return;
      if (shownId === null) {
        replace(root, section('Examples', tabs, stage));
        show(newest);
      } else drawTabs();
    });
  live.on(
    'frame',
    ({ status, tags }) => {
      if (status === 'done' && tags.includes(TAG)) load();
    },
    signal,
  );
  load();
  return root;
}

/** Returns the image of an example with its bins, and controls if its bins were measured. */
async function exampleStage(context: PageContext, frame: FrameStatus): Promise<HTMLElement> {
  const measured = isMeasured(frame) ? await loadMeasured(frame, null, context.signal) : null;
  const report = measured?.report ?? (await getJson<Report>(frame.links.report, context.signal));
  const { chiplets, totals } = report;
  const work =
    `${formatNumber(totals.primitives)} primitives and ${formatNumber(totals.fragments)} fragments ` +
    `on ${chiplets.length} chiplets take ${formatNumber(totals.cycles)} cycles. `;
  return element(
    'div',
    {},
    element('p', {}, work, element('a', { href: frameHref(frame.id) }, 'Open this frame')),
    measured === null
      ? imageWithBins({ status: frame, report, onBin: () => {} }).root
      : explorer(context, measured),
  );
}

function explorer(context: PageContext, measured: MeasuredFrame): HTMLElement {
  const { status, report, measurement } = measured;
  return explorePanel(context, {
    status,
    measured,
    initial: settingsOf(report, measurement),
    addressOf: (settings) => `${frameHref(status.id)}?${settingsQuery(settings)}`,
    isInAddress: false,
    isImageFirst: true,
  });
}
