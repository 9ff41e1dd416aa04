/**
 * One pass in wall time: the visibility phase on the first host, then bins on all of them, then composition. What of
 * it happens when, and on which chiplet, in simulated time is worked out afterwards (simulated-time/).
 */
import {
  type BinResult,
  type Chiplet,
  type CoarseBinGrid,
  coarseBinCount,
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
import { PassComposition } from './pass-composition.ts';

/** The index of a pass in the frame that it is to chiplets. */
const PASS_INDEX = 0;

export interface RenderPassOptions {
  /** Of the pass, not of the frame it belongs to. */
  readonly frameId: FrameId;
  readonly visibilityHost: Chiplet;
  /** Of chiplet 0 as it is simulated. */
  readonly isVisibilityChipletRendering: boolean;
  /** Hosts that render bins. */
  readonly hosts: readonly Chiplet[];
  readonly dispatcher: BinDispatcher;
  /** Hosts whose bins are in the frame, over all its passes. */
  readonly contributors: Contributors;
  /** How often the costliest bin is halved; 0 renders bins as a whole. */
  readonly splits: number;
  readonly readClockMs: () => number;
  readonly onVisibility: () => void;
  readonly onBin: () => void;
  /** Called with the shader instructions of the phase, and of each bin. */
  readonly onInstructions: (count: number | undefined) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface RenderedPass {
  readonly targets: ComposedTargets;
  readonly summary: VisibilitySummary;
  /** What was rendered: bins, or parts of the costliest; in the order of `bins`. */
  readonly parts: readonly BinPart[];
  readonly bins: readonly BinResult[];
  readonly visibilityMs: number;
  /** Wall time of placing bins in the targets, while others were still rendered. */
  readonly compositeMs: number;
  readonly retriedBins: number;
  readonly checkedBins: number;
}

/** @param frame With one pass. */
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

  /** The phase is of no use: who answered so is told of, and the frame is begun again. */
  const requireNone = (fault: string | null) => {
    if (fault === null) return;
    const { visibilityHost, dispatcher } = options;
    dispatcher.reportFault(visibilityHost, fault);
    throw new RenderError('CHIPLET_LOST', `chiplet ${visibilityHost.id}: ${fault}`);
  };
  requireNone(findSummaryFault(summary, frame.commands.grid));
  options.onInstructions(summary.shaderInstructions);
  const composition = new PassComposition(frame, summary, options.splits);
  let compositeMs = 0;
  const place = (result: BinResult) => {
    const placeStartMs = options.readClockMs();
    options.onInstructions(result.shaderInstructions);
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

/** Why a summary is not one of this grid's visibility phase; `null` if it is. */
function findSummaryFault({ bins }: VisibilitySummary, grid: CoarseBinGrid): string | null {
  const wanted = coarseBinCount(grid);
  const isEachOnce = bins.every(({ binId }, index) => binId === index);
  return bins.length === wanted && isEachOnce
    ? null
    : `the visibility phase has ${bins.length} bins, or others, of ${wanted}`;
}
