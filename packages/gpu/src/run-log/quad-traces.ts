/**
 * Forms the traces of fragment warps (warp-trace.ts) from the logs of shaded quads. A kernel
 * (trace-kernel.ts) handles programs without loops whose quads were shaded in order. A
 * {@link TraceFormer} handles all others, with equal results.
 */
import { type LogSites, QUAD_RECORD, SAMPLE_MASK_SHIFT } from '@tessera/shader/codegen';
import { instantiateKernel } from '../kernel/instantiate-kernel.ts';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { QUAD_TRACES, TRACE_SITE } from '../records/trace-layout.ts';
import type { SampleRound } from '../shading/sample-rounds.ts';
import type { BinLog } from './bin-log.ts';
import { GroupLog } from './group-log.ts';
import type { TextureLines } from './texture-lines.ts';
import { generateTraceKernel, type QuadTraceRun } from './trace-kernel.ts';
import type { WarpTally } from './warp-tally.ts';
import { TraceFormer } from './warp-trace.ts';

const ALL_LANES = 15;

/**
 * Observer of the lines of lookups. A line belongs to the quad that reads it first in the lookup of
 * its warp.
 *
 * @param x Pixel of the quad's lane 0.
 */
export type LineObserver = (x: number, y: number, lines: number) => void;

/** Forms the traces of fragment warps. */
export class QuadTraces {
  readonly #memory: ChipletMemory;
  readonly #log: BinLog;
  readonly #warpQuads: number;
  readonly #former = new TraceFormer();
  readonly #quadLog = new GroupLog();
  readonly #run: QuadTraceRun | null;
  #lookups = 0;
  #lines = 0;
  /** Observer of lines, for which the kernel is not used; `null` for none. */
  lineObserver: LineObserver | null = null;

  /**
   * @param log Log that receives the traces.
   * @param warpQuads Number of quads per warp.
   * @param isNaive Whether traces are formed without the kernel, for tests.
   */
  constructor(memory: ChipletMemory, log: BinLog, warpQuads: number, isNaive = false) {
    this.#memory = memory;
    this.#log = log;
    this.#warpQuads = warpQuads;
    this.#run = isNaive
      ? null
      : instantiateKernel(generateTraceKernel(memory, warpQuads), memory.memory);
  }

  /** Number of lookups in the traces formed since the last reset. */
  get lookups(): number {
    return this.#lookups + this.#former.lookups;
  }

  /** Number of lines that these lookups read. */
  get lines(): number {
    return this.#lines + this.#former.lines;
  }

  reset(): void {
    this.#lookups = 0;
    this.#lines = 0;
    this.#former.reset();
  }

  /**
   * Forms the traces of `groupCount` quads with records in the execution log, in full warps except
   * for the last.
   *
   * @param groupPtr Record of the first quad.
   * @param groupBytes Distance between the records of consecutive quads.
   * @param tally Tally of the warps, for which the kernel is not used; `null` for none.
   * @param round Round of the only warp, for which the kernel is not used either; `null` if warps
   *   run once. The last round ends the warp's trace.
   */
  add(
    groupPtr: number,
    groupBytes: number,
    groupCount: number,
    program: LogSites,
    textureLines: TextureLines,
    tally: WarpTally | null = null,
    round: Pick<SampleRound, 'isLast'> | null = null,
  ): void {
    const observer = this.lineObserver;
    const isPlain = observer === null && tally === null && round === null;
    const run = isPlain && this.#canRun(program) ? this.#run : null;
    if (
      run !== null &&
      this.#runKernel(run, groupPtr, groupBytes, groupCount, program, textureLines)
    ) {
      return;
    }
    const { fragmentTraces, fragmentTraceWords } = this.#log;
    const former = this.#former;
    const isLast = round?.isLast ?? true;
    former.tally = tally;
    former.marksSites = tally !== null;
    this.#quadLog.index(this.#memory, groupPtr, groupBytes, groupCount);
    for (let first = 0; first < groupCount; first += this.#warpQuads) {
      const end = Math.min(first + this.#warpQuads, groupCount);
      former.begin();
      if (observer !== null) {
        former.onLines = (stream, lines) => {
          const at = (groupPtr + (first + stream) * groupBytes) >> 2;
          observer(this.#memory.i32[at]!, this.#memory.i32[at + 1]! & 0xffff, lines);
        };
      }
      for (let quad = first; quad < end; quad++) {
        const isIdle = round !== null && !this.#isCovered(groupPtr + quad * groupBytes);
        former.add(this.#quadLog, quad, isIdle ? 0 : ALL_LANES);
      }
      const trace = former.form(program, textureLines, fragmentTraceWords, isLast);
      if (!isLast) continue;
      const at = fragmentTraces.append();
      fragmentTraces.words[at] = trace;
    }
    former.onLines = null;
  }

  /** Returns whether a quad had a lane in the round, which the shader may have discarded. */
  #isCovered(quadPtr: number): boolean {
    const { i32 } = this.#memory;
    const more = i32[(quadPtr + QUAD_RECORD.y) >> 2]! >>> 16;
    return (i32[(quadPtr + QUAD_RECORD.mask) >> 2]! >>> SAMPLE_MASK_SHIFT) + more !== 0;
  }

  #canRun({ sites }: LogSites): boolean {
    return sites.length <= QUAD_TRACES.maxSites && sites.every(({ kind }) => kind !== 'loop');
  }

  /**
   * Forms the traces with the kernel.
   *
   * @returns `false`, without effect, if quads are interleaved in the log.
   */
  #runKernel(
    run: QuadTraceRun,
    groupPtr: number,
    groupBytes: number,
    groupCount: number,
    { sites, cost }: LogSites,
    textureLines: TextureLines,
  ): boolean {
    const { i32, quadTracesPtr } = this.#memory;
    for (const [number, site] of sites.entries()) {
      const at = (quadTracesPtr + QUAD_TRACES.sites + number * QUAD_TRACES.siteBytes) >> 2;
      const isSection = site.kind === 'section';
      const siteCost = isSection ? site.roundCost : site.costs[0]!;
      i32[at + TRACE_SITE.instructions] = siteCost.instructions;
      i32[at + TRACE_SITE.issueCycles] = siteCost.issueCycles;
      i32[at + TRACE_SITE.stallCycles] = siteCost.stallCycles;
      i32[at + TRACE_SITE.firstLine] = isSection ? 0 : textureLines.firstLines[site.slot]!;
      i32[at + TRACE_SITE.isSection] = isSection ? 1 : 0;
      i32[at + TRACE_SITE.lookupsInFlight] = site.lookupsInFlight;
    }
    const { instructions, issueCycles, stallCycles } = cost;
    for (let group = 0; group < groupCount; ) {
      group = run(groupPtr, groupBytes, groupCount, group, instructions, issueCycles, stallCycles);
      if (group < 0) return false;
      this.#copyResults();
    }
    return true;
  }

  /** Copies the kernel's results to the log. */
  #copyResults(): void {
    const { i32, quadTracesPtr } = this.#memory;
    const { fragmentTraces, fragmentTraceWords: out } = this.#log;
    const word = (offset: number) => i32[(quadTracesPtr + offset) >> 2]!;
    this.#lookups += word(QUAD_TRACES.lookups);
    this.#lines += word(QUAD_TRACES.lines);
    const start = out.end;
    const warps = (quadTracesPtr + QUAD_TRACES.warps) >> 2;
    for (let warp = 0; warp < word(QUAD_TRACES.warpCount); warp++) {
      const at = fragmentTraces.append();
      fragmentTraces.words[at] = start + i32[warps + warp]!;
    }
    const wordCount = word(QUAD_TRACES.wordCount);
    out.reserve(wordCount);
    const { words, mask } = out;
    const from = (quadTracesPtr + QUAD_TRACES.words) >> 2;
    const to = start & mask;
    const first = Math.min(wordCount, mask + 1 - to);
    words.set(i32.subarray(from, from + first), to);
    words.set(i32.subarray(from + first, from + wordCount), 0);
    out.end = start + wordCount;
  }
}
