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

const FIRST_LINKS = 256;

/** Allocator of one area's pages. */
export class PageAllocator {
  readonly pageCount: number;
  readonly #what: string;
  /**
   * Link of a page plus 2. A value of 0, or an index beyond the end, means that the page was never
   * relinked and the next page follows. Every frame creates a list and touches few of a million
   * pages. Memory for all of them would trigger the collector.
   */
  #links: Int32Array = new Int32Array(FIRST_LINKS);
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
    const link = page < this.#links.length ? this.#links[page]! : 0;
    if (link !== 0) return link - 2;
    return page + 1 < this.pageCount ? page + 1 : NO_PAGE;
  }

  #link(page: number, next: number): void {
    if (page >= this.#links.length) {
      const larger = new Int32Array(2 * (page + 1));
      larger.set(this.#links);
      this.#links = larger;
    }
    this.#links[page] = next + 2;
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
    this.#link(last, NO_PAGE);
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
    else this.#link(this.#tail, first);
    this.#tail = last;
    this.#freePages += count;
  }
}
