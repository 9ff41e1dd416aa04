/**
 * The copy engines of all chiplets in simulated time. An engine does its work in order, beside the
 * other work of its chiplet and without slowing it.
 */
import type { ChipletId } from '@tessera/frame';
import type { PassMeasurement, ResourceMeasurement } from './frame-measurement.ts';
import type { SimulatedCopies } from './simulated-frames.ts';

/** Pass whose work an engine does. */
interface CopiedPass {
  readonly measurement: PassMeasurement;
  readonly copies: SimulatedCopies[];
}

/** Arrival of resources on the chiplets. */
export interface Arrival {
  /** Cycle of the request. */
  readonly cycle: number;
  /** Cycle in which the last byte has arrived, by chiplet. */
  readonly arrivals: readonly number[];
  /** Cycles from the first byte to the last. */
  readonly durationCycles: number;
}

/** Engines by chiplet. */
export class CopyEngines {
  readonly #freeAt: number[];

  constructor(chipletCount: number) {
    this.#freeAt = new Array<number>(chipletCount).fill(0);
  }

  /**
   * Stores resources on every chiplet as they arrive, and then generates their mipmap levels. What
   * passes drew is already in the memory of chiplet 0.
   *
   * @returns Cycle from which the resources can be read, by chiplet.
   */
  upload(
    pass: CopiedPass,
    resources: readonly ResourceMeasurement[],
    { cycle, arrivals, durationCycles }: Arrival,
  ): number[] {
    return arrivals.map((arrival, chipletId) => {
      const stored = resources.filter(({ isDrawn }) => chipletId > 0 || !isDrawn);
      const stores = stored.flatMap(({ store }) => store ?? []);
      const mipmaps = resources.flatMap((resource) => resource.mipmaps ?? []);
      if (stores.length + mipmaps.length === 0) return arrival;
      // Bytes are stored as they arrive. Levels are generated from all of them.
      const firstByte = Math.max(cycle, arrival - durationCycles);
      const startCycle = Math.max(this.#freeAt[chipletId]!, firstByte);
      const storedAt = Math.max(arrival, startCycle + sumCycles(pass, stores));
      const endCycle = storedAt + sumCycles(pass, mipmaps);
      return this.#add(pass, 'upload', chipletId, startCycle, endCycle, [...stores, ...mipmaps]);
    });
  }

  /**
   * Makes the copies of a pass on chiplet 0, which holds its targets.
   *
   * @returns Cycle in which they are made.
   */
  copy(pass: CopiedPass, cycle: number): number {
    const { copies } = pass.measurement.copyWork;
    if (copies.length === 0) return cycle;
    const startCycle = Math.max(this.#freeAt[0]!, cycle);
    return this.#add(pass, 'copy', 0, startCycle, startCycle + sumCycles(pass, copies), copies);
  }

  #add(
    pass: CopiedPass,
    kind: SimulatedCopies['kind'],
    chipletId: ChipletId,
    startCycle: number,
    endCycle: number,
    timings: readonly number[],
  ): number {
    this.#freeAt[chipletId] = endCycle;
    const cycles = sumCycles(pass, timings);
    pass.copies.push({ kind, chipletId, startCycle, endCycle, cycles, timings });
    return endCycle;
  }
}

function sumCycles({ measurement }: CopiedPass, indices: readonly number[]): number {
  const { timings } = measurement.copyWork;
  return indices.reduce((sum, index) => sum + timings[index]!.cycles, 0);
}
