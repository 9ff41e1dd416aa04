/**
 * Trace of a warp: its clauses and lookups in order, encoded as in TRACE.
 *
 * It is formed from the logs of the groups in the warp, independently of the kernels' own warps.
 * Lanes in the same round of the loops around a lookup make it together. A loop takes as many
 * rounds as the longest of its lanes. Lookups that no lane reads for are omitted, and so are
 * sections that no lane enters.
 */

import { END_OF_TRACE, PASSES_BITS, TRACE } from '@tessera/chip/records';
import type { IssueCost, LogSite, LogSites } from '@tessera/frame';
import { LOG_RECORD } from '@tessera/shader/codegen';
import { laneCount } from '../raster/coverage/tile-traversal.ts';
import type { GroupRecords } from './group-log.ts';
import type { TextureLines } from './texture-lines.ts';
import { type WarpTally, WHOLE_PROGRAM } from './warp-tally.ts';
import type { WordRing } from './word-ring.ts';

const SITE = LOG_RECORD.site >> 2;
const LANES = LOG_RECORD.lanes >> 2;
const BYTES = LOG_RECORD.bytes >> 2;
const HEADER = LOG_RECORD.headerBytes >> 2;
/** Number of texels per lane that the texture unit filters in one pass of a quad. */
export const TEXELS_PER_PASS = 4;

const MAX_STREAMS = 32;
const ALL_LANES = 15;
/** Number of slots for the lines of one lookup, larger than any lookup needs. */
const LINE_SLOTS = 8192;
/** Site of a stream that has ended. */
export const NO_SITE = 0x7fffffff;

/** Writes the trace of a program without lookups, loops and sections. */
export function writePlainTrace(out: WordRing, cost: IssueCost): number {
  const start = out.end;
  writeClause(out, cost.instructions, cost.issueCycles, cost.stallCycles, 0);
  out.push(END_OF_TRACE);
  return start;
}

/** Writes the costs of a clause and makes room for the rest of its words, without lines. */
function writeClause(
  out: WordRing,
  instructions: number,
  issue: number,
  stall: number,
  lookupsInFlight: number,
): void {
  out.reserve(TRACE.lines);
  out.push(Math.max(0, instructions));
  out.push(Math.max(1, issue));
  out.push(Math.max(0, stall));
  out.push(lookupsInFlight);
}

/** Forms the trace of one warp at a time. */
export class TraceFormer {
  /**
   * Number of lookups in the traces formed since the last reset. The next field counts their lines.
   */
  lookups = 0;
  lines = 0;
  /** Tally to which warps are added; `null` for none. */
  tally: WarpTally | null = null;
  /** Whether lookups have their sites in their words of passes. */
  marksSites = false;
  /** Called with the lines that a stream is the first of its warp's lookup to read. */
  onLines: ((stream: number, lines: number) => void) | null = null;
  private readonly logs: GroupRecords[] = [];
  private readonly lanes = new Int32Array(MAX_STREAMS);
  private streamCount = 0;
  /**
   * Position of the next record in the log's order, by stream. The next field has the end of the
   * group's records.
   */
  private readonly next = new Int32Array(MAX_STREAMS);
  private readonly end = new Int32Array(MAX_STREAMS);
  /** Position of the next record in the log's words, by stream. The next field has its site. */
  private readonly recordAt = new Int32Array(MAX_STREAMS);
  private readonly site = new Int32Array(MAX_STREAMS);
  /**
   * Lines of the current lookup: line and stamp, by slot. A slot is in use if its stamp equals that
   * of the lookup.
   */
  private readonly places = new Int32Array(2 * LINE_SLOTS);
  /**
   * Instructions, issue cycles and stalls of loops and sections that were taken. The next field has
   * those up to the current lookup.
   */
  private readonly ended = new Float64Array(3);
  private readonly position = new Float64Array(3);
  /**
   * Costs up to the last lookup, relative to the start of the round: negative costs of the earlier
   * rounds that no clause has yet, or 0.
   */
  private readonly written = new Float64Array(3);
  /** First word of the warp's trace if earlier rounds are in it; −1 otherwise. */
  private roundStart = -1;
  private stamp = 0;

  reset(): void {
    this.lookups = 0;
    this.lines = 0;
  }

  /** Starts a warp. */
  begin(): void {
    this.streamCount = 0;
  }

  /**
   * Adds lanes of a group of `log` to the warp.
   *
   * @param lanes Lanes as bits.
   */
  add(log: GroupRecords, group: number, lanes: number): void {
    const stream = this.streamCount++;
    this.logs[stream] = log;
    this.lanes[stream] = lanes;
    this.next[stream] = log.starts[group]!;
    this.end[stream] = log.starts[group + 1]!;
    this.seek(stream);
  }

  /**
   * Writes the warp's trace.
   *
   * @param textureLines Lines that the lookups name; `null` if they name lines of memory.
   * @param isLast Whether the trace ends. Otherwise the next warp is another round of this one,
   *   whose clauses follow in the same trace.
   * @returns Index of its first word.
   */
  form(
    { sites, cost }: LogSites,
    textureLines: TextureLines | null,
    out: WordRing,
    isLast = true,
  ): number {
    const start = this.roundStart < 0 ? out.end : this.roundStart;
    const { ended, position, written } = this;
    if (this.roundStart < 0) written.fill(0);
    ended.fill(0);
    for (let first = this.earliest(sites); first >= 0; first = this.earliest(sites)) {
      const site = sites[this.site[first]!]!;
      if (site.kind === 'loop') {
        this.addEnded(site.roundCost, this.takeLoop(sites, first));
        continue;
      }
      if (site.kind === 'section') {
        this.addEnded(site.roundCost, 1);
        this.takeSection(sites, first);
        continue;
      }
      this.locate(sites, first, site);
      this.writeTo(position, site.lookupsInFlight, out);
      this.takeLookup(sites, first, textureLines, out);
    }
    this.addEnded(cost, 1);
    this.tally?.add(WHOLE_PROGRAM, 1, this.countLanes());
    if (isLast) {
      this.writeTo(ended, 0, out);
      out.push(END_OF_TRACE);
    } else {
      for (let part = 0; part < 3; part++) written[part]! -= ended[part]!;
    }
    this.roundStart = isLast ? -1 : start;
    return start;
  }

  /** Writes the costs of a clause that ends at a position of the program. */
  private writeTo(position: Float64Array, lookupsInFlight: number, out: WordRing): void {
    const { written } = this;
    writeClause(
      out,
      position[0]! - written[0]!,
      position[1]! - written[1]!,
      position[2]! - written[2]!,
      lookupsInFlight,
    );
    written.set(position);
  }

  private addEnded(cost: IssueCost, factor: number): void {
    this.ended[0]! += factor * cost.instructions;
    this.ended[1]! += factor * cost.issueCycles;
    this.ended[2]! += factor * cost.stallCycles;
  }

  /** Computes the costs of the warp from its start to the lookup of stream `first`. */
  private locate(sites: LogSites['sites'], first: number, { loops, costs }: LogSite): void {
    const { position } = this;
    const { words } = this.logs[first]!;
    const rounds = this.recordAt[first]! + HEADER;
    position.set(this.ended);
    for (let level = 0; level < costs.length; level++) {
      const { instructions, issueCycles, stallCycles } = costs[level]!;
      position[0]! += instructions;
      position[1]! += issueCycles;
      position[2]! += stallCycles;
      if (level === 0) continue;
      const { roundCost } = sites[loops[level - 1]!]!;
      const round = words[rounds + level - 1]!;
      position[0]! += round * roundCost.instructions;
      position[1]! += round * roundCost.issueCycles;
      position[2]! += round * roundCost.stallCycles;
    }
  }

  /** Advances to the stream's next record with one of its lanes. */
  private seek(stream: number): void {
    const { words, order } = this.logs[stream]!;
    const lanes = this.lanes[stream]!;
    const end = this.end[stream]!;
    let next = this.next[stream]!;
    while (next < end && (words[order[next]! + LANES]! & lanes) === 0) next++;
    this.next[stream] = next;
    if (next < end) {
      const at = order[next]!;
      this.recordAt[stream] = at;
      this.site[stream] = words[at + SITE]!;
    } else {
      this.site[stream] = NO_SITE;
    }
  }

  private advance(stream: number): void {
    this.next[stream]!++;
    this.seek(stream);
  }

  /** Returns the first of the streams whose next record is the earliest; −1 if all have ended. */
  private earliest(sites: LogSites['sites']): number {
    let first = -1;
    let firstSite = NO_SITE;
    for (let stream = 0; stream < this.streamCount; stream++) {
      const site = this.site[stream]!;
      if (site === NO_SITE || (site === firstSite && sites[site]!.loops.length === 0)) continue;
      if (first >= 0 && this.compare(sites, stream, first) >= 0) continue;
      first = stream;
      firstSite = site;
    }
    return first;
  }

  /**
   * Compares the next records of two streams by their order in the warp's execution; 0 if they
   * coincide. If both are inside the same loop, the earlier round comes first, otherwise the
   * earlier position in the program.
   */
  private compare(sites: LogSites['sites'], a: number, b: number): number {
    const siteA = this.site[a]!;
    const siteB = this.site[b]!;
    const loopsA = sites[siteA]!.loops;
    const loopsB = sites[siteB]!.loops;
    const roundsA = this.recordAt[a]! + HEADER;
    const roundsB = this.recordAt[b]! + HEADER;
    for (let depth = 0; depth < loopsA.length && loopsA[depth] === loopsB[depth]; depth++) {
      const order = this.logs[a]!.words[roundsA + depth]! - this.logs[b]!.words[roundsB + depth]!;
      if (order !== 0) return order;
    }
    return siteA - siteB;
  }

  /** Returns whether the next record of `stream` coincides with that of `first`. */
  private isOneWith(sites: LogSites['sites'], stream: number, first: number): boolean {
    const site = this.site[stream]!;
    if (site !== this.site[first]) return false;
    return sites[site]!.loops.length === 0 || this.compare(sites, stream, first) === 0;
  }

  /**
   * Consumes the next record of `first`, a loop, and those that coincide with it. Returns the
   * largest number of rounds.
   */
  private takeLoop(sites: LogSites['sites'], first: number): number {
    const site = this.site[first]!;
    let most = 0;
    let laneRounds = 0;
    // `first` comes last, because the others are compared with it.
    for (let stream = this.streamCount - 1; stream >= first; stream--) {
      if (!this.isOneWith(sites, stream, first)) continue;
      const { words } = this.logs[stream]!;
      const at = this.recordAt[stream]!;
      const rounds = at + (words[at + BYTES]! >> 2) - 4;
      for (let lane = 0; lane < 4; lane++) {
        if ((this.lanes[stream]! & (1 << lane)) === 0) continue;
        laneRounds += words[rounds + lane]!;
        if (words[rounds + lane]! > most) most = words[rounds + lane]!;
      }
      this.advance(stream);
    }
    this.tally?.add(site, most, laneRounds);
    return most;
  }

  /** Consumes the next record of `first`, a section, and those that coincide with it. */
  private takeSection(sites: LogSites['sites'], first: number): void {
    const site = this.site[first]!;
    let lanes = 0;
    // `first` comes last, because the others are compared with it.
    for (let stream = this.streamCount - 1; stream >= first; stream--) {
      if (!this.isOneWith(sites, stream, first)) continue;
      const { words } = this.logs[stream]!;
      lanes += laneCount(words[this.recordAt[stream]! + LANES]! & this.lanes[stream]!);
      this.advance(stream);
    }
    this.tally?.add(site, 1, lanes);
  }

  /** Returns the number of lanes in the warp. */
  private countLanes(): number {
    let count = 0;
    for (let stream = 0; stream < this.streamCount; stream++) {
      count += laneCount(this.lanes[stream]!);
    }
    return count;
  }

  /**
   * Consumes the next record of `first`, a lookup, and those that coincide with it. Writes passes
   * and lines.
   */
  private takeLookup(
    sites: LogSites['sites'],
    first: number,
    textureLines: TextureLines | null,
    out: WordRing,
  ): void {
    const site = this.site[first]!;
    const firstLine = textureLines?.firstLines[sites[site]!.slot] ?? 0;
    const passesAt = out.end;
    out.push(0);
    out.push(0);
    this.stamp = (this.stamp + 1) | 0;
    const reads = HEADER + sites[site]!.loops.length;
    let passes = 0;
    let lanes = 0;
    for (let stream = this.streamCount - 1; stream >= first; stream--) {
      if (!this.isOneWith(sites, stream, first)) continue;
      const { words } = this.logs[stream]!;
      const at = this.recordAt[stream]!;
      passes += (words[at + reads]! + TEXELS_PER_PASS - 1) >> 2 || 1;
      lanes += laneCount(words[at + LANES]! & this.lanes[stream]!);
      const end = at + (words[at + BYTES]! >> 2);
      const linesBefore = out.end;
      out.reserve(end - at);
      this.writeLines(
        words,
        at + reads + 1,
        end,
        this.lanes[stream]!,
        textureLines,
        firstLine,
        out,
      );
      this.onLines?.(stream, out.end - linesBefore);
      this.advance(stream);
    }
    const lineCount = out.end - passesAt - 2;
    this.tally?.add(site, 1, lanes);
    out.words[passesAt & out.mask] = this.marksSites ? passes | (site << PASSES_BITS) : passes;
    out.words[(passesAt + 1) & out.mask] = lineCount;
    this.lookups++;
    this.lines += lineCount;
  }

  /** Writes the lines in vectors `first` to before `end` that are new in the current lookup. */
  private writeLines(
    words: Int32Array,
    first: number,
    end: number,
    lanes: number,
    textureLines: TextureLines | null,
    firstLine: number,
    out: WordRing,
  ): void {
    const { places, stamp } = this;
    const { words: outWords, mask } = out;
    const table = textureLines?.words ?? null;
    const lineZero = textureLines?.lineZero ?? 0;
    let to = out.end;
    let previous = -1;
    for (let word = first; word < end; word++) {
      const poolLine = words[word]!;
      if (poolLine === previous || poolLine === -1) continue;
      if (lanes !== ALL_LANES && (lanes & (1 << ((word - first) & 3))) === 0) continue;
      previous = poolLine;
      const line = table === null ? poolLine : table[lineZero + poolLine]!;
      let place = ((line ^ (line >>> 12)) & (LINE_SLOTS - 1)) << 1;
      while (places[place + 1] === stamp && places[place] !== line) {
        place = (place + 2) & (2 * LINE_SLOTS - 1);
      }
      if (places[place + 1] === stamp) continue;
      places[place] = line;
      places[place + 1] = stamp;
      outWords[to++ & mask] = line + firstLine;
    }
    out.end = to;
  }
}
