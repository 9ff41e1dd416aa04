/**
 * One pass in wall time: the visibility phase on the first host, then bins on all of them, then composition. What of
 * it happens when, and on which chiplet, in simulated time is worked out afterwards (simulated-time/).
 */
import {
  type BinResult,
  type Chiplet,
  type CoarseBinId,
  type FrameId,
  type PreparedFrame,
  type RectPx,
  TEXTURE_FORMATS,
  type VisibilitySummary,
} from '@tessera/frame';
import { orderLongestFirst } from './bin-assignment/dynamic-policies.ts';
import { estimateBinCycles } from './bin-cost.ts';
import type { BinDispatcher } from './bin-dispatcher.ts';
import { type BinPart, splitCostliestBins } from './bin-splitting.ts';
import { throwIfCancelled } from './cancellation.ts';
import { type ComposedTargets, Compositor } from './compositor.ts';
import { withEarlyBin } from './early-bin.ts';

/** The index of a pass in the frame that it is to chiplets. */
const PASS_INDEX = 0;
/** An empty bin takes its time as well; in predicted cycles. */
const BIN_OVERHEAD_COST = 10_000;

export interface RenderPassOptions {
  /** Of the pass, not of the frame it belongs to. */
  readonly frameId: FrameId;
  readonly visibilityHost: Chiplet;
  /** Of chiplet 0 as it is simulated. */
  readonly isVisibilityChipletRendering: boolean;
  /** Hosts that render bins. */
  readonly hosts: readonly Chiplet[];
  readonly dispatcher: BinDispatcher;
  /** How often the costliest bin is halved; 0 renders bins as a whole. */
  readonly splits: number;
  readonly readClockMs: () => number;
  readonly onVisibility: () => void;
  readonly onBin: () => void;
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
}

/** @param frame With one pass. */
export async function renderPass(
  frame: PreparedFrame,
  options: RenderPassOptions,
): Promise<RenderedPass> {
  const { frameId, hosts, signal } = options;
  const { grid, passes } = frame.commands;
  const startMs = options.readClockMs();
  const summary = await options.visibilityHost.computeVisibility(
    frameId,
    withEarlyBin(frame, options.isVisibilityChipletRendering),
    PASS_INDEX,
  );
  throwIfCancelled(signal);
  const visibilityMs = options.readClockMs() - startMs;

  const isDepthStencilStored = passes[PASS_INDEX]!.contents?.isDepthStencilStored ?? false;
  const { colorFormats = ['rgba8unorm'] } = passes[PASS_INDEX]!;
  const pixelBytes = colorFormats.map((format) =>
    format === null ? 0 : TEXTURE_FORMATS[format].bytesPerTexel,
  );
  const compositor = new Compositor(grid, pixelBytes, isDepthStencilStored);
  const { earlyBin } = summary;
  const parts = splitCostliestBins(grid, summary.bins, options.splits, earlyBin?.binId);
  const indexByPart = new Map(parts.map(({ binId, rect }, index) => [keyOf(binId, rect), index]));
  const bins: BinResult[] = [];
  let compositeMs = 0;
  const findFault = (result: BinResult): string | null => {
    if (!indexByPart.has(keyOf(result.binId, result.rect))) {
      return `coarse bin ${result.binId}: its rectangle is not what was asked for`;
    }
    return compositor.findMisfit(result);
  };
  const place = (result: BinResult) => {
    const index = indexByPart.get(keyOf(result.binId, result.rect));
    if (index === undefined) throw new Error(`coarse bin ${result.binId}: nobody asked for it`);
    const placeStartMs = options.readClockMs();
    compositor.place(result);
    compositeMs += options.readClockMs() - placeStartMs;
    bins[index] = result;
    if (compositor.hasBin(result.binId)) options.onBin();
  };
  options.onVisibility();
  if (earlyBin !== null) place(earlyBin);
  const predicted = parts.map((part) => ({ predictedCycles: estimateBinCycles(part.summary) }));
  const { retriedBins } = await options.dispatcher.render({
    frameId,
    passIndex: PASS_INDEX,
    hosts,
    bins: orderLongestFirst(predicted)
      .filter((index) => parts[index]!.binId !== earlyBin?.binId)
      .map((index) => {
        const { binId, rect, isWhole } = parts[index]!;
        const cost = predicted[index]!.predictedCycles + BIN_OVERHEAD_COST;
        return isWhole ? { binId, cost } : { binId, rect, cost };
      }),
    findFault: (result, asked) => {
      const isAsked =
        result.binId === asked.binId &&
        (asked.rect === undefined ||
          keyOf(asked.binId, asked.rect) === keyOf(result.binId, result.rect));
      return isAsked ? findFault(result) : `coarse bin ${asked.binId}: the answer is another bin`;
    },
    onBin: place,
    signal,
  });
  return {
    targets: compositor.finish(),
    summary,
    parts,
    bins,
    visibilityMs,
    compositeMs,
    retriedBins,
  };
}

function keyOf(binId: CoarseBinId, { x, y, width, height }: RectPx): string {
  return `${binId}: ${x}, ${y}, ${width}, ${height}`;
}
