/**
 * Input of the simulated chip's tile traversal, hierarchical depth and warp packing for the entries
 * of a fine bin. It has each primitive's walk through the seven levels, its blocks with raster and
 * depth masks and depths, and its quads in warp-packing order.
 *
 * The kernel (entry-walk-kernel.ts) handles one sample per pixel and edges that are not too steep
 * for it. The code here handles everything else. Both give the same results.
 */

import {
  BLOCK,
  BLOCK_RECORD_WORDS,
  countBits,
  ENTRY,
  ENTRY_PRIMITIVE,
  ENTRY_WORDS,
  HIERARCHICAL_RAISE,
  LEVEL_COUNT,
  MAX_BIN_BLOCKS,
  QUAD_LANES,
} from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import { MAX_SAMPLE_COUNT, type RectPx } from '@tessera/frame';
import { instantiateKernel } from '../../kernel/instantiate-kernel.ts';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { DEPTH_USES, ENTRY_WALK, FINE_BIN_BLOCKS } from '../../records/entry-walk-layout.ts';
import { PRIMITIVE_RECORD, RECORD_I32 } from '../../records/raster-record.ts';
import type { BinLog } from '../../run-log/bin-log.ts';
import { BlockDepths, type HierarchicalDepthUse } from './block-depths.ts';
import { generateEntryWalkKernel } from './entry-walk-kernel.ts';
import type { EntryWalkRun } from './entry-walk-variables.ts';
import {
  BLOCK_WORDS,
  SevenLevelTraversal,
  type TraversalSwitches,
} from './seven-level-traversal.ts';

/** Size of a quad record, and of the depths beside it, in words. */
const QUAD_WORDS = 4;
const BIN_BLOCKS = FINE_BIN_BLOCKS * FINE_BIN_BLOCKS;

/** Properties of the draw whose entries are walked. */
export interface WalkedDraw {
  /** Index of the draw in the table of draws. */
  readonly number: number;
  readonly hierarchicalDepth: HierarchicalDepthUse;
  /** Whether its quads have depths beside them. */
  readonly hasDepths: boolean;
}

/** Walks entries and records them. */
export class EntryWalk {
  /** Number of sub-tiles that each level of tile traversal passed in the run, by level − 1. */
  readonly subTilesPassed = new Float64Array(LEVEL_COUNT);
  /** Number of samples in the recorded masks. */
  fragmentsCovered = 0;
  readonly #memory: ChipletMemory;
  readonly #log: BinLog;
  readonly #traversal: SevenLevelTraversal;
  readonly #blockDepths: BlockDepths;
  readonly #run: EntryWalkRun | null;
  /** Depth masks of the blocks in the current fine bin. */
  readonly #depthMasks = new Int32Array(BIN_BLOCKS);
  /** Position in the quad list, by block of the fine bin and quad. */
  readonly #quadNumbers = new Int32Array(4 * BIN_BLOCKS);
  /** Quads of a primitive in packing order, and copies of their records. */
  readonly #packed = new Int32Array(4 * BIN_BLOCKS);
  readonly #quadCopies = new Int32Array(4 * BIN_BLOCKS * QUAD_WORDS * MAX_SAMPLE_COUNT);
  #sampleCount = 1;

  /**
   * @param log Log that receives blocks and entries.
   * @param isNaive Whether entries are walked without the kernel, for tests.
   */
  constructor(memory: ChipletMemory, spec: ChipletSpec, log: BinLog, isNaive = false) {
    this.#memory = memory;
    this.#log = log;
    const switches: TraversalSwitches = {
      hasBoxTest: spec.hasBoxTest,
      entersAtBoxLevel: spec.entersAtBoxLevel,
      tilePoint: spec.testsTileCorners ? 'corner' : 'centre',
    };
    this.#traversal = new SevenLevelTraversal(memory, switches);
    this.#blockDepths = new BlockDepths(memory);
    this.#run = isNaive
      ? null
      : instantiateKernel(generateEntryWalkKernel(memory, switches), memory.memory);
  }

  /**
   * Starts a run.
   *
   * @param sampleCount Samples per pixel.
   */
  begin(sampleCount: number): void {
    this.subTilesPassed.fill(0);
    this.fragmentsCovered = 0;
    this.#sampleCount = sampleCount;
    this.#blockDepths.begin(sampleCount);
  }

  /**
   * Records the walk of entries `first` to `end` − 1 of a fine bin, all of one draw.
   *
   * @param firstQuad Index of their first quad in the quad list.
   * @param endQuad Index after their last quad.
   */
  walk(
    draw: WalkedDraw,
    first: number,
    end: number,
    rect: RectPx,
    firstQuad: number,
    endQuad: number,
  ): void {
    let quad = firstQuad;
    for (let entry = first; entry < end; ) {
      const run = this.#sampleCount > 1 ? null : this.#run;
      const walked = run === null ? 0 : this.#walkAll(run, draw, entry, end, rect, quad, endQuad);
      if (walked > 0) quad = this.#memory.i32[(this.#memory.entryWalkPtr + ENTRY_WALK.quad) >> 2]!;
      else quad = this.#walkOne(draw, entry, rect, quad, endQuad);
      entry += walked > 0 ? walked : 1;
    }
    if (quad !== endQuad) {
      throw new Error(`entry walk: ${endQuad - quad} quads belong to no entry of the fine bin`);
    }
  }

  /**
   * Walks entries with the kernel.
   *
   * @returns Number of entries walked.
   */
  #walkAll(
    run: EntryWalkRun,
    { number, hierarchicalDepth, hasDepths }: WalkedDraw,
    first: number,
    end: number,
    { x, y, width, height }: RectPx,
    quad: number,
    endQuad: number,
  ): number {
    const { i32, fineBinEntriesPtr, entryWalkPtr } = this.#memory;
    const walked = run(
      fineBinEntriesPtr + 4 * first,
      Math.min(end - first, ENTRY_WALK.maxEntries),
      x,
      y,
      x + width - 1,
      y + height - 1,
      quad,
      endQuad,
      number,
      DEPTH_USES[hierarchicalDepth],
      hasDepths ? 1 : 0,
    );
    if (walked === ENTRY_WALK.failures.lostQuads) {
      throw new Error('entry walk: quads of an entry are in no block');
    }
    const at = entryWalkPtr >> 2;
    if (walked === ENTRY_WALK.failures.masksDisagree) {
      const failed = at + (ENTRY_WALK.failed >> 2);
      throw disagreement(i32[failed]!, i32[failed + 1]!, i32[failed + 2]!, i32[failed + 3]!);
    }
    for (let level = 0; level < LEVEL_COUNT; level++) {
      this.subTilesPassed[level]! += i32[at + (ENTRY_WALK.subTiles >> 2) + level]!;
    }
    this.fragmentsCovered += i32[at + (ENTRY_WALK.fragments >> 2)]!;
    this.#copyResults(walked);
    return walked;
  }

  /** Copies the kernel's results for `entryCount` entries to the log. */
  #copyResults(entryCount: number): void {
    const { i32, entryWalkPtr } = this.#memory;
    const { entries, blocks } = this.#log;
    let entry = (entryWalkPtr + ENTRY_WALK.entries) >> 2;
    let blockCount = 0;
    for (let i = 0; i < entryCount; i++, entry += ENTRY_WALK.entryBytes >> 2) {
      const at = entries.append();
      const { words } = entries;
      words[at + ENTRY.kind] = ENTRY_PRIMITIVE;
      words[at + ENTRY.steps] = i32[entry]!;
      words[at + ENTRY.firstBlock] = blocks.end + blockCount;
      words[at + ENTRY.blockCount] = i32[entry + 1]!;
      // Batches that are kept on the chip have no lines.
      words[at + ENTRY.recordLine] = 0;
      words[at + ENTRY.recordLines] = 0;
      words[at + ENTRY.listLine] = 0;
      blockCount += i32[entry + 1]!;
    }
    let block = (entryWalkPtr + ENTRY_WALK.blocks) >> 2;
    for (let i = 0; i < blockCount; i++, block += BLOCK_RECORD_WORDS) {
      const at = blocks.append();
      const { words } = blocks;
      words[at] = i32[block]!;
      words[at + 1] = i32[block + 1]!;
      words[at + 2] = i32[block + 2]!;
      words[at + 3] = i32[block + 3]!;
    }
  }

  /**
   * Walks one entry without the kernel.
   *
   * @returns Index of the next quad.
   */
  #walkOne(
    draw: WalkedDraw,
    entry: number,
    { x, y, width, height }: RectPx,
    firstQuad: number,
    endQuad: number,
  ): number {
    const { i32, fineBinEntriesPtr, rasterRecordsPtr } = this.#memory;
    const { entries, blocks } = this.#log;
    const traversal = this.#traversal;
    const record = i32[(fineBinEntriesPtr >> 2) + entry]!;
    const primitive = i32[(rasterRecordsPtr >> 2) + record * RECORD_I32 + PRIMITIVE_RECORD]!;
    const quad = this.#gatherDepthMasks(primitive, x, y, firstQuad, endQuad);
    traversal.walk(record, x, y, x + width - 1, y + height - 1, this.#sampleCount);
    for (let level = 0; level < LEVEL_COUNT; level++) {
      this.subTilesPassed[level]! += traversal.subTilesPassed[level]!;
    }
    const at = entries.append();
    entries.words.fill(0, at, at + ENTRY_WORDS);
    entries.words[at + ENTRY.kind] = ENTRY_PRIMITIVE;
    entries.words[at + ENTRY.steps] = slowestLevel(traversal);
    entries.words[at + ENTRY.firstBlock] = blocks.end;
    entries.words[at + ENTRY.blockCount] = traversal.blockCount;
    const packed = this.#addBlocks(record, draw, x, y);
    if (packed !== quad - firstQuad) {
      throw new Error('entry walk: quads of an entry are in no block');
    }
    this.#sortQuads(firstQuad, packed, draw.hasDepths);
    return quad;
  }

  /**
   * Collects the depth masks and list positions of a primitive's quads, by block.
   *
   * @returns Index of the next quad.
   */
  #gatherDepthMasks(
    primitive: number,
    binX: number,
    binY: number,
    firstQuad: number,
    endQuad: number,
  ): number {
    const { i32, quadsPtr } = this.#memory;
    let quad = firstQuad;
    for (let at = (quadsPtr >> 2) + 4 * quad; quad < endQuad; quad++, at += 4) {
      if (i32[at + 3] !== primitive) break;
      const x = i32[at]! - binX;
      const y = (i32[at + 1]! & 0xffff) - binY;
      const lanes = i32[at + 2]!;
      const bits = (lanes & 3) | ((lanes & 12) << 2);
      const shift = (x & 2) + 4 * (y & 2);
      const block = (y >> 2) * FINE_BIN_BLOCKS + (x >> 2);
      this.#depthMasks[block]! |= bits << shift;
      this.#quadNumbers[4 * block + ((x >> 1) & 1) + (y & 2)] = quad;
    }
    return quad;
  }

  /**
   * Adds the blocks of a primitive to the log.
   *
   * @returns Number of quads of the list in the blocks. Their packing order is left in `#packed`.
   */
  #addBlocks(record: number, draw: WalkedDraw, binX: number, binY: number): number {
    const { blocks: walked, blockCount } = this.#traversal;
    const { blocks } = this.#log;
    const depths = this.#blockDepths;
    depths.beginRecord(record, draw.hierarchicalDepth);
    const raised = draw.hierarchicalDepth === 'raise' ? HIERARCHICAL_RAISE : 0;
    let packed = 0;
    for (let i = 0; i < blockCount; i++) {
      const x = walked[i * BLOCK_WORDS]!;
      const y = walked[i * BLOCK_WORDS + 1]!;
      const covered = walked[i * BLOCK_WORDS + 2]!;
      const maskAt = ((y - binY) >> 2) * FINE_BIN_BLOCKS + ((x - binX) >> 2);
      const passed = this.#depthMasks[maskAt]!;
      this.#depthMasks[maskAt] = 0;
      const isWhole = walked[i * BLOCK_WORDS + 3] === 1;
      if ((passed & ~covered) !== 0) {
        throw disagreement(x, y, covered, passed);
      }
      this.fragmentsCovered += countBits(covered);
      const at = blocks.append();
      const column = (x >> 2) & (MAX_BIN_BLOCKS - 1);
      const row = (y >> 2) & (MAX_BIN_BLOCKS - 1);
      blocks.words[at + BLOCK.position] = column + MAX_BIN_BLOCKS * row + raised;
      blocks.words[at + BLOCK.masks] = covered | (passed << 16);
      blocks.words[at + BLOCK.draw] = draw.number;
      blocks.words[at + BLOCK.depths] = depths.wordOf(x, y, isWhole);
      for (let quad = 0; quad < 4 && passed !== 0; quad++) {
        if ((passed & QUAD_LANES[quad]!) === 0) continue;
        this.#packed[packed++] = this.#quadNumbers[4 * maskAt + quad]!;
      }
    }
    return packed;
  }

  /** Sorts quads `first` to `first + count − 1` of the list into packing order. */
  #sortQuads(first: number, count: number, hasDepths: boolean): void {
    const packed = this.#packed;
    let sorted = 0;
    while (sorted < count && packed[sorted] === first + sorted) sorted++;
    if (sorted === count) return;
    const { i32, quadsPtr, quadDepthsPtr } = this.#memory;
    const copies = this.#quadCopies;
    for (let turn = 0; turn < (hasDepths ? 2 : 1); turn++) {
      const pool = turn === 0 ? quadsPtr : quadDepthsPtr;
      const words = QUAD_WORDS * (pool === quadDepthsPtr ? this.#sampleCount : 1);
      const from = (pool >> 2) + words * first;
      // Usually there are few quads. Loops move these faster than a view and a call.
      for (let word = words * sorted; word < words * count; word++)
        copies[word] = i32[from + word]!;
      for (let quad = sorted; quad < count; quad++) {
        const copy = words * (packed[quad]! - first);
        const to = from + words * quad;
        for (let word = 0; word < words; word++) i32[to + word] = copies[copy + word]!;
      }
    }
  }
}

function disagreement(x: number, y: number, covered: number, passed: number): Error {
  return new Error(`entry walk: block ${x}, ${y}: masks ${covered}, ${passed} do not agree`);
}

/** Returns the cycles of the slowest level: one per tile, and one per block for level 7. */
function slowestLevel(traversal: SevenLevelTraversal): number {
  let most = traversal.blocksAtLastLevel;
  for (let level = 0; level < LEVEL_COUNT - 1; level++) {
    if (traversal.tilesTaken[level]! > most) most = traversal.tilesTaken[level]!;
  }
  return most > 1 ? most : 1;
}
