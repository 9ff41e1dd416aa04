/**
 * Delivery of resources in simulated time: the link broadcasts them, and copy engines store them.
 */
import type { CopyEngines } from './copy-engines.ts';
import type { ArrivalListener, FrameLink } from './frame-link.ts';
import { NEVER, type PassState, type Readiness } from './simulation-state.ts';

/** Delivers each resource once. */
export class ResourceDelivery {
  readonly #link: FrameLink;
  readonly #bytesPerCycle: number;
  readonly #copyEngines: CopyEngines;
  /**
   * Resources that all chiplets have, or that are on their way, by hash: the cycle from which they
   * can be read, by chiplet; never if it is not known.
   */
  readonly #readyBySha256 = new Map<string, readonly number[]>();

  constructor(link: FrameLink, bytesPerCycle: number, copyEngines: CopyEngines) {
    this.#link = link;
    this.#bytesPerCycle = bytesPerCycle;
    this.#copyEngines = copyEngines;
  }

  /**
   * Delivers the resources of a pass that were not delivered before.
   *
   * @param kind `targets` for those that earlier passes drew, `resources` for the others.
   * @param chipletCount Number of receivers, with chiplet 0.
   * @param onReady Receives the cycles from which the delivered resources can be read.
   * @returns Cycles from which the pass can read all of them.
   */
  deliver(
    kind: 'resources' | 'targets',
    pass: PassState,
    { cycle, chipletCount }: { readonly cycle: number; readonly chipletCount: number },
    onReady: ArrivalListener,
  ): Readiness {
    const { measurement, passIndex } = pass;
    const isDrawn = kind === 'targets';
    const resources = measurement.resources.filter((each) => each.isDrawn === isDrawn);
    const unsent = resources.filter(({ sha256 }) => !this.#readyBySha256.has(sha256));
    const bytes = unsent.reduce((sum, resource) => sum + resource.bytes, 0);
    const { frameIndex } = pass.frame;
    const label = { kind, frameIndex, passIndex, binIndex: null };
    const durationCycles = Math.ceil(bytes / this.#bytesPerCycle);
    const storedAt = new Array<number>(chipletCount).fill(NEVER);
    this.#link.broadcast(label, bytes, cycle, (chipletId, arrival) => {
      const times = { chipletId, cycle, arrival, durationCycles };
      const storedCycle = this.#copyEngines.upload(pass, unsent, times);
      storedAt[chipletId] = storedCycle;
      onReady(chipletId, storedCycle);
    });
    for (const { sha256 } of unsent) this.#readyBySha256.set(sha256, storedAt);
    // Earlier passes may have caused resources to be sent that are not there yet.
    const earlier = resources.map(({ sha256 }) => this.#readyBySha256.get(sha256)!);
    return [...new Set([storedAt, ...earlier])];
  }
}
