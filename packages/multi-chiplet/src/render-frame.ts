/**
 * One frame over many chiplets: pass after pass, each rendered in bins on all of them. What a pass drew goes to
 * the passes after it that sample or load it. Reads as the flow.
 */
import { createHash } from 'node:crypto';
import {
  type Chiplet,
  coarseBinCount,
  type FrameId,
  type Image,
  type PreparedFrame,
  RenderError,
  type Report,
  type SpecSummary,
} from '@tessera/frame';
import { resolvePolicyName } from './bin-assignment/policies.ts';
import { PassFrames } from './pass-frames.ts';
import { renderPass } from './render-pass.ts';
import { type FinishedPass, makeReport } from './report.ts';
import { makeTimeline, type Timeline } from './timeline.ts';

/** How far a frame is. */
export interface FrameProgress {
  /** Of the pass that is rendered. */
  readonly phase: 'visibility' | 'bins' | 'done';
  /** Over all passes, as `binCount`. */
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
  const passFrames = new PassFrames(frame);
  const binCount = passFrames.grids.reduce((sum, grid) => sum + coarseBinCount(grid), 0);
  const startMs = options.readClockMs();
  const passes: FinishedPass[] = [];
  let binsDone = 0;

  for (let passIndex = 0; passIndex < passFrames.count; passIndex++) {
    const pass = passFrames.make(passIndex);
    const passFrameId = passFrames.count === 1 ? frameId : `${frameId}/${passIndex}`;
    options.onProgress?.({ phase: 'visibility', binsDone, binCount });
    try {
      const rendered = await renderPass(pass.frame, {
        frameId: passFrameId,
        visibilityChiplet,
        renderers,
        policy,
        readClockMs: options.readClockMs,
        signal,
        onVisibility: () => options.onProgress?.({ phase: 'bins', binsDone, binCount }),
        onBin: () => {
          binsDone++;
          options.onProgress?.({ phase: 'bins', binsDone, binCount });
        },
      });
      passFrames.finish(passIndex, rendered.image, rendered.depthStencil);
      passes.push({ ...pass, ...rendered });
    } finally {
      for (const chiplet of chiplets) chiplet.releaseFrame(passFrameId);
    }
  }

  const image = passFrames.screen;
  const endMs = options.readClockMs();
  const prepareMs = options.prepareMs ?? 0;
  const visibilityMs = passes.reduce((sum, pass) => sum + pass.visibilityMs, 0);
  const report = makeReport({
    frame,
    image,
    imageSha256: createHash('sha256').update(image.rgba).digest('hex'),
    spec: options.spec,
    policy,
    chiplets,
    passes,
    wall: {
      prepareMs,
      visibilityMs,
      binsMs: endMs - startMs - visibilityMs,
      totalMs: prepareMs + endMs - startMs,
      retriedBins: passes.reduce((sum, pass) => sum + pass.retriedBins, 0),
    },
  });
  options.onProgress?.({ phase: 'done', binsDone, binCount });
  const timeline = frame.commands.timing === 'cycle' ? makeTimeline(report, passes) : null;
  return { image, report, timeline };
}
