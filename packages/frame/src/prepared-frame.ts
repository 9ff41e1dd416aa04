/**
 * A frame that was validated and whose programs were compiled: what chiplets are given. Names are
 * resolved to slots, uniforms are packed into constant banks; bulk resources stay content-addressed.
 */
import type { CoarseBinGrid } from './coarse-bin-grid.ts';
import type { AttributeSource, IndexSource, PassClear, TextureBinding } from './frame.ts';
import type { PipelineState, Topology } from './pipeline-state.ts';
import type { Timing } from './report.ts';
import type { BufferResource, Sha256, TextureResource } from './resources.ts';
import type { ShaderProgram, ShaderScalarType } from './shader-program.ts';

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

export interface PreparedPass {
  readonly clear: PassClear;
  readonly draws: readonly PreparedDraw[];
}

/** Which vertex shader the visibility phase runs (patent fig. 3: minimal or full). */
export type VisibilityShader = 'minimal' | 'full';

/** The small part of a prepared frame: all but the bulk resources, which it names by hash. */
export interface FrameCommands {
  /** SHA-256 of the submitted frame's content. */
  readonly sha256: Sha256;
  readonly grid: CoarseBinGrid;
  readonly visibilityShader: VisibilityShader;
  readonly timing: Timing;
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
