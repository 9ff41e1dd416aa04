/**
 * Delivery of resources in simulated time: the link carries them from chiplet 0, and copy engines
 * store them. Chiplets get copies or, if a class is not replicated, the part that is in their
 * memories.
 */
import type { Placement } from '@tessera/frame';
import type { CrosslinkModel, TransferLabel } from '../interconnect/crosslink-model.ts';
import type { InterconnectSpec } from '../interconnect/interconnect-spec.ts';
import { isShared } from '../placement/parse-placement.ts';
import { shareOf, takeShare } from '../placement/resource-shares.ts';
import type { CopyEngines } from './copy-engines.ts';
import type { ResourceMeasurement } from './frame-measurement.ts';
import type { PassState } from './simulation-state.ts';

/** Options of the delivery. */
export interface ResourceDeliveryOptions {
  readonly link: CrosslinkModel;
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
   * Resources that were delivered, or that are on their way, by hash: the cycle from which each
   * chiplet has its part, by chiplet.
   */
  readonly #readyBySha256 = new Map<string, readonly number[]>();

  constructor(options: ResourceDeliveryOptions) {
    this.#options = options;
    this.#isShared = options.chipletCount > 1 && isShared(options.placement);
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
    const { frameIndex } = pass.frame;
    const label = { kind, frameIndex, passIndex, binIndex: null };
    const { arrivals, bytes } = this.#send(label, unsent, cycle);
    const durations = bytes.map((each) =>
      Math.ceil(each / this.#options.interconnect.bytesPerCycle),
    );
    const arrival = { cycle, arrivals, durations };
    const storedAt = this.#options.copyEngines.upload(pass, unsent, arrival);
    for (const { sha256 } of unsent) this.#readyBySha256.set(sha256, storedAt);
    // Earlier passes may have caused resources to be sent that are not there yet.
    const latestOf = (id: number, from: number) =>
      resources.reduce((latest, { sha256 }) => Math.max(latest, this.#readyOf(sha256, id)), from);
    return storedAt.map((stored, id) => latestOf(id, stored));
  }

  /** Returns the cycle from which a chiplet can read all of a resource, in any memory. */
  #readyOf(sha256: string, chipletId: number): number {
    const readyAt = this.#readyBySha256.get(sha256)!;
    if (!this.#isShared) return readyAt[chipletId]!;
    // Other chiplets learn after a latency that a memory has its part.
    const { latencyCycles } = this.#options.interconnect;
    return Math.max(
      ...readyAt.map((ready, id) => (id === chipletId ? ready : ready + latencyCycles)),
    );
  }

  /** Sends resources. Returns the arrivals of the last bytes, and the bytes, by chiplet. */
  #send(
    label: TransferLabel,
    resources: readonly ResourceMeasurement[],
    cycle: number,
  ): { readonly arrivals: number[]; readonly bytes: number[] } {
    const { link, placement, chipletCount, interconnect } = this.#options;
    const isCopied = ({ kind }: ResourceMeasurement) =>
      !this.#isShared || kind === 'programs' || placement[kind] === 'replicated';
    const copied = resources.filter(isCopied);
    const copiedBytes = copied.reduce((sum, resource) => sum + resource.bytes, 0);
    const arrivals = link.broadcast(label, copiedBytes, cycle);
    const bytes = arrivals.map(() => copiedBytes);
    if (!this.#isShared) return { arrivals, bytes };
    const divided = resources.filter((resource) => !isCopied(resource));
    for (const chipletId of arrivals.keys()) {
      const own = divided.reduce((sum, resource) => {
        const share = shareOf(resource.kind, placement, chipletId, chipletCount);
        return share === null ? sum : sum + takeShare(resource.bytes, share);
      }, 0);
      bytes[chipletId]! += own;
      const arrival = link.sendFromFirst(label, chipletId, own, cycle);
      // Other chiplets learn of resources of which they get nothing, too.
      const known = chipletId === 0 ? cycle : cycle + interconnect.latencyCycles;
      arrivals[chipletId] = Math.max(arrivals[chipletId]!, arrival, known);
    }
    return { arrivals, bytes };
  }
}
