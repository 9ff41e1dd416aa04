/** Draws of a frame with their costs. */
import type { PipelineState, Topology } from './pipeline-state.ts';

/** Fragments of a draw, by the counter that counts them. */
export interface DrawCounts {
  fragmentsCovered: number;
  fragmentsEarlyKilled: number;
  fragmentsShaded: number;
  helperLanes: number;
  fragmentsDiscarded: number;
  fragmentsLateKilled: number;
  fragmentsWritten: number;
  /** Instructions of the fragment shader, for all lanes of its quads. */
  instructions: number;
}

/** Draw of a frame with its state and cost. */
export interface ProbedDraw {
  readonly pass: number;
  /** Index of the draw in its pass. */
  readonly draw: number;
  /** Index of the program in the frame. */
  readonly program: number;
  readonly topology: Topology;
  /** Number of vertices of an instance. */
  readonly vertices: number;
  readonly instances: number;
  /** Number of primitives in all instances. */
  readonly primitives: number;
  readonly isIndexed: boolean;
  /** Texture of the frame by slot of the program; `null` for none. */
  readonly textures: readonly (number | null)[];
  readonly state: PipelineState;
  /** Stage of the depth test: before shading, after it, or none. */
  readonly depthStage: 'early' | 'late' | 'none';
  readonly cost: Readonly<DrawCounts>;
}
