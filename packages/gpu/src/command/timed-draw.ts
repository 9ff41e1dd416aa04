/**
 * Properties of a draw that its timing depends on besides its records: sites of its programs,
 * sizes, depth stage.
 */
import type { IsaProgram, PipelineState } from '@tessera/frame';
import { findLogSites, type LogSites, type OperationTimings } from '@tessera/shader/codegen';
import { depthBoundsOf } from '../geometry/vertices/viewport-transform.ts';
import type { DepthStage } from '../raster/coverage/early-depth.ts';
import type { HierarchicalDepthUse } from '../raster/hardware/block-depths.ts';
import { type AttributeArray, findAttributeArrays } from './attribute-arrays.ts';
import type { BoundDraw, VertexStage } from './bound-draw.ts';
import type { ResidentFrame } from './resident-frame.ts';

/** Draw as the simulated chip sees it. */
export interface TimedDraw {
  readonly vertexSites: LogSites;
  readonly fragmentSites: LogSites;
  readonly arrays: readonly AttributeArray[];
  readonly vertexProgram: IsaProgram;
  readonly fragmentProgram: IsaProgram;
  readonly components: number;
  readonly depthStage: DepthStage;
  readonly readsTarget: boolean;
  /** Whether the depth test, at either stage, writes depth or stencil. */
  readonly writesDepth: boolean;
  readonly writesColor: boolean;
  /** Permitted uses and required updates of the bounds of hierarchical depth. */
  readonly hierarchicalDepth: HierarchicalDepthUse;
}

/** Timed draws of a recorder, by frame, draw and stage. */
export class TimedDraws {
  readonly #timings: OperationTimings;
  /** Stages of each draw. The visibility phase has stages of its own. */
  readonly #known = new WeakMap<ResidentFrame, Map<BoundDraw, Map<VertexStage, TimedDraw>>>();

  /** @param timings Timings of the chiplet's instructions. */
  constructor(timings: OperationTimings) {
    this.#timings = timings;
  }

  /**
   * Returns the timing properties of a draw.
   *
   * @param stage Vertex stage that runs: the full one or that of the visibility phase.
   */
  of(frame: ResidentFrame, bound: BoundDraw, stage: VertexStage): TimedDraw {
    let byDraw = this.#known.get(frame);
    if (byDraw === undefined) {
      byDraw = new Map();
      this.#known.set(frame, byDraw);
    }
    let byStage = byDraw.get(bound);
    if (byStage === undefined) {
      byStage = new Map();
      byDraw.set(bound, byStage);
    }
    let timed = byStage.get(stage);
    if (timed === undefined) {
      timed = makeTimedDraw(bound, stage, this.#timings);
      byStage.set(stage, timed);
    }
    return timed;
  }
}

function isAnyBlended({ blend, colorTargets }: PipelineState): boolean {
  return blend.isEnabled || colorTargets?.some((target) => target?.blend?.isEnabled) === true;
}

function isAnyColorWritten({ colorMask, colorTargets }: PipelineState): boolean {
  const masks = [colorMask, ...(colorTargets ?? []).map((target) => target?.colorMask ?? [])];
  return masks.some((mask) => mask.some((isWritten) => isWritten));
}

function makeTimedDraw(bound: BoundDraw, stage: VertexStage, timings: OperationTimings): TimedDraw {
  const { state } = bound.draw;
  const { fragment } = bound.program;
  const { depthStage } = bound;
  const { compare, isTestEnabled, isWriteEnabled } = state.depth;
  const isNearer = compare === 'less' || compare === 'less-equal';
  const [least, most] = depthBoundsOf(state);
  // Bounds are of planes, and clamping to a part of the range moves depth off its plane.
  const isOnPlane = least === 0 && most === 1;
  const neverRaises = isNearer || compare === 'equal' || compare === 'never';
  return {
    vertexSites: findLogSites(stage.program, timings),
    fragmentSites: findLogSites(fragment, timings),
    arrays: findAttributeArrays(stage.fetch),
    vertexProgram: stage.program,
    fragmentProgram: fragment,
    components: fragment.inputSlots.length,
    depthStage,
    readsTarget: isAnyBlended(state) || depthStage === 'late',
    writesDepth: (isTestEnabled && isWriteEnabled) || state.stencil.isTestEnabled,
    writesColor: isAnyColorWritten(state),
    hierarchicalDepth:
      depthStage === 'early' && isNearer && isOnPlane
        ? isWriteEnabled
          ? 'test'
          : 'test-only'
        : isTestEnabled && isWriteEnabled && !neverRaises
          ? 'raise'
          : 'keep',
  };
}
