/**
 * Arbiter of local memory: grants one burst at a time in each slice to the requesting client of
 * highest priority, as the memory manager of HMGPU does (Application of Electronic Technique, no.
 * 5, 2013). Clients of one priority take turns. Low priorities may starve, so the wait is measured.
 * With aging, clients that have waited long enough go first, the longest-waiting one before all
 * others.
 */
import type { i32 } from '../portable/number-types.ts';
import type { AskingPorts } from './asking-ports.ts';
import type { ClientPort } from './client-port.ts';

/** Result of `grant` when no port has a request. */
export const NO_GRANT = -1;

/** Chooses the port whose burst goes next. */
export class Arbiter {
  private readonly ports: readonly ClientPort[];
  private readonly asking: AskingPorts;
  private readonly ageingCycles: i32;
  /** Port that was granted last, by slice. */
  private readonly lastGranted: Int32Array;

  /**
   * @param ports Ports by number; more may be added later.
   * @param asking Ports that request a burst.
   * @param sliceCount Number of slices of the cache behind the arbiter; each has its own grants.
   * @param ageingCycles Wait in cycles after which a client goes first; NEVER for no aging.
   */
  constructor(
    ports: readonly ClientPort[],
    asking: AskingPorts,
    sliceCount: i32,
    ageingCycles: i32,
  ) {
    this.lastGranted = new Int32Array(sliceCount);
    this.ports = ports;
    this.asking = asking;
    this.ageingCycles = ageingCycles;
  }

  reset(): void {
    this.lastGranted.fill(0);
  }

  /**
   * Grants a burst that begins in a slice in `cycle`. Returns the number of its port, or NO_GRANT.
   */
  grant(slice: i32, cycle: i32): i32 {
    const ports = this.ports;
    const lastGranted = this.lastGranted[slice]!;
    const numbers = this.asking.numbers;
    const count = this.asking.counts[slice]!;
    const first = this.asking.firstOf(slice);
    if (count === 1) {
      const number = numbers[first]!;
      if (ports[number]!.askingSince > cycle) return NO_GRANT;
      this.lastGranted[slice] = number;
      ports[number]!.grant(cycle);
      return number;
    }
    let granted = NO_GRANT;
    let priority = -1;
    let turn = 0;
    let aged = NO_GRANT;
    let longest = this.ageingCycles - 1;
    let agedTurn = 0;
    for (let i = first; i < first + count; i++) {
      const number = numbers[i]!;
      const port = ports[number]!;
      if (port.askingSince > cycle) continue;
      // Position after the port that was granted last.
      const place =
        number > lastGranted ? number - lastGranted : number - lastGranted + ports.length;
      if (port.client > priority || (port.client === priority && place < turn)) {
        priority = port.client;
        granted = number;
        turn = place;
      }
      const waited = cycle - port.askingSince;
      if (waited > longest || (aged !== NO_GRANT && waited === longest && place < agedTurn)) {
        longest = waited;
        aged = number;
        agedTurn = place;
      }
    }
    if (aged !== NO_GRANT) granted = aged;
    if (granted !== NO_GRANT) {
      this.lastGranted[slice] = granted;
      ports[granted]!.grant(cycle);
    }
    return granted;
  }
}
