/**
 * The copy engines of all chiplets in simulated time. An engine does its work in order, beside the
 * other work of its chiplet and without slowing it.
 */
import type { ChipletId } from '@tessera/frame';
import {
  type PassMeasurement,
  type ResourceMeasurement,
  sumTimings,
  uploadsOf,
} from './frame-measurement.ts';
import type { SimulatedCopies } from './simulated-frames.ts';

/** Pass whose work an engine does. */
interface CopiedPass {
  readonly measurement: PassMeasurement;
  readonly copies: SimulatedCopies[];
}

/** Arrival of resources on a chiplet. */
export interface Arrival {
  readonly chipletId: ChipletId;
  /** Cycle of the request. */
  readonly cycle: number;
  /** Cycle in which the last byte has arrived. */
  readonly arrival: number;
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
   * Stores resources on a chiplet as they arrive, and then generates their mipmap levels.
   *
   * @returns Cycle from which the resources can be read.
   */
  upload(
    pass: CopiedPass,
    resources: readonly ResourceMeasurement[],
    { chipletId, cycle, arrival, durationCycles }: Arrival,
  ): number {
    const { stores, mipmaps } = uploadsOf(resources, chipletId);
    if (stores.length + mipmaps.length === 0) return arrival;
    const storeCycles = sumTimings(pass.measurement, stores);
    const mipmapCycles = sumTimings(pass.measurement, mipmaps);
    // Bytes are stored as they arrive. Levels are generated from all of them.
    const firstByte = Math.max(cycle, arrival - durationCycles);
    const startCycle = Math.max(this.#freeAt[chipletId]!, firstByte);
    return this.#add(pass, {
      kind: 'upload',
      chipletId,
      startCycle,
      endCycle: Math.max(arrival, startCycle + storeCycles) + mipmapCycles,
      cycles: storeCycles + mipmapCycles,
      timings: [...stores, ...mipmaps],
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
    const cycles = sumTimings(pass.measurement, copies);
    const startCycle = Math.max(this.#freeAt[0]!, cycle);
    const endCycle = startCycle + cycles;
    const work = { startCycle, endCycle, cycles, timings: copies };
    return this.#add(pass, { kind: 'copy', chipletId: 0, ...work });
  }

  /** Adds work to a pass. Returns the cycle in which it ends. */
  #add(pass: CopiedPass, work: SimulatedCopies): number {
    this.#freeAt[work.chipletId] = work.endCycle;
    pass.copies.push(work);
    return work.endCycle;
  }
}
