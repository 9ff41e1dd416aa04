/**
 * Primitive batch (patent US 12,051,154, ¶31): consecutive primitives that are fine-binned
 * together. A batch closes when it is full, when another draw's state or program does not fit, when
 * the next draw depends on the end of the pipeline of an earlier one, or at the end of the coarse
 * bin.
 */

import type { ChipletSpec } from '@tessera/chiplet-spec';
import type { IsaProgram } from '@tessera/frame';
import type { BoundDraw } from '../command/bound-draw.ts';
import type { ResidentFrame } from '../command/resident-frame.ts';
import {
  type ChipletMemory,
  MAX_CLIP_PRIMITIVES,
  MAX_CONSTANT_WORDS,
} from '../memory/chiplet-memory.ts';
import type { DrawBinding } from './fragment-shading.ts';

/** Draw of the batch. Its primitive records are consecutive from `primitivesPtr`. */
export interface BatchDraw extends DrawBinding {
  readonly draw: BoundDraw;
  readonly constantsPtr: number;
  readonly texturesPtr: number;
  readonly primitivesPtr: number;
  primitiveCount: number;
}

/** Number of a store that has not happened. */
const UNUSED = Number.POSITIVE_INFINITY;

/** Content of the batch and its addresses in memory. */
export class PrimitiveBatch {
  /** Draws by state slot. */
  readonly draws: BatchDraw[] = [];
  /** Number of primitives added, including culled ones. */
  primitiveCount = 0;
  /** Number of raster records produced. */
  recordCount = 0;

  readonly #memory: ChipletMemory;
  readonly #maxPrimitives: number;
  readonly #maxStates: number;
  readonly #vertexBlocks: BlocksOfBatch;
  readonly #fragmentBlocks: BlocksOfBatch;

  constructor(memory: ChipletMemory, spec: ChipletSpec) {
    this.#memory = memory;
    this.#maxPrimitives = spec.batchPrimitives;
    this.#maxStates = spec.batchStates;
    this.#vertexBlocks = new BlocksOfBatch(spec.programBlocks);
    this.#fragmentBlocks = new BlocksOfBatch(spec.programBlocks);
  }

  /** Number of primitives that still fit. */
  get primitiveRoom(): number {
    return this.#maxPrimitives - this.primitiveCount;
  }

  /** Whether the batch accepts no more primitives. */
  get isFull(): boolean {
    return this.primitiveCount >= this.#maxPrimitives || this.isRecordFull;
  }

  /** Number of records from which the records of another primitive may not fit. */
  get recordLimit(): number {
    return this.#memory.primitiveCapacity - MAX_CLIP_PRIMITIVES + 1;
  }

  /** Whether the records of another primitive may not fit. */
  get isRecordFull(): boolean {
    return this.recordCount >= this.recordLimit;
  }

  /** Whether the state of another draw does not fit. */
  get isStateFull(): boolean {
    return this.draws.length >= this.#maxStates;
  }

  /**
   * Prepares the programs of the next draw, as the command processor stores them: one that differs
   * from the last is stored in the next block of its stage.
   *
   * @returns Whether the batch must close first, because the block holds one of its programs.
   */
  storePrograms({ vertexStage, program }: BoundDraw): boolean {
    const isVertexFull = this.#vertexBlocks.store(vertexStage.program);
    const isFragmentFull = this.#fragmentBlocks.store(program.fragment);
    return (isVertexFull || isFragmentFull) && this.draws.length > 0;
  }

  /**
   * Returns whether a draw depends on the late results of an earlier draw in the batch: it tests
   * depth before shading, and the other writes depth after it.
   */
  dependsOn({ depthStage }: BoundDraw): boolean {
    if (depthStage !== 'early') return false;
    return this.draws.some(({ draw }) => {
      const { isTestEnabled, isWriteEnabled } = draw.draw.state.depth;
      return draw.depthStage === 'late' && isTestEnabled && isWriteEnabled;
    });
  }

  /** Empties the batch. */
  clear(): void {
    this.draws.length = 0;
    this.primitiveCount = 0;
    this.recordCount = 0;
    this.#vertexBlocks.clear();
    this.#fragmentBlocks.clear();
    const { u8, coveredFlagsPtr } = this.#memory;
    u8.fill(0, coveredFlagsPtr, coveredFlagsPtr + this.#maxPrimitives);
  }

  /**
   * Adds a draw's state and returns its slot. The draw stays the last one until the next is added.
   */
  addDraw(frame: ResidentFrame, draw: BoundDraw): number {
    const slot = this.draws.length;
    const { constantsPtr, textureTablesPtr, textureTableBytes, primitiveRecordsPtr } = this.#memory;
    const last = this.draws[slot - 1];
    const binding: BatchDraw = {
      draw,
      constantsPtr: constantsPtr + slot * MAX_CONSTANT_WORDS * 4,
      texturesPtr: textureTablesPtr + slot * textureTableBytes,
      primitivesPtr:
        last === undefined
          ? primitiveRecordsPtr
          : last.primitivesPtr + last.primitiveCount * last.draw.attributes.recordBytes,
      primitiveCount: 0,
    };
    frame.uploadDrawState(draw, binding.constantsPtr, binding.texturesPtr);
    this.draws.push(binding);
    this.#vertexBlocks.use();
    this.#fragmentBlocks.use();
    return slot;
  }

  /** Counts a primitive with `records` raster records and returns its index in the batch. */
  addPrimitive(records: number): number {
    this.recordCount += records;
    return this.primitiveCount++;
  }

  /** Counts `primitives` primitives with `records` raster records in total. */
  addPrimitives(primitives: number, records: number): void {
    this.primitiveCount += primitives;
    this.recordCount += records;
  }

  /** Returns the number of primitives that covered a sample, as flagged by tile traversal. */
  countCovered(): number {
    const { u8, coveredFlagsPtr } = this.#memory;
    let count = 0;
    for (let k = 0; k < this.primitiveCount; k++) count += u8[coveredFlagsPtr + k]!;
    return count;
  }
}

/** Blocks of a stage whose programs the draws of the batch need. */
class BlocksOfBatch {
  readonly #blockCount: number;
  #current: IsaProgram | null = null;
  /** Number of stores, and number of the first one whose program the batch needs. */
  #stores = 0;
  #first = UNUSED;

  constructor(blockCount: number) {
    this.#blockCount = blockCount;
  }

  /** Stores a program. Returns whether its block holds a program that the batch needs. */
  store(program: IsaProgram): boolean {
    if (program === this.#current) return false;
    this.#current = program;
    this.#stores++;
    return this.#stores - this.#first >= this.#blockCount;
  }

  /** Notes that the batch needs the current program. */
  use(): void {
    if (this.#first === UNUSED) this.#first = this.#stores;
  }

  clear(): void {
    this.#first = UNUSED;
  }
}
