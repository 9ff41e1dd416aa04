/**
 * Pages of the user area in one free list (HMGPU, 2013). N pages are allocated from its head, and
 * freed pages return to its tail. The free list and the lists of owners are one link per page, as
 * in the on-chip SRAM of the manager.
 */
import { RenderError } from '@tessera/frame';

/** Size of a page, in bytes. */
export const PAGE_BYTES = 1024;

/** End of a list of pages. */
export const NO_PAGE = -1;

/** Allocator of one area's pages. */
export class PageAllocator {
  readonly pageCount: number;
  readonly #what: string;
  /**
   * Links that differ from the first order, in which the next page follows. Every frame creates an
   * allocator and relinks only the ends of lists, of a million pages. An array of all links would
   * cost megabytes per frame.
   */
  readonly #links = new Map<number, number>();
  #head: number;
  #tail: number;
  #freePages: number;

  /**
   * @param pageCount Number of pages in the area, at least 1.
   * @param what Name of the area in errors.
   */
  constructor(pageCount: number, what = 'user area') {
    if (!Number.isInteger(pageCount) || pageCount < 1) {
      throw new RangeError(`page allocator: page count ${pageCount} is not a positive integer`);
    }
    this.pageCount = pageCount;
    this.#what = what;
    this.#head = 0;
    this.#tail = pageCount - 1;
    this.#freePages = pageCount;
  }

  get freePages(): number {
    return this.#freePages;
  }

  /** Returns the page after `page` in its list, or NO_PAGE. */
  next(page: number): number {
    return this.#links.get(page) ?? (page + 1 < this.pageCount ? page + 1 : NO_PAGE);
  }

  /**
   * Allocates `count` pages, at least 1, from the head of the free list.
   *
   * @returns First and last page of the list; they stay linked.
   * @throws {RenderError} LIMIT_EXCEEDED, without effect, if fewer pages are free.
   */
  allocate(count: number): { readonly first: number; readonly last: number } {
    if (count < 1)
      throw new Error(`page allocator: ${count} pages were requested; must be at least 1`);
    if (count > this.#freePages) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `${this.#what}: ${count} pages of ${PAGE_BYTES} bytes are needed, but only ${this.#freePages} of ${this.pageCount} are free`,
      );
    }
    const first = this.#head;
    let last = first;
    for (let taken = 1; taken < count; taken++) last = this.next(last);
    this.#head = this.next(last);
    if (this.#head === NO_PAGE) this.#tail = NO_PAGE;
    this.#links.set(last, NO_PAGE);
    this.#freePages -= count;
    return { first, last };
  }

  /** Returns a list of pages to the tail of the free list, in order. */
  free({ first, last }: { readonly first: number; readonly last: number }): void {
    let count = 1;
    for (let page = first; page !== last; count++) page = this.next(page);
    if (this.next(last) !== NO_PAGE)
      throw new Error(`page allocator: page ${last} is not the end of a list`);
    if (this.#tail === NO_PAGE) this.#head = first;
    else this.#links.set(this.#tail, first);
    this.#tail = last;
    this.#freePages += count;
  }
}
