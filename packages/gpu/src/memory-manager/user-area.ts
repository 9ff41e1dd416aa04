/**
 * User area of local memory: pages of buffers, snapshots of queries, display lists and the
 * visibility stream (HMGPU, 2013). Buffers and snapshots stay for the frame. The display lists of a
 * pass are freed when the pass ends, so their pages and index blocks serve later passes. The
 * visibility stream, or the words of transform feedback, take the largest gap that the objects
 * leave.
 *
 * Pages of an object are consecutive: an object that would cross the end of the area takes the next
 * pages of the free list.
 */

import { LINE_BYTES } from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import { type PreparedDraw, type PreparedFrame, RenderError } from '@tessera/frame';
import { PAGE_BYTES, PageAllocator } from './page-allocator.ts';
import { PagedIndex } from './paged-index.ts';

/** First byte and size of a region. */
export interface Region {
  readonly baseBytes: number;
  readonly sizeBytes: number;
}

/** Attempts to find consecutive pages: before the end of the area, then from its start. */
const MAX_ATTEMPTS = 3;

/** Pages of the objects of a pass. */
interface PassPages {
  /** First pages of the display lists, ascending. */
  readonly listHeads: readonly number[];
  /** Pages that no object has. */
  readonly gapPage: number;
  readonly gapPages: number;
}

/** Places of a frame's objects in the user area. */
export class UserArea {
  readonly #region: Region;
  readonly #pages: PageAllocator;
  readonly #buffers: PagedIndex;
  readonly #displayLists: PagedIndex;
  readonly #queryPage: number;
  /** First pages of buffers and snapshots, and the page after them. */
  readonly #fixedHeads: number[] = [];
  readonly #fixedEnd: number;
  readonly #passes: readonly PassPages[];
  readonly #listByDraw = new Map<PreparedDraw, Region>();

  /**
   * @param listBytes Returns the size of a draw's display list.
   * @throws {RenderError} FRAME_UNSUPPORTED if more index blocks are needed than exist;
   *   LIMIT_EXCEEDED if the area is too small.
   */
  constructor(
    region: Region,
    spec: ChipletSpec,
    { commands, buffers }: Pick<PreparedFrame, 'commands' | 'buffers'>,
    listBytes: (draw: PreparedDraw) => number,
  ) {
    this.#region = region;
    const pages = new PageAllocator(region.sizeBytes / PAGE_BYTES);
    this.#pages = pages;
    const { baseBytes } = region;
    const { bufferIndexBlocks, displayListIndexBlocks } = spec;
    this.#buffers = new PagedIndex(
      pages,
      baseBytes,
      bufferIndexBlocks,
      'buffers (bufferIndexBlocks)',
    );
    const what = 'draws (displayListIndexBlocks)';
    this.#displayLists = new PagedIndex(pages, baseBytes, displayListIndexBlocks, what);
    // Contents that earlier passes left in a target are images, not buffer objects.
    const images = new Set(
      commands.passes.flatMap(({ contents }) => [
        ...(contents?.colorBufferIndices ?? []),
        contents?.depthStencilBufferIndex,
      ]),
    );
    for (const [index, { bytes }] of buffers.entries()) {
      if (images.has(index)) continue;
      this.#buffers.store(index, bytes.length);
      this.#fixedHeads.push(this.#buffers.pagesOf(index)[0]!);
    }
    const queryCount = Math.max(...commands.passes.map(({ queries }) => queries?.length ?? 0), 0);
    const queryPages = Math.ceil((queryCount * LINE_BYTES) / PAGE_BYTES);
    this.#queryPage = queryPages === 0 ? 0 : pages.allocate(queryPages).first;
    if (queryPages > 0) this.#fixedHeads.push(this.#queryPage);
    this.#fixedEnd = pages.pageCount - pages.freePages;
    this.#passes = commands.passes.map(({ draws }) => this.#placePass(draws, listBytes));
  }

  /** Stores the display lists of a pass and frees them again. */
  #placePass(draws: readonly PreparedDraw[], listBytes: (draw: PreparedDraw) => number): PassPages {
    const ranges: { first: number; end: number }[] = [];
    for (const [id, draw] of draws.entries()) {
      const sizeBytes = listBytes(draw);
      const { first, end } = this.#storeList(id, sizeBytes);
      ranges.push({ first, end });
      const baseBytes = this.#displayLists.addressOf(id, 0);
      this.#listByDraw.set(draw, { baseBytes, sizeBytes });
    }
    for (const id of draws.keys()) this.#displayLists.release(id);
    ranges.sort((a, b) => a.first - b.first);
    let [gapPage, gapPages, from] = [this.#fixedEnd, 0, this.#fixedEnd];
    for (const { first, end } of [...ranges, { first: this.#pages.pageCount, end: 0 }]) {
      if (first - from >= gapPages) [gapPage, gapPages] = [from, first - from];
      from = end;
    }
    return { listHeads: ranges.map(({ first }) => first), gapPage, gapPages };
  }

  /** Stores a display list in consecutive pages. */
  #storeList(id: number, sizeBytes: number): { first: number; end: number } {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      this.#displayLists.store(id, sizeBytes);
      const pages = this.#displayLists.pagesOf(id);
      const [first, last] = [pages[0]!, pages.at(-1)!];
      if (last - first === pages.length - 1) return { first, end: last + 1 };
      this.#displayLists.release(id);
    }
    throw new RenderError(
      'LIMIT_EXCEEDED',
      `user area: no consecutive pages for a display list of ${sizeBytes} bytes (userMemoryBytes)`,
    );
  }

  /** Returns the address of a buffer's first byte. */
  bufferBase(bufferIndex: number): number {
    return this.#addressOf(this.#buffers.pagesOf(bufferIndex)[0]!);
  }

  /** Returns address and size of a draw's display list. */
  displayList(draw: PreparedDraw): Region {
    const list = this.#listByDraw.get(draw);
    if (list === undefined) throw new Error('user area: the draw is not part of the frame');
    return list;
  }

  /** Returns the line of a query's snapshots, by its index in the pass. */
  queryLine(query: number): number {
    return this.#addressOf(this.#queryPage) / LINE_BYTES + query;
  }

  /** Address behind the buffers and the snapshots of queries. */
  get buffersEnd(): number {
    return this.#addressOf(this.#fixedEnd);
  }

  /**
   * Returns the address of the visibility stream, or of the words of transform feedback, that a run
   * of the pass reads or writes.
   *
   * @throws {RenderError} LIMIT_EXCEEDED if no pages are left.
   */
  streamBase(passIndex: number, sizeBytes: number): number {
    const { gapPage, gapPages } = this.#passes[passIndex]!;
    if (sizeBytes > gapPages * PAGE_BYTES) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `user area: a visibility stream or transform feedback needs ${sizeBytes} bytes, but only ${gapPages * PAGE_BYTES} are free (userMemoryBytes)`,
      );
    }
    return this.#addressOf(gapPage);
  }

  /**
   * Returns the first pages of a pass's objects in local memory, ascending, and the page after the
   * area. Without a pass, the area is one object.
   */
  pageHeads(passIndex: number | null): readonly number[] {
    if (passIndex === null) return this.#inMemory([0]);
    // Built on request: the heads of all buffers in each of many passes would need much memory.
    const { listHeads, gapPage } = this.#passes[passIndex]!;
    const heads = [...this.#fixedHeads, ...listHeads, gapPage];
    return this.#inMemory(heads.sort((a, b) => a - b));
  }

  /** Counts pages of the area from the start of memory, and adds the page after the area. */
  #inMemory(pages: readonly number[]): number[] {
    const { baseBytes, sizeBytes } = this.#region;
    const first = baseBytes / PAGE_BYTES;
    return [...pages.map((page) => first + page), first + sizeBytes / PAGE_BYTES];
  }

  #addressOf(page: number): number {
    return this.#region.baseBytes + page * PAGE_BYTES;
  }
}
