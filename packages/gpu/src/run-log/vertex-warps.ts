/**
 * Vertex warps of a run, found without a chip. Vertex fetch (vertex-fetch-module.ts of `chip`)
 * closes warps by rules that do not depend on cycles: a vertex joins the open warp if it is not in
 * the post-transform cache. The warp closes if the next primitive does not fit, if the draw or the
 * batch ends, and if the queue to primitive assembly is full of primitives from the first that
 * waits for the warp on. None of them can leave the queue before the warp closes.
 */
import { BATCH_END, COMMAND, PRIMITIVE, RUN_END } from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import type { BinLog } from './bin-log.ts';
import { type WarpTally, WHOLE_PROGRAM } from './warp-tally.ts';
import { TraceFormer } from './warp-trace.ts';

/** Number of vertices whose state is known, a power of two larger than the size of a segment. */
const KNOWN_VERTICES = 8192;

type Spec = Pick<
  ChipletSpec,
  'warpThreads' | 'postTransformCacheVertices' | 'primitiveQueueEntries'
>;

/** Adds the vertex warps of runs to tallies. */
export class VertexWarps {
  readonly #spec: Spec;
  readonly #former = new TraceFormer();
  /**
   * Per slot of the vertex number: the vertex, the count of misses when it missed, and its warp.
   */
  readonly #vertexOf = new Int32Array(KNOWN_VERTICES);
  readonly #missOf = new Int32Array(KNOWN_VERTICES);
  readonly #warpOf = new Int32Array(KNOWN_VERTICES);
  readonly #vertices: Int32Array;
  #size = 0;
  #draw = -1;
  #warpCount = 0;
  #misses = 0;
  /** Number of primitives from the first that waits for the open warp on. */
  #waiting = 0;

  constructor(spec: Spec) {
    this.#spec = spec;
    this.#vertices = new Int32Array(spec.warpThreads);
  }

  /**
   * Adds the warps of a run to the tallies of its draws.
   *
   * @param log Records of the whole run.
   * @param tallyOf Returns the tally of a draw by its number in the run.
   */
  add(log: BinLog, tallyOf: (draw: number) => WarpTally): void {
    const { commands } = log;
    this.#vertexOf.fill(-1);
    this.#warpCount = 0;
    this.#misses = 0;
    const close = () => this.#close(log, tallyOf(this.#draw));
    for (let command = 0; command < commands.end; command++) {
      const { words } = commands;
      const at = commands.at(command);
      const kind = words[at + COMMAND.kind]!;
      const isPrimitive = kind === PRIMITIVE;
      // The command processor keeps all other commands.
      if (!isPrimitive && kind !== BATCH_END && kind !== RUN_END) continue;
      const draw = words[at + COMMAND.draw]!;
      if (this.#size > 0 && (!isPrimitive || draw !== this.#draw)) close();
      if (!isPrimitive) continue;
      const corners = words
        .subarray(at + COMMAND.vertex, at + COMMAND.vertex + 3)
        .filter((vertex) => vertex >= 0);
      if (this.#size + this.#countMisses(corners) > this.#spec.warpThreads) close();
      this.#draw = draw;
      const warp = Math.max(...Array.from(corners, (vertex) => this.#lookUp(vertex)));
      const isWaiting = this.#size > 0 && warp === this.#warpCount;
      if (isWaiting || this.#waiting > 0) this.#waiting++;
      if (this.#waiting === this.#spec.primitiveQueueEntries) close();
    }
  }

  #isCached(vertex: number, misses: number): boolean {
    const slot = vertex & (KNOWN_VERTICES - 1);
    if (this.#vertexOf[slot] !== vertex) return false;
    return this.#misses + misses - this.#missOf[slot]! <= this.#spec.postTransformCacheVertices;
  }

  #countMisses(corners: Int32Array): number {
    let misses = 0;
    for (const vertex of corners) if (!this.#isCached(vertex, misses)) misses++;
    return misses;
  }

  /** Returns the warp that shades a vertex. A vertex that misses joins the open warp. */
  #lookUp(vertex: number): number {
    const slot = vertex & (KNOWN_VERTICES - 1);
    if (this.#isCached(vertex, 0)) return this.#warpOf[slot]!;
    this.#vertexOf[slot] = vertex;
    this.#missOf[slot] = this.#misses++;
    this.#warpOf[slot] = this.#warpCount;
    this.#vertices[this.#size++] = vertex;
    return this.#warpCount;
  }

  #close({ vertexSites, vertexTraces }: BinLog, tally: WarpTally): void {
    const sites = vertexSites[this.#draw] ?? null;
    if (sites === null) tally.add(WHOLE_PROGRAM, 1, this.#size);
    else {
      this.#former.tally = tally;
      vertexTraces.close(this.#former, sites, this.#vertices, this.#size);
      const { ring } = vertexTraces;
      ring.start = ring.end;
    }
    this.#size = 0;
    this.#waiting = 0;
    this.#warpCount++;
  }
}
