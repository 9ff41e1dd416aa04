/**
 * One pass over many chiplets, as the patent's figures 3 to 5 have it: visibility phase on chiplet 0, bin
 * assignment, bins on all chiplets in parallel, composition. Reads as the flow.
 */
import type {
  BinResult,
  Chiplet,
  FrameId,
  Image,
  PreparedFrame,
  VisibilitySummary,
} from '@tessera/frame';
import {
  BIN_ASSIGNMENT_POLICIES,
  type BinAssignmentPolicyName,
} from './bin-assignment/policies.ts';
import type { ChipletBins } from './bin-assignment/policy.ts';
import { estimateBinCost } from './bin-cost.ts';
import { renderBins } from './bin-render-phase.ts';
import { throwIfCancelled } from './cancellation.ts';
import { Compositor } from './compositor.ts';

/** The index of a pass in the frame that it is to chiplets. */
const PASS_INDEX = 0;

export interface RenderPassOptions {
  /** Of the pass, not of the frame it belongs to. */
  readonly frameId: FrameId;
  readonly visibilityChiplet: Chiplet;
  readonly renderers: readonly Chiplet[];
  readonly policy: BinAssignmentPolicyName;
  readonly readClockMs: () => number;
  readonly onVisibility: () => void;
  readonly onBin: () => void;
  readonly signal?: AbortSignal | undefined;
}

export interface RenderedPass {
  readonly image: Image;
  /** Of the whole target; `null` where no later pass loads them. */
  readonly depthStencil: Uint8Array | null;
  readonly summary: VisibilitySummary;
  readonly assignment: readonly ChipletBins[];
  /** By bin id. */
  readonly bins: readonly BinResult[];
  readonly visibilityMs: number;
  readonly retriedBins: number;
}

/** @param frame With one pass. */
export async function renderPass(
  frame: PreparedFrame,
  options: RenderPassOptions,
): Promise<RenderedPass> {
  const { frameId, renderers, signal } = options;
  const { grid, passes } = frame.commands;
  const startMs = options.readClockMs();
  const summary = await options.visibilityChiplet.computeVisibility(frameId, frame, PASS_INDEX);
  throwIfCancelled(signal);
  const visibilityMs = options.readClockMs() - startMs;

  const assignment = BIN_ASSIGNMENT_POLICIES[options.policy].assign({
    grid,
    estimatedCosts: summary.bins.map(estimateBinCost),
    chipletIds: renderers.map((chiplet) => chiplet.id),
  });

  const isDepthStencilStored = passes[PASS_INDEX]!.contents?.isDepthStencilStored ?? false;
  const compositor = new Compositor(grid, isDepthStencilStored);
  const bins: BinResult[] = [];
  options.onVisibility();
  const { retriedBins } = await renderBins({
    frameId,
    passIndex: PASS_INDEX,
    chiplets: renderers,
    assignment,
    signal,
    onBin: (result) => {
      compositor.place(result);
      bins[result.binId] = result;
      options.onBin();
    },
  });
  const image = compositor.finish();
  const { depthStencil } = compositor;
  return { image, depthStencil, summary, assignment, bins, visibilityMs, retriedBins };
}
