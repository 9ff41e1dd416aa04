/**
 * Traces of vertex warps that depend on what their vertices did. Which vertices share a warp is known when it is closed,
 * in the midst of a run; who has their logs is outside of the simulated chip.
 */
import type { i32 } from '../portable/number-types.ts';

export class VertexTraceSource {
  /**
   * Appends the trace of a warp to the ring of them.
   *
   * @param draw Its number. @param vertices Numbers of the warp's vertices, `count` of them.
   * @returns Number of its first word in the ring.
   */
  form(draw: i32, vertices: Int32Array, count: i32): i32 {
    throw new Error(`no traces for ${count} of ${vertices.length} vertices of draw ${draw}`);
  }
}
