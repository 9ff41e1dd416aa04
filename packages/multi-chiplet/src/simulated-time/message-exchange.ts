/**
 * Exchange of messages between machines that share their memories. Messages enter the network in
 * the order of (cycle, sender, number), so their deliveries do not depend on how far the host lets
 * machines run at a time.
 */
import type { ChipletId, MachineMessage, MessageArrival } from '@tessera/frame';
import type { MessageLink } from '../network/message-link.ts';
import type { SimulatedMachine } from './simulated-machine.ts';
import { type SimulatedRemote, TrafficIntervals } from './traffic-intervals.ts';

/** Message and its sender. */
interface SentMessage {
  readonly message: MachineMessage;
  readonly from: ChipletId;
}

const REPLIES: ReadonlySet<MachineMessage['kind']> = new Set(['line', 'written', 'home'] as const);

/** Carries messages over a network. */
export class MessageExchange {
  readonly #machines: readonly SimulatedMachine[];
  readonly #network: MessageLink;
  /** Messages that left their machines in cycles that not all machines have reached. */
  #waiting: SentMessage[] = [];
  /** Messages in the network by their tags. */
  readonly #flying = new Map<number, SentMessage>();
  #nextTag = 0;
  readonly #reads: number[];
  readonly #writes: number[];
  readonly #bytes: number[][];
  readonly #intervals: TrafficIntervals;

  constructor(machines: readonly SimulatedMachine[], network: MessageLink) {
    this.#machines = machines;
    this.#network = network;
    this.#reads = machines.map(() => 0);
    this.#writes = machines.map(() => 0);
    this.#bytes = machines.map(() => machines.map(() => 0));
    this.#intervals = new TrafficIntervals(machines.length);
  }

  /** Whether no message is on its way. */
  get isQuiet(): boolean {
    return this.#waiting.length === 0 && this.#flying.size === 0;
  }

  /** Messages so far. */
  get traffic(): SimulatedRemote {
    const { traffic: intervals } = this.#intervals;
    return { reads: this.#reads, writes: this.#writes, bytes: this.#bytes, intervals };
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
    if (this.#waiting.length > 0) {
      const sent: SentMessage[] = [];
      const waiting: SentMessage[] = [];
      for (const each of this.#waiting) (each.message.cycle < cycle ? sent : waiting).push(each);
      this.#waiting = waiting;
      // Messages of a machine ascend, and the sort is stable.
      sent.sort((a, b) => a.message.cycle - b.message.cycle || a.from - b.from);
      for (const each of sent) this.#inject(each);
    }
    if (this.#flying.size === 0) return;
    const deliveries = this.#network.advance(cycle + this.#network.lookaheadCycles);
    if (deliveries.length === 0) return;
    const arrivals: MessageArrival[][] = this.#machines.map(() => []);
    for (const { packet, cycle: arrivalCycle } of deliveries) {
      const { message, from } = this.#flying.get(packet.tag)!;
      this.#flying.delete(packet.tag);
      this.#intervals.addReceived(packet.to, message.bytes, arrivalCycle);
      arrivals[packet.to]!.push({ message, from, cycle: arrivalCycle });
    }
    for (const [to, own] of arrivals.entries()) {
      if (own.length > 0) this.#machines[to]!.deliver(own);
    }
  }

  #inject(sent: SentMessage): void {
    const { message, from } = sent;
    const { kind, to, bytes } = message;
    if (kind === 'read') this.#reads[from]!++;
    if (kind === 'write') this.#writes[from]!++;
    this.#bytes[from]![to]! += bytes;
    this.#intervals.addSent(from, bytes, message.cycle);
    const tag = this.#nextTag++;
    this.#flying.set(tag, sent);
    const channel = REPLIES.has(kind) ? 'reply' : 'request';
    this.#network.inject({ from, to, channel, bytes, tag }, message.cycle);
  }
}
