/**
 * Exploration of a measured frame: sliders, and bins, schedule and figures that follow them without
 * a request to the service.
 */
import type { FrameStatus, Report } from '../api/types.ts';
import { copyLink } from '../ui/copy-link.ts';
import { element } from '../ui/dom.ts';
import { formatNumber } from '../ui/format.ts';
import type { PageContext } from '../ui/page.ts';
import { BinOwners } from './bin-owners.ts';
import { ChipletEstimates } from './chiplet-estimates.ts';
import { type Estimate, estimateFrame, type Measurement } from './estimate-frame.ts';
import { EstimateTiles } from './estimate-tiles.ts';
import { exactRun } from './exact-run.ts';
import { exploreControls } from './explore-controls.ts';
import { type ExploreSettings, settingsOf } from './explore-settings.ts';
import { PolicyAnimation } from './policy-animation.ts';
import { scheduleOf } from './schedule.ts';
import { ScheduleChart } from './schedule-chart.ts';

/** Pause of the sliders after which the address is written and the figures are announced. */
const PAUSE_MS = 300;

/** A frame whose bins have cycles of their own. */
export interface MeasuredFrame {
  readonly status: FrameStatus;
  readonly report: Report;
  readonly measurement: Measurement;
}

/** Options of {@link explorePanel}. */
export interface ExploreOptions {
  /** Frame of the page, which is rendered again for an exact run. */
  readonly status: FrameStatus;
  readonly measured: MeasuredFrame;
  readonly initial: ExploreSettings;
  /** Whether the image comes first and is larger than the schedule; false by default. */
  readonly isImageFirst?: boolean;
  /** Returns the address of the exploration within this site. */
  readonly addressOf: (settings: ExploreSettings) => string;
  /** Whether the address of the page follows the settings. */
  readonly isInAddress: boolean;
}

/** Creates the controls and what follows them. */
export function explorePanel(context: PageContext, options: ExploreOptions): HTMLElement {
  const { signal, announce } = context;
  const { status, measured, initial, isImageFirst = false, addressOf } = options;
  const { measurement, report } = measured;
  const owners = new BinOwners(measured.status, report, signal);
  const tiles = new EstimateTiles();
  const chiplets = new ChipletEstimates();
  const chart = new ScheduleChart(signal, (share) => owners.blend(share));
  let pause: ReturnType<typeof setTimeout> | undefined;
  signal.addEventListener('abort', () => clearTimeout(pause));

  const show = (settings: ExploreSettings, isMove: boolean) => {
    const estimate = estimateFrame(measurement, settings);
    const { simulated, figures } = estimate;
    owners.show(
      simulated.frames.at(-1)!.passes.map(({ bins }) => bins.map(({ chipletId }) => chipletId)),
    );
    tiles.show(figures);
    chiplets.show(estimate);
    const schedule = scheduleOf(simulated, settings.chiplets);
    if (isMove) chart.moveTo(schedule, describe(estimate));
    else chart.show(schedule, describe(estimate));
    return estimate;
  };
  const change = (settings: ExploreSettings, isMove: boolean) => {
    const estimate = show(settings, isMove);
    clearTimeout(pause);
    pause = setTimeout(() => {
      // Replaced in place, so that a drag adds no entries to the history and opens no page.
      if (options.isInAddress) history.replaceState(history.state, '', addressOf(settings));
      announce(describe(estimate));
    }, PAUSE_MS);
  };
  const controls = exploreControls(initial, measurement, (settings) => {
    animation.stop();
    change(settings, false);
  });
  const turnTo = (settings: ExploreSettings, isMove: boolean) => {
    controls.show(settings);
    change(settings, isMove);
  };
  const animation = new PolicyAnimation(
    () => controls.settings().policy,
    (policy) => turnTo({ ...controls.settings(), policy }, true),
    signal,
  );
  const reset = () => {
    animation.stop();
    turnTo(settingsOf(report, measurement), false);
  };
  const exact = exactRun(context, status, measurement, controls.settings);
  const link = copyLink(announce, () => addressOf(controls.settings()));
  show(initial, false);
  const parts = isImageFirst ? [owners.root, chart.root] : [chart.root, owners.root];
  const views = element('div', { class: 'explore-views' }, ...parts);
  return element(
    'div',
    { class: isImageFirst ? 'explore image-first' : 'explore' },
    isImageFirst && views,
    controls.root,
    element(
      'div',
      { class: 'toolbar' },
      animation.button,
      element('button', { type: 'button', onclick: reset }, 'Settings of the frame'),
      link.button,
      exact.button,
    ),
    link.place,
    exact.result,
    element('h3', {}, 'Estimate'),
    tiles.root,
    !isImageFirst && views,
    chiplets.root,
  );
}

/** Describes an estimate in a sentence. */
function describe({ settings, figures, chiplets }: Estimate): string {
  const { cycles, speedUp } = figures;
  const frames = settings.frames === 1 ? 'the frame' : `${settings.frames} frames`;
  return (
    `Estimate for ${settings.policy} on ${chiplets.length} chiplets: ${formatNumber(cycles)} cycles for ${frames}, ` +
    `speed-up ${formatNumber(speedUp)}`
  );
}
