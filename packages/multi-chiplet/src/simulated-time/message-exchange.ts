/**
 * Exchange of messages between machines that share their memories. Messages and transfers travel
 * through one network. A message enters its source queue in the cycle after it has left its
 * machine, and passes the interface of the receiver before the machine can use it. Messages of a
 * machine enter in their order, so their deliveries do not depend on how far the host lets machines
 * run at a time.
 */
import type { ChipletId, MachineMessage, MessageArrival } from '@tessera/frame';
import type { NetworkTransfers } from './network-link.ts';
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
  readonly #transfers: NetworkTransfers;
  readonly #interfaceCycles: number;
  /** Messages that have not entered the network, by sender in the order of their cycles. */
  readonly #waiting: MachineMessage[][];
  #waitingCount = 0;
  /** Messages in the network by their tags; undefined if a tag is free. */
  readonly #flying: (SentMessage | undefined)[] = [];
  readonly #freeTags: number[] = [];
  #flyingCount = 0;
  readonly #arrivals: MessageArrival[][];
  readonly #reads: number[];
  readonly #writes: number[];
  readonly #bytes: number[][];
  readonly #intervals: TrafficIntervals;

  /** @param interfaceCycles Cycles from the last byte of a message to its use. */
  constructor(
    machines: readonly SimulatedMachine[],
    transfers: NetworkTransfers,
    interfaceCycles: number,
  ) {
    this.#machines = machines;
    this.#transfers = transfers;
    this.#interfaceCycles = interfaceCycles;
    this.#waiting = machines.map(() => []);
    this.#arrivals = machines.map(() => []);
    this.#reads = machines.map(() => 0);
    this.#writes = machines.map(() => 0);
    this.#bytes = machines.map(() => machines.map(() => 0));
    this.#intervals = new TrafficIntervals(machines.length);
  }

  /** Whether no message is on its way. */
  get isQuiet(): boolean {
    return this.#waitingCount === 0 && this.#flyingCount === 0;
  }

  /** Messages so far. */
  get traffic(): SimulatedRemote {
    const { traffic: intervals } = this.#intervals;
    return { reads: this.#reads, writes: this.#writes, bytes: this.#bytes, intervals };
  }

  /** Takes the messages that a machine has sent. */
  collect(from: ChipletId): void {
    const messages = this.#machines[from]!.takeMessages();
    if (messages.length === 0) return;
    this.#waitingCount += messages.length;
    this.#waiting[from]!.push(...messages);
  }

  /**
   * Simulates the network up to a cycle, this one included. Afterwards, machines know all messages
   * that they can use before `cycle + 1 + interfaceCycles`.
   *
   * @param cycle Cycle that all machines have reached.
   */
  exchange(cycle: number): void {
    if (this.#waitingCount > 0) {
      for (let from = 0; from < this.#waiting.length; from++) this.#injectBefore(cycle, from);
    }
    const deliveries = this.#transfers.advanceTo(cycle + 1);
    if (deliveries.length === 0) return;
    for (const { packet, cycle: arrivalCycle } of deliveries) {
      const { message, from } = this.#flying[packet.tag]!;
      this.#flying[packet.tag] = undefined;
      this.#freeTags.push(packet.tag);
      this.#intervals.addReceived(packet.to, message.bytes, arrivalCycle);
      this.#arrivals[packet.to]!.push({
        message,
        from,
        cycle: arrivalCycle + this.#interfaceCycles,
      });
    }
    this.#flyingCount -= deliveries.length;
    for (let to = 0; to < this.#arrivals.length; to++) {
      const own = this.#arrivals[to]!;
      if (own.length === 0) continue;
      this.#machines[to]!.deliver(own);
      own.length = 0;
    }
  }

  /** Injects the messages of a machine that left it before a cycle. */
  #injectBefore(cycle: number, from: ChipletId): void {
    const waiting = this.#waiting[from]!;
    let count = 0;
    while (count < waiting.length && waiting[count]!.cycle < cycle) {
      this.#inject(waiting[count]!, from);
      count++;
    }
    if (count === 0) return;
    this.#waitingCount -= count;
    waiting.splice(0, count);
  }

  #inject(message: MachineMessage, from: ChipletId): void {
    const { kind, to, bytes } = message;
    if (kind === 'read') this.#reads[from]!++;
    if (kind === 'write') this.#writes[from]!++;
    this.#bytes[from]![to]! += bytes;
    this.#intervals.addSent(from, bytes, message.cycle);
    const tag = this.#freeTags.pop() ?? this.#flying.length;
    this.#flying[tag] = { message, from };
    this.#flyingCount++;
    const channel = REPLIES.has(kind) ? 'reply' : 'request';
    this.#transfers.injectMessage({ from, to, channel, bytes, tag }, message.cycle + 1);
  }
}
