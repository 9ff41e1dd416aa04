/**
 * Delivery of resources in simulated time: the link carries them from chiplet 0, and copy engines
 * store them. Chiplets get copies or, if a class is not replicated, the part that is in their
 * memories.
 */
import type { ChipletId, Placement } from '@tessera/frame';
import type { TransferLabel } from '../interconnect/crosslink-model.ts';
import type { InterconnectSpec } from '../interconnect/interconnect-spec.ts';
import { sharedPlacement } from '../placement/parse-placement.ts';
import { shareOf, takeShare, WHOLE } from '../placement/resource-shares.ts';
import type { CopyEngines } from './copy-engines.ts';
import type { ArrivalListener, FrameLink } from './frame-link.ts';
import type { ResourceMeasurement } from './frame-measurement.ts';
import { NEVER, type PassState, type Readiness } from './simulation-state.ts';

/** Options of the delivery. */
export interface ResourceDeliveryOptions {
  readonly link: FrameLink;
  readonly copyEngines: CopyEngines;
  readonly interconnect: InterconnectSpec;
  readonly placement: Placement;
  readonly chipletCount: number;
}

/** Delivers each resource once. */
export class ResourceDelivery {
  readonly #options: ResourceDeliveryOptions;
  readonly #isShared: boolean;
  /**
   * Resources that were delivered, or that are on their way, by hash: the cycle from which they can
   * be read, by chiplet; never if it is not known.
   */
  readonly #readyBySha256 = new Map<string, readonly number[]>();

  constructor(options: ResourceDeliveryOptions) {
    this.#options = options;
    this.#isShared = sharedPlacement(options.placement, options.chipletCount) !== null;
  }

  /**
   * Delivers the resources of a pass that were not delivered before.
   *
   * @param kind `targets` for those that earlier passes drew, `resources` for the others.
   * @param onReady Receives the cycles from which the delivered resources can be read.
   * @returns Cycles from which the pass can read all of them.
   */
  deliver(
    kind: 'resources' | 'targets',
    pass: PassState,
    cycle: number,
    onReady: ArrivalListener,
  ): Readiness {
    const { measurement, passIndex } = pass;
    const isDrawn = kind === 'targets';
    const resources = measurement.resources.filter((each) => each.isDrawn === isDrawn);
    const unsent = resources.filter(({ sha256 }) => !this.#readyBySha256.has(sha256));
    const label = { kind, frameIndex: pass.frame.frameIndex, passIndex, binIndex: null };
    const store = (chipletId: ChipletId, arrival: number, bytes: number): number => {
      const durationCycles = Math.ceil(bytes / this.#options.interconnect.bytesPerCycle);
      const times = { chipletId, cycle, arrival, durationCycles };
      return this.#options.copyEngines.upload(pass, unsent, times);
    };
    const readyAt = this.#isShared
      ? this.#sendShares(label, unsent, cycle, store, onReady)
      : this.#sendCopies(label, unsent, cycle, store, onReady);
    for (const { sha256 } of unsent) this.#readyBySha256.set(sha256, readyAt);
    // Earlier passes may have caused resources to be sent that are not there yet.
    const earlier = resources.map(({ sha256 }) => this.#readyBySha256.get(sha256)!);
    return [...new Set([readyAt, ...earlier])];
  }

  /**
   * Keeps the resources that earlier passes drew on the chiplet that drew all of them. It generates
   * their mipmap levels.
   *
   * @returns Cycles from which the pass can read them; never on other chiplets.
   */
  keep(pass: PassState, cycle: number, chipletId: ChipletId): Readiness {
    const drawn = pass.measurement.resources.filter(({ isDrawn }) => isDrawn);
    // Every frame draws its own.
    const keyOf = ({ sha256 }: ResourceMeasurement) => `${sha256} of ${pass.frame.frameIndex}`;
    const unmade = drawn.filter((each) => !this.#readyBySha256.has(keyOf(each)));
    const { copyEngines, chipletCount } = this.#options;
    const shares = unmade.map(() => WHOLE);
    const made = copyEngines.generate(pass, unmade, cycle, chipletId, shares);
    const readyAt = new Array<number>(chipletCount).fill(NEVER).with(chipletId, made);
    for (const each of unmade) this.#readyBySha256.set(keyOf(each), readyAt);
    return [...new Set([readyAt, ...drawn.map((each) => this.#readyBySha256.get(keyOf(each))!)])];
  }

  /** Sends copies to all. Returns the cycles from which they can be read, as they become known. */
  #sendCopies(
    label: TransferLabel,
    resources: readonly ResourceMeasurement[],
    cycle: number,
    store: (chipletId: ChipletId, arrival: number, bytes: number) => number,
    onReady: ArrivalListener,
  ): readonly number[] {
    const storedAt = new Array<number>(this.#options.chipletCount).fill(NEVER);
    const bytes = sumBytes(resources);
    this.#options.link.broadcast(label, bytes, cycle, (chipletId, arrival) => {
      const stored = store(chipletId, arrival, bytes);
      storedAt[chipletId] = stored;
      onReady(chipletId, stored);
    });
    return storedAt;
  }

  /**
   * Sends each chiplet its part. Returns the cycles from which each can read all parts, wherever
   * they are, as they become known: other chiplets learn after a latency that a memory has its
   * part.
   */
  #sendShares(
    label: TransferLabel,
    resources: readonly ResourceMeasurement[],
    cycle: number,
    store: (chipletId: ChipletId, arrival: number, bytes: number) => number,
    onReady: ArrivalListener,
  ): readonly number[] {
    const { link, placement, chipletCount, interconnect } = this.#options;
    const { latencyCycles } = interconnect;
    const isCopied = ({ kind }: ResourceMeasurement) =>
      kind === 'programs' || placement[kind] === 'replicated';
    const copiedBytes = sumBytes(resources.filter(isCopied));
    const divided = resources.filter((resource) => !isCopied(resource));
    const readyAt = new Array<number>(chipletCount).fill(NEVER);
    const storedAt = new Array<number>(chipletCount).fill(NEVER);
    // Other chiplets learn of resources of which they get nothing, too.
    const arrivals = readyAt.map((_, chipletId) =>
      chipletId === 0 ? cycle : cycle + latencyCycles,
    );
    const shares = readyAt.map((_, chipletId) =>
      divided.reduce((sum, resource) => {
        const share = shareOf(resource.kind, placement, chipletId, chipletCount);
        return share === null ? sum : sum + takeShare(resource.bytes, share);
      }, 0),
    );
    // Each chiplet gets the copied resources and its part.
    const missing = readyAt.map(() => 2);
    let missingChiplets = chipletCount;
    const arrive: ArrivalListener = (chipletId, arrival) => {
      arrivals[chipletId] = Math.max(arrivals[chipletId]!, arrival);
      if (--missing[chipletId]! > 0) return;
      const bytes = copiedBytes + shares[chipletId]!;
      storedAt[chipletId] = store(chipletId, arrivals[chipletId]!, bytes);
      if (--missingChiplets > 0) return;
      for (let reader = 0; reader < chipletCount; reader++) {
        const known = storedAt.map((stored, id) =>
          id === reader ? stored : stored + latencyCycles,
        );
        readyAt[reader] = Math.max(...known);
        onReady(reader, readyAt[reader]);
      }
    };
    link.broadcast(label, copiedBytes, cycle, arrive);
    for (const [to, bytes] of shares.entries()) {
      link.send(label, { from: 0, to }, bytes, cycle, arrive);
    }
    return readyAt;
  }
}

function sumBytes(resources: readonly ResourceMeasurement[]): number {
  return resources.reduce((sum, resource) => sum + resource.bytes, 0);
}
