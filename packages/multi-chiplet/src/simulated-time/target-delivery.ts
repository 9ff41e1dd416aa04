/**
 * Pixels that passes leave in the memories of the chiplets, in simulated time: chiplets learn where
 * they are, generate mipmap levels and make copies of what they hold, and send each other the
 * contents that a bin loads. The display reads the pixels of a complete frame.
 */
import type { ChipletId } from '@tessera/frame';
import { shareByWeight, WHOLE } from '../placement/resource-shares.ts';
import type { CopyEngines } from './copy-engines.ts';
import type { EventQueue } from './event-queue.ts';
import type { ArrivalListener, FrameLink } from './frame-link.ts';
import { NEVER, type PassState, type Readiness } from './simulation-state.ts';
import type { TargetHolders } from './target-holders.ts';

/** Bytes of the message that a pass is complete, and of the place of each of its bins. */
const HEADER_BYTES = 16;
const BIN_BYTES = 2;

/** Options of the delivery. */
export interface TargetDeliveryOptions {
  readonly link: FrameLink;
  readonly copyEngines: CopyEngines;
  readonly events: EventQueue;
  readonly holders: TargetHolders;
  readonly latencyCycles: number;
  readonly chipletCount: number;
}

/** Delivers pixels that stay in memory. */
export class TargetDelivery {
  readonly #options: TargetDeliveryOptions;

  constructor(options: TargetDeliveryOptions) {
    this.#options = options;
  }

  /**
   * Lets all chiplets know where the targets are that a pass reads. They generate the mipmap levels
   * of what they hold.
   *
   * @param wake Called with each chiplet and the cycle from which it can read all of them.
   * @returns Cycles from which the pass can read them.
   */
  announce(pass: PassState, cycle: number, wake: ArrivalListener): Readiness {
    const { link, copyEngines, chipletCount, latencyCycles } = this.#options;
    const { frame, passIndex, measurement } = pass;
    const drawn = measurement.resources.filter(({ isDrawn }) => isDrawn);
    const sharesOf = this.#mipmapSharesOf(pass);
    const bins = measurement.binsNeed.reduce(
      (sum, need) => sum + frame.passes[need]!.measurement.bins.length,
      0,
    );
    const { frameIndex } = frame;
    const label = { kind: 'targets', frameIndex, passIndex, binIndex: null } as const;
    const hasMipmaps = drawn.some(({ mipmaps }) => mipmaps !== undefined);
    const madeAt = new Array<number>(chipletCount).fill(NEVER);
    const readyAt = new Array<number>(chipletCount).fill(NEVER);
    const setReady = (chipletId: ChipletId, ready: number) => {
      readyAt[chipletId] = ready;
      wake(chipletId, ready);
    };
    link.broadcast(label, HEADER_BYTES + BIN_BYTES * bins, cycle, (id, at) => {
      if (!hasMipmaps) {
        setReady(id, at);
        return;
      }
      madeAt[id] = copyEngines.generate(pass, drawn, at, id, sharesOf(id));
      if (madeAt.includes(NEVER)) return;
      // Others learn after a latency that a chiplet has its levels.
      for (let reader = 0; reader < chipletCount; reader++) {
        const known = madeAt.map((made, maker) => (maker === reader ? made : made + latencyCycles));
        setReady(reader, Math.max(...known));
      }
    });
    return [readyAt];
  }

  /** Returns the shares of a chiplet of the mipmap levels of each drawn resource. */
  #mipmapSharesOf(pass: PassState) {
    const { holders } = this.#options;
    const { resources, targets } = pass.measurement;
    const cells = resources
      .filter(({ isDrawn }) => isDrawn)
      .map(({ sha256 }) => targets?.textures.find(({ texture }) => texture.sha256 === sha256))
      .map((texture) => (texture === undefined ? [] : holders.cellsOf(pass, texture)));
    return (chipletId: ChipletId) =>
      cells.map((weights) => (weights.length === 0 ? null : shareByWeight(weights, chipletId)));
  }

  /**
   * Sends a chiplet the contents that a bin loads from other memories.
   *
   * @param begin Called in the cycle in which the chiplet has them.
   */
  fetch(
    pass: PassState,
    binIndex: number,
    chipletId: ChipletId,
    cycle: number,
    begin: () => void,
  ): void {
    const { link, events, holders, latencyCycles } = this.#options;
    const held = holders.contentsOf(pass, binIndex, chipletId);
    let missing = held.length;
    if (missing === 0) {
      begin();
      return;
    }
    const { frame, passIndex } = pass;
    const label = { kind: 'targets', frameIndex: frame.frameIndex, passIndex, binIndex } as const;
    const arrive = () => {
      missing--;
      if (missing === 0) begin();
    };
    for (const { chipletId: holder, bytes } of held) {
      const asked = cycle + latencyCycles;
      events.add(asked, () =>
        link.send(label, { from: holder, to: chipletId }, bytes, asked, (_id, arrival) =>
          events.add(arrival, arrive),
        ),
      );
    }
  }

  /**
   * Lets the display on chiplet 0 read the pixels of a frame that is complete from the memories of
   * the others. They answer after a request. The frame does not wait for them.
   */
  scanOut(pass: PassState, cycle: number): void {
    const { link, events, holders, latencyCycles } = this.#options;
    if (holders.placementOf(pass) === 'gathered') return;
    const { frame, passIndex } = pass;
    const label = { frameIndex: frame.frameIndex, passIndex, binIndex: null };
    const asked = cycle + latencyCycles;
    for (const [holder, bytes] of holders.framebufferBytesOf(pass).entries()) {
      if (holder === 0 || bytes === 0) continue;
      events.add(asked, () =>
        link.send({ ...label, kind: 'scanout' }, { from: holder, to: 0 }, bytes, asked, () => {}),
      );
    }
  }

  /**
   * Makes the copies of a pass where its targets are.
   *
   * @param holder Chiplet that holds all of them whatever the placement; null if none does.
   * @returns Cycle in which chiplet 0 knows that they are made.
   */
  copy(pass: PassState, cycle: number, holder: ChipletId | null): number {
    if (pass.measurement.copyWork.copies.length === 0) return cycle;
    const { copyEngines, holders, latencyCycles } = this.#options;
    if (holder !== null) return copyEngines.copy(pass, cycle, holder, WHOLE);
    const weights = holders.drawnBytesOf(pass);
    return weights.reduce((latest, _, id) => {
      const share = shareByWeight(weights, id);
      if (share === null) return latest;
      const distance = id === 0 ? 0 : latencyCycles;
      return Math.max(latest, copyEngines.copy(pass, cycle + distance, id, share) + distance);
    }, cycle);
  }
}
