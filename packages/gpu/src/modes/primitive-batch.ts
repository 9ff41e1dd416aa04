/**
 * A primitive batch (patent US 12,051,154, ¶31): consecutive primitives that are fine-binned together. It
 * closes when it is full, when another draw's state does not fit, when the next draw depends on what an earlier
 * one of the batch does at the end of the pipeline, or at the end of the coarse bin.
 */

import type { BoundDraw } from '../command/bound-draw.ts';
import type { ResidentFrame } from '../command/resident-frame.ts';
import {
  type ChipletMemory,
  MAX_CLIP_PRIMITIVES,
  MAX_CONSTANT_WORDS,
} from '../memory/chiplet-memory.ts';
import type { ChipletSpec } from '../spec/chiplet-spec.ts';
import type { DrawBinding } from './fragment-shading.ts';

/** A draw of the batch; its primitive records follow each other from `primitivesPtr`. */
export interface BatchDraw extends DrawBinding {
  readonly draw: BoundDraw;
  readonly constantsPtr: number;
  readonly texturesPtr: number;
  readonly primitivesPtr: number;
  primitiveCount: number;
}

/** What is in the batch, and where it lies in memory. */
export class PrimitiveBatch {
  /** Draws by state slot. */
  readonly draws: BatchDraw[] = [];
  /** Primitives taken, culled ones included. */
  primitiveCount = 0;
  /** Raster records made. */
  recordCount = 0;

  readonly #memory: ChipletMemory;
  readonly #maxPrimitives: number;
  readonly #maxStates: number;

  constructor(memory: ChipletMemory, spec: ChipletSpec) {
    this.#memory = memory;
    this.#maxPrimitives = spec.batchPrimitives;
    this.#maxStates = spec.batchStates;
  }

  /** Primitives that it still takes. */
  get primitiveRoom(): number {
    return this.#maxPrimitives - this.primitiveCount;
  }

  /** Whether it takes no more primitives. */
  get isFull(): boolean {
    return this.primitiveCount >= this.#maxPrimitives || this.isRecordFull;
  }

  /** Number of records at which those that the next primitive may make do not fit. */
  get recordLimit(): number {
    return this.#memory.primitiveCapacity - MAX_CLIP_PRIMITIVES + 1;
  }

  /** Whether the records that the next primitive may make do not fit. */
  get isRecordFull(): boolean {
    return this.recordCount >= this.recordLimit;
  }

  /** Whether the state of another draw does not fit. */
  get isStateFull(): boolean {
    return this.draws.length >= this.#maxStates;
  }

  /**
   * Whether the draw must see what an earlier draw of the batch leaves behind late: its early depth test comes
   * before shading, the other's depth is written after it.
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
    const { u8, coveredFlagsPtr } = this.#memory;
    u8.fill(0, coveredFlagsPtr, coveredFlagsPtr + this.#maxPrimitives);
  }

  /** Takes a draw's state; returns its slot. The draw stays the last one until the next is added. */
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
    return slot;
  }

  /** Counts a primitive that made `records` records; returns its number in the batch. */
  addPrimitive(records: number): number {
    this.recordCount += records;
    return this.primitiveCount++;
  }

  /** Counts `primitives` that made `records` records altogether. */
  addPrimitives(primitives: number, records: number): void {
    this.primitiveCount += primitives;
    this.recordCount += records;
  }

  /** Primitives that covered a sample: tile traversal flags them. */
  countCovered(): number {
    const { u8, coveredFlagsPtr } = this.#memory;
    let count = 0;
    for (let k = 0; k < this.primitiveCount; k++) count += u8[coveredFlagsPtr + k]!;
    return count;
  }
}
