/**
 * A validated frame with compiled programs, as chiplets receive it. Names are resolved to slots and
 * uniforms are packed into constant banks. Bulk resources stay content-addressed.
 */
import type { CoarseBinGrid, CoarseBinId } from './coarse-bin-grid.ts';
import type { CopySize } from './copy-engine-work.ts';
import type {
  AttributeSource,
  EdgeFlagSource,
  IndexSource,
  PassClear,
  PassQuery,
  PassTarget,
  TargetAspect,
  TargetCopy,
  TextureBinding,
} from './frame.ts';
import type { PipelineState, Topology } from './pipeline-state.ts';
import type { Coupling, SpecSummary, Timing } from './report.ts';
import type { BufferResource, Sha256, TextureResource } from './resources.ts';
import type { ShaderProgram, ShaderScalarType } from './shader-program.ts';
import type { TextureFormat } from './texture-formats.ts';

/** One location of a vertex shader input and the source of its values. */
export interface PreparedAttribute {
  /** First input slot; component c is slot `firstSlot + c`. */
  readonly firstSlot: number;
  /** Number of components that the shader declares, 1 to 4. */
  readonly componentCount: number;
  readonly scalarType: ShaderScalarType;
  readonly source: AttributeSource;
}

/** One draw call with names resolved to slots. */
export interface PreparedDraw {
  readonly programIndex: number;
  readonly topology: Topology;
  readonly first: number;
  readonly count: number;
  readonly indices: IndexSource | null;
  /** Edge flags of the triangles. Default: all edges are drawn. */
  readonly edgeFlags?: EdgeFlagSource | undefined;
  readonly instanceCount: number;
  readonly attributes: readonly PreparedAttribute[];
  /** Constant bank with `constantWords` words of the program. */
  readonly constants: Uint32Array;
  /** Texture bindings by texture slot; null reads opaque black. */
  readonly textures: readonly (TextureBinding | null)[];
  readonly state: PipelineState;
}

/**
 * Contents of a target that are loaded, and whether depth and stencil are kept. The buffers hold
 * the whole target, row by row from the top. The depth-stencil buffer holds one 32-bit
 * little-endian word per sample. The samples of a pixel are adjacent.
 */
export interface TargetContents {
  /**
   * Buffer of texels by color attachment, in the attachment's format. Null or missing: the color is
   * cleared.
   */
  readonly colorBufferIndices: readonly (number | null)[];
  /** Buffer with depth in bits 0 to 23 and stencil in bits 24 to 31; null: both are cleared. */
  readonly depthStencilBufferIndex: number | null;
  /** Whether depth is loaded from that buffer. `isStencilLoaded` is the same for stencil. */
  readonly isDepthLoaded: boolean;
  readonly isStencilLoaded: boolean;
  /** Whether finished bins include depth and stencil for a later pass. */
  readonly isDepthStencilStored: boolean;
}

/** Draws into one target, with names resolved to slots. */
export interface PreparedPass {
  readonly clear: PassClear;
  readonly draws: readonly PreparedDraw[];
  /**
   * Formats by color attachment; null where there is no attachment. Default: one attachment of
   * RGBA8.
   */
  readonly colorFormats?: readonly (TextureFormat | null)[] | undefined;
  /** Number of samples of a pixel of the target. Default: 1. */
  readonly sampleCount?: number | undefined;
  /**
   * Whether finished bins have the means of the samples, rounded half up, as their only color: the
   * target is RGBA8 with several samples, and no later pass loads its color. Default: false.
   */
  readonly isResolved?: boolean | undefined;
  /** Whether the pass is transform feedback, which has no target. Default: false. */
  readonly isFeedback?: boolean | undefined;
  /** Contents to load. Null: everything is cleared first and only color is kept. */
  readonly contents: TargetContents | null;
  /** Occlusion queries, at least one. Default: none. */
  readonly queries?: readonly PassQuery[] | undefined;
}

/** Target, loads and copies of a pass. */
export interface PassLink {
  readonly target: PassTarget;
  readonly loads: readonly TargetAspect[];
  readonly copies: readonly TargetCopy[];
}

/**
 * Vertex shaders that the visibility phase can run (patent fig. 3: 306–310). `minimal` is the part
 * that positions depend on, `full` the whole shader. `auto` chooses the cheaper one for the pass by
 * the rule in gpu/src/command/choose-visibility-shader.ts.
 */
export const VISIBILITY_SHADERS = ['minimal', 'full', 'auto'] as const;
/** Vertex shader of the visibility phase, one of {@link VISIBILITY_SHADERS}. */
export type VisibilityShader = (typeof VISIBILITY_SHADERS)[number];

/**
 * Ways in which visibility reaches the chiplets: all of a pass when its phase ends, or in segments
 * while the phase runs.
 */
export const VISIBILITY_DELIVERIES = ['phase', 'stream'] as const;
/** Delivery of visibility, one of {@link VISIBILITY_DELIVERIES}. */
export type VisibilityDelivery = (typeof VISIBILITY_DELIVERIES)[number];

/** Optional work of the visibility phase. None of it changes the image. */
export interface VisibilitySwitches {
  /**
   * Whether primitives without a visible sample are left out. If not, primitives that setup drops
   * are listed in every bin, and all others in every bin that their bounding box touches. The bin
   * phase then drops them.
   */
  readonly cullsPrimitives: boolean;
  /** Whether primitives behind the coarse depth of earlier primitives are left out as well. */
  readonly cullsOccluded: boolean;
  /** Whether chiplet 0 may render one coarse bin during the visibility phase (fig. 3: 316–320). */
  readonly rendersEarlyBin: boolean;
}

/** Switches that apply if a client sets none. */
export const DEFAULT_VISIBILITY_SWITCHES: VisibilitySwitches = Object.freeze({
  cullsPrimitives: true,
  cullsOccluded: false,
  rendersEarlyBin: true,
});

/**
 * Small part of a prepared frame: everything except the bulk resources, which it names by hash.
 * Chiplets receive each pass of a frame as separate commands, with the grid of its target.
 */
export interface FrameCommands {
  /** SHA-256 of the contents of the submitted frame. */
  readonly sha256: Sha256;
  /** Grid of the screen, or of the target if the commands have one pass. */
  readonly grid: CoarseBinGrid;
  readonly visibilityShader: VisibilityShader;
  readonly visibilitySwitches: VisibilitySwitches;
  /**
   * Number of chiplets that share each visibility phase, by ranges of the primitives; 1 by default.
   * Transform feedback is never shared.
   */
  readonly visibilityChiplets?: number | undefined;
  /** Delivery of visibility; `phase` by default. Transform feedback is never streamed. */
  readonly visibilityDelivery?: VisibilityDelivery | undefined;
  /**
   * Bin that chiplet 0 may render during the visibility phase, or null. The driver of the chiplet
   * chooses it, because it has to be one of chiplet 0's bins.
   */
  readonly earlyBinId: CoarseBinId | null;
  readonly timing: Timing;
  /** Coupling of the chiplets with cycle timing; `none` by default. */
  readonly coupling?: Coupling | undefined;
  /**
   * Specification of the simulated chiplets, which check it. Null: the one that the chiplet was
   * created with.
   */
  readonly spec: SpecSummary | null;
  /**
   * Specifications whose cycles are measured as well, from the records of the same rendering. They
   * differ from `spec` only in parameters on which records do not depend. Default: none.
   */
  readonly alternativeSpecs?: readonly SpecSummary[] | undefined;
  readonly buffers: readonly Sha256[];
  readonly textures: readonly Sha256[];
  readonly programs: readonly Sha256[];
  readonly passes: readonly PreparedPass[];
  /** Copies after the pass, for frames of one pass that chiplets receive. Default: none. */
  readonly copies?: readonly CopySize[] | undefined;
}

/** Commands and every resource they name, in the order of the lists in the commands. */
export interface PreparedFrame {
  readonly commands: FrameCommands;
  readonly buffers: readonly BufferResource[];
  readonly textures: readonly TextureResource[];
  readonly programs: readonly ShaderProgram[];
  /**
   * Links by pass. Missing if the only pass clears and draws to the screen, and in the frames that
   * chiplets receive.
   */
  readonly passLinks?: readonly PassLink[] | undefined;
}

/** Returns the number of primitives in all instances of a draw. */
export function primitiveCountOf({
  topology,
  count,
  instanceCount,
}: Pick<PreparedDraw, 'topology' | 'count' | 'instanceCount'>): number {
  return primitivesPerInstance(topology, count) * instanceCount;
}

/**
 * Returns the number of primitives that one instance of a draw assembles from `count` vertices or
 * indices.
 */
export function primitivesPerInstance(topology: Topology, count: number): number {
  switch (topology) {
    case 'points':
      return count;
    case 'lines':
      return Math.floor(count / 2);
    case 'line-strip':
      return Math.max(0, count - 1);
    case 'line-loop':
      return count >= 2 ? count : 0;
    case 'triangles':
      return Math.floor(count / 3);
    case 'triangle-strip':
    case 'triangle-fan':
      return Math.max(0, count - 2);
  }
}
