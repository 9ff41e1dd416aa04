/**
 * Homes of pages that are placed by their first access: a hash table with open addressing. A
 * chiplet has the decisions of its own directory and those that other directories have told it.
 */
import { multiply } from '../portable/integers.ts';
import type { i32 } from '../portable/number-types.ts';

/** Home of a page that is not in the table. */
export const UNKNOWN_HOME = -1;
/** Home of a page that its directory was asked for. */
export const AWAITED_HOME = -2;

const EMPTY = -1;
/** A multiplier that spreads consecutive pages: 2^32 divided by the golden ratio. */
const SPREAD = 0x9e37_79b1 | 0;

/** Table of homes by page. */
export class PageHomes {
  private pages: Int32Array = new Int32Array(1024);
  private homes: Int32Array = new Int32Array(1024);
  /** Arrays of the same length, into which the table moves when pages are removed. */
  private otherPages: Int32Array = new Int32Array(1024);
  private otherHomes: Int32Array = new Int32Array(1024);
  private count: i32 = 0;

  constructor() {
    this.reset();
  }

  /** Removes all pages. */
  reset(): void {
    this.pages.fill(EMPTY);
    this.count = 0;
  }

  /** Returns the home of a page, UNKNOWN_HOME or AWAITED_HOME. */
  homeOf(page: i32): i32 {
    const at = this.placeOf(page);
    return this.pages[at] === page ? this.homes[at]! : UNKNOWN_HOME;
  }

  set(page: i32, home: i32): void {
    let at = this.placeOf(page);
    if (this.pages[at] !== page) {
      // Half of the places stay empty, so searches are short.
      if (2 * ++this.count > this.pages.length) {
        this.grow();
        at = this.placeOf(page);
      }
      this.pages[at] = page;
    }
    this.homes[at] = home;
  }

  /** Removes the pages from `first` to before `end`. */
  drop(first: i32, end: i32): void {
    if (this.count === 0) return;
    const pages = this.pages;
    const homes = this.homes;
    this.pages = this.otherPages;
    this.homes = this.otherHomes;
    this.otherPages = pages;
    this.otherHomes = homes;
    this.refill(pages, homes, first, end);
  }

  private grow(): void {
    const pages = this.pages;
    const homes = this.homes;
    const length = 2 * pages.length;
    this.pages = new Int32Array(length);
    this.homes = new Int32Array(length);
    this.otherPages = new Int32Array(length);
    this.otherHomes = new Int32Array(length);
    this.refill(pages, homes, 0, 0);
    this.count++;
  }

  /** Fills the empty table with pages of another one, except those from `first` to `end` − 1. */
  private refill(pages: Int32Array, homes: Int32Array, first: i32, end: i32): void {
    this.reset();
    for (let from = 0; from < pages.length; from++) {
      const page = pages[from]!;
      if (page === EMPTY || (page >= first && page < end)) continue;
      const to = this.placeOf(page);
      this.pages[to] = page;
      this.homes[to] = homes[from]!;
      this.count++;
    }
  }

  /** Returns the place of a page, or the empty place for it. */
  private placeOf(page: i32): i32 {
    const mask = this.pages.length - 1;
    let at = (multiply(page, SPREAD) >>> 12) & mask;
    while (this.pages[at] !== EMPTY && this.pages[at] !== page) at = (at + 1) & mask;
    return at;
  }
}
