/**
 * One frame over many chiplets, in two phases. First, render hosts render the passes in wall time.
 * Then the report is derived from the measurements: the work of each simulated chiplet, in cycles.
 */
import type {
  Chiplet,
  FrameId,
  Image,
  PreparedFrame,
  Report,
  TextureResource,
} from '@tessera/frame';
import { resolvePolicyName } from '../bin-assignment/policies.ts';
import type { BinDispatcher } from '../dispatch/bin-dispatcher.ts';
import { throwIfCancelled } from '../dispatch/cancellation.ts';
import { hasRecords } from '../passes/pass-composition.ts';
import { PassFrames } from '../passes/pass-frames.ts';
import type { RenderedPass } from '../passes/render-pass.ts';
import {
  accountFrameInTurns,
  accountPass,
  describeFrame,
  measurementOf,
  type RecordedSimulator,
  type SimulatedGpuOptions,
  type TimelineSource,
} from '../report/account-frame.ts';
import type { FrameMeasurement } from '../simulated-time/frame-measurement.ts';
import { refuseManyMachines } from '../simulated-time/record-limits.ts';
import {
  makeTimeline,
  type Timeline,
  timelineJson as writeTimeline,
} from '../simulated-time/timeline.ts';
import { dividePasses } from '../sort-last/divide-passes.ts';
import { type FrameProgress, ProgressCounter } from './frame-progress.ts';
import { renderPasses } from './render-passes.ts';

/** Simulated GPU, render hosts and limits of one frame. */
export interface RenderFrameOptions extends SimulatedGpuOptions {
  /**
   * Name of the frame on the hosts. Passes of a frame with several are `frameId/0`, `frameId/1` and
   * so on.
   */
  readonly frameId: FrameId;
  /**
   * Render hosts: the chiplets, in any process, that render in wall time. The first computes
   * visibility. It renders bins too unless chiplet 0 does not.
   */
  readonly hosts: readonly Chiplet[];
  /** Dispatcher shared by frames that render concurrently, so that older frames go first. */
  readonly dispatcher?: BinDispatcher | undefined;
  /** Reads a monotonic clock in milliseconds; only `report.wall` depends on it. */
  readonly readClockMs: () => number;
  /** Wall time that preparing the frame took, in milliseconds, for `report.wall`. */
  readonly prepareMs?: number | undefined;
  /** Called when a phase begins and after each bin. */
  readonly onProgress?: ((progress: FrameProgress) => void) | undefined;
  /**
   * Upper bound on the instructions of all shaders of the frame. By default only the budget of each
   * bin applies.
   */
  readonly instructionBudget?: number | undefined;
  /** Upper bound on the bytes of the frame's records; DEFAULT_RECORD_BYTES by default. */
  readonly maxRecordBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Signal that stops the report; `signal` by default. A lost host need not stop it, because all
   * pixels have arrived.
   */
  readonly reportSignal?: AbortSignal | undefined;
  /**
   * Awaited repeatedly while the report is made, which may take seconds, so that other work of the
   * thread can run.
   */
  readonly giveTurn?: (() => Promise<void>) | undefined;
  /** Simulates a recorded frame, for instance in another thread; in this one by default. */
  readonly simulateRecorded?: RecordedSimulator | undefined;
}

/** Images, report and measurement of a frame. */
export interface RenderedFrame {
  readonly image: Image;
  /**
   * Image of each pass's target, made on every read; empty if the frame has one pass. Conversion
   * to colors of a display takes time that most readers of a frame need not spend.
   */
  readonly passImages: readonly Image[];
  /** Textures that passes drew into, with their final contents, by index. */
  readonly drawnTextures: ReadonlyMap<number, TextureResource>;
  readonly report: Report;
  /** Timeline, built on every read. Null with `timing: functional`. */
  readonly timeline: Timeline | null;
  /**
   * JSON text of the timeline in pieces, so that it need not fit in memory. Null with
   * `timing: functional`.
   */
  readonly timelineJson: Iterable<string> | null;
  /**
   * Measured cycles and bytes. `simulateFrames` derives any number of chiplets, policy and link
   * from them.
   */
  readonly measurement: FrameMeasurement;
  /**
   * Wall time of placing bins in targets, in milliseconds, for metrics; part of
   * `report.wall.binsMs`.
   */
  readonly compositeMs: number;
}

/**
 * Renders a prepared frame. The image does not depend on the number of chiplets or the policy.
 * Neither the image nor the report, except `wall`, depends on the number of hosts or the order of
 * their answers.
 *
 * @throws {RenderError} NO_CHIPLETS, CHIPLET_LOST, CHIPLET_TIMEOUT, SHADER_BUDGET_EXCEEDED,
 *   LIMIT_EXCEEDED (a chiplet's memory), FRAME_CANCELLED (abort).
 */
export async function renderFrame(
  frame: PreparedFrame,
  options: RenderFrameOptions,
): Promise<RenderedFrame> {
  resolvePolicyName(options.policy);
  if (hasRecords(frame)) refuseManyMachines(options.chipletCount);
  const { frame: drawn, groups } =
    options.organization === 'sort-last'
      ? dividePasses(frame, options.chipletCount)
      : { frame, groups: [] };
  const passFrames = new PassFrames(drawn);
  const progress = new ProgressCounter(passFrames.grids, options.onProgress);

  // 1. Wall time: the passes in order. A pass may read the results of earlier passes.
  const startMs = options.readClockMs();
  const { passes, images } = await renderPasses(passFrames, groups, progress, options);
  throwIfCancelled(options.signal);
  const { screen: image, drawnTextures } = passFrames;
  if (image === null) throw new Error('the frame has no image');
  const wall = sumWallTimes(passes, options.prepareMs ?? 0, options.readClockMs() - startMs);

  // 2. Simulated time: the work of each chiplet.
  const accounts = passes.map(accountPass);
  const { report, timelineSource } = await accountFrameInTurns(
    describeFrame(frame),
    accounts,
    { ...options, image, wall },
    options,
  );
  throwIfCancelled(options.reportSignal ?? options.signal);
  progress.enter('done');
  return {
    image,
    get passImages() {
      return passes.length === 1 ? [] : images.map((makeImage) => makeImage());
    },
    drawnTextures,
    report,
    measurement: measurementOf(accounts),
    compositeMs: passes.reduce((sum, { compositeMs }) => sum + compositeMs, 0),
    timelineJson: timelineSource === null ? null : jsonOf(timelineSource),
    get timeline() {
      return timelineSource === null ? null : makeTimeline(...timelineSource);
    },
  };
}

/**
 * Returns the wall times for the report.
 *
 * @param passesMs Time from the start of the first pass to the end of the last.
 */
function sumWallTimes(
  passes: readonly RenderedPass[],
  prepareMs: number,
  passesMs: number,
): Report['wall'] {
  const visibilityMs = passes.reduce((sum, pass) => sum + pass.visibilityMs, 0);
  return {
    prepareMs,
    visibilityMs,
    binsMs: passesMs - visibilityMs,
    totalMs: prepareMs + passesMs,
    retriedBins: passes.reduce((sum, pass) => sum + pass.retriedBins, 0),
    checkedBins: passes.reduce((sum, pass) => sum + pass.checkedBins, 0),
  };
}

/** Returns the JSON of a timeline. Every iteration starts at its beginning. */
function jsonOf(source: TimelineSource): Iterable<string> {
  return { [Symbol.iterator]: () => writeTimeline(...source) };
}
