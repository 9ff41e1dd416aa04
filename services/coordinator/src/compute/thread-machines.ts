/** Machines of simulated chiplets in the compute thread, kept from one computation to the next. */
import { specOfSummary } from '@tessera/chiplet-spec';
import type { SpecSummary } from '@tessera/frame';
import { type ChipletMachine, MachinePool } from '@tessera/gpu/timing';
import type { MachineMaker, SimulationOptions } from '@tessera/multi-chiplet/rendering';

/** Machines of the specification that was used last. */
export class ThreadMachines {
  #pool: MachinePool | null = null;
  #parameters = '';
  readonly #known = new WeakSet<ChipletMachine>();
  #made: WeakRef<ChipletMachine>[] = [];

  /** Returns simulation options with machines of a specification. */
  addTo(simulation: SimulationOptions, spec: SpecSummary): SimulationOptions {
    return { ...simulation, makeMachine: this.makerOf(spec) };
  }

  /**
   * Returns a function that creates machines of a specification, which is read on its first call.
   */
  makerOf(spec: SpecSummary): MachineMaker {
    return (...options) => {
      const machine = this.#poolOf(spec).take(...options);
      if (!this.#known.has(machine)) {
        this.#known.add(machine);
        this.#made.push(new WeakRef(machine));
      }
      return machine;
    };
  }

  /**
   * Memory of all machines that are not collected, in bytes. The heap statistics of V8 leave it
   * out, so its collector does not hurry either.
   */
  get heldBytes(): number {
    this.#made = this.#made.filter((made) => made.deref() !== undefined);
    return this.#made.reduce((sum, made) => sum + (made.deref()?.memoryBytes ?? 0), 0);
  }

  #poolOf(spec: SpecSummary): MachinePool {
    const parameters = JSON.stringify(spec.parameters);
    if (this.#pool === null || parameters !== this.#parameters) {
      this.#pool = new MachinePool(specOfSummary(spec));
      this.#parameters = parameters;
    }
    return this.#pool;
  }
}
