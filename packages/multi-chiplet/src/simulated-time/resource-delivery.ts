/**
 * Delivery of resources in simulated time: the link broadcasts them, and copy engines store them.
 */
import type { CrosslinkModel } from '../interconnect/crosslink-model.ts';
import type { CopyEngines } from './copy-engines.ts';
import type { PassState } from './simulation-state.ts';

/** Delivers each resource once. */
export class ResourceDelivery {
  readonly #link: CrosslinkModel;
  readonly #bytesPerCycle: number;
  readonly #copyEngines: CopyEngines;
  /**
   * Resources that all chiplets have, or that are on their way, by hash: the cycle from which they
   * can be read, by chiplet.
   */
  readonly #readyBySha256 = new Map<string, readonly number[]>();

  constructor(link: CrosslinkModel, bytesPerCycle: number, copyEngines: CopyEngines) {
    this.#link = link;
    this.#bytesPerCycle = bytesPerCycle;
    this.#copyEngines = copyEngines;
  }

  /**
   * Delivers the resources of a pass that were not delivered before.
   *
   * @param kind `targets` for those that earlier passes drew, `resources` for the others.
   * @returns Cycle from which the pass can read all of them, by chiplet.
   */
  deliver(kind: 'resources' | 'targets', pass: PassState, cycle: number): readonly number[] {
    const { measurement, passIndex } = pass;
    const isDrawn = kind === 'targets';
    const resources = measurement.resources.filter((each) => each.isDrawn === isDrawn);
    const unsent = resources.filter(({ sha256 }) => !this.#readyBySha256.has(sha256));
    const bytes = unsent.reduce((sum, resource) => sum + resource.bytes, 0);
    const { frameIndex } = pass.frame;
    const label = { kind, frameIndex, passIndex, binIndex: null };
    const arrivals = this.#link.broadcast(label, bytes, cycle);
    const durationCycles = Math.ceil(bytes / this.#bytesPerCycle);
    const storedAt = this.#copyEngines.upload(pass, unsent, { cycle, arrivals, durationCycles });
    for (const { sha256 } of unsent) this.#readyBySha256.set(sha256, storedAt);
    // Earlier passes may have caused resources to be sent that are not there yet.
    const latestOf = (id: number, from: number) =>
      resources.reduce(
        (latest, { sha256 }) => Math.max(latest, this.#readyBySha256.get(sha256)![id]!),
        from,
      );
    return storedAt.map((stored, id) => latestOf(id, stored));
  }
}
