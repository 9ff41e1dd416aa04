/**
 * Draw with everything that its execution needs and that does not depend on a bin: kernels, fetch
 * plans, derived state. Created once per frame and chiplet.
 */
import {
  FRAGMENT_DEPTH_SLOT,
  type IsaProgram,
  type PipelineState,
  POINT_SIZE_SLOT,
  type PreparedDraw,
  type PreparedFrame,
  primitivesPerInstance,
  RenderError,
  SAMPLE_MASK_SLOT,
  type ShaderProgram,
} from '@tessera/frame';
import { isSampleShaded, readsSampleMask, vertexInputCount } from '@tessera/shader/codegen';
import { summarizeProgram } from '@tessera/shader/isa';
import { cornersPerPrimitive } from '../geometry/vertices/primitive-assembly.ts';
import { type FetchPlan, planVertexFetch } from '../geometry/vertices/vertex-fetch.ts';
import {
  depthBoundsOf,
  makeViewportTransform,
  type ViewportTransform,
} from '../geometry/vertices/viewport-transform.ts';
import {
  MAX_CONSTANT_WORDS,
  MAX_FRAGMENT_INPUTS,
  MAX_FRAGMENT_OUTPUTS,
  MAX_VERTEX_INPUTS,
  MAX_VERTEX_OUTPUTS,
} from '../memory/chiplet-memory.ts';
import type { MergeRun } from '../output/merge/merge-kernel.ts';
import { makeMergeKey } from '../output/merge/merge-key.ts';
import { areColorsClamped, type TargetLayout } from '../output/target/target-layout.ts';
import { chooseDepthStage, cutsCoverage, type DepthStage } from '../raster/coverage/early-depth.ts';
import type { TraversalKey, TraversalRun } from '../raster/coverage/traversal-kernel.ts';
import { type AttributeLayout, attributeLayoutOf } from '../raster/planes/attribute-planes.ts';
import { makeSetupState, type SetupState } from '../raster/setup-state.ts';
import type { FragmentKernel, VertexKernel } from '../shading/shader-kernel.ts';
import { readEdgeFlags } from './edge-flags.ts';
import { type IndexReader, makeIndexReader } from './index-reader.ts';
import type { KernelLibrary } from './kernel-library.ts';

/**
 * Number of edges of a raster record, by the primitive's corners. A point is a box of whole pixels,
 * a line a parallelogram.
 */
const EDGES_BY_CORNERS = { 1: 0, 2: 4, 3: 3 } as const;

/** Vertex stage that a draw runs: the full shader or the slice for positions. */
export interface VertexStage {
  readonly program: IsaProgram;
  readonly kernel: VertexKernel;
  readonly fetch: FetchPlan;
  /** Number of instructions in the program. */
  readonly instructionCount: number;
}

/** Kernels that shade and merge packed fragments; see lane-packing.ts. */
export interface PackedKernels {
  readonly fragmentKernel: FragmentKernel;
  readonly mergeKernel: MergeRun;
}

/** Draw bound to a chiplet. */
export interface BoundDraw {
  readonly draw: PreparedDraw;
  /** Index of the draw in its pass. */
  readonly drawIndex: number;
  readonly program: ShaderProgram;
  readonly targetHeightPx: number;
  readonly corners: 1 | 2 | 3;
  /** Whether all primitives are filled triangles. */
  readonly isFilled: boolean;
  /** Edge flags of the triangles of an instance; `null` if all edges are drawn. */
  readonly edgeFlags: Uint8Array | null;
  readonly primitivesPerInstance: number;
  readonly indexReader: IndexReader;
  readonly viewport: ViewportTransform;
  readonly setup: SetupState;
  /** Stage at which the depth test takes place. */
  readonly depthStage: DepthStage;
  readonly attributes: AttributeLayout;
  readonly vertexStage: VertexStage;
  /** Vertex stage that the visibility phase runs. */
  readonly visibilityStage: VertexStage;
  readonly fragmentKernel: FragmentKernel;
  readonly fragmentInstructions: number;
  /** Whether the fragment shader runs for each covered sample of a target with several. */
  readonly isSampleShaded: boolean;
  /** Whether the fragment shader reads which samples are covered, of several. */
  readonly readsSampleMask: boolean;
  readonly mergeKernel: MergeRun;
  /**
   * Returns the kernels for packed fragments, created on first use; `null` if fragments need their
   * quads.
   */
  readonly packedKernels: () => PackedKernels | null;
  readonly traversalKernel: TraversalRun;
  /** Returns the kernel of tile traversal that tests no depth, created on first use. */
  readonly coverageKernel: () => TraversalRun;
}

/**
 * Binds a draw of a frame.
 *
 * @param drawIndex Index of the draw in its pass.
 * @param visibilityShader Vertex shader of the pass's visibility phase.
 * @throws {RenderError} FRAME_UNSUPPORTED if the program exceeds the chiplet's pools.
 */
export function bindDraw(
  library: KernelLibrary,
  frame: PreparedFrame,
  draw: PreparedDraw,
  drawIndex: number,
  visibilityShader: 'minimal' | 'full',
  targets: TargetLayout,
): BoundDraw {
  const { commands, buffers } = frame;
  const program = frame.programs[draw.programIndex];
  if (program === undefined)
    throw new Error(`bind draw: program ${draw.programIndex} does not exist`);
  checkLimits(program);
  const { vertex, fragment, positionOnly } = program;
  const { state } = draw;
  const samplings = library.samplingsOf(frame, draw);
  const isTimed = commands.timing === 'cycle';

  const bindStage = (stage: IsaProgram): VertexStage => ({
    program: stage,
    kernel: library.vertexKernel(program, stage, samplings, isTimed),
    fetch: planVertexFetch(stage, draw.attributes, buffers),
    instructionCount: summarizeProgram(stage).instructionCount,
  });
  const vertexStage = bindStage(vertex);
  const corners = cornersPerPrimitive(draw.topology);
  const isOutlined = corners === 3 && state.polygonMode !== undefined;
  const isMinimal = visibilityShader === 'minimal' && !needsPointSize(draw, corners, program);

  const { sampleCount } = targets;
  const depthStage = chooseDepthStage(state.depth, state.stencil.isTestEnabled, {
    usesDiscard: fragment.usesDiscard || cutsSamples(state, fragment, sampleCount),
    writesDepth: fragment.outputSlots.includes(FRAGMENT_DEPTH_SLOT),
  });
  const isClamped = areColorsClamped(targets);
  const mergeKey = makeMergeKey(state, fragment.outputSlots, depthStage === 'early', targets);
  const traversal: TraversalKey = {
    depthStage,
    depthCompare: state.depth.compare,
    isDepthWritten: state.depth.isWriteEnabled,
    edgeCount: edgeCountOf(corners, isOutlined, sampleCount),
    sampleCount,
    depthBounds: depthBoundsOf(state),
  };
  let packed: PackedKernels | null | undefined;
  const makePacked = (): PackedKernels | null => {
    // Records for cycle timing are records of quads.
    if (isTimed || sampleCount > 1) return null;
    const fragmentKernel = library.packedFragmentKernel(program, samplings, isClamped);
    if (fragmentKernel === null) return null;
    return { fragmentKernel, mergeKernel: library.mergeKernel(mergeKey, true) };
  };
  return {
    draw,
    drawIndex,
    program,
    targetHeightPx: commands.grid.heightPx,
    corners,
    isFilled: corners === 3 && !isOutlined,
    edgeFlags: isOutlined ? readEdgeFlags(draw, buffers) : null,
    primitivesPerInstance: primitivesPerInstance(draw.topology, draw.count),
    indexReader: makeIndexReader(draw, buffers),
    viewport: makeViewportTransform(state),
    setup: makeSetupState(state, commands.grid, sampleCount),
    depthStage,
    attributes: attributeLayoutOf(program, state.provokingVertex),
    vertexStage,
    visibilityStage: isMinimal ? bindStage(positionOnly) : vertexStage,
    fragmentKernel: library.fragmentKernel(program, samplings, isTimed, isClamped),
    fragmentInstructions: summarizeProgram(fragment).instructionCount,
    ...sampleUseOf(fragment, sampleCount > 1),
    mergeKernel: library.mergeKernel(mergeKey),
    packedKernels: () => {
      if (packed === undefined) packed = makePacked();
      return packed;
    },
    traversalKernel: library.traversalKernel(traversal),
    coverageKernel: () => library.traversalKernel({ ...traversal, depthStage: 'late' }),
  };
}

/** Returns how a fragment shader uses samples, if there are several. */
function sampleUseOf(fragment: IsaProgram, isMultisampled: boolean) {
  return {
    isSampleShaded: isMultisampled && isSampleShaded(fragment),
    readsSampleMask: isMultisampled && readsSampleMask(fragment),
  };
}

/** Returns whether a draw may drop covered samples after shading. */
function cutsSamples(
  { multisample }: PipelineState,
  { outputSlots }: IsaProgram,
  sampleCount: number,
): boolean {
  if (sampleCount === 1) return false;
  return cutsCoverage(multisample, sampleCount) || outputSlots.includes(SAMPLE_MASK_SLOT);
}

/**
 * Returns whether the visibility phase needs the full vertex shader for the size of points, which
 * determines their bins and which the minimal shader may not compute.
 */
function needsPointSize(
  { state }: PreparedDraw,
  corners: number,
  { vertex, positionOnly }: ShaderProgram,
): boolean {
  return (
    drawsPoints(corners, state) &&
    vertex.outputSlots.includes(POINT_SIZE_SLOT) &&
    !positionOnly.outputSlots.includes(POINT_SIZE_SLOT)
  );
}

/** Returns whether any primitive of a draw is rasterized as points. */
function drawsPoints(corners: number, { polygonMode }: PipelineState): boolean {
  if (corners !== 3) return corners === 1;
  return polygonMode?.front === 'point' || polygonMode?.back === 'point';
}

function edgeCountOf(corners: 1 | 2 | 3, isOutlined: boolean, sampleCount: number): 0 | 3 | 4 {
  if (isOutlined || (sampleCount > 1 && corners === 1)) return 4;
  return EDGES_BY_CORNERS[corners];
}

function checkLimits({ vertex, fragment, constantWords }: ShaderProgram): void {
  checkLimit('vertex inputs', vertexInputCount(vertex), MAX_VERTEX_INPUTS);
  checkLimit('vertex outputs', vertex.outputSlots.length, MAX_VERTEX_OUTPUTS);
  checkLimit('varying components', fragment.inputSlots.length, MAX_FRAGMENT_INPUTS);
  checkLimit('fragment outputs', fragment.outputSlots.length, MAX_FRAGMENT_OUTPUTS);
  checkLimit('words of uniforms', constantWords, MAX_CONSTANT_WORDS);
}

function checkLimit(what: string, count: number, max: number): void {
  if (count <= max) return;
  throw new RenderError(
    'FRAME_UNSUPPORTED',
    `program: ${count} ${what}; a chiplet has room for ${max}`,
  );
}
