/**
 * Writes down what the functional kernels did, batch by batch, for the simulated chip: primitives with their
 * vertices, the walk of each primitive through the seven levels, blocks with raster and depth masks. It reads
 * what the kernels left in memory and changes none of it, so pictures cannot depend on it.
 */
import type { RectPx } from '@tessera/frame';
import type { ChipTiming, RunTiming } from './chip-timing.ts';
import type { ChipletSpec } from './chiplet-spec.ts';
import type { BoundDraw, VertexStage } from './command/bound-draw.ts';
import { makeTimedDraw, type TimedDraw } from './command/timed-draw.ts';
import type { ChipletMemory } from './memory/chiplet-memory.ts';
import { HierarchicalDepth } from './raster/hierarchical-depth.ts';
import { PRIMITIVE_RECORD, RECORD_I32 } from './raster/raster-record.ts';
import { BLOCK_WORDS, LEVEL_COUNT, SevenLevelTraversal } from './raster/seven-level-traversal.ts';
import {
  BATCH_END,
  BLOCK,
  COMMAND,
  DRAW,
  DRAW_STATE,
  DRAW_WORDS,
  ENTRY,
  ENTRY_BATCH_END,
  ENTRY_PRIMITIVE,
  HIERARCHICAL_KILL,
  MARK_END,
  MARK_FLUSH,
  PRIMITIVE,
  RUN_END,
} from './sim/bin-log.ts';

/** Blocks across a fine bin of 64 pixels. */
const FINE_BIN_BLOCKS = 16;

export class BinRecorder {
  /** Sub-tiles that each level of tile traversal handed on in the run, by level − 1. */
  readonly subTilesPassed = new Float64Array(LEVEL_COUNT);
  /** Samples in the recorded masks. */
  fragmentsCovered = 0;
  readonly #memory: ChipletMemory;
  readonly #timing: ChipTiming;
  readonly #traversal: SevenLevelTraversal;
  readonly #hierarchicalDepth: HierarchicalDepth | null;
  readonly #timedDraws = new WeakMap<VertexStage, WeakMap<BoundDraw, TimedDraw>>();
  readonly #drawNumbers = new Map<BoundDraw, number>();
  readonly #timedByNumber: TimedDraw[] = [];
  /** Depth masks of the blocks of the fine bin that is recorded. */
  readonly #depthMasks = new Int32Array(FINE_BIN_BLOCKS * FINE_BIN_BLOCKS);
  readonly #warpQuads: number;
  #firstVertex = 0;
  #segmentVertices = 0;

  constructor(memory: ChipletMemory, spec: ChipletSpec, timing: ChipTiming) {
    this.#memory = memory;
    this.#timing = timing;
    this.#warpQuads = spec.warpThreads / 4;
    this.#traversal = new SevenLevelTraversal(memory, {
      hasBoxTest: spec.hasBoxTest,
      entersAtBoxLevel: spec.entersAtBoxLevel,
      tilePoint: spec.testsTileCorners ? 'corner' : 'centre',
    });
    this.#hierarchicalDepth = spec.hasHierarchicalDepth ? new HierarchicalDepth(memory) : null;
  }

  /** Starts a run. @param clearDepth Stored depth of the target's samples. */
  begin(rect: RectPx, clearDepth: number): void {
    this.#timing.begin();
    this.subTilesPassed.fill(0);
    this.fragmentsCovered = 0;
    this.#drawNumbers.clear();
    this.#timedByNumber.length = 0;
    this.#firstVertex = 0;
    this.#segmentVertices = 0;
    this.#hierarchicalDepth?.begin(rect, clearDepth);
  }

  /** The primitives that follow belong to this draw. */
  beginDraw(bound: BoundDraw, stage: VertexStage): void {
    const { log } = this.#timing;
    const timed = this.#timedDraw(bound, stage);
    const number = log.addDraw();
    this.#drawNumbers.set(bound, number);
    this.#timedByNumber.push(timed);
    const addClauses = (clauses: TimedDraw['vertexClauses']): number => {
      const first = log.clauseCount;
      for (const { instructions, texture } of clauses) log.addClause(instructions, texture);
      return first;
    };
    const at = number * DRAW_WORDS;
    log.draws[at + DRAW.vertexClause] = addClauses(timed.vertexClauses);
    log.draws[at + DRAW.vertexClauseCount] = timed.vertexClauses.length;
    log.draws[at + DRAW.fragmentClause] = addClauses(timed.fragmentClauses);
    log.draws[at + DRAW.fragmentClauseCount] = timed.fragmentClauses.length;
    log.draws[at + DRAW.vertexBytes] = timed.vertexBytes;
    log.draws[at + DRAW.components] = timed.components;
    log.draws[at + DRAW.isEarlyDepth] = timed.depthStage === 'early' ? 1 : 0;
    log.draws[at + DRAW.readsTarget] = timed.readsTarget ? 1 : 0;
    log.draws[at + DRAW.hasFragmentLoops] = timed.hasFragmentLoops ? 1 : 0;
    this.#command(DRAW_STATE, number);
  }

  /** A segment of the draw begins: the post-transform cache does not know its vertices. */
  beginSegment(vertexCount: number): void {
    this.#firstVertex += this.#segmentVertices;
    this.#segmentVertices = vertexCount;
  }

  /**
   * A primitive went through assembly, clipping and set-up.
   *
   * @param corners Numbers in the segment of its vertices, `cornerCount` of them from `firstCorner` on.
   * @param pieces Raster records made. @param entries Lists of bins that they were put into.
   */
  addPrimitive(
    bound: BoundDraw,
    corners: Int32Array,
    firstCorner: number,
    pieces: number,
    entries: number,
    isClipped: boolean,
  ): void {
    const { commands } = this.#timing.log;
    const at = this.#command(PRIMITIVE, this.#drawNumbers.get(bound)!);
    for (let corner = 0; corner < 3; corner++) {
      commands.words[at + COMMAND.vertex + corner] =
        corner < bound.corners ? this.#firstVertex + corners[firstCorner + corner]! : -1;
    }
    commands.words[at + COMMAND.pieces] = pieces;
    commands.words[at + COMMAND.entries] = entries;
    commands.words[at + COMMAND.isClipped] = isClipped ? 1 : 0;
  }

  /**
   * Tile traversal walked entries `first` to `end` − 1 of a fine bin, all of one draw.
   *
   * @param firstQuad Where their quads begin in the quad list. @param endQuad Where they end.
   */
  addWalk(
    bound: BoundDraw,
    first: number,
    end: number,
    { x, y, width, height }: RectPx,
    firstQuad: number,
    endQuad: number,
  ): void {
    const { i32, fineBinEntriesPtr, rasterRecordsPtr } = this.#memory;
    const { entries } = this.#timing.log;
    const draw = this.#drawNumbers.get(bound)!;
    const traversal = this.#traversal;
    let quad = firstQuad;
    for (let entry = first; entry < end; entry++) {
      const record = i32[(fineBinEntriesPtr >> 2) + entry]!;
      const primitive = i32[(rasterRecordsPtr >> 2) + record * RECORD_I32 + PRIMITIVE_RECORD]!;
      quad = this.#gatherDepthMasks(primitive, x, y, quad, endQuad);
      traversal.walk(record, x, y, x + width - 1, y + height - 1);
      for (let level = 0; level < LEVEL_COUNT; level++) {
        this.subTilesPassed[level]! += traversal.subTilesPassed[level]!;
      }
      const at = entries.append();
      entries.words[at + ENTRY.kind] = ENTRY_PRIMITIVE;
      entries.words[at + ENTRY.steps] = slowestLevel(traversal);
      entries.words[at + ENTRY.firstBlock] = this.#timing.log.blocks.end;
      entries.words[at + ENTRY.blockCount] = traversal.blockCount;
      this.#addBlocks(record, draw, x, y);
    }
    if (quad !== endQuad) {
      throw new Error(`recorder: ${endQuad - quad} quads belong to no entry of the fine bin`);
    }
  }

  /** Collects the masks of a primitive's quads from `quad` on; returns the first quad of another one. */
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
      const y = i32[at + 1]! - binY;
      const lanes = i32[at + 2]!;
      const bits = (lanes & 3) | ((lanes & 12) << 2);
      const shift = (x & 2) + 4 * (y & 2);
      this.#depthMasks[(y >> 2) * FINE_BIN_BLOCKS + (x >> 2)]! |= bits << shift;
    }
    return quad;
  }

  #addBlocks(record: number, draw: number, binX: number, binY: number): void {
    const { blocks: walked, blockCount } = this.#traversal;
    const { blocks } = this.#timing.log;
    const timed = this.#timedByNumber[draw]!;
    const hierarchical = this.#hierarchicalDepth;
    hierarchical?.beginRecord(record, timed.hierarchicalDepth);
    for (let i = 0; i < blockCount; i++) {
      const x = walked[i * BLOCK_WORDS]!;
      const y = walked[i * BLOCK_WORDS + 1]!;
      const covered = walked[i * BLOCK_WORDS + 2]!;
      const maskAt = ((y - binY) >> 2) * FINE_BIN_BLOCKS + ((x - binX) >> 2);
      const passed = this.#depthMasks[maskAt]!;
      this.#depthMasks[maskAt] = 0;
      const isKilled = hierarchical?.testBlock(x, y, covered) ?? false;
      if ((passed & ~covered) !== 0 || (isKilled && passed !== 0)) {
        throw new Error(`recorder: block ${x}, ${y}: masks ${covered}, ${passed} do not agree`);
      }
      this.fragmentsCovered += countBits(covered);
      const at = blocks.append();
      blocks.words[at + BLOCK.position] =
        (x >> 2) + 2048 * (y >> 2) + (isKilled ? HIERARCHICAL_KILL : 0);
      blocks.words[at + BLOCK.masks] = covered | (passed << 16);
      blocks.words[at + BLOCK.draw] = draw;
    }
  }

  /**
   * The list of `quadCount` quads of a draw was shaded and emptied: no warp goes on beyond it. The kernel's
   * counts of loops are those of warps of eight quads; smaller warps take the count of the eight they are in.
   */
  endList(bound: BoundDraw, quadCount: number): void {
    this.#mark(MARK_FLUSH);
    if (!this.#timedByNumber[this.#drawNumbers.get(bound)!]!.hasFragmentLoops) return;
    const { loopCounts } = this.#timing.log;
    const { i32, instructionLogPtr } = this.#memory;
    for (let quad = 0; quad < quadCount; quad += this.#warpQuads) {
      const count = i32[(instructionLogPtr >> 2) + (quad >> 3)]!;
      const at = loopCounts.append();
      loopCounts.words[at] = count;
    }
  }

  /** The batch is closed and its pixel phase is recorded. Simulates as far as records go. */
  endBatch(): void {
    this.#endEntries();
    this.#command(BATCH_END, 0);
    this.#timing.advance();
  }

  /** @param outputBytes What leaves the chiplet. */
  finish(outputBytes: number): RunTiming {
    this.#mark(MARK_END);
    this.#endEntries();
    this.#command(RUN_END, 0);
    const timing = this.#timing.finish(outputBytes);
    const counters = { ...timing.counters };
    for (let level = 1; level <= LEVEL_COUNT; level++) {
      const name = `tileTraversal.subTilesLevel${level}` as 'tileTraversal.subTilesLevel1';
      counters[name] = this.subTilesPassed[level - 1]!;
    }
    return { ...timing, counters };
  }

  #command(kind: number, draw: number): number {
    const { commands } = this.#timing.log;
    const at = commands.append();
    commands.words[at + COMMAND.kind] = kind;
    commands.words[at + COMMAND.draw] = draw;
    return at;
  }

  #endEntries(): void {
    const { entries } = this.#timing.log;
    const at = entries.append();
    entries.words[at + ENTRY.kind] = ENTRY_BATCH_END;
  }

  #mark(mark: number): void {
    const { entries, blocks } = this.#timing.log;
    const at = entries.append();
    entries.words[at + ENTRY.kind] = ENTRY_PRIMITIVE;
    entries.words[at + ENTRY.steps] = 1;
    entries.words[at + ENTRY.firstBlock] = blocks.end;
    entries.words[at + ENTRY.blockCount] = 1;
    const block = blocks.append();
    blocks.words[block + BLOCK.position] = 0;
    blocks.words[block + BLOCK.masks] = 0;
    blocks.words[block + BLOCK.draw] = mark;
  }

  #timedDraw(bound: BoundDraw, stage: VertexStage): TimedDraw {
    let byDraw = this.#timedDraws.get(stage);
    if (byDraw === undefined) {
      byDraw = new WeakMap();
      this.#timedDraws.set(stage, byDraw);
    }
    let timed = byDraw.get(bound);
    if (timed === undefined) {
      timed = makeTimedDraw(bound, stage);
      byDraw.set(bound, timed);
    }
    return timed;
  }
}

/** Cycles that the slowest level needs: one per tile, level 7 one per block. */
function slowestLevel(traversal: SevenLevelTraversal): number {
  let most = traversal.blocksAtLastLevel;
  for (let level = 0; level < LEVEL_COUNT - 1; level++) {
    if (traversal.tilesTaken[level]! > most) most = traversal.tilesTaken[level]!;
  }
  return most > 1 ? most : 1;
}

function countBits(mask: number): number {
  let bits = mask - ((mask >> 1) & 0x5555);
  bits = (bits & 0x3333) + ((bits >> 2) & 0x3333);
  bits = (bits + (bits >> 4)) & 0x0f0f;
  return (bits + (bits >> 8)) & 0x1f;
}
