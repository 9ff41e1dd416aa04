/**
 * Arbiter of local memory: grants one burst at a time to the client of highest priority that asks (the memory manager
 * paper); clients of one priority take turns. Low priorities may starve, which is why the wait is measured; with
 * ageing, clients that have waited for so long go first, the longest waiting one before all others.
 */
import type { ClientPort } from './client-port.ts';

/** Nobody asks. */
export const NO_GRANT = -1;

export class Arbiter {
  private readonly ports: readonly ClientPort[];
  private readonly ageingCycles: number;
  private lastGranted = 0;

  /** @param ports May still grow. @param ageingCycles After which a client has aged; Infinity: never. */
  constructor(ports: readonly ClientPort[], ageingCycles: number) {
    this.ports = ports;
    this.ageingCycles = ageingCycles;
  }

  reset(): void {
    this.lastGranted = 0;
  }

  /** The number of the port whose burst goes next in `cycle`, or NO_GRANT. */
  grant(cycle: number): number {
    const { ports } = this;
    const count = ports.length;
    let granted = NO_GRANT;
    let priority = -1;
    let aged = NO_GRANT;
    let longest = this.ageingCycles - 1;
    for (let turn = 1; turn <= count; turn++) {
      let index = this.lastGranted + turn;
      if (index >= count) index -= count;
      const port = ports[index]!;
      if (port.readyCount === 0 || port.askingSince > cycle) continue;
      if (port.priority > priority) {
        priority = port.priority;
        granted = index;
      }
      if (cycle - port.askingSince > longest) {
        longest = cycle - port.askingSince;
        aged = index;
      }
    }
    if (aged !== NO_GRANT) granted = aged;
    if (granted !== NO_GRANT) {
      this.lastGranted = granted;
      ports[granted]!.grant(cycle);
    }
    return granted;
  }
}
