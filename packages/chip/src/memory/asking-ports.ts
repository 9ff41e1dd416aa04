/** Ports that request a grant, by slice of the cache that serves their oldest request. */
import type { i32 } from '../portable/number-types.ts';

/** Upper bound on the number of ports, above that of the largest chiplet. A power of two. */
export const MAX_PORTS = 512;

/**
 * Numbers of the ports with requests that may be granted, in no order. A grant in a slice examines
 * only the ports of that slice.
 */
export class AskingPorts {
  /** Number of ports in all slices. */
  total: i32 = 0;
  /** Number of ports, by slice. */
  readonly counts: Int32Array;
  /** Numbers of the ports of a slice, from `slice × MAX_PORTS` on. */
  readonly numbers: Int32Array;
  private portCount: i32 = 0;
  private readonly places: Int32Array = new Int32Array(MAX_PORTS);

  /** @param sliceCount Number of slices, at least 1. */
  constructor(sliceCount: i32) {
    this.counts = new Int32Array(sliceCount);
    this.numbers = new Int32Array(sliceCount * MAX_PORTS);
  }

  /**
   * Returns the number of a new port.
   *
   * @throws {Error} If there are too many ports.
   */
  register(): i32 {
    if (this.portCount === MAX_PORTS) throw new Error(`memory: more than ${MAX_PORTS} ports`);
    return this.portCount++;
  }

  /** Returns the position in `numbers` of the first port of a slice. */
  firstOf(slice: i32): i32 {
    return slice * MAX_PORTS;
  }

  add(number: i32, slice: i32): void {
    const place = this.firstOf(slice) + this.counts[slice]!++;
    this.places[number] = place;
    this.numbers[place] = number;
    this.total++;
  }

  remove(number: i32, slice: i32): void {
    const place = this.places[number]!;
    const moved = this.numbers[this.firstOf(slice) + --this.counts[slice]!]!;
    this.numbers[place] = moved;
    this.places[moved] = place;
    this.total--;
  }
}
