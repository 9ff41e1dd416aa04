/**
 * The trace of a warp: what it does one after the other, as words. A clause of instructions up to and including a
 * texture lookup, then that lookup, and so on; at last the clause to the end of the program.
 *
 *     instructions   passes   lines   line numbers …     for each lookup
 *     instructions   END_OF_TRACE
 *
 * It is formed from the logs of the groups in the warp, whatever the kernels' own warps were: lanes that are in
 * the same round of the loops around a lookup make it together, and a loop takes as many rounds as the longest
 * of its lanes. Lookups that no lane reads for are left out.
 */
import { LOG_RECORD, type LogSites } from '@tessera/shader/codegen';
import type { WordRing } from '../sim/word-ring.ts';
import type { GroupLog } from './group-log.ts';

/** Offsets from the start of a clause. */
export const TRACE = { instructions: 0, passes: 1, lineCount: 2, lines: 3 } as const;
/** In place of `passes`: the program is over. */
export const END_OF_TRACE = -1;

const SITE = LOG_RECORD.site >> 2;
const LANES = LOG_RECORD.lanes >> 2;
const BYTES = LOG_RECORD.bytes >> 2;
const HEADER = LOG_RECORD.headerBytes >> 2;
/** log2 of the bytes of a cache line. */
const LINE_SHIFT = 6;
/** Texels of a lane that the texture unit filters in one pass of its quad. */
const TEXELS_PER_PASS = 4;

const MAX_STREAMS = 32;
/** Places for the lines of one lookup: more than it can have. */
const LINE_SLOTS = 4096;
const NO_ROUNDS: readonly number[] = [];

/** Writes the trace of a program without lookups and loops. */
export function writePlainTrace(out: WordRing, instructions: number): number {
  const start = out.end;
  out.reserve(2);
  out.push(instructions > 0 ? instructions : 1);
  out.push(END_OF_TRACE);
  return start;
}

export class TraceFormer {
  /** Texels, lines and lookups in the traces formed since the last reset. */
  texels = 0;
  lines = 0;
  lookups = 0;
  private readonly logs: GroupLog[] = [];
  private readonly next = new Int32Array(MAX_STREAMS);
  private readonly end = new Int32Array(MAX_STREAMS);
  private readonly lanes = new Int32Array(MAX_STREAMS);
  private streamCount = 0;
  /** Lines of the lookup in hand; a place is taken if its stamp is that of the lookup. */
  private readonly lineAt = new Int32Array(LINE_SLOTS);
  private readonly stampAt = new Int32Array(LINE_SLOTS);
  private stamp = 0;
  private readonly laneTexels = new Int32Array(4);

  reset(): void {
    this.texels = 0;
    this.lines = 0;
    this.lookups = 0;
  }

  /** Starts a warp. */
  begin(): void {
    this.streamCount = 0;
  }

  /** Puts lanes of a group of `log` into the warp. @param lanes As bits. */
  add(log: GroupLog, group: number, lanes: number): void {
    const stream = this.streamCount++;
    this.logs[stream] = log;
    this.next[stream] = log.starts[group]!;
    this.end[stream] = log.starts[group + 1]!;
    this.lanes[stream] = lanes;
  }

  /**
   * Writes the warp's trace.
   *
   * @param lineShifts By texture slot, what to add to a line of host memory to have its number.
   * @returns Number of its first word.
   */
  form({ sites, instructions }: LogSites, lineShifts: Int32Array, out: WordRing): number {
    const start = out.end;
    let issued = 0;
    let inEndedLoops = 0;
    for (let first = this.earliest(sites); first >= 0; first = this.earliest(sites)) {
      const { words, order } = this.logs[first]!;
      const at = order[this.next[first]!]!;
      const site = sites[words[at + SITE]!]!;
      if (site.kind === 'loop') {
        inEndedLoops += site.roundInstructions * this.takeLoop(sites, first);
        continue;
      }
      let position = inEndedLoops + site.instructions[0]!;
      for (let depth = 0; depth < site.loops.length; depth++) {
        const round = words[at + HEADER + depth]!;
        const { roundInstructions } = sites[site.loops[depth]!]!;
        position += round * roundInstructions + site.instructions[depth + 1]!;
      }
      out.reserve(TRACE.lines);
      out.push(position > issued ? position - issued : 1);
      issued = position;
      this.takeLookup(sites, first, lineShifts[site.slot]!, out);
    }
    writePlainTrace(out, instructions + inEndedLoops - issued);
    return start;
  }

  /** The stream whose next record comes first; −1 when all are done. Drops records of other lanes. */
  private earliest(sites: LogSites['sites']): number {
    let first = -1;
    for (let stream = 0; stream < this.streamCount; stream++) {
      const { words, order } = this.logs[stream]!;
      const end = this.end[stream]!;
      let next = this.next[stream]!;
      while (next < end && (words[order[next]! + LANES]! & this.lanes[stream]!) === 0) next++;
      this.next[stream] = next;
      if (next < end && (first < 0 || this.compare(sites, stream, first) < 0)) first = stream;
    }
    return first;
  }

  /** Order of the next records of two streams in the execution of the warp; 0 if they are one. */
  private compare(sites: LogSites['sites'], a: number, b: number): number {
    const wordsA = this.logs[a]!.words;
    const wordsB = this.logs[b]!.words;
    const atA = this.logs[a]!.order[this.next[a]!]!;
    const atB = this.logs[b]!.order[this.next[b]!]!;
    const siteA = wordsA[atA + SITE]!;
    const siteB = wordsB[atB + SITE]!;
    const loopsA = sites[siteA]?.loops ?? NO_ROUNDS;
    const loopsB = sites[siteB]?.loops ?? NO_ROUNDS;
    // Where both are inside the same loop, the earlier round comes first; else the place in the program.
    for (let depth = 0; depth < loopsA.length && loopsA[depth] === loopsB[depth]; depth++) {
      const order = wordsA[atA + HEADER + depth]! - wordsB[atB + HEADER + depth]!;
      if (order !== 0) return order;
    }
    return siteA - siteB;
  }

  /** Takes the next record of `first`, a loop, and those that are one with it; returns the most rounds. */
  private takeLoop(sites: LogSites['sites'], first: number): number {
    let most = 0;
    for (let stream = this.streamCount - 1; stream >= first; stream--) {
      if (!this.isAt(sites, stream, first)) continue;
      const { words, order } = this.logs[stream]!;
      const at = order[this.next[stream]!]!;
      const rounds = at + (words[at + BYTES]! >> 2) - 4;
      for (let lane = 0; lane < 4; lane++) {
        if ((this.lanes[stream]! & (1 << lane)) === 0) continue;
        if (words[rounds + lane]! > most) most = words[rounds + lane]!;
      }
      this.next[stream]!++;
    }
    return most;
  }

  /** Takes the next record of `first`, a lookup, and those that are one with it; writes passes and lines. */
  private takeLookup(
    sites: LogSites['sites'],
    first: number,
    lineShift: number,
    out: WordRing,
  ): void {
    const { laneTexels } = this;
    const passesAt = out.end;
    out.push(0);
    out.push(0);
    this.stamp = (this.stamp + 1) | 0;
    let passes = 0;
    const { loops } = sites[this.logs[first]!.words[this.nextAt(first) + SITE]!]!;
    const vectors = HEADER + loops.length;
    const matching = this.matching(sites, first);
    for (let stream = first; stream < this.streamCount; stream++) {
      if ((matching & (1 << stream)) === 0) continue;
      const { words } = this.logs[stream]!;
      const at = this.nextAt(stream);
      const end = at + (words[at + BYTES]! >> 2);
      const lanes = this.lanes[stream]!;
      laneTexels.fill(0);
      out.reserve(end - at);
      let previous = -1;
      for (let word = at + vectors, lane = 0; word < end; word++, lane = (lane + 1) & 3) {
        const address = words[word]!;
        if (address === -1 || (lanes & (1 << lane)) === 0) continue;
        laneTexels[lane]!++;
        const line = address >>> LINE_SHIFT;
        if (line === previous) continue;
        previous = line;
        if (this.isNew(line)) out.push(line + lineShift);
      }
      const most = Math.max(laneTexels[0]!, laneTexels[1]!, laneTexels[2]!, laneTexels[3]!);
      this.texels += laneTexels[0]! + laneTexels[1]! + laneTexels[2]! + laneTexels[3]!;
      passes += most > TEXELS_PER_PASS ? Math.ceil(most / TEXELS_PER_PASS) : 1;
      this.next[stream]!++;
    }
    const lineCount = out.end - passesAt - 2;
    out.words[passesAt & out.mask] = passes;
    out.words[(passesAt + 1) & out.mask] = lineCount;
    this.lookups++;
    this.lines += lineCount;
  }

  private nextAt(stream: number): number {
    return this.logs[stream]!.order[this.next[stream]!]!;
  }

  /** Streams, as bits, whose next record is one with that of `first`; none lies before `first`. */
  private matching(sites: LogSites['sites'], first: number): number {
    let streams = 0;
    for (let stream = first; stream < this.streamCount; stream++) {
      if (this.isAt(sites, stream, first)) streams |= 1 << stream;
    }
    return streams;
  }

  private isAt(sites: LogSites['sites'], stream: number, first: number): boolean {
    if (this.next[stream]! >= this.end[stream]!) return false;
    return stream === first || this.compare(sites, stream, first) === 0;
  }

  /** Whether the lookup in hand has not had `line` before. */
  private isNew(line: number): boolean {
    const { lineAt, stampAt, stamp } = this;
    let slot = (line ^ (line >>> 12)) & (LINE_SLOTS - 1);
    while (stampAt[slot] === stamp) {
      if (lineAt[slot] === line) return false;
      slot = (slot + 1) & (LINE_SLOTS - 1);
    }
    lineAt[slot] = line;
    stampAt[slot] = stamp;
    return true;
  }
}
