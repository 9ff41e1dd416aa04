/** Machines of simulated chiplets in the compute thread, kept from one computation to the next. */
import { specOfSummary } from '@tessera/chiplet-spec';
import type { SpecSummary } from '@tessera/frame';
import { MachinePool } from '@tessera/gpu/timing';
import type { MachineMaker, SimulationOptions } from '@tessera/multi-chiplet/rendering';

/** Machines of the specification that was used last. */
export class ThreadMachines {
  #pool: MachinePool | null = null;
  #parameters = '';

  /** Returns simulation options with machines of a specification. */
  addTo(simulation: SimulationOptions, spec: SpecSummary): SimulationOptions {
    return { ...simulation, makeMachine: this.makerOf(spec) };
  }

  /**
   * Returns a function that creates machines of a specification, which is read on its first call.
   */
  makerOf(spec: SpecSummary): MachineMaker {
    return (...machine) => this.#poolOf(spec).take(...machine);
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
