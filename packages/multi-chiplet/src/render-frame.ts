/**
 * One frame over many chiplets, as the patent's figures 3 to 5 have it: visibility phase on chiplet 0,
 * bin assignment, bins on all chiplets in parallel, composition. Reads as the flow.
 */
import { createHash } from 'node:crypto';
import {
  type BinResult,
  type Chiplet,
  coarseBinCount,
  type FrameId,
  type Image,
  type PreparedFrame,
  RenderError,
  type Report,
  type SpecSummary,
} from '@tessera/frame';
import { BIN_ASSIGNMENT_POLICIES, resolvePolicyName } from './bin-assignment/policies.ts';
import { estimateBinCost } from './bin-cost.ts';
import { renderBins } from './bin-render-phase.ts';
import { throwIfCancelled } from './cancellation.ts';
import { Compositor } from './compositor.ts';
import { makeReport } from './report.ts';
import { makeTimeline, type Timeline } from './timeline.ts';

/** How far a frame is. */
export interface FrameProgress {
  readonly phase: 'visibility' | 'bins' | 'done';
  readonly binsDone: number;
  readonly binCount: number;
}

export interface RenderFrameOptions {
  readonly frameId: FrameId;
  /** Index 0 is the visibility chiplet; ids ascend. At least one. */
  readonly chiplets: readonly Chiplet[];
  /** A name of {@link BIN_ASSIGNMENT_POLICIES} or an alias. */
  readonly policy: string;
  /** Whether chiplet 0 renders bins too. Without it there must be another chiplet. */
  readonly isVisibilityChipletRendering: boolean;
  /** Of all chiplets alike. */
  readonly spec: SpecSummary;
  /** Milliseconds of a monotonic clock: for `report.wall` and nothing else. */
  readonly readClockMs: () => number;
  /** Wall time that preparing the frame took, for `report.wall`. */
  readonly prepareMs?: number | undefined;
  readonly onProgress?: ((progress: FrameProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface RenderedFrame {
  readonly image: Image;
  readonly report: Report;
  /** Null with `timing: functional`. */
  readonly timeline: Timeline | null;
}

/**
 * Renders a prepared frame. The image does not depend on the number of chiplets or the policy, the
 * report (but `wall`) not on who answers first.
 *
 * @throws {RenderError} NO_CHIPLETS, CHIPLET_LOST, CHIPLET_TIMEOUT, SHADER_BUDGET_EXCEEDED,
 *   LIMIT_EXCEEDED (a chiplet's memory), FRAME_CANCELLED (abort).
 */
export async function renderFrame(
  frame: PreparedFrame,
  options: RenderFrameOptions,
): Promise<RenderedFrame> {
  const { chiplets, frameId, signal } = options;
  const policy = resolvePolicyName(options.policy);
  const visibilityChiplet = chiplets[0];
  const renderers = options.isVisibilityChipletRendering ? chiplets : chiplets.slice(1);
  if (visibilityChiplet === undefined || renderers.length === 0) {
    throw new RenderError('NO_CHIPLETS', 'no chiplet is connected that could render bins');
  }
  const { grid } = frame.commands;
  const binCount = coarseBinCount(grid);
  const passIndex = 0;
  const startMs = options.readClockMs();

  try {
    options.onProgress?.({ phase: 'visibility', binsDone: 0, binCount });
    const summary = await visibilityChiplet.computeVisibility(frameId, frame, passIndex);
    throwIfCancelled(signal);
    const visibilityEndMs = options.readClockMs();

    const assignment = BIN_ASSIGNMENT_POLICIES[policy].assign({
      grid,
      estimatedCosts: summary.bins.map(estimateBinCost),
      chipletIds: renderers.map((chiplet) => chiplet.id),
    });

    const compositor = new Compositor(grid);
    const bins: BinResult[] = [];
    let binsDone = 0;
    options.onProgress?.({ phase: 'bins', binsDone, binCount });
    const { retriedBins } = await renderBins({
      frameId,
      passIndex,
      chiplets: renderers,
      assignment,
      signal,
      onBin: (result) => {
        compositor.place(result);
        bins[result.binId] = result;
        binsDone++;
        options.onProgress?.({ phase: 'bins', binsDone, binCount });
      },
    });

    const image = compositor.finish();
    const endMs = options.readClockMs();
    const prepareMs = options.prepareMs ?? 0;
    const report = makeReport({
      frame,
      image,
      imageSha256: createHash('sha256').update(image.rgba).digest('hex'),
      spec: options.spec,
      policy,
      chiplets,
      summary,
      assignment,
      bins,
      wall: {
        prepareMs,
        visibilityMs: visibilityEndMs - startMs,
        binsMs: endMs - visibilityEndMs,
        totalMs: prepareMs + endMs - startMs,
        retriedBins,
      },
    });
    options.onProgress?.({ phase: 'done', binsDone, binCount });
    const timeline = frame.commands.timing === 'cycle' ? makeTimeline(report, summary, bins) : null;
    return { image, report, timeline };
  } finally {
    for (const chiplet of chiplets) chiplet.releaseFrame(frameId);
  }
}
