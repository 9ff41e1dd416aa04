/**
 * Pixel phase of a primitive batch (patent US 12,051,154, ¶31). Each fine bin passes through tile
 * traversal and early depth into the quad list. The list passes through fragment shading and the
 * output merger when it is full or another draw's quads follow.
 */

import type { RectPx } from '@tessera/frame';
import type { FineBinner } from '../binning/fine-binner.ts';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import type { TargetLayout } from '../output/target/target-layout.ts';
import type { TileTraversal } from '../raster/coverage/tile-traversal.ts';
import { DRAW_SLOT, RECORD_I32 } from '../records/raster-record.ts';
import type { BinRecorder } from './bin-recorder.ts';
import { type FragmentObserver, FragmentProbe } from './fragment-probe.ts';
import type { FragmentShading } from './fragment-shading.ts';
import type { BatchDraw, PrimitiveBatch } from './primitive-batch.ts';

/** Slot value when the list contains no quads. */
const NO_DRAW = -1;

/** Pipeline behind the fine binner. */
export class PixelPhase {
  readonly #memory: ChipletMemory;
  readonly #batch: PrimitiveBatch;
  readonly #fineBinner: FineBinner;
  readonly #traversal: TileTraversal;
  readonly #shading: FragmentShading;
  /** Observed form of traversal and shading; `null` if nothing observes the bin. */
  probe: FragmentProbe | null = null;

  constructor(
    memory: ChipletMemory,
    batch: PrimitiveBatch,
    fineBinner: FineBinner,
    traversal: TileTraversal,
    shading: FragmentShading,
  ) {
    this.#memory = memory;
    this.#batch = batch;
    this.#fineBinner = fineBinner;
    this.#traversal = traversal;
    this.#shading = shading;
  }

  /** Observes the fragments of a bin that begins; `null` for none. */
  observe(observer: FragmentObserver | null, rect: RectPx, layout: TargetLayout): void {
    this.probe =
      observer === null
        ? null
        : new FragmentProbe(this.#memory, this.#traversal, this.#shading, observer);
    this.probe?.beginBin(rect, layout);
  }

  /** Ends the observation, if there is one. */
  endObservation(): void {
    this.probe?.endBin();
    this.probe = null;
  }

  /**
   * Draws the batch.
   *
   * @param recorder Records the work for the simulated chip.
   */
  run(recorder: BinRecorder | null): void {
    let slot = NO_DRAW;
    for (let bin = 0; bin < this.#fineBinner.binCount; bin++) {
      this.#memory.stopWords.throwIfStopped();
      slot = this.#rasterFineBin(bin, slot, recorder);
    }
    if (slot !== NO_DRAW) this.#shade(this.#batch.draws[slot]!, recorder);
  }

  /**
   * Rasterizes one fine bin.
   *
   * @param slotBefore Slot of the draw whose quads are in the list.
   * @returns Slot of the draw whose quads are in the list afterwards.
   */
  #rasterFineBin(bin: number, slotBefore: number, recorder: BinRecorder | null): number {
    const entryCount = this.#fineBinner.listEntries(bin);
    if (entryCount === 0) return slotBefore;
    const rect = this.#fineBinner.fineBinRect(bin);
    let slot = slotBefore;
    let first = 0;
    while (first < entryCount) {
      const next = this.#drawSlotOfEntry(first);
      if (next !== slot && slot !== NO_DRAW) {
        // Quads of the previous draw must reach the target first.
        this.#shade(this.#batch.draws[slot]!, recorder);
      }
      slot = next;
      const binding = this.#batch.draws[slot]!;
      const end = this.#endOfDraw(first, entryCount, slot);
      const { traversalKernel } = binding.draw;
      const firstQuad = this.#traversal.quadCount;
      const walked =
        this.probe === null
          ? this.#traversal.traverse(traversalKernel, first, end, rect)
          : this.probe.traverse(binding, first, end, rect);
      const { quadCount } = this.#traversal;
      recorder?.addWalk(binding.draw, first, walked, rect, firstQuad, quadCount);
      first = walked;
      if (first < end) this.#shade(binding, recorder);
    }
    return slot;
  }

  #shade(binding: BatchDraw, recorder: BinRecorder | null): void {
    const { quadCount } = this.#traversal;
    if (quadCount === 0) return;
    if (this.probe === null) this.#shading.shadeList(this.#traversal, binding, recorder);
    else this.probe.shadeList(binding, recorder);
    recorder?.endList(binding.draw, quadCount);
  }

  #drawSlotOfEntry(entry: number): number {
    const { i32, fineBinEntriesPtr, rasterRecordsPtr } = this.#memory;
    const record = i32[(fineBinEntriesPtr >> 2) + entry]!;
    return i32[(rasterRecordsPtr >> 2) + record * RECORD_I32 + DRAW_SLOT]!;
  }

  /** Returns the end of the run of entries that belong to the draw of entry `first`. */
  #endOfDraw(first: number, entryCount: number, slot: number): number {
    if (this.#batch.draws.length === 1) return entryCount;
    let end = first + 1;
    while (end < entryCount && this.#drawSlotOfEntry(end) === slot) end++;
    return end;
  }
}
