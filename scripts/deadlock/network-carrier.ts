/** The packet network with the least room, as carrier of messages between memories. */
import type { CarriedMessage, MessageCarrier } from '@tessera/gpu/testing';
import { makeTightNetwork } from '@tessera/multi-chiplet/testing';
import type { DeadlockCase } from './deadlock-case.ts';

/** Data bytes of a message without and with a line. */
const HEADER_BYTES = 16;
const LINE_BYTES = 64;
const LATENCY_CYCLES = 12;

type TightNetwork = ReturnType<typeof makeTightNetwork>;
type Packet = Parameters<TightNetwork['inject']>[0];

/** Packets that a chiplet has to send and to release. */
interface Ends {
  /** Replies that wait until the one before has left the chiplet. */
  readonly replies: Packet[];
  /** Requests that occupy the buffer of their receiver. */
  readonly taken: Packet[];
}

/**
 * Network whose buffers have room for one message. Chiplets receive a message at the end of the
 * window in which it arrives. A request occupies the buffer of its receiver until the server has
 * taken it and all replies of the chiplet so far have left it.
 */
export class NetworkCarrier implements MessageCarrier {
  readonly windowCycles = LATENCY_CYCLES;
  readonly #network: TightNetwork;
  readonly #replyChannel: Packet['channel'];
  /** Messages on their way, by the tags of their packets. */
  readonly #messages = new Map<number, CarriedMessage>();
  /** Packets of delivered requests that the server has not taken. */
  readonly #requests = new Map<CarriedMessage, Packet>();
  readonly #ends: readonly Ends[];
  #tag = 0;

  /** @param replyChannel Channel of replies. Requests and replies on one channel can deadlock. */
  constructor(
    { topology, chipletCount }: Pick<DeadlockCase, 'topology' | 'chipletCount'>,
    replyChannel: Packet['channel'] = 'reply',
  ) {
    this.#replyChannel = replyChannel;
    this.#ends = Array.from({ length: chipletCount }, () => ({ replies: [], taken: [] }));
    this.#network = makeTightNetwork({
      topology,
      chipletCount,
      latencyCycles: LATENCY_CYCLES,
      packetBytes: HEADER_BYTES + LINE_BYTES,
    });
  }

  get isEmpty(): boolean {
    return this.#messages.size === 0;
  }

  send(message: CarriedMessage, cycle: number): void {
    const { from, to, isReply, hasLine } = message;
    const tag = this.#tag++;
    this.#messages.set(tag, message);
    const channel = isReply ? this.#replyChannel : 'request';
    const packet = { from, to, channel, bytes: HEADER_BYTES + (hasLine ? LINE_BYTES : 0), tag };
    if (isReply) this.#ends[from]!.replies.push(packet);
    else this.#network.inject(packet, cycle);
  }

  deliver(start: number) {
    const deliveries = this.#network.advance(start);
    for (const [chiplet, { replies, taken }] of this.#ends.entries()) {
      if (replies.length > 0 && this.#network.waitingBytes(chiplet, this.#replyChannel) === 0) {
        this.#network.inject(replies.shift()!, start);
      }
      if (replies.length > 0) continue;
      for (const packet of taken.splice(0)) this.#network.release(packet, start);
    }
    return deliveries.map(({ packet }) => {
      const message = this.#messages.get(packet.tag)!;
      this.#messages.delete(packet.tag);
      if (message.isReply) this.#network.release(packet, start);
      else this.#requests.set(message, packet);
      return { message, cycle: start };
    });
  }

  release(request: CarriedMessage): void {
    this.#ends[request.to]!.taken.push(this.#requests.get(request)!);
    this.#requests.delete(request);
  }
}
