/**
 * Index blocks of objects in the user area (buffer objects, display lists): first and last page,
 * size and a parameter word, by identifier. A read walks the object's list of pages from an offset.
 */
import { RenderError } from '@tessera/frame';
import { PAGE_BYTES, type PageAllocator } from './page-allocator.ts';

interface IndexBlock {
  readonly first: number;
  readonly last: number;
  readonly sizeBytes: number;
  /** Word stored for the object's user; 0 if unused. */
  readonly parameter: number;
}

/** Index of the objects of one kind. */
export class PagedIndex {
  readonly #pages: PageAllocator;
  readonly #baseBytes: number;
  readonly #blockCount: number;
  readonly #what: string;
  readonly #blocks = new Map<number, IndexBlock>();

  /**
   * @param baseBytes Address of the area's page 0.
   * @param blockCount Number of index blocks.
   * @param what Name of the objects in errors, with the limit in parentheses:
   *   `buffers (bufferIndexBlocks)`.
   */
  constructor(pages: PageAllocator, baseBytes: number, blockCount: number, what: string) {
    this.#pages = pages;
    this.#baseBytes = baseBytes;
    this.#blockCount = blockCount;
    this.#what = what;
  }

  /**
   * Creates an object. An empty object also has a page.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED if no index block is left; LIMIT_EXCEEDED if no pages
   *   are left.
   */
  store(id: number, sizeBytes: number, parameter = 0): void {
    if (this.#blocks.has(id)) throw new Error(`${this.#what}: object ${id} already exists`);
    if (this.#blocks.size === this.#blockCount) {
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `${this.#what}: ${this.#blockCount + 1} are needed, but a chiplet has index blocks for ${this.#blockCount}`,
      );
    }
    const list = this.#pages.allocate(Math.max(1, Math.ceil(sizeBytes / PAGE_BYTES)));
    this.#blocks.set(id, { ...list, sizeBytes, parameter });
  }

  /** Frees an object's pages and its index block. */
  release(id: number): void {
    this.#pages.free(this.#block(id));
    this.#blocks.delete(id);
  }

  sizeOf(id: number): number {
    return this.#block(id).sizeBytes;
  }

  parameterOf(id: number): number {
    return this.#block(id).parameter;
  }

  /** Returns the pages of an object, in order. */
  pagesOf(id: number): number[] {
    const { first, last } = this.#block(id);
    const pages = [first];
    for (let page = first; page !== last; ) {
      page = this.#pages.next(page);
      pages.push(page);
    }
    return pages;
  }

  /**
   * Returns the address of an object's byte by walking its list.
   *
   * @throws {RangeError} If the object has no such byte.
   */
  addressOf(id: number, offsetBytes: number): number {
    const { first, sizeBytes } = this.#block(id);
    if (offsetBytes < 0 || offsetBytes >= sizeBytes) {
      throw new RangeError(
        `${this.#what}: byte ${offsetBytes} is not in object ${id} of ${sizeBytes} bytes`,
      );
    }
    let page = first;
    for (let skip = Math.floor(offsetBytes / PAGE_BYTES); skip > 0; skip--) {
      page = this.#pages.next(page);
    }
    return this.#baseBytes + page * PAGE_BYTES + (offsetBytes % PAGE_BYTES);
  }

  #block(id: number): IndexBlock {
    const block = this.#blocks.get(id);
    if (block === undefined) throw new Error(`${this.#what}: object ${id} does not exist`);
    return block;
  }
}
