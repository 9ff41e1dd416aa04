/**
 * Pending requests of one direction in a memory channel, oldest first, with the bank and the row of
 * each. A request is mostly removed near the old end, so the older ones move up. Their place slides
 * through an array of twice the capacity and returns to its start when it reaches the end.
 */

import type { i32 } from '../portable/number-types.ts';

/** List of requests. */
export class DramRequests {
  /** Requests, banks and rows by place. */
  readonly requests: Int32Array;
  readonly banks: Int32Array;
  readonly rows: Int32Array;
  /** Places of the oldest request, and after the newest one. */
  first: i32 = 0;
  end: i32 = 0;

  /** @param capacity Upper bound on the number of requests held. */
  constructor(capacity: i32) {
    this.requests = new Int32Array(2 * capacity);
    this.banks = new Int32Array(2 * capacity);
    this.rows = new Int32Array(2 * capacity);
  }

  get count(): i32 {
    return this.end - this.first;
  }

  reset(): void {
    this.first = 0;
    this.end = 0;
  }

  /** Adds the newest request. There must be room. */
  add(request: i32, bank: i32, row: i32): void {
    if (this.end === this.requests.length) this.slideBack();
    this.requests[this.end] = request;
    this.banks[this.end] = bank;
    this.rows[this.end++] = row;
  }

  remove(place: i32): void {
    const requests = this.requests;
    const banks = this.banks;
    const rows = this.rows;
    for (let to = place; to > this.first; to--) {
      requests[to] = requests[to - 1]!;
      banks[to] = banks[to - 1]!;
      rows[to] = rows[to - 1]!;
    }
    this.first++;
  }

  /** Returns whether a request is of a row. */
  hasRow(bank: i32, row: i32): boolean {
    for (let place = this.first; place < this.end; place++) {
      if (this.banks[place] === bank && this.rows[place] === row) return true;
    }
    return false;
  }

  /** Returns whether a request is of another row of a bank. */
  hasOtherRow(bank: i32, row: i32): boolean {
    for (let place = this.first; place < this.end; place++) {
      if (this.banks[place] === bank && this.rows[place] !== row) return true;
    }
    return false;
  }

  private slideBack(): void {
    const first = this.first;
    for (let place = first; place < this.end; place++) {
      this.requests[place - first] = this.requests[place]!;
      this.banks[place - first] = this.banks[place]!;
      this.rows[place - first] = this.rows[place]!;
    }
    this.end -= first;
    this.first = 0;
  }
}
