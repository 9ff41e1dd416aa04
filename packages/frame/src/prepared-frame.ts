/**
 * A frame that was validated and whose programs were compiled: what chiplets are given. Names are
 * resolved to slots, uniforms are packed into constant banks; bulk resources stay content-addressed.
 */
import type { CoarseBinGrid, CoarseBinId } from './coarse-bin-grid.ts';
import type {
  AttributeSource,
  IndexSource,
  PassClear,
  PassTarget,
  TargetAspect,
  TargetCopy,
  TextureBinding,
} from './frame.ts';
import type { PipelineState, Topology } from './pipeline-state.ts';
import type { Timing } from './report.ts';
import type { BufferResource, Sha256, TextureResource } from './resources.ts';
import type { ShaderProgram, ShaderScalarType } from './shader-program.ts';
import type { TextureFormat } from './texture-formats.ts';

/** One location of a vertex shader input and where it is fetched from. */
export interface PreparedAttribute {
  /** First input slot: component c is slot `firstSlot + c`. */
  readonly firstSlot: number;
  /** Components that the shader declares, 1 to 4. */
  readonly componentCount: number;
  readonly scalarType: ShaderScalarType;
  readonly source: AttributeSource;
}

export interface PreparedDraw {
  readonly programIndex: number;
  readonly topology: Topology;
  readonly first: number;
  readonly count: number;
  readonly indices: IndexSource | null;
  readonly instanceCount: number;
  readonly attributes: readonly PreparedAttribute[];
  /** The constant bank, `constantWords` of the program. */
  readonly constants: Uint32Array;
  /** By texture slot; `null` reads opaque black. */
  readonly textures: readonly (TextureBinding | null)[];
  readonly state: PipelineState;
}

/**
 * What of a target is loaded and kept beside its colour. The buffers hold the whole target, row by row from
 * the top; those of depth and stencil one 32-bit little-endian word a sample. Samples of a pixel follow each other.
 */
export interface TargetContents {
  /** By colour attachment, texels of its format; `null`, or none: the colour is cleared. */
  readonly colorBufferIndices: readonly (number | null)[];
  /** Depth in bits 0 to 23, stencil above; `null`: both are cleared. */
  readonly depthStencilBufferIndex: number | null;
  /** Which of the two are taken from that buffer. */
  readonly isDepthLoaded: boolean;
  readonly isStencilLoaded: boolean;
  /** Whether finished bins carry depth and stencil, for a later pass. */
  readonly isDepthStencilStored: boolean;
}

export interface PreparedPass {
  readonly clear: PassClear;
  readonly draws: readonly PreparedDraw[];
  /** By colour attachment; `null` where there is none. Missing: one of RGBA8. */
  readonly colorFormats?: readonly (TextureFormat | null)[] | undefined;
  /** Samples of a pixel of the target; missing: 1. */
  readonly sampleCount?: number | undefined;
  /** `null`: everything is cleared first, and colour is all that is kept. */
  readonly contents: TargetContents | null;
}

/** What a pass of a frame draws into and loads. */
export interface PassLink {
  readonly target: PassTarget;
  readonly loads: readonly TargetAspect[];
  readonly copies: readonly TargetCopy[];
}

/**
 * Which vertex shader the visibility phase runs (patent fig. 3: 306–310): the part that positions need, all of
 * it, or what is cheaper for the pass by the rule in gpu/src/command/choose-visibility-shader.ts.
 */
export const VISIBILITY_SHADERS = ['minimal', 'full', 'auto'] as const;
export type VisibilityShader = (typeof VISIBILITY_SHADERS)[number];

/** What the visibility phase does beside listing. None of it changes the picture. */
export interface VisibilitySwitches {
  /**
   * Whether primitives without a visible sample are left out. If not, a primitive that set-up drops is listed
   * in every bin, and one that it keeps in every bin that its box touches; bins drop them again.
   */
  readonly cullsPrimitives: boolean;
  /** Whether primitives behind a coarse depth of earlier ones are left out as well. */
  readonly cullsOccluded: boolean;
  /** Whether chiplet 0 may render one coarse bin while it makes the visibility (fig. 3: 316–320). */
  readonly rendersEarlyBin: boolean;
}

export const DEFAULT_VISIBILITY_SWITCHES: VisibilitySwitches = Object.freeze({
  cullsPrimitives: true,
  cullsOccluded: false,
  rendersEarlyBin: true,
});

/**
 * The small part of a prepared frame: all but the bulk resources, which it names by hash. Chiplets are given
 * each pass of a frame as commands of its own, with the grid of its target.
 */
export interface FrameCommands {
  /** SHA-256 of the submitted frame's content. */
  readonly sha256: Sha256;
  /** Of the screen, or of the target where there is one pass. */
  readonly grid: CoarseBinGrid;
  readonly visibilityShader: VisibilityShader;
  readonly visibilitySwitches: VisibilitySwitches;
  /**
   * The bin that chiplet 0 may render within the visibility phase: whoever drives it says which, as it will
   * be one of chiplet 0's. `null`: none.
   */
  readonly earlyBinId: CoarseBinId | null;
  readonly timing: Timing;
  /** Preset of the chiplet that is simulated; `null`: the one that a chiplet was made with. */
  readonly specName: string | null;
  readonly buffers: readonly Sha256[];
  readonly textures: readonly Sha256[];
  readonly programs: readonly Sha256[];
  readonly passes: readonly PreparedPass[];
}

/** Commands and every resource they name, in the order of the commands' lists. */
export interface PreparedFrame {
  readonly commands: FrameCommands;
  readonly buffers: readonly BufferResource[];
  readonly textures: readonly TextureResource[];
  readonly programs: readonly ShaderProgram[];
  /** By pass; missing where the only pass clears and draws to the screen, and in what chiplets are given. */
  readonly passLinks?: readonly PassLink[] | undefined;
}

/** Number of primitives one instance of a draw assembles from `count` vertices or indices. */
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
