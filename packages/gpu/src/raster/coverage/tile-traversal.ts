/**
 * Tile traversal: finds the quads of primitives inside a fine bin and puts them into the quad list of the
 * chiplet memory. The kernel in traversal-kernel.ts does the work.
 *
 * Quads are aligned to even pixels of the target; lane 0 is (x, y), 1 (x + 1, y), 2 (x, y + 1),
 * 3 (x + 1, y + 1). A fine bin's primitives come in order; the order of quads within a primitive is of no
 * consequence, since a primitive covers a sample once.
 */
import type { RectPx } from '@tessera/frame';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { TRAVERSAL_COUNTS, type TraversalRun } from './traversal-kernel.ts';

/** The quad list of a coarse bin, and its counts. */
export class TileTraversal {
  readonly #memory: ChipletMemory;
  readonly #countsAt: number;
  #binX = 0;
  #binY = 0;
  #quadsPerRow = 0;
  /** Fragments that were listed and shaded before the list was last emptied. */
  #fragmentsListedBefore = 0;

  constructor(memory: ChipletMemory) {
    this.#memory = memory;
    this.#countsAt = memory.traversalCountsPtr >> 2;
  }

  /** Quads in the list, from the start of the quad pool. */
  get quadCount(): number {
    return this.#memory.i32[this.#countsAt + TRAVERSAL_COUNTS.quadCount]!;
  }

  /** Fragments of the quads in the list. */
  get listedFragments(): number {
    return this.#memory.i32[this.#countsAt + TRAVERSAL_COUNTS.listedFragments]!;
  }

  /** Quads with a covered sample since the bin began. */
  get quadsCovered(): number {
    return this.#memory.i32[this.#countsAt + TRAVERSAL_COUNTS.quadsCovered]! >>> 0;
  }

  /** Covered samples since the bin began. */
  get fragmentsCovered(): number {
    return this.#memory.i32[this.#countsAt + TRAVERSAL_COUNTS.fragmentsCovered]! >>> 0;
  }

  /** Covered samples that failed the early depth test since the bin began. */
  get fragmentsEarlyKilled(): number {
    return this.fragmentsCovered - this.#fragmentsListedBefore - this.listedFragments;
  }

  /** @param binX Left column of the coarse bin, even. @param quadsPerRow Quads in a row of its target. */
  beginBin(binX: number, binY: number, quadsPerRow: number): void {
    this.#binX = binX;
    this.#binY = binY;
    this.#quadsPerRow = quadsPerRow;
    this.#fragmentsListedBefore = 0;
    const countNumber = Object.keys(TRAVERSAL_COUNTS).length;
    this.#memory.i32.fill(0, this.#countsAt, this.#countsAt + countNumber);
  }

  /** Empties the quad list. */
  clearList(): void {
    this.#fragmentsListedBefore += this.listedFragments;
    this.#memory.i32[this.#countsAt + TRAVERSAL_COUNTS.quadCount] = 0;
    this.#memory.i32[this.#countsAt + TRAVERSAL_COUNTS.listedFragments] = 0;
  }

  /**
   * Appends the quads of entries `first` to `end` − 1 of the fine bin's entries, all of one draw, to the
   * list, until it may have no room for the next entry.
   *
   * @param rect The fine bin, at most 64 pixels each way.
   * @returns The entry to go on with once the list was emptied; `end` when all are done.
   */
  traverse(kernel: TraversalRun, first: number, end: number, rect: RectPx): number {
    const { fineBinEntriesPtr, quadCapacity } = this.#memory;
    const { x, y, width, height } = rect;
    const rectQuads = ((width >> 1) + 1) * ((height >> 1) + 1);
    const walked = kernel(
      fineBinEntriesPtr + 4 * first,
      end - first,
      x,
      y,
      x + width - 1,
      y + height - 1,
      quadCapacity - rectQuads,
      this.#binX,
      this.#binY,
      this.#quadsPerRow,
    );
    return first + walked;
  }
}

/** Lanes in a mask. */
const LANE_COUNT = Uint8Array.of(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);

/** Lanes in a quad's mask. */
export function laneCount(mask: number): number {
  return LANE_COUNT[mask & 15]!;
}
