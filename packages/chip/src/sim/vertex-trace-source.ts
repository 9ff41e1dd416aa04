import type { i32 } from '../portable/number-types.ts';

/**
 * Source of the traces of vertex warps whose execution depends on their vertices. A warp's vertices
 * are known only when it closes, in the middle of a run. The host has their logs.
 */
export class VertexTraceSource {
  /**
   * Appends the trace of a warp to its ring and returns the number of its first word.
   *
   * @param draw Number of the draw.
   * @param vertices Numbers of the warp's vertices.
   * @param count Number of vertices.
   */
  form(draw: i32, vertices: Int32Array, count: i32): i32 {
    throw new Error(
      `vertex traces: draw ${draw} has none for ${count} of ${vertices.length} vertices`,
    );
  }
}
