/**
 * One pass in wall time: the visibility phase on the first host, then bins on all of them, then
 * composition. The simulated time of these steps, and the chiplet of each, is derived afterwards
 * (simulated-time/).
 */
import {
  type BinResult,
  type Chiplet,
  type CopyEngineWork,
  coarseBinCount,
  countRunBytes,
  type FrameId,
  type PreparedFrame,
  RenderError,
  type VisibilitySummary,
} from '@tessera/frame';
import type { BinPart } from '../bins/bin-splitting.ts';
import type { BinDispatcher } from '../dispatch/bin-dispatcher.ts';
import { throwIfCancelled } from '../dispatch/cancellation.ts';
import type { Contributors } from '../dispatch/host-trust.ts';
import type { ComposedTargets } from './compositor.ts';
import { withEarlyBin } from './early-bin.ts';
import {
  countAlternatives,
  countTimedAlternatives,
  hasRecords,
  PassComposition,
} from './pass-composition.ts';

/** Index of a pass in the frame that chiplets receive. */
const PASS_INDEX = 0;

/** Hosts and callbacks of one pass. */
export interface RenderPassOptions {
  /** Name of the pass on the hosts. */
  readonly frameId: FrameId;
  readonly visibilityHost: Chiplet;
  /** Whether the simulated chiplet 0 renders bins. */
  readonly isVisibilityChipletRendering: boolean;
  /** Hosts that render bins. */
  readonly hosts: readonly Chiplet[];
  readonly dispatcher: BinDispatcher;
  /** Hosts whose bins are part of the frame, over all its passes. */
  readonly contributors: Contributors;
  /** Number of times that the costliest bin is halved; 0 leaves bins whole. */
  readonly splits: number;
  readonly readClockMs: () => number;
  readonly onVisibility: () => void;
  readonly onBin: () => void;
  /** Called with the number of shader instructions of the phase, and of each bin. */
  readonly onInstructions: (count: number | undefined) => void;
  /** Called with the bytes of the records of the phase, and of each bin that has some. */
  readonly onRecords: (bytes: number) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Results of one pass. */
export interface RenderedPass {
  readonly targets: ComposedTargets;
  readonly summary: VisibilitySummary;
  /** Bins that were rendered, or parts of the costliest, in the order of `bins`. */
  readonly parts: readonly BinPart[];
  readonly bins: readonly BinResult[];
  readonly visibilityMs: number;
  /**
   * Wall time of placing bins in the targets while others were still rendering, in milliseconds.
   */
  readonly compositeMs: number;
  readonly retriedBins: number;
  readonly checkedBins: number;
}

/**
 * Renders a pass.
 *
 * @param frame Frame with one pass.
 * @throws {RenderError} As the hosts and the dispatcher.
 */
export async function renderPass(
  frame: PreparedFrame,
  options: RenderPassOptions,
): Promise<RenderedPass> {
  const { frameId, hosts, signal } = options;
  const startMs = options.readClockMs();
  const summary = await options.visibilityHost.computeVisibility(
    frameId,
    withEarlyBin(frame, options.isVisibilityChipletRendering),
    PASS_INDEX,
  );
  throwIfCancelled(signal);
  const visibilityMs = options.readClockMs() - startMs;

  /**
   * Rejects an invalid summary: reports the host and throws CHIPLET_LOST, so that the frame is
   * restarted.
   */
  const requireNone = (fault: string | null) => {
    if (fault === null) return;
    const { visibilityHost, dispatcher } = options;
    dispatcher.reportFault(visibilityHost, fault);
    throw new RenderError('CHIPLET_LOST', `chiplet ${visibilityHost.id}: ${fault}`);
  };
  requireNone(findSummaryFault(summary, frame));
  options.onInstructions(summary.shaderInstructions);
  for (const { records } of summary.parts ?? [summary]) {
    if (records !== undefined) options.onRecords(countRunBytes(records));
  }
  const composition = new PassComposition(frame, summary, options.splits);
  let compositeMs = 0;
  const place = (result: BinResult) => {
    const placeStartMs = options.readClockMs();
    options.onInstructions(result.shaderInstructions);
    if (result.records !== undefined) options.onRecords(countRunBytes(result.records));
    const isWhole = composition.place(result);
    compositeMs += options.readClockMs() - placeStartMs;
    if (isWhole) options.onBin();
  };
  options.onVisibility();
  const { earlyBin } = summary;
  if (earlyBin !== null) {
    requireNone(composition.findFault(earlyBin, { binId: earlyBin.binId }));
    place(earlyBin);
  }
  const { retriedBins, checkedBins } = await options.dispatcher.render({
    frameId,
    passIndex: PASS_INDEX,
    hosts,
    bins: composition.listWanted(),
    findFault: (result, asked) => composition.findFault(result, asked),
    onBin: place,
    contributors: options.contributors,
    signal,
  });
  const { parts } = composition;
  const targets = composition.finish();
  return { ...targets, summary, parts, visibilityMs, compositeMs, retriedBins, checkedBins };
}

/** Returns why a summary is not that of a visibility phase of this frame, or null if it is. */
function findSummaryFault(summary: VisibilitySummary, frame: PreparedFrame): string | null {
  const { bins, copyWork, parts = [summary] } = summary;
  const wanted = coarseBinCount(frame.commands.grid);
  const isEachOnce = bins.every(({ binId }, index) => binId === index);
  if (bins.length !== wanted || !isEachOnce) {
    return `the visibility phase has ${bins.length} bins, or others, of ${wanted}`;
  }
  if (parts.length < 1 || parts.length > (frame.commands.visibilityChiplets ?? 1)) {
    return `the visibility phase has ${parts.length} parts`;
  }
  const alternatives = countTimedAlternatives(frame);
  for (const { alternativeCycles = [], records } of parts) {
    if (alternativeCycles.length !== alternatives) {
      return `the visibility phase has cycles of ${alternativeCycles.length} alternatives, not ${alternatives}`;
    }
    if ((records !== undefined) !== hasRecords(frame)) {
      return `the visibility phase has ${records === undefined ? 'no records' : 'records'}`;
    }
  }
  const segmentFault = findSegmentFault(summary, frame);
  if (segmentFault !== null) return segmentFault;
  if (frame.commands.timing === 'functional') return null;
  const isMeasured = copyWork !== undefined && isWorkOf(copyWork, frame);
  return isMeasured ? null : 'the visibility phase has no copy work, or that of another frame';
}

/** Returns why the segments of a summary are not those of its streams, or null if they are. */
function findSegmentFault(summary: VisibilitySummary, frame: PreparedFrame): string | null {
  const { bins, parts = [summary] } = summary;
  const isStreamed = frame.commands.visibilityDelivery === 'stream';
  const segments = parts.flatMap((part) => part.segments ?? []);
  if (!isStreamed) return segments.length > 0 ? 'the visibility phase has segments' : null;
  const isWhole = parts.every((part) => part.segments !== undefined);
  if (segments.length > 0 && !isWhole) return 'a part of the visibility phase has no segments';
  const entries = bins.map(() => 0);
  const alternatives = countTimedAlternatives(frame);
  const isTimed = frame.commands.timing === 'cycle' && !hasRecords(frame);
  for (const { binEntries, endCycle, alternativeEndCycles = [] } of segments) {
    if ((endCycle !== null) !== isTimed || alternativeEndCycles.length !== alternatives) {
      return 'a segment of the visibility phase has no cycles, or others';
    }
    for (let at = 0; at < binEntries.length; at += 2) {
      entries[binEntries[at]!]! += binEntries[at + 1]!;
    }
  }
  const isComplete = bins.every(({ primitives }, bin) => primitives === entries[bin]);
  return isComplete ? null : 'the visibility phase has segments of other streams';
}

/** Returns whether work of the copy engine matches the resources and copies of a frame. */
function isWorkOf(
  { timings, stores, mipmaps, copies, resolve }: CopyEngineWork,
  frame: PreparedFrame,
): boolean {
  const { buffers, textures, commands } = frame;
  const alternatives = countAlternatives(frame);
  const isComplete =
    stores.length === buffers.length + textures.length &&
    mipmaps.length === textures.length &&
    copies.length === (commands.copies?.length ?? 0) &&
    timings.every(({ alternativeCycles = [] }) => alternativeCycles.length === alternatives);
  const isKnown = (index: number) => index >= -1 && index < timings.length;
  const isResolveKnown = commands.passes[0]!.isResolved
    ? resolve !== undefined && timings[resolve] !== undefined
    : resolve === undefined;
  return (
    isComplete &&
    isResolveKnown &&
    [stores, mipmaps, copies].flat().every(isKnown) &&
    !copies.includes(-1)
  );
}
