/**
 * Traces of vertex warps. Which vertices share a warp is known only after they missed the
 * post-transform cache, so the logs of vertices are kept until then.
 */
import type { LogSites, VertexLog } from '@tessera/frame';
import { type GroupLog, lookupReads, siteOf } from './group-log.ts';
import type { TextureLines } from './texture-lines.ts';
import type { TraceFormer } from './warp-trace.ts';
import { WordRing } from './word-ring.ts';

/** Number of vertices that may be in warps that are not closed, more than two segments have. */
const KEPT_VERTICES = 8192;

/** Forms the traces of vertex warps. */
export class VertexTraces {
  readonly ring = new WordRing('texture lookups of vertices', 1024);
  /** Logs in the order of their vertices. */
  #logs: VertexLog[] = [];
  /** Groups in the warp, with their lanes. */
  readonly #warpLogs: VertexLog[] = [];
  readonly #groups: number[] = [];
  readonly #lanes: number[] = [];

  get logs(): readonly VertexLog[] {
    return this.#logs;
  }

  /** Number of words of the logs that are not freed. */
  get heldWords(): number {
    return this.#logs.reduce((sum, { words }) => sum + words.length, 0);
  }

  reset(): void {
    this.ring.reset();
    this.#logs = [];
  }

  /** Adds the log of vertices that follow those of all other logs. */
  add(log: VertexLog): void {
    this.#logs.push(log);
  }

  /** Removes the logs of all but the newest vertices. */
  free(): void {
    const newest = this.#logs.at(-1);
    if (newest === undefined) return;
    const first = newest.first + newest.count - KEPT_VERTICES;
    const kept = this.#logs.findIndex((log) => log.first + log.count > first);
    if (kept > 0) this.#logs = this.#logs.slice(kept);
  }

  /**
   * Writes the trace of a warp of vertices.
   *
   * @param former Forms it, and counts its lookups.
   * @returns Index of its first word in the ring.
   */
  close(former: TraceFormer, program: LogSites, vertices: Int32Array, count: number): number {
    const logs = this.#warpLogs;
    const groups = this.#groups;
    const lanes = this.#lanes;
    logs.length = 0;
    groups.length = 0;
    lanes.length = 0;
    for (let i = 0; i < count; i++) {
      const vertex = vertices[i]!;
      const log = this.#logOf(vertex);
      const place = vertex - log.first;
      const group = place >> 2;
      let known = logs.length - 1;
      while (known >= 0 && (logs[known] !== log || groups[known] !== group)) known--;
      if (known < 0) {
        known = logs.length;
        logs.push(log);
        groups.push(group);
        lanes.push(0);
      }
      lanes[known]! |= 1 << (place & 3);
    }
    former.begin();
    for (let i = 0; i < logs.length; i++) former.add(logs[i]!, groups[i]!, lanes[i]!);
    return former.form(program, null, this.ring);
  }

  /** Returns the log of a vertex. */
  #logOf(vertex: number): VertexLog {
    const logs = this.#logs;
    let [from, to] = [0, logs.length - 1];
    while (from < to) {
      const middle = (from + to + 1) >> 1;
      if (logs[middle]!.first <= vertex) from = middle;
      else to = middle - 1;
    }
    const log = logs[from];
    if (log === undefined || vertex < log.first || vertex >= log.first + log.count) {
      throw new Error(`vertex traces: vertex ${vertex} has no log`);
    }
    return log;
  }
}

/**
 * Returns the log of vertices `first` to `first + count − 1` of the run, in order.
 *
 * @param log Copy of the records, whose lookups name lines of the texture pool. They are replaced
 *   by lines of memory.
 */
export function makeVertexLog(
  { words, order, starts }: GroupLog,
  { sites }: LogSites,
  textureLines: TextureLines,
  first: number,
  count: number,
): VertexLog {
  const { words: table, lineZero, firstLines } = textureLines;
  for (const at of order) {
    const site = sites[siteOf(words, at)]!;
    if (site.kind !== 'lookup') continue;
    const { from, end } = lookupReads(words, at, site.loops.length);
    for (let word = from; word < end; word++) {
      const poolLine = words[word]!;
      if (poolLine !== -1) words[word] = table[lineZero + poolLine]! + firstLines[site.slot]!;
    }
  }
  return { first, count, words, order, starts };
}
