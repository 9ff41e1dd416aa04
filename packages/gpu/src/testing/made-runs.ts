/**
 * Arbitrary runs of the simulated chip: any specification, any plan, any records that the
 * functional units could write.
 */

import {
  ARRAY,
  BATCH_END,
  BLOCK,
  COLOR_COMPACT_SHIFT,
  COMMAND,
  COMPACT_SHIFT,
  COPY,
  countQuads,
  DRAW,
  DRAW_STATE,
  DRAW_WORDS,
  ENTRY,
  ENTRY_BATCH_END,
  ENTRY_PRIMITIVE,
  HIERARCHICAL_RAISE,
  MARK_BATCH,
  MARK_END,
  MARK_FLUSH,
  PAGE_POLICIES,
  PAGE_STRUCTURES,
  PASSES_BITS,
  PRIMITIVE,
  PROGRAM,
  RUN_END,
  SLOT_POLICIES,
  SNAPSHOT,
  STREAM_END,
  TRACE,
} from '@tessera/chip/records';
import { type ChipletSpec, defineChipletSpec } from '@tessera/chiplet-spec';
import type { RecordedRun } from '@tessera/frame';
import fc from 'fast-check';
import type { BinLog } from '../run-log/bin-log.ts';
import { writePlainTrace } from '../run-log/warp-trace.ts';
import { ChipTiming } from '../timing/chip-timing.ts';
import { RecordKeeper } from '../timing/record-keeper.ts';
import type { RunRequest } from '../timing/run-request.ts';
import type { EngineMaker } from '../timing/timed-chip.ts';

interface MadeDraw {
  readonly vertexInstructions: number;
  /** Number of instructions per clause. All but the last end in a lookup. */
  readonly fragmentClauses: readonly number[];
  /** Upper bound on the lookups in flight at the start of a clause. */
  readonly maxLookupsInFlight: number;
  readonly readsTarget: boolean;
  readonly isEarlyDepth: boolean;
}

interface MadePrimitive {
  /** Distance of each corner's vertex from the newest one. */
  readonly corners: readonly number[];
  readonly pieces: number;
  readonly isClipped: boolean;
  readonly steps: number;
  readonly blocks: readonly {
    readonly covered: number;
    readonly passed: number;
    readonly isKilled: boolean;
  }[];
}

/** Run as a list of draws. */
export type MadeRun = readonly (readonly {
  readonly draw: MadeDraw;
  readonly primitives: readonly MadePrimitive[];
}[])[];

function writeCommand(log: BinLog, kind: number, draw: number): number {
  const at = log.commands.append();
  log.commands.words[at + COMMAND.kind] = kind;
  log.commands.words[at + COMMAND.draw] = draw;
  return at;
}

function writeEntry(log: BinLog, kind: number, steps: number, blockCount: number): void {
  const at = log.entries.append();
  log.entries.words[at + ENTRY.kind] = kind;
  log.entries.words[at + ENTRY.steps] = steps;
  log.entries.words[at + ENTRY.firstBlock] = log.blocks.end;
  log.entries.words[at + ENTRY.blockCount] = blockCount;
  log.entries.words[at + ENTRY.recordLine] = log.entries.end % 40;
  log.entries.words[at + ENTRY.recordLines] = steps % 4;
  log.entries.words[at + ENTRY.listLine] = log.entries.end >> 4;
}

function writeBlock(log: BinLog, position: number, masks: number, draw: number, depths = 0): void {
  const at = log.blocks.append();
  log.blocks.words[at + BLOCK.position] = position;
  log.blocks.words[at + BLOCK.masks] = masks;
  log.blocks.words[at + BLOCK.draw] = draw;
  log.blocks.words[at + BLOCK.depths] = depths;
}

/** Writes snapshots at the beginning or the end of queries, and copies of some lines. */
function writeSnapshotsAndCopies(log: BinLog, count: number): void {
  for (let query = 0; query < count; query++) {
    log.commands.words[writeCommand(log, SNAPSHOT, 0) + COMMAND.snapshotLine] = 7000 + query;
    const at = writeCommand(log, COPY, 0);
    const { words } = log.commands;
    words[at + COMMAND.copySourceLine] = 7500;
    words[at + COMMAND.copyReadLines] = 9 * query;
    words[at + COMMAND.copyIntoLine] = 7600;
    words[at + COMMAND.copyWrittenLines] = 5;
  }
}

/**
 * Writes the trace of a fragment warp whose lookups read a few fixed lines. The number of a lookup
 * is its site.
 */
function writeTrace(log: BinLog, { fragmentClauses: clauses, maxLookupsInFlight }: MadeDraw): void {
  const words = log.fragmentTraceWords;
  const at = log.fragmentTraces.append();
  log.fragmentTraces.words[at] = words.end;
  for (const [number, instructions] of clauses.entries()) {
    const cost = { instructions, issueCycles: instructions, stallCycles: 5 * (instructions % 3) };
    if (number === clauses.length - 1) {
      writePlainTrace(words, cost);
      continue;
    }
    const lines = Array.from({ length: number + 1 }, (_, line) => 40 * number + line);
    words.reserve(TRACE.lines + lines.length);
    const { issueCycles, stallCycles } = cost;
    for (const word of [instructions, issueCycles, stallCycles]) words.push(word);
    words.push(Math.min(number, maxLookupsInFlight));
    const passes = (number << PASSES_BITS) | (number + 3);
    for (const word of [passes, lines.length, ...lines]) words.push(word);
  }
}

/**
 * Writes the records of a run batch by batch. Calls `onBatch` after each. The first half of the
 * batches of a run with an early bin are those of the visibility phase. One function because each
 * record refers to those before it.
 */
export function writeRun(
  log: BinLog,
  run: MadeRun,
  { warpThreads, hasDepthCompression, hasColorCompression }: ChipletSpec,
  onBatch: () => void,
  hasEarlyBin = false,
): void {
  const phaseBatches = Math.ceil(run.length / 2);
  let vertex = log.vertices.end + 2;
  let position = -1;
  // Objects of vertices, display lists and queries; other lines have no page.
  if (log.pageHeads.end === 0) {
    for (const page of [0, 14, 120, 200, 601]) log.pageHeads.words[log.pageHeads.append()] = page;
  }
  for (const [batchIndex, batch] of run.entries()) {
    if (hasEarlyBin && batchIndex === phaseBatches) writeCommand(log, STREAM_END, 0);
    // A batch is drawn fine bin by fine bin.
    position = -1;
    for (const { draw, primitives } of batch) {
      const number = log.addDraw();
      const at = number * DRAW_WORDS;
      log.draws.fill(0, at, at + DRAW_WORDS);
      log.draws[at + DRAW.vertexInstructions] = draw.vertexInstructions;
      log.draws[at + DRAW.vertexIssueCycles] = draw.vertexInstructions + (number % 3);
      log.draws[at + DRAW.vertexStallCycles] = 7 * (number % 2);
      log.draws[at + DRAW.vertexRegisters] = 5 + 6 * (number % 4);
      log.draws[at + DRAW.fragmentRegisters] = 9 + 40 * (number % 2);
      log.vertexSites.push(null);
      log.draws[at + DRAW.writesDepth] = 1;
      log.draws[at + DRAW.writesColor] = 1;
      log.draws[at + DRAW.isLateDepth] = draw.readsTarget && !draw.isEarlyDepth ? 1 : 0;
      log.draws[at + DRAW.listLine] = 100 * number;
      log.draws[at + DRAW.listLines] = 3 + 2 * (number % 5);
      for (const [stage, program] of [DRAW.vertexProgram, DRAW.fragmentProgram].entries()) {
        log.draws[at + program + PROGRAM.number] = number;
        log.draws[at + program + PROGRAM.line] = 5000 + 100 * stage + 10 * number;
        log.draws[at + program + PROGRAM.lines] = 9;
        log.draws[at + program + PROGRAM.isStored] = 1;
      }
      log.draws[at + DRAW.firstArray] = log.arrayCount;
      log.draws[at + DRAW.arrayCount] = 1;
      const array = log.addArray();
      log.arrays[array + ARRAY.base] = 100_000;
      log.arrays[array + ARRAY.stride] = 24;
      log.arrays[array + ARRAY.bytes] = 24;
      log.arrays[array + ARRAY.divisor] = 0;
      log.arrays[array + ARRAY.end] = 101_000;
      log.draws[at + DRAW.components] = 8;
      log.draws[at + DRAW.recordLines] = 3;
      log.draws[at + DRAW.isEarlyDepth] = draw.isEarlyDepth ? 1 : 0;
      log.draws[at + DRAW.readsTarget] = draw.readsTarget ? 1 : 0;
      writeSnapshotsAndCopies(log, number % 3);
      writeCommand(log, DRAW_STATE, number);
      let quads = 0;
      for (const { corners, pieces, isClipped, steps, blocks } of primitives) {
        const command = writeCommand(log, PRIMITIVE, number);
        for (let corner = 0; corner < 3; corner++) {
          log.commands.words[command + COMMAND.vertex + corner] = Math.max(
            0,
            vertex - corners[corner]!,
          );
        }
        log.commands.words[command + COMMAND.firstIndexLine] = 3000 + (vertex >> 3);
        log.commands.words[command + COMMAND.lastIndexLine] = 3000 + ((vertex + 1) >> 3);
        while (log.vertices.end <= vertex) {
          const place = log.vertices.append();
          log.vertices.words[place] = log.vertices.end - 1;
          log.vertices.words[place + 1] = 0;
        }
        vertex++;
        log.commands.words[command + COMMAND.pieces] = pieces;
        log.commands.words[command + COMMAND.entries] = pieces;
        log.commands.words[command + COMMAND.isClipped] = isClipped ? 1 : 0;
        log.commands.words[command + COMMAND.feedbackLine] = 0;
        log.commands.words[command + COMMAND.early] =
          hasEarlyBin && batchIndex < phaseBatches ? vertex % 4 : 0;
        if (pieces === 0) {
          // Every second dropped primitive is transform feedback.
          const lines = vertex % 2 === 0 ? steps % 4 : 0;
          log.commands.words[command + COMMAND.entries] = lines;
          log.commands.words[command + COMMAND.feedbackLine] = lines === 0 ? 0 : 7700 + vertex;
          continue;
        }
        writeEntry(log, ENTRY_PRIMITIVE, steps, blocks.length);
        for (const { covered, passed, isKilled } of blocks) {
          const mask = isKilled ? 0 : covered & passed;
          quads += countQuads(mask);
          position = Math.min(position + 1, 255);
          // Hidden blocks are far behind what others leave. A few draws raise the bound.
          const raised = number % 4 === 3 ? HIERARCHICAL_RAISE : 0;
          const depths = isKilled ? 900 | (65_535 << 16) : (100 + position) << 16;
          const compact =
            (hasDepthCompression ? (covered & 15) << COMPACT_SHIFT : 0) +
            (hasColorCompression ? (passed & 15) << COLOR_COMPACT_SHIFT : 0);
          writeBlock(log, position + raised + compact, covered | (mask << 16), number, depths);
        }
      }
      writeEntry(log, ENTRY_PRIMITIVE, 1, 1);
      writeBlock(log, 0, 0, MARK_FLUSH);
      for (; quads > 0; quads -= warpThreads / 4) writeTrace(log, draw);
    }
    writeEntry(log, ENTRY_PRIMITIVE, 1, 1);
    writeBlock(log, 0, 0, MARK_BATCH);
    writeEntry(log, ENTRY_BATCH_END, 0, 0);
    // More lines than the lists of any batch fill.
    const end = writeCommand(log, BATCH_END, 0);
    log.commands.words[end + COMMAND.entries] = 30;
    log.commands.words[end + COMMAND.streamEntries] = 40;
    onBatch();
  }
  if (hasEarlyBin && run.length <= phaseBatches) writeCommand(log, STREAM_END, 0);
  writeEntry(log, ENTRY_PRIMITIVE, 1, 1);
  writeBlock(log, 0, 0, MARK_END);
  writeEntry(log, ENTRY_BATCH_END, 0, 0);
  writeSnapshotsAndCopies(log, run.length % 2);
  writeCommand(log, RUN_END, 0);
}

const mask = fc.integer({ min: 1, max: 0xffff });
/** Arbitrary runs. */
export const anyRun: fc.Arbitrary<MadeRun> = fc.array(
  fc.array(
    fc.record({
      draw: fc.record({
        vertexInstructions: fc.integer({ min: 1, max: 40 }),
        fragmentClauses: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 }),
        maxLookupsInFlight: fc.nat(3),
        readsTarget: fc.boolean(),
        isEarlyDepth: fc.boolean(),
      }),
      primitives: fc.array(
        fc.record({
          corners: fc.tuple(fc.nat(2), fc.nat(9), fc.nat(60)),
          pieces: fc.integer({ min: 0, max: 3 }),
          isClipped: fc.boolean(),
          steps: fc.integer({ min: 1, max: 12 }),
          blocks: fc.array(
            fc.record({ covered: mask, passed: fc.nat(0xffff), isKilled: fc.boolean() }),
            { maxLength: 8 },
          ),
        }),
        { maxLength: 40 },
      ),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  { maxLength: 4 },
);

/** Arbitrary specifications. */
export const anySpec = fc
  .record({
    smCount: fc.integer({ min: 1, max: 3 }),
    warpSlotsPerSm: fc.integer({ min: 2, max: 5 }),
    slotPolicy: fc.constantFrom(...SLOT_POLICIES),
    warpIdFloor: fc.constant(1),
    warpIdLayout: fc.constantFrom('interleaved' as const, 'blocks' as const),
    warpIdLockCycles: fc.integer({ min: 1, max: 3 }),
    warpGroupSlots: fc.integer({ min: 1, max: 5 }),
    fragmentTakesLastId: fc.boolean(),
    vertexResultWarps: fc.integer({ min: 1, max: 4 }),
    warpThreads: fc.constantFrom(4, 8, 16, 32),
    fragmentWarpWindow: fc.integer({ min: 1, max: 8 }),
    queueEntries: fc.integer({ min: 1, max: 4 }),
    programBlocks: fc.constantFrom(3, 16),
    primitiveQueueEntries: fc.integer({ min: 4, max: 12 }),
    setupIntervalCycles: fc.integer({ min: 1, max: 5 }),
    depthQuadsPerCycle: fc.integer({ min: 1, max: 4 }),
    outputQuadsPerCycle: fc.integer({ min: 1, max: 4 }),
    vertexLookupsPerCycle: fc.integer({ min: 1, max: 4 }),
    postTransformCacheVertices: fc.integer({ min: 3, max: 32 }),
    vertexCacheBytes: fc.constantFrom(1024, 4096),
    colorCacheBytes: fc.constantFrom(1024, 4096),
    depthCacheBytes: fc.constantFrom(1024, 4096),
    l2CacheBytes: fc.constantFrom(4096, 16_384),
    l2CacheWays: fc.constantFrom(1, 4),
    l2Slices: fc.constantFrom(1, 2, 4),
    l2LinesPerCycle: fc.integer({ min: 1, max: 3 }),
    l2MissEntries: fc.integer({ min: 1, max: 20 }),
    memoryClientLines: fc.integer({ min: 16, max: 48 }),
    memoryBurstLines: fc.integer({ min: 1, max: 8 }),
    memoryAgeingCycles: fc.integer({ min: 1, max: 40 }),
    memoryLatencyCycles: fc.integer({ min: 1, max: 40 }),
    dramChannels: fc.constantFrom(1, 2, 4),
    dramBytesPerCycle: fc.constantFrom(4, 16, 64),
    dramBanks: fc.constantFrom(4, 8),
    dramQueueEntries: fc.integer({ min: 2, max: 12 }),
    dramRefreshIntervalCycles: fc.constantFrom(200, 5000),
    dramRefreshCycles: fc.constantFrom(0, 60),
    vertexCacheWays: fc.constantFrom(1, 8),
    colorCacheWays: fc.constantFrom(1, 2),
    depthCacheWays: fc.constantFrom(1, 4),
    l2WaitersPerMiss: fc.integer({ min: 1, max: 4 }),
    channelInterleaveBytes: fc.constantFrom(64, 256, 2048),
    dramBankGroups: fc.constantFrom(1, 2, 4),
    dramPagePolicy: fc.constantFrom(...PAGE_POLICIES),
    dramRowActiveCycles: fc.nat(40),
    dramRowCycleCycles: fc.nat(50),
    dramActivateSpacingCycles: fc.nat(8),
    dramActivateSpacingSameGroupCycles: fc.nat(10),
    dramFourActivatesCycles: fc.nat(40),
    dramColumnSpacingSameGroupCycles: fc.nat(8),
    dramReadToPrechargeCycles: fc.nat(8),
    dramWriteRecoveryCycles: fc.nat(20),
    dramWriteToReadCycles: fc.nat(8),
    dramWriteToReadSameGroupCycles: fc.nat(12),
    dramMaxOvertakes: fc.nat(20),
    dramWriteDrainStartPercent: fc.constantFrom(50, 90),
    dramWriteDrainEndPercent: fc.constantFrom(0, 25),
    outputMergerWarps: fc.integer({ min: 1, max: 9 }),
    outputReadAheadLines: fc.constantFrom(16, 40, 200),
    streamReadAheadLines: fc.integer({ min: 1, max: 9 }),
    streamCoderIntervalCycles: fc.integer({ min: 1, max: 3 }),
    streamDecoderIntervalCycles: fc.integer({ min: 1, max: 3 }),
    registerFileBytes: fc.constantFrom(4096, 16_384),
    constantCacheBytes: fc.constantFrom(0, 256, 4096),
    instructionCacheBytes: fc.constantFrom(1024, 4096),
    hasL2Cache: fc.boolean(),
    hasBatchMemory: fc.boolean(),
    batchBuffers: fc.integer({ min: 2, max: 4 }),
    binTargets: fc.constantFrom(2, 4, 8),
    batchReadAheadPrimitives: fc.integer({ min: 1, max: 8 }),
    hasHierarchicalDepth: fc.boolean(),
    hierarchicalDepthBlocksPerCycle: fc.integer({ min: 1, max: 4 }),
    hierarchicalDepthDelayCycles: fc.nat(30),
    hasFastClear: fc.boolean(),
    hasDepthCompression: fc.boolean(),
    hasColorCompression: fc.boolean(),
    hasFineGrainedIssue: fc.boolean(),
    hasSerialWarpIdFrees: fc.boolean(),
    textureLookupsPerWarp: fc.integer({ min: 1, max: 3 }),
    textureMissEntries: fc.integer({ min: 1, max: 12 }),
    hasExclusiveBursts: fc.boolean(),
    hasMemoryAgeing: fc.boolean(),
    pageStructure: fc.constantFrom(...PAGE_STRUCTURES),
    pageListCycles: fc.integer({ min: 1, max: 3 }),
    tlbEntries: fc.constantFrom(0, 0, 4, 16),
    tlbWays: fc.constantFrom(1, 4),
    pageBytes: fc.constantFrom(4096, 65_536),
    pageTableLevels: fc.integer({ min: 1, max: 4 }),
    pageWalks: fc.integer({ min: 1, max: 3 }),
    copyBufferLines: fc.constantFrom(1, 3, 16),
  })
  .map((overrides) => {
    const tlbEntries = overrides.pageStructure === 'list' ? 0 : overrides.tlbEntries;
    return defineChipletSpec({ name: 'any', drawStateCycles: 5, ...overrides, tlbEntries });
  });

/** Bytes that leave the chiplet at the end of each run. */
export const OUTPUT_BYTES = 1000;

/** Plans with a target of 256 blocks in a row or none, and a stream or none. */
export const anyPlan: fc.Arbitrary<RunRequest> = fc.record({
  rect: fc.constant({ x: 0, y: 0, width: 1024, height: 4 }),
  sampleCount: fc.constantFrom(1, 1, 4, 8),
  colorLines: fc.constantFrom(1, 1, 3),
  isColorLoaded: fc.boolean(),
  isDepthLoaded: fc.boolean(),
  isDepthStored: fc.boolean(),
  depthBound: fc.constantFrom(500, 65_535),
  imageLine: fc.constant(100_000),
  imageLines: fc.constant(80_000),
  batchLine: fc.constant(300_000),
  batchLines: fc.constantFrom(0, 500),
  batchListLines: fc.constant(400),
  earlyLine: fc.constantFrom(0, 0, 350_000),
  pageTableLine: fc.constant(400_000),
  streamLine: fc.constant(200_000),
  streamBytes: fc.constantFrom(0, 100, 5000),
  streamPrimitives: fc.constant(200),
  buffersEndLine: fc.constant(150_000),
  streamsLine: fc.constant(200_000),
});

/** Options of a simulation. */
export interface SimulateOptions {
  /** Whether every module is clocked in every cycle. */
  readonly isNaive?: boolean;
  /** Whether the chip advances after each primitive batch, not only at the end. */
  readonly isBatchwise?: boolean;
  /** Function that creates the engine; the compiled chip by default. */
  readonly makeEngine?: EngineMaker | undefined;
}

/** Simulates a run and returns its timing. */
export function simulate(
  spec: ChipletSpec,
  plan: RunRequest,
  run: MadeRun,
  { isNaive = false, isBatchwise = false, makeEngine }: SimulateOptions = {},
) {
  const chip = new ChipTiming(spec, { isNaive, makeEngine });
  const onBatch = () => {
    if (isBatchwise) chip.advance();
  };
  chip.begin(plan);
  writeRun(chip.log, run, spec, onBatch, plan.earlyLine > 0);
  return chip.finish(OUTPUT_BYTES);
}

/** Bin of a list: its plan and its records. */
export interface MadeBin {
  readonly plan: RunRequest;
  readonly run: MadeRun;
}

/** Arbitrary lists of bins, without visibility streams that leave. */
export const anyList: fc.Arbitrary<readonly MadeBin[]> = fc.array(
  fc.record({ plan: anyPlan, run: anyRun }),
  { minLength: 1, maxLength: 4 },
);

/** Simulates a list of bins in one run and returns its timing. */
export function simulateList(
  spec: ChipletSpec,
  list: readonly MadeBin[],
  { isNaive = false, isBatchwise = false, makeEngine }: SimulateOptions = {},
) {
  const chip = new ChipTiming(spec, { isNaive, makeEngine });
  const onBatch = () => {
    if (isBatchwise) chip.advance();
  };
  for (const [bin, { plan, run }] of list.entries()) {
    if (bin === 0) chip.begin(plan);
    else chip.addBin(plan, OUTPUT_BYTES);
    writeRun(chip.log, run, spec, onBatch, plan.earlyLine > 0);
  }
  return chip.finish(OUTPUT_BYTES);
}

/** Returns the records of a bin as a value. */
export function recordBin(spec: ChipletSpec, { plan, run }: MadeBin): RecordedRun {
  const keeper = new RecordKeeper();
  keeper.begin(plan);
  writeRun(keeper.log, run, spec, () => {}, plan.earlyLine > 0);
  return keeper.finish(OUTPUT_BYTES);
}
