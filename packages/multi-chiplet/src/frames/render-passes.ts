/** Renders the passes of a frame in order, each on all render hosts. */
import { type Chiplet, DEFAULT_RECORD_BYTES, type Image, RenderError } from '@tessera/frame';
import { BinDispatcher } from '../dispatch/bin-dispatcher.ts';
import { Contributors, makeLieError } from '../dispatch/host-trust.ts';
import type { PassFrames } from '../passes/pass-frames.ts';
import { type RenderedPass, type RenderPassOptions, renderPass } from '../passes/render-pass.ts';
import type { FinishedPass } from '../report/measure-frame.ts';
import { tooManyRecords } from '../simulated-time/record-limits.ts';
import type { PassGroup } from '../sort-last/divide-passes.ts';
import { renderLayers } from '../sort-last/render-layers.ts';
import { FrameBudget } from './frame-budget.ts';
import type { ProgressCounter } from './frame-progress.ts';
import type { RenderFrameOptions } from './render-frame.ts';

/** Render hosts of a frame by the work that they do. */
interface FrameHosts {
  /** Host that computes visibility. */
  readonly visibility: Chiplet;
  /** Hosts that render bins. */
  readonly bins: readonly Chiplet[];
}

/** Passes of a frame with the makers of their images, both in the order of the passes. */
export interface RenderedPasses {
  readonly passes: readonly (FinishedPass & RenderedPass)[];
  readonly images: readonly (() => Image)[];
}

/**
 * Renders all passes. Afterwards `passFrames` holds the contents of the screen and of drawn
 * textures.
 *
 * @param groups Composition group of each pass; none unless the organization is `sort-last`.
 * @throws {RenderError} NO_CHIPLETS if no host may render bins, and as `renderPass`.
 */
export async function renderPasses(
  passFrames: PassFrames,
  groups: readonly PassGroup[],
  progress: ProgressCounter,
  options: RenderFrameOptions,
): Promise<RenderedPasses> {
  const { hosts, frameId, signal } = options;
  const frameHosts = chooseHosts(options);
  const dispatcher = options.dispatcher ?? new BinDispatcher();
  const contributors = new Contributors();
  const instructions = new FrameBudget(
    options.instructionBudget ?? Number.MAX_SAFE_INTEGER,
    tooManyInstructions,
  );
  const records = new FrameBudget(options.maxRecordBytes ?? DEFAULT_RECORD_BYTES, tooManyRecords);
  const budgets = [instructions, records];
  const passSignal = AbortSignal.any([
    ...budgets.map(({ exceeded }) => exceeded),
    ...(signal === undefined ? [] : [signal]),
  ]);
  const passes: (FinishedPass & RenderedPass)[] = [];
  const images: (() => Image)[] = [];

  for (let passIndex = 0; passIndex < passFrames.count; passIndex++) {
    const pass = passFrames.make(passIndex);
    const passFrameId = passFrames.count === 1 ? frameId : `${frameId}/${passIndex}`;
    progress.enter('visibility');
    try {
      const group = groups[passIndex];
      const passOptions: RenderPassOptions = {
        frameId: passFrameId,
        visibilityHost: frameHosts.visibility,
        isVisibilityChipletRendering: options.isVisibilityChipletRendering,
        hosts: frameHosts.bins,
        dispatcher,
        contributors,
        splits: options.splits ?? 0,
        readClockMs: options.readClockMs,
        signal: passSignal,
        onInstructions: (count) => instructions.add(count),
        onRecords: (bytes) => records.add(bytes),
        onVisibility: () => progress.enter('bins'),
        onBin: () => progress.finishBin(),
      };
      const rendered = group?.isDistributed
        ? await renderLayers(pass.frame, passOptions, group.chipletCount)
        : await renderPass(pass.frame, passOptions);
      images.push(passFrames.finish(passIndex, rendered.targets, rendered.parts));
      passes.push({ ...pass, ...rendered, group });
      for (const budget of budgets) budget.throwIfExceeded();
      dispatcher.releaseFrame(passFrameId, hosts);
    } catch (error) {
      for (const host of hosts) host.releaseFrame(passFrameId);
      if (!signal?.aborted) for (const budget of budgets) budget.throwIfExceeded();
      throw error;
    }
  }
  if (contributors.haveLied) throw makeLieError();
  return { passes, images };
}

/**
 * Chooses the first host for visibility. It also renders bins, unless chiplet 0 renders none and
 * there are others.
 */
function chooseHosts(options: RenderFrameOptions): FrameHosts {
  const { hosts, chipletCount, isVisibilityChipletRendering } = options;
  const [visibility, ...others] = hosts;
  if (visibility === undefined || (!isVisibilityChipletRendering && chipletCount < 2)) {
    throw new RenderError('NO_CHIPLETS', 'no connected chiplet can render bins');
  }
  const isFirstSpared = !isVisibilityChipletRendering && others.length > 0;
  return { visibility, bins: isFirstSpared ? others : hosts };
}

function tooManyInstructions(limit: number): RenderError {
  const message = `the shaders of the frame executed more than ${limit} instructions`;
  return new RenderError('SHADER_BUDGET_EXCEEDED', message);
}
