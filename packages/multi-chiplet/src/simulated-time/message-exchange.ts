/**
 * Exchange of messages between machines that share their memories. Messages and transfers travel
 * through one network. A message enters its source queue in the cycle after it has left its
 * machine, and passes the interface of the receiver before the machine can use it. Messages of a
 * machine enter in their order, so their deliveries do not depend on how far the host lets machines
 * run at a time.
 */
import { DELIVERY, DELIVERY_WORDS } from '@tessera/chip';
import {
  LINE_BYTES,
  REMOTE,
  REMOTE_LINE,
  REMOTE_READ,
  REMOTE_WORDS,
  REMOTE_WRITE,
} from '@tessera/chip/records';
import type { ChipletId } from '@tessera/frame';
import { MessageWords } from './message-words.ts';
import type { NetworkTransfers } from './network-link.ts';
import type { SimulatedMachine } from './simulated-machine.ts';
import { type SimulatedRemote, TrafficIntervals } from './traffic-intervals.ts';

/** Indices in PACKET_CHANNELS. */
const REQUEST = 0;
const REPLY = 1;

/** Carries messages over a network. */
export class MessageExchange {
  readonly #machines: readonly SimulatedMachine[];
  readonly #transfers: NetworkTransfers;
  readonly #interfaceCycles: number;
  readonly #headerBytes: number;
  /** Messages that have not entered the network, by sender in the order of their cycles. */
  readonly #waiting: readonly MessageWords[];
  /** Messages that were delivered to a machine since it got the last ones. */
  readonly #requests: readonly MessageWords[];
  readonly #replies: readonly MessageWords[];
  /** Number of messages that were not delivered. */
  #openCount = 0;
  readonly #reads: number[];
  readonly #writes: number[];
  readonly #bytes: number[][];
  readonly #textureBytes: number[][];
  readonly #intervals: TrafficIntervals;
  /** Called for each read of a texture lookup of a fragment warp, with its `REMOTE.origin`. */
  onTextureRead: ((reader: ChipletId, home: ChipletId, origin: number) => void) | null = null;

  /** @param interfaceCycles Cycles from the last byte of a message to its use. */
  constructor(
    machines: readonly SimulatedMachine[],
    transfers: NetworkTransfers,
    interfaceCycles: number,
  ) {
    this.#machines = machines;
    this.#transfers = transfers;
    this.#interfaceCycles = interfaceCycles;
    this.#headerBytes = machines[0]!.messageHeaderBytes;
    this.#waiting = machines.map(() => new MessageWords());
    this.#requests = machines.map(() => new MessageWords());
    this.#replies = machines.map(() => new MessageWords());
    this.#reads = machines.map(() => 0);
    this.#writes = machines.map(() => 0);
    this.#bytes = machines.map(() => machines.map(() => 0));
    this.#textureBytes = machines.map(() => machines.map(() => 0));
    this.#intervals = new TrafficIntervals(machines.length);
  }

  /** Whether no message is on its way. */
  get isQuiet(): boolean {
    return this.#openCount === 0;
  }

  /** Messages so far. */
  get traffic(): SimulatedRemote {
    const { traffic: intervals } = this.#intervals;
    const [reads, writes, bytes] = [this.#reads, this.#writes, this.#bytes];
    return { reads, writes, bytes, textureBytes: this.#textureBytes, intervals };
  }

  /** Takes the messages that a machine has sent. */
  collect(from: ChipletId): void {
    const messages = this.#machines[from]!.takeMessages();
    if (messages.length === 0) return;
    this.#openCount += messages.length / REMOTE_WORDS;
    const waiting = this.#waiting[from]!;
    const at = waiting.add(messages.length);
    waiting.words.set(messages, at);
  }

  /**
   * Simulates the network up to a cycle, this one included. Afterwards, machines know all messages
   * that they can use before `cycle + 1 + interfaceCycles`.
   *
   * @param cycle Cycle that all machines have reached.
   */
  exchange(cycle: number): void {
    if (this.#openCount > 0) {
      for (let from = 0; from < this.#waiting.length; from++) this.#injectBefore(cycle, from);
    }
    const deliveries = this.#transfers.advanceTo(cycle + 1);
    if (deliveries.length === 0) return;
    for (let at = 0; at < deliveries.length; at += DELIVERY_WORDS) {
      if (deliveries[at + DELIVERY.tag]! >= 0) this.#receive(deliveries, at);
    }
    for (let to = 0; to < this.#machines.length; to++) this.#deliver(to);
  }

  #receive(deliveries: Float64Array, at: number): void {
    const kind = deliveries[at + DELIVERY.tag]!;
    const to = deliveries[at + DELIVERY.to]!;
    const cycle = deliveries[at + DELIVERY.cycle]!;
    this.#openCount--;
    this.#intervals.addReceived(to, this.#bytesOf(kind), cycle);
    const inbox = (kind >= REMOTE_LINE ? this.#replies : this.#requests)[to]!;
    const first = inbox.add(REMOTE_WORDS);
    const { words } = inbox;
    words[first + REMOTE.kind] = kind;
    words[first + REMOTE.chiplet] = deliveries[at + DELIVERY.from]!;
    words[first + REMOTE.line] = deliveries[at + DELIVERY.line]!;
    words[first + REMOTE.home] = deliveries[at + DELIVERY.home]!;
    words[first + REMOTE.cycle] = cycle + this.#interfaceCycles;
  }

  #deliver(to: ChipletId): void {
    const requests = this.#requests[to]!;
    const replies = this.#replies[to]!;
    if (requests.end === 0 && replies.end === 0) return;
    this.#machines[to]!.deliver(requests.all, replies.all);
    requests.removeTo(requests.end);
    replies.removeTo(replies.end);
  }

  /** Injects the messages of a machine that left it before a cycle. */
  #injectBefore(cycle: number, from: ChipletId): void {
    const waiting = this.#waiting[from]!;
    const { words, end } = waiting;
    let at = waiting.start;
    while (at < end && words[at + REMOTE.cycle]! < cycle) {
      this.#inject(words, at, from);
      at += REMOTE_WORDS;
    }
    waiting.removeTo(at);
  }

  #inject(words: Int32Array, at: number, from: ChipletId): void {
    const kind = words[at + REMOTE.kind]!;
    const to = words[at + REMOTE.chiplet]!;
    const cycle = words[at + REMOTE.cycle]!;
    const bytes = this.#bytesOf(kind);
    if (kind === REMOTE_READ) this.#countRead(from, to, words[at + REMOTE.origin]!);
    else if (kind === REMOTE_WRITE) this.#writes[from]!++;
    this.#bytes[from]![to]! += bytes;
    this.#intervals.addSent(from, bytes, cycle);
    const channel = kind >= REMOTE_LINE ? REPLY : REQUEST;
    const [line, home] = [words[at + REMOTE.line]!, words[at + REMOTE.home]!];
    this.#transfers.injectMessage(from, to, channel, bytes, cycle + 1, kind, line, home);
  }

  #countRead(reader: ChipletId, home: ChipletId, origin: number): void {
    this.#reads[reader]!++;
    if (origin < 0) return;
    this.#textureBytes[reader]![home]! += LINE_BYTES;
    this.onTextureRead?.(reader, home, origin);
  }

  /** Returns the size of a message, header included. */
  #bytesOf(kind: number): number {
    return this.#headerBytes + (kind === REMOTE_WRITE || kind === REMOTE_LINE ? LINE_BYTES : 0);
  }
}
