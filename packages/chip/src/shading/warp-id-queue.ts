import type { i32 } from '../portable/number-types.ts';

/**
 * Warp IDs of one type of work, as a circular queue with three positions (Deng, Tian, Han 2017):
 *
 *         release        start          end
 *            │ IDs in use  │  free IDs   │
 *
 * `start` is the position of the next ID to allocate, and `end` is where a freed ID is written.
 * `release` is the position of the ID that must be freed next. IDs are freed in the order of their
 * allocation.
 */
export class WarpIdQueue {
  /** Positions, 0 to capacity − 1. */
  start: i32 = 0;
  end: i32 = 0;
  release: i32 = 0;
  /** Number of IDs from `start` to `end`, and from `release` to `start`. */
  freeCount: i32 = 0;
  busyCount: i32 = 0;
  private readonly ids: Int32Array;

  /** @param capacity Number of IDs of both types, because one type may come to own all of them. */
  constructor(capacity: i32) {
    this.ids = new Int32Array(capacity);
  }

  /** Number of IDs, free and in use. */
  get ownedCount(): i32 {
    return this.freeCount + this.busyCount;
  }

  clear(): void {
    this.start = 0;
    this.end = 0;
    this.release = 0;
    this.freeCount = 0;
    this.busyCount = 0;
  }

  /** Returns the ID that `allocate` returns next. There must be a free one. */
  next(): i32 {
    return this.ids[this.start]!;
  }

  /**
   * Allocates the next ID.
   *
   * @throws {Error} If no ID is free.
   */
  allocate(): i32 {
    if (this.freeCount === 0) throw new Error('warp IDs: no ID is free to allocate');
    const id = this.ids[this.start]!;
    this.start = this.after(this.start);
    this.freeCount--;
    this.busyCount++;
    return id;
  }

  /** Returns the ID that `free` frees next. There must be one in use. */
  oldest(): i32 {
    return this.ids[this.release]!;
  }

  /**
   * Frees the ID that was allocated first.
   *
   * @throws {Error} If no ID is in use.
   */
  free(): void {
    if (this.busyCount === 0) throw new Error('warp IDs: no ID is in use');
    const id = this.ids[this.release]!;
    this.release = this.after(this.release);
    this.busyCount--;
    this.append(id);
  }

  /** Adds a free ID at `end`. */
  append(id: i32): void {
    this.ids[this.end] = id;
    this.end = this.after(this.end);
    this.freeCount++;
  }

  /**
   * Removes the free ID that was added last.
   *
   * @throws {Error} If no ID is free.
   */
  takeLast(): i32 {
    if (this.freeCount === 0) throw new Error('warp IDs: no free ID to remove');
    this.end = this.end === 0 ? this.ids.length - 1 : this.end - 1;
    this.freeCount--;
    return this.ids[this.end]!;
  }

  private after(position: i32): i32 {
    return position + 1 === this.ids.length ? 0 : position + 1;
  }
}
