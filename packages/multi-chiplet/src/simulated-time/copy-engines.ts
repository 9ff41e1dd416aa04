/**
 * The copy engines of all chiplets in simulated time. An engine does its work in order, beside the
 * other work of its chiplet and without slowing it.
 */
import type { ChipletId, Placement } from '@tessera/frame';
import { sharedPlacement } from '../placement/parse-placement.ts';
import { type ResourceShare, shareOf, takeShare, WHOLE } from '../placement/resource-shares.ts';
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

/** Work of an engine for resources: timings, and the share of each that it does. */
interface Uploads {
  readonly timings: readonly number[];
  /** Shares by timing; missing if all are done in full. */
  readonly shares?: readonly ResourceShare[];
  readonly storeCycles: number;
  readonly mipmapCycles: number;
}

/** Engines by chiplet. */
export class CopyEngines {
  readonly #freeAt: number[];
  /** Placement if memories are shared; null if each has copies. */
  readonly #placement: Placement | null;

  constructor(chipletCount: number, placement: Placement) {
    this.#freeAt = new Array<number>(chipletCount).fill(0);
    this.#placement = sharedPlacement(placement, chipletCount);
  }

  /**
   * Stores resources on a chiplet as they arrive, and then generates their mipmap levels. A chiplet
   * that has a share of a resource does that share of the work.
   *
   * @returns Cycle from which the resources can be read.
   */
  upload(
    pass: CopiedPass,
    resources: readonly ResourceMeasurement[],
    { chipletId, cycle, arrival, durationCycles }: Arrival,
  ): number {
    const uploads = this.#uploadsOf(pass.measurement, resources, chipletId);
    const { timings, shares, storeCycles, mipmapCycles } = uploads;
    if (timings.length === 0) return arrival;
    // Bytes are stored as they arrive. Levels are generated from all of them.
    const firstByte = Math.max(cycle, arrival - durationCycles);
    const startCycle = Math.max(this.#freeAt[chipletId]!, firstByte);
    return this.#add(pass, {
      kind: 'upload',
      chipletId,
      startCycle,
      endCycle: Math.max(arrival, startCycle + storeCycles) + mipmapCycles,
      cycles: storeCycles + mipmapCycles,
      timings,
      ...(shares === undefined ? {} : { shares }),
    });
  }

  #uploadsOf(
    measurement: PassMeasurement,
    resources: readonly ResourceMeasurement[],
    chipletId: ChipletId,
  ): Uploads {
    const placement = this.#placement;
    if (placement === null) {
      const { stores, mipmaps } = uploadsOf(resources, chipletId);
      return {
        timings: [...stores, ...mipmaps],
        storeCycles: sumTimings(measurement, stores),
        mipmapCycles: sumTimings(measurement, mipmaps),
      };
    }
    const works = resources.flatMap((resource) => {
      const share = shareOf(resource.kind, placement, chipletId, this.#freeAt.length);
      if (share === null) return [];
      const { stores, mipmaps } = uploadsOf([resource], chipletId);
      return [
        ...stores.map((timing) => ({ timing, share, isMipmap: false })),
        ...mipmaps.map((timing) => ({ timing, share, isMipmap: true })),
      ];
    });
    const { timings } = measurement.copyWork;
    const sum = (isMipmap: boolean) =>
      works
        .filter((work) => work.isMipmap === isMipmap)
        .reduce((total, { timing, share }) => total + takeShare(timings[timing]!.cycles, share), 0);
    return {
      timings: works.map(({ timing }) => timing),
      shares: works.map(({ share }) => share),
      storeCycles: sum(false),
      mipmapCycles: sum(true),
    };
  }

  /**
   * Makes a share of the copies of a pass on a chiplet that holds as much of its targets.
   *
   * @returns Cycle in which they are made.
   */
  copy(pass: CopiedPass, cycle: number, chipletId: ChipletId, share: ResourceShare): number {
    const { copies } = pass.measurement.copyWork;
    return this.#work(
      pass,
      'copy',
      copies,
      cycle,
      chipletId,
      copies.map(() => share),
    );
  }

  /**
   * Resolves the samples of a bin on the chiplet that rendered it.
   *
   * @returns Cycle in which they are resolved.
   */
  resolve(pass: CopiedPass, cycle: number, chipletId: ChipletId, binIndex: number): number {
    const { copyWork, bins } = pass.measurement;
    const { resolveShare } = bins[binIndex]!;
    if (copyWork.resolve === undefined || resolveShare === undefined) return cycle;
    return this.#work(pass, 'resolve', [copyWork.resolve], cycle, chipletId, [resolveShare]);
  }

  /**
   * Composes a layer of a bin on the chiplet that owns the bin.
   *
   * @param cycles Cycles that it takes.
   * @returns Cycle in which it is composed.
   */
  compose(pass: CopiedPass, cycles: number, cycle: number, chipletId: ChipletId): number {
    if (cycles === 0) return cycle;
    const startCycle = Math.max(this.#freeAt[chipletId]!, cycle);
    const times = { startCycle, endCycle: startCycle + cycles, cycles };
    return this.#add(pass, { kind: 'compose', chipletId, ...times, timings: [] });
  }

  /**
   * Generates shares of mipmap levels of drawn textures on a chiplet that holds as much of them.
   *
   * @param shares Shares by resource; null for none.
   * @returns Cycle in which they are generated.
   */
  generate(
    pass: CopiedPass,
    resources: readonly ResourceMeasurement[],
    cycle: number,
    chipletId: ChipletId,
    shares: readonly (ResourceShare | null)[],
  ): number {
    const works = resources.flatMap(({ mipmaps }, i) => {
      const share = shares[i];
      return mipmaps === undefined || share === null || share === undefined
        ? []
        : [{ timing: mipmaps, share }];
    });
    const timings = works.map(({ timing }) => timing);
    return this.#work(
      pass,
      'upload',
      timings,
      cycle,
      chipletId,
      works.map(({ share }) => share),
    );
  }

  #work(
    pass: CopiedPass,
    kind: SimulatedCopies['kind'],
    timings: readonly number[],
    cycle: number,
    chipletId: ChipletId,
    shares: readonly ResourceShare[],
  ): number {
    if (timings.length === 0) return cycle;
    const all = pass.measurement.copyWork.timings;
    const cycles = timings.reduce(
      (sum, timing, i) => sum + takeShare(all[timing]!.cycles, shares[i]!),
      0,
    );
    const startCycle = Math.max(this.#freeAt[chipletId]!, cycle);
    const endCycle = startCycle + cycles;
    const isWhole = shares.every((share) => share === WHOLE);
    const work = { startCycle, endCycle, cycles, timings, ...(isWhole ? {} : { shares }) };
    return this.#add(pass, { kind, chipletId, ...work });
  }

  /** Adds work to a pass. Returns the cycle in which it ends. */
  #add(pass: CopiedPass, work: SimulatedCopies): number {
    this.#freeAt[work.chipletId] = work.endCycle;
    pass.copies.push(work);
    return work.endCycle;
  }
}
