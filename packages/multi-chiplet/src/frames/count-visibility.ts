/**
 * Visibility phases of a frame without its bins, which take a small part of the time of a
 * rendering. They count the work of the frame and predict its cost.
 */
import { addCounters, type Counters, type PreparedFrame, type PreparedPass } from '@tessera/frame';
import { BIN_COST_TERMS, binCostTerms, estimateBinCycles } from '../bins/bin-cost.ts';
import { withEarlyBin } from '../passes/early-bin.ts';
import { listVertexTextures, PassFrames } from '../passes/pass-frames.ts';
import { type ImmediateChiplet, renderFrameNow } from './render-frame-now.ts';

/** Index of a pass in the frame that the chiplet receives. */
const PASS_INDEX = 0;
/** No bin is rendered in a visibility phase. */
const IS_VISIBILITY_CHIPLET_RENDERING = false;

/** Counts of the visibility phases of a frame. */
export interface VisibilityCounts {
  readonly counters: Counters;
  /** Sums over all bins of the terms of the cost model, in the order of `BIN_COST_TERMS`. */
  readonly costTerms: readonly number[];
  /** Cycles that the cost model estimates for all bins. */
  readonly estimatedCycles: number;
}

/**
 * Runs the visibility phases. Passes are rendered only if vertex shaders read what other passes
 * draw or write.
 *
 * @throws {RenderError} SHADER_BUDGET_EXCEEDED, LIMIT_EXCEEDED (the chiplet's memory).
 */
export function countVisibility<Resident>(
  frame: PreparedFrame,
  chiplet: ImmediateChiplet<Resident>,
): VisibilityCounts {
  if (frame.commands.passes.some((pass) => dependsOnPasses(pass, frame))) {
    const isVisibilityChipletRendering = IS_VISIBILITY_CHIPLET_RENDERING;
    const { passes } = renderFrameNow(frame, { chiplet, isVisibilityChipletRendering });
    return sumCounts(
      passes.map(({ visibility, measurement }) => ({ ...visibility, bins: measurement.bins })),
    );
  }
  const { grids } = new PassFrames(frame);
  return sumCounts(
    frame.commands.passes.map((pass, passIndex) => {
      const isDepthLoaded = frame.passLinks?.[passIndex]?.loads.includes('depth') ?? false;
      const passes = [withoutTextures(pass, isDepthLoaded)];
      const commands = {
        ...frame.commands,
        grid: grids[passIndex]!,
        textures: [],
        passes,
        copies: [],
      };
      const { buffers, programs } = frame;
      const resident = chiplet.admitFrame(
        withEarlyBin(
          { commands, buffers, textures: [], programs },
          IS_VISIBILITY_CHIPLET_RENDERING,
        ),
      );
      const { summary } = chiplet.computeVisibility(resident, PASS_INDEX);
      const bins = summary.bins.map((bin) => ({
        costTerms: binCostTerms(bin),
        estimatedCycles: estimateBinCycles(bin),
      }));
      return { counters: summary.counters, bins };
    }),
  );
}

/** Whether the visibility phase of a pass reads textures or writes buffers. */
function dependsOnPasses(pass: PreparedPass, { programs }: PreparedFrame): boolean {
  return pass.isFeedback === true || listVertexTextures(pass, programs).length > 0;
}

/** Returns a pass whose draws have no textures and whose target is cleared. */
function withoutTextures(pass: PreparedPass, isDepthLoaded: boolean): PreparedPass {
  return {
    ...pass,
    draws: pass.draws.map((draw) => ({ ...draw, textures: draw.textures.map(() => null) })),
    contents: {
      colorBufferIndices: [],
      depthStencilBufferIndex: null,
      isDepthLoaded,
      isStencilLoaded: false,
      isDepthStencilStored: false,
    },
  };
}

interface PassCounts {
  readonly counters: Counters;
  readonly bins: readonly {
    readonly costTerms: readonly number[];
    readonly estimatedCycles: number;
  }[];
}

function sumCounts(passes: readonly PassCounts[]): VisibilityCounts {
  const counters: Counters = {};
  for (const pass of passes) addCounters(counters, pass.counters);
  const bins = passes.flatMap((pass) => pass.bins);
  return {
    counters,
    costTerms: BIN_COST_TERMS.map((_, term) =>
      bins.reduce((sum, { costTerms }) => sum + costTerms[term]!, 0),
    ),
    estimatedCycles: bins.reduce((sum, { estimatedCycles }) => sum + estimatedCycles, 0),
  };
}
