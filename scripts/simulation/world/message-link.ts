/** Links that carry whole messages, as WebSockets do, with the latencies of the network. */
import type { Network } from './network.ts';
import type { SimProcess } from './sim-process.ts';
import type { Context } from './world.ts';

/** Treatment of a new link by the listening side. */
export interface LinkAcceptance {
  /** Throws an error that refuses the link. Runs at the listening side. */
  readonly check: () => unknown;
  /** Receives the end of the listening side. */
  readonly accept: (end: MessageEnd) => void;
}

/** One end of a link. */
export class MessageEnd {
  receivedBytes = 0;
  /** Whether nothing that is sent arrives, in either direction. */
  isSwallowing = false;
  readonly context: Context;
  readonly #network: Network;
  #peer: MessageEnd | null = null;
  #isClosed = false;
  #lastArrivalMs = 0;
  #onMessage: ((message: Uint8Array) => void) | null = null;
  #onClose: ((reason: string) => void) | null = null;
  #early: Uint8Array[] = [];
  #closedFor: string | null = null;
  readonly #vanish = () => this.#end('closed by the peer (1006)');

  constructor(network: Network, context: Context) {
    this.#network = network;
    this.context = context;
    (context.process as SimProcess).cleanups.add(this.#vanish);
    network.links.add(this);
  }

  get peer(): MessageEnd | null {
    return this.#peer;
  }

  joinPeer(peer: MessageEnd): void {
    this.#peer = peer;
  }

  listen(onMessage: (message: Uint8Array) => void, onClose: (reason: string) => void): void {
    this.#onMessage = onMessage;
    this.#onClose = onClose;
    for (const message of this.#early.splice(0)) onMessage(message);
    if (this.#closedFor !== null) onClose(this.#closedFor);
  }

  send(message: Uint8Array, onSent: () => void): void {
    const { world } = this.#network;
    const peer = this.#peer;
    const isLost = peer === null || this.isSwallowing || peer.isSwallowing;
    const delayMs = this.#nextArrivalMs() - world.nowMs;
    // Buffers of the system take small messages even if the other end is silent.
    world.schedule(this.context, 0, onSent);
    if (isLost) return;
    world.schedule(peer.context, delayMs, () => peer.#receive(message));
  }

  /** Closes the link. The reason reaches the other end. */
  close(reason: string): void {
    this.#end(`closed by the peer (1000 ${reason})`);
    if (this.#closedFor !== null) return;
    this.#closedFor = reason;
    this.#network.world.schedule(this.context, this.#network.latencyMs(), () =>
      this.#onClose?.(reason),
    );
  }

  /** Breaks the link at both ends. */
  reset(): void {
    const peer = this.#peer;
    this.#breakOff();
    if (peer !== null) peer.#breakOff();
  }

  #breakOff(): void {
    this.#forget();
    this.#network.world.schedule(this.context, 0, () => this.#closed('read ECONNRESET'));
  }

  #receive(message: Uint8Array): void {
    if (this.#closedFor !== null) return;
    this.receivedBytes += message.length;
    if (this.#onMessage === null) this.#early.push(message);
    else this.#onMessage(message);
  }

  #closed(reason: string): void {
    if (this.#closedFor !== null) return;
    this.#closedFor = reason;
    this.#forget();
    this.#onClose?.(reason);
  }

  #end(reason: string): void {
    if (this.#isClosed) return;
    this.#forget();
    const peer = this.#peer;
    if (peer === null || this.isSwallowing || peer.isSwallowing) return;
    const { world } = this.#network;
    world.schedule(peer.context, this.#nextArrivalMs() - world.nowMs, () => peer.#closed(reason));
  }

  #forget(): void {
    this.#isClosed = true;
    (this.context.process as SimProcess).cleanups.delete(this.#vanish);
    this.#network.links.delete(this);
  }

  #nextArrivalMs(): number {
    const { world } = this.#network;
    this.#lastArrivalMs = Math.max(this.#lastArrivalMs, world.nowMs + this.#network.latencyMs());
    return this.#lastArrivalMs;
  }
}

/**
 * Connects to a port.
 *
 * @throws {Error} If nothing listens there, or the link is refused.
 */
export function connectMessages(
  network: Network,
  context: Context,
  port: number,
  withinMs: number,
  { check, accept }: LinkAcceptance,
): Promise<MessageEnd> {
  const { world } = network;
  return new Promise((resolve, reject) => {
    const timeUp = world.schedule(context, withinMs, () =>
      reject(new Error('Opening handshake has timed out')),
    );
    const finish = (act: () => void) => {
      world.schedule(context, network.latencyMs(), () => {
        timeUp.isCancelled = true;
        act();
      });
    };
    world.schedule(context, network.latencyMs(), () => {
      const listener = network.listenerOf(port);
      if (listener === null) {
        timeUp.isCancelled = true;
        reject(new Error('connect ECONNREFUSED'));
        return;
      }
      world.schedule(listener.context, network.latencyMs(), () => {
        try {
          check();
        } catch (error) {
          finish(() => reject(error));
          return;
        }
        const far = new MessageEnd(network, listener.context);
        const near = new MessageEnd(network, context);
        far.joinPeer(near);
        near.joinPeer(far);
        accept(far);
        finish(() => resolve(near));
      });
    });
  });
}
