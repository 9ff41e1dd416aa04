/**
 * Tile traversal: finds the quads of primitives inside a fine bin and writes them to the quad list
 * of the chiplet memory, using the kernel in traversal-kernel.ts.
 *
 * Quads are aligned to even pixels of the target. Lane 0 is (x, y), 1 (x + 1, y), 2 (x, y + 1), 3
 * (x + 1, y + 1). Primitives of a fine bin keep their order. The order of quads within a primitive
 * does not matter, because a primitive covers a sample once.
 */
import type { RectPx } from '@tessera/frame';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { TRAVERSAL_COUNTS, type TraversalRun } from './traversal-kernel.ts';

/** Quad list of a coarse bin, with its counts. */
export class TileTraversal {
  readonly #memory: ChipletMemory;
  readonly #countsAt: number;
  #binX = 0;
  #binY = 0;
  #quadsPerRow = 0;
  /** Number of fragments listed and shaded before the list was last emptied. */
  #fragmentsListedBefore = 0;

  constructor(memory: ChipletMemory) {
    this.#memory = memory;
    this.#countsAt = memory.traversalCountsPtr >> 2;
  }

  /** Number of quads in the list, from the start of the quad pool. */
  get quadCount(): number {
    return this.#memory.i32[this.#countsAt + TRAVERSAL_COUNTS.quadCount]!;
  }

  /** Number of fragments of the quads in the list. */
  get listedFragments(): number {
    return this.#memory.i32[this.#countsAt + TRAVERSAL_COUNTS.listedFragments]!;
  }

  /** Number of quads with a covered sample since the bin began. */
  get quadsCovered(): number {
    return this.#memory.i32[this.#countsAt + TRAVERSAL_COUNTS.quadsCovered]! >>> 0;
  }

  /** Number of covered samples since the bin began. */
  get fragmentsCovered(): number {
    return this.#memory.i32[this.#countsAt + TRAVERSAL_COUNTS.fragmentsCovered]! >>> 0;
  }

  /** Number of covered samples that failed the early depth test since the bin began. */
  get fragmentsEarlyKilled(): number {
    return this.fragmentsCovered - this.#fragmentsListedBefore - this.listedFragments;
  }

  /**
   * Starts a coarse bin.
   *
   * @param binX Left column of the coarse bin, even.
   * @param quadsPerRow Number of quads in a row of its target.
   */
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
   * Appends the quads of entries `first` to `end` − 1 of the fine bin, all of one draw, to the
   * list. Stops if the list may have no room for the next entry.
   *
   * @param rect Fine bin, at most 64 pixels in each direction.
   * @returns Index of the entry to continue with after the list is emptied; `end` if all are done.
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

  /**
   * Writes the covered quads of one entry behind the list, which stays unchanged.
   *
   * @param kernel Kernel that tests no depth.
   * @returns Number of quads; `null` if {@link traverse} would have no room for the entry either.
   */
  findCovered(kernel: TraversalRun, entry: number, rect: RectPx): number | null {
    const { i32 } = this.#memory;
    const end = this.#countsAt + Object.keys(TRAVERSAL_COUNTS).length;
    const before = i32.slice(this.#countsAt, end);
    const quadsBefore = this.quadCount;
    const hasRoom = this.traverse(kernel, entry, entry + 1, rect) > entry;
    const quads = this.quadCount - quadsBefore;
    i32.set(before, this.#countsAt);
    return hasRoom ? quads : null;
  }
}

/** Number of lanes by mask. */
const LANE_COUNT = Uint8Array.of(0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4);

/** Returns the number of lanes in a quad's mask. */
export function laneCount(mask: number): number {
  return LANE_COUNT[mask & 15]!;
}
