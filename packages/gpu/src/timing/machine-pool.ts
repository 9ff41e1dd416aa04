/** Machines of one specification that are used again: a new one takes megabytes of memory. */

import type { ChipletSpec } from '@tessera/chiplet-spec';
import type { MemorySharing } from '@tessera/frame';
import { ChipletMachine } from './chiplet-machine.ts';

/** Upper bound on the machines that are kept. */
const MAX_IDLE = 64;

/** Machines that have finished their work. */
export class MachinePool {
  readonly #spec: ChipletSpec;
  readonly #idle: ChipletMachine[] = [];

  constructor(spec: ChipletSpec) {
    this.#spec = spec;
  }

  /**
   * Returns a machine at cycle 0, which comes back when it finishes.
   *
   * @param sharing Memories that it shares.
   * @param timelineCycles See `begin` of the machine.
   */
  take(sharing?: MemorySharing, timelineCycles?: number): ChipletMachine {
    const idle = this.#idle.pop();
    if (idle === undefined) {
      const onFinish = (machine: ChipletMachine) => this.#keep(machine);
      return new ChipletMachine(this.#spec, { sharing, timelineCycles, onFinish });
    }
    idle.begin(sharing, timelineCycles);
    return idle;
  }

  #keep(machine: ChipletMachine): void {
    if (this.#idle.length < MAX_IDLE) this.#idle.push(machine);
  }
}
