/**
 * One frame over many chiplets: pass after pass is rendered in bins on all hosts, and what a pass drew goes to the
 * passes after it that sample or load it; then it is worked out what each chiplet did when. Reads as the flow.
 */
import {
  type Chiplet,
  coarseBinCount,
  type FrameId,
  type Image,
  type PreparedFrame,
  RenderError,
  type Report,
  type TextureResource,
} from '@tessera/frame';
import { resolvePolicyName } from '../bin-assignment/policies.ts';
import { BinDispatcher } from '../dispatch/bin-dispatcher.ts';
import { throwIfCancelled } from '../dispatch/cancellation.ts';
import { Contributors, makeLieError } from '../dispatch/host-trust.ts';
import { type PassFrame, PassFrames } from '../passes/pass-frames.ts';
import { type RenderedPass, renderPass } from '../passes/render-pass.ts';
import {
  accountFrameInTurns,
  accountPass,
  describeFrame,
  measurementOf,
  type SimulatedGpuOptions,
  type TimelineSource,
} from '../report/account-frame.ts';
import type { FrameMeasurement } from '../simulated-time/frame-measurement.ts';
import {
  makeTimeline,
  type Timeline,
  timelineJson as writeTimeline,
} from '../simulated-time/timeline.ts';
import { FrameInstructions } from './frame-instructions.ts';

/** How far a frame is. */
export interface FrameProgress {
  /** Of the pass that is rendered. */
  readonly phase: 'visibility' | 'bins' | 'done';
  /** Over all passes, as `binCount`. */
  readonly binsDone: number;
  readonly binCount: number;
}

export interface RenderFrameOptions extends SimulatedGpuOptions {
  readonly frameId: FrameId;
  /** Who renders in wall time. The first computes visibility; it renders bins unless chiplet 0 does not. */
  readonly hosts: readonly Chiplet[];
  /** Shared by frames that are rendered at once, so that the older goes first. */
  readonly dispatcher?: BinDispatcher | undefined;
  /** Milliseconds of a monotonic clock: for `report.wall` and nothing else. */
  readonly readClockMs: () => number;
  /** Wall time that preparing the frame took, for `report.wall`. */
  readonly prepareMs?: number | undefined;
  readonly onProgress?: ((progress: FrameProgress) => void) | undefined;
  /** Most instructions that all shaders of the frame may take; without it each bin has its own budget alone. */
  readonly instructionBudget?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Awaited now and then while the report is drawn up, which may take seconds: others on this thread get a turn. */
  readonly giveTurn?: (() => Promise<void>) | undefined;
}

export interface RenderedFrame {
  readonly image: Image;
  /** By pass, what it left in its target; empty where there is one pass. */
  readonly passImages: readonly Image[];
  /** Textures as passes left them, by index: those that were drawn into. */
  readonly drawnTextures: ReadonlyMap<number, TextureResource>;
  readonly report: Report;
  /** Made whenever it is read. Null with `timing: functional`. */
  readonly timeline: Timeline | null;
  /** Yields the JSON of the timeline in pieces; it need not be in memory. Null with `timing: functional`. */
  readonly timelineJson: Iterable<string> | null;
  /** From which any other number of chiplets, policy and link follow without rendering: see `simulateFrames`. */
  readonly measurement: FrameMeasurement;
  /** Wall time of placing bins in targets, for metrics: part of `report.wall.binsMs`. */
  readonly compositeMs: number;
}

/**
 * Renders a prepared frame. The image does not depend on the number of chiplets or the policy, and neither
 * image nor report (but `wall`) on how many hosts there are or who answers first.
 *
 * @throws {RenderError} NO_CHIPLETS, CHIPLET_LOST, CHIPLET_TIMEOUT, SHADER_BUDGET_EXCEEDED,
 *   LIMIT_EXCEEDED (a chiplet's memory), FRAME_CANCELLED (abort).
 */
export async function renderFrame(
  frame: PreparedFrame,
  options: RenderFrameOptions,
): Promise<RenderedFrame> {
  const { hosts, frameId, signal, isVisibilityChipletRendering, chipletCount } = options;
  resolvePolicyName(options.policy);
  const visibilityHost = hosts[0];
  const isFirstSpared = !isVisibilityChipletRendering && hosts.length > 1;
  if (visibilityHost === undefined || (!isVisibilityChipletRendering && chipletCount < 2)) {
    throw new RenderError('NO_CHIPLETS', 'no chiplet is connected that could render bins');
  }
  const dispatcher = options.dispatcher ?? new BinDispatcher();
  const passFrames = new PassFrames(frame);
  const binCount = passFrames.grids.reduce((sum, grid) => sum + coarseBinCount(grid), 0);
  const startMs = options.readClockMs();
  const passes: (PassFrame & RenderedPass)[] = [];
  const images: Image[] = [];
  const contributors = new Contributors();
  const instructions = new FrameInstructions(options.instructionBudget ?? Number.MAX_SAFE_INTEGER);
  const passSignal =
    signal === undefined ? instructions.exceeded : AbortSignal.any([signal, instructions.exceeded]);
  let binsDone = 0;

  for (let passIndex = 0; passIndex < passFrames.count; passIndex++) {
    const pass = passFrames.make(passIndex);
    const passFrameId = passFrames.count === 1 ? frameId : `${frameId}/${passIndex}`;
    options.onProgress?.({ phase: 'visibility', binsDone, binCount });
    try {
      const rendered = await renderPass(pass.frame, {
        frameId: passFrameId,
        visibilityHost,
        isVisibilityChipletRendering,
        hosts: isFirstSpared ? hosts.slice(1) : hosts,
        dispatcher,
        contributors,
        splits: options.splits ?? 0,
        readClockMs: options.readClockMs,
        signal: passSignal,
        onInstructions: (count) => instructions.add(count),
        onVisibility: () => options.onProgress?.({ phase: 'bins', binsDone, binCount }),
        onBin: () => {
          binsDone++;
          options.onProgress?.({ phase: 'bins', binsDone, binCount });
        },
      });
      const picture = passFrames.finish(passIndex, rendered.targets);
      passes.push({ ...pass, ...rendered });
      images.push(picture);
      instructions.throwIfExceeded();
      dispatcher.releaseFrame(passFrameId, hosts);
    } catch (error) {
      for (const host of hosts) host.releaseFrame(passFrameId);
      if (!signal?.aborted) instructions.throwIfExceeded();
      throw error;
    }
  }
  if (contributors.haveLied) throw makeLieError();

  const image = passFrames.screen;
  if (image === null) throw new Error('a frame without a picture');
  const endMs = options.readClockMs();
  const prepareMs = options.prepareMs ?? 0;
  const visibilityMs = passes.reduce((sum, pass) => sum + pass.visibilityMs, 0);
  const accounts = passes.map(accountPass);
  const wall = {
    prepareMs,
    visibilityMs,
    binsMs: endMs - startMs - visibilityMs,
    totalMs: prepareMs + endMs - startMs,
    retriedBins: passes.reduce((sum, pass) => sum + pass.retriedBins, 0),
    checkedBins: passes.reduce((sum, pass) => sum + pass.checkedBins, 0),
  };
  const { report, timelineSource } = await accountFrameInTurns(
    describeFrame(frame),
    accounts,
    { ...options, image, wall },
    options.giveTurn ?? (async () => {}),
  );
  throwIfCancelled(signal);
  options.onProgress?.({ phase: 'done', binsDone, binCount });
  const measurement = measurementOf(accounts);
  const passImages = passes.length === 1 ? [] : images;
  const { drawnTextures } = passFrames;
  const compositeMs = passes.reduce((sum, pass) => sum + pass.compositeMs, 0);
  const timelineJson = timelineSource === null ? null : jsonOf(timelineSource);
  return {
    ...{ image, passImages, drawnTextures, report, measurement, compositeMs, timelineJson },
    get timeline() {
      return timelineSource === null ? null : makeTimeline(...timelineSource);
    },
  };
}

/** The JSON of a timeline, from its start whenever it is iterated. */
function jsonOf(source: TimelineSource): Iterable<string> {
  return { [Symbol.iterator]: () => writeTimeline(...source) };
}
