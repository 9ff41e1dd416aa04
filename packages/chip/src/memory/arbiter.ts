/**
 * Arbiter of local memory: grants one burst at a time in each slice to the requesting client of
 * highest priority, as the memory manager of HMGPU does (Application of Electronic Technique, no.
 * 5, 2013). Clients of one priority take turns. Low priorities may starve, so the wait is measured.
 * With aging, clients that have waited long enough go first, the longest-waiting one before all
 * others. While a visibility phase has priority over the bin within it, requests for commands,
 * vertices and batches have the highest priority, and interrupt bursts of others.
 */
import type { i32 } from '../portable/number-types.ts';
import { MEMORY_CLIENT } from '../records/client-numbers.generated.ts';
import { NEVER } from '../sim/schedule.ts';
import type { VisibilityPriority } from '../sim/visibility-priority.ts';
import type { AskingPorts } from './asking-ports.ts';
import type { ClientPort } from './client-port.ts';

/** Result of `grant` when no port has a request. */
export const NO_GRANT = -1;

/** Above the number of every client. */
const PHASE_PRIORITY = 64;

/** Options of an arbiter. */
export interface ArbiterOptions {
  /** Ports by number; more may be added later. */
  readonly ports: readonly ClientPort[];
  /** Ports that request a burst. */
  readonly asking: AskingPorts;
  readonly priority: VisibilityPriority;
  /** Number of slices of the cache behind the arbiter; each has its own grants. */
  readonly sliceCount: i32;
  /** Wait in cycles after which a client goes first; NEVER for no aging. */
  readonly ageingCycles: i32;
}

/** Chooses the port whose burst goes next. */
export class Arbiter {
  private readonly ports: readonly ClientPort[];
  private readonly asking: AskingPorts;
  private readonly visibility: VisibilityPriority;
  private readonly ageingCycles: i32;
  /** Port that was granted last, by slice. */
  private readonly lastGranted: Int32Array;

  constructor(options: ArbiterOptions) {
    this.lastGranted = new Int32Array(options.sliceCount);
    this.ports = options.ports;
    this.asking = options.asking;
    this.visibility = options.priority;
    this.ageingCycles = options.ageingCycles;
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
      const client = this.priorityOf(port.client);
      if (client > priority || (client === priority && place < turn)) {
        priority = client;
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

  /**
   * Whether a visibility phase interrupts the burst of a port in a slice: it has priority, and
   * requests a burst there.
   */
  interrupts(number: i32, slice: i32, cycle: i32): boolean {
    if (!this.visibility.isOn || isOfVisibility(this.ports[number]!.client)) return false;
    // With aging, the port may have been granted before all others.
    if (this.ageingCycles < NEVER) return false;
    const first = this.asking.firstOf(slice);
    for (let i = first; i < first + this.asking.counts[slice]!; i++) {
      const port = this.ports[this.asking.numbers[i]!]!;
      if (isOfVisibility(port.client) && port.askingSince <= cycle) return true;
    }
    return false;
  }

  private priorityOf(client: i32): i32 {
    return isOfVisibility(client) && this.visibility.isOn ? client + PHASE_PRIORITY : client;
  }
}

/** Whether a visibility phase waits for a client: its reads, and the records that it writes. */
function isOfVisibility(client: i32): boolean {
  return (
    client === MEMORY_CLIENT.vertex ||
    client === MEMORY_CLIENT.command ||
    client === MEMORY_CLIENT.batch
  );
}
