/**
 * Pages of the user area in one free list: N pages are taken from its head, freed pages are put back at its tail
 * (the memory manager paper). The list, and the lists of those who own pages, are one link per page, as they lie in
 * the on-chip SRAM of the manager.
 */
import { RenderError } from '@tessera/frame';

export const PAGE_BYTES = 1024;

/** End of a list of pages. */
export const NO_PAGE = -1;

const FIRST_LINKS = 256;

export class PageAllocator {
  readonly pageCount: number;
  readonly #what: string;
  /**
   * Link of a page plus 2; 0, or beyond the end, where the page was never linked anew: then the page behind it follows.
   * Every frame makes a list and touches a few of a million pages; memory for all would make the collector run for it.
   */
  #links: Int32Array = new Int32Array(FIRST_LINKS);
  #head: number;
  #tail: number;
  #freePages: number;

  /** @param pageCount Pages of the area, at least 1. @param what Names the area in errors. */
  constructor(pageCount: number, what = 'user area') {
    if (!Number.isInteger(pageCount) || pageCount < 1) {
      throw new RangeError(`page allocator: ${pageCount} pages, must be a positive integer`);
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

  /** The page after `page` in the list that it is in, or NO_PAGE. */
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
   * Takes `count` pages, at least 1, from the head of the free list.
   *
   * @returns First and last page of the list that they stay linked in.
   * @throws {RenderError} LIMIT_EXCEEDED if fewer are free; nothing is taken then.
   */
  allocate(count: number): { readonly first: number; readonly last: number } {
    if (count < 1) throw new Error(`page allocator: ${count} pages asked for`);
    if (count > this.#freePages) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `${this.#what}: ${count} pages of ${PAGE_BYTES} bytes are asked for, ${this.#freePages} of ${this.pageCount} are free`,
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

  /** Puts a list of pages back at the tail of the free list, in its order. */
  free({ first, last }: { readonly first: number; readonly last: number }): void {
    let count = 1;
    for (let page = first; page !== last; count++) page = this.next(page);
    if (this.next(last) !== NO_PAGE) throw new Error(`page allocator: page ${last} ends no list`);
    if (this.#tail === NO_PAGE) this.#head = first;
    else this.#link(this.#tail, first);
    this.#tail = last;
    this.#freePages += count;
  }
}
