/** Delivery of a message to one receiver. */
import type { Message } from './network-parts.ts';
import { listUses } from './network-traffic.ts';
import type { Delivery, LinkUse, Packet } from './packet-network.ts';
import { type PacketSizes, wireBytes } from './source-queue.ts';

/** Delivery that knows its message. */
export class MessageDelivery implements Delivery {
  readonly packet: Packet;
  readonly cycle: number;
  readonly message: Message;
  readonly #sizes: PacketSizes;

  constructor(packet: Packet, cycle: number, message: Message, sizes: PacketSizes) {
    this.packet = packet;
    this.cycle = cycle;
    this.message = message;
    this.#sizes = sizes;
  }

  listUses(): readonly LinkUse[] {
    return listUses(this.message, wireBytes(this.#sizes, this.packet.bytes));
  }
}
