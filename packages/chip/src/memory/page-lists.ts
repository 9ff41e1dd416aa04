/**
 * Lists of pages in the user area of local memory, as the hardware memory manager of HMGPU keeps
 * them in on-chip SRAM (Application of Electronic Technique, no. 5, 2013). An index block has the
 * first page of an object, and each page has a link to the next one. A client that enters another
 * page of an object waits while the manager walks the list. The manager walks one list at a time
 * and reads an entry in a number of cycles.
 *
 * An index block keeps the page that was reached last. A walk to a later page continues from it. A
 * walk to an earlier page reads the index block again.
 */

import { greater } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';
import type { RecordRing } from '../records/record-ring.ts';

/** Binary logarithm of the number of lines in a page of 1 KiB. */
const PAGE_LINES_LOG2 = 4;
const NO_PAGE = -1;

/** Walks of the objects' lists. */
export class PageLists {
  /** Number of walks and of entries read in the run. */
  walks: i32 = 0;
  entriesRead: i32 = 0;
  private readonly cyclesPerEntry: i32;
  /** See RINGS. */
  private readonly heads: RecordRing;
  /** Page that was reached last, by object. */
  private reached: Int32Array = new Int32Array(64);
  /** Cycle from which the manager can begin a walk. */
  private freeAt: i32 = 0;

  constructor(heads: RecordRing, cyclesPerEntry: i32) {
    this.heads = heads;
    this.cyclesPerEntry = cyclesPerEntry;
  }

  reset(): void {
    this.walks = 0;
    this.entriesRead = 0;
    this.reached.fill(NO_PAGE);
    this.freeAt = 0;
  }

  /**
   * Walks to the page of a line. Returns the cycle in which the client has it, which is `cycle` for
   * a page that was reached last and for lines of no object.
   */
  reach(line: i32, cycle: i32): i32 {
    const page = line >>> PAGE_LINES_LOG2;
    const object = this.objectOf(page);
    if (object < 0) return cycle;
    if (object >= this.reached.length) this.grow(object);
    const from = this.reached[object]!;
    if (from === page) return cycle;
    this.reached[object] = page;
    const isForward = from !== NO_PAGE && from < page;
    const entries = isForward ? page - from : 1 + page - (this.heads.words[object]! >>> 1);
    this.walks++;
    this.entriesRead += entries;
    this.freeAt = greater(this.freeAt, cycle) + entries * this.cyclesPerEntry;
    return this.freeAt;
  }

  /** Returns the number of the object of a page; −1 if there is none. */
  private objectOf(page: i32): i32 {
    const words = this.heads.words;
    let low = 0;
    let high = this.heads.end;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (words[middle]! >>> 1 <= page) low = middle + 1;
      else high = middle;
    }
    return low === 0 || (words[low - 1]! & 1) === 1 ? -1 : low - 1;
  }

  private grow(object: i32): void {
    const larger = new Int32Array(2 * (object + 1));
    larger.fill(NO_PAGE);
    for (let i = 0; i < this.reached.length; i++) larger[i] = this.reached[i]!;
    this.reached = larger;
  }
}
