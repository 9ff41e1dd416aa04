/**
 * Exchange of messages between machines that share their memories. Messages enter the network in
 * the order of (cycle, sender, number), so their deliveries do not depend on how far the host lets
 * machines run at a time.
 */
import type { ChipletId, RemoteTraffic } from '@tessera/frame';
import type { PacketNetwork } from '../interconnect/packet-network.ts';
import type { MachineMessage, SimulatedMachine } from './simulated-machine.ts';

/** Message and its sender. */
interface SentMessage {
  readonly message: MachineMessage;
  readonly from: ChipletId;
}

const REPLIES: readonly MachineMessage['kind'][] = ['line', 'written', 'home'];

/** Carries messages over a network. */
export class MessageExchange {
  readonly #machines: readonly SimulatedMachine[];
  readonly #network: PacketNetwork;
  /** Messages that left their machines in cycles that not all machines have reached. */
  #waiting: SentMessage[] = [];
  /** Messages in the network by their tags. */
  readonly #flying = new Map<number, SentMessage>();
  #nextTag = 0;
  readonly #reads: number[];
  readonly #writes: number[];
  readonly #bytes: number[][];

  constructor(machines: readonly SimulatedMachine[], network: PacketNetwork) {
    this.#machines = machines;
    this.#network = network;
    this.#reads = machines.map(() => 0);
    this.#writes = machines.map(() => 0);
    this.#bytes = machines.map(() => machines.map(() => 0));
  }

  /** Whether no message is on its way. */
  get isQuiet(): boolean {
    return this.#waiting.length === 0 && this.#flying.size === 0;
  }

  /** Messages so far. */
  get traffic(): RemoteTraffic {
    return { reads: this.#reads, writes: this.#writes, bytes: this.#bytes };
  }

  /** Takes the messages that a machine has sent. */
  collect(from: ChipletId): void {
    for (const message of this.#machines[from]!.takeMessages()) {
      this.#waiting.push({ message, from });
    }
  }

  /**
   * Delivers everything that arrives before `cycle + lookahead`.
   *
   * @param cycle Cycle that all machines have reached.
   */
  exchange(cycle: number): void {
    // Messages of a machine ascend, and the sort is stable.
    const sent = this.#waiting.filter(({ message }) => message.cycle < cycle);
    if (sent.length > 0) {
      this.#waiting = this.#waiting.filter(({ message }) => message.cycle >= cycle);
      sent.sort((a, b) => a.message.cycle - b.message.cycle || a.from - b.from);
      for (const each of sent) this.#inject(each);
    }
    if (this.#flying.size === 0) return;
    for (const { packet, cycle: at } of this.#network.advance(
      cycle + this.#network.lookaheadCycles,
    )) {
      const { message, from } = this.#flying.get(packet.tag)!;
      this.#flying.delete(packet.tag);
      this.#machines[packet.to]!.deliver(message, from, at);
    }
  }

  #inject(sent: SentMessage): void {
    const { message, from } = sent;
    const { kind, to, bytes } = message;
    if (kind === 'read') this.#reads[from]!++;
    if (kind === 'write') this.#writes[from]!++;
    this.#bytes[from]![to]! += bytes;
    const tag = this.#nextTag++;
    this.#flying.set(tag, sent);
    const channel = REPLIES.includes(kind) ? 'reply' : 'request';
    this.#network.inject({ from, to, channel, bytes, tag }, message.cycle);
  }
}
