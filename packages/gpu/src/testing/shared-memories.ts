/**
 * Memory systems of several chiplets that share their memories, with clients that send random
 * requests. A carrier delivers the messages: by default each after a time of its own. It serves to
 * test that requests of any clients end, whatever they wait for.
 */
import {
  Clock,
  MemorySystem,
  ModuleLoop,
  RemoteServerModule,
  RunControl,
  RunRecords,
  Schedule,
} from '@tessera/chip/parts';
import {
  MEMORY_CLIENT,
  type PlacementName,
  packWords,
  REMOTE,
  REMOTE_LINE,
  REMOTE_WORDS,
  REMOTE_WRITE,
  type RecordRing,
  SHARED_MEMORY_WORDS,
} from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import { MAX_UNIT_SPANS } from '@tessera/frame';
import { timingSpecOf } from '../timing/timing-spec-words.ts';
import { RandomTraffic } from './random-traffic.ts';

const IDS = { dramId: 0, l2Id: 1, walkerId: 3 };
const SERVER = 2;
const FIRST_CLIENT = 4;

/** Options of the memories. */
export interface SharedMemoriesOptions {
  readonly spec: ChipletSpec;
  readonly chipletCount: number;
  readonly placement: PlacementName;
  /** Lines that clients access. */
  readonly lineCount: number;
  /** Clients of each chiplet, and requests of each client. */
  readonly clientCount: number;
  readonly requestCount: number;
  /** Least latency of a message; others take up to three times as long. */
  readonly latencyCycles: number;
  readonly seed: number;
  /** Cycle from which clients make no more requests; none by default. */
  readonly stopCycle?: number;
  /** Carrier of the messages, in place of random delays. */
  readonly carrier?: MessageCarrier;
  /** Whether every module is clocked in every cycle. */
  readonly isNaive?: boolean;
}

/** Counts of all chiplets at the end. */
export interface SharedMemoriesResult {
  readonly cycles: number;
  readonly readsSent: number;
  readonly readsServed: number;
  readonly writesSent: number;
  readonly writesServed: number;
}

/** Memory system of one chiplet. */
class ChipletMemory {
  readonly memory: MemorySystem;
  readonly server: RemoteServerModule;
  readonly records = new RunRecords();
  readonly clients: readonly RandomTraffic[];
  readonly clock: Clock;
  readonly schedule: Schedule;
  /** Requests that the server has not taken. */
  readonly #requests: CarriedMessage[] = [];

  constructor(options: SharedMemoriesOptions, chiplet: number) {
    const { spec, chipletCount, placement, lineCount, clientCount } = options;
    const schedule = new Schedule(FIRST_CLIENT + clientCount);
    const control = new RunControl();
    const { pageHeads, remoteOutbox, remoteReplies } = this.records;
    this.memory = new MemorySystem({
      spec: timingSpecOf(spec),
      schedule,
      heads: pageHeads,
      outbox: remoteOutbox,
      replies: remoteReplies,
      ...IDS,
    });
    const { dram, l2, walker } = this.memory;
    this.clients = Array.from({ length: clientCount }, (_, index) => {
      const id = FIRST_CLIENT + index;
      const port = this.memory.connect(MEMORY_CLIENT.texture, id, 4);
      const seed = options.seed + 100 * chiplet + index;
      return new RandomTraffic({ ...options, id, schedule, port, seed });
    });
    const port = this.memory.connect(MEMORY_CLIENT.remote, SERVER, spec.remoteServerEntries);
    this.server = new RemoteServerModule({
      id: SERVER,
      name: 'memory.remoteServer',
      schedule,
      records: this.records,
      port,
      remote: l2.remote,
      requests: l2.served,
      l2CacheId: IDS.l2Id,
    });
    const modules = [dram, l2, this.server, walker, ...this.clients];
    this.clock = new Clock({
      schedule,
      loop: new ModuleLoop(schedule, modules, options.isNaive ?? false),
      queues: this.memory.queues,
      control,
      maxUnitSpans: MAX_UNIT_SPANS,
    });
    this.memory.reset();
    this.clock.reset();
    control.isShared = true;
    l2.remote.isOn = true;
    l2.remote.homes.begin(
      packWords(SHARED_MEMORY_WORDS, {
        chiplet,
        chipletCount,
        spaceCount: 1,
        spaceLines: lineCount,
        texturesLine: 0,
        texturesEndLine: lineCount,
        userLine: lineCount,
        userEndLine: lineCount,
        textures: placement,
        buffers: placement,
        streams: placement,
      }),
    );
    this.schedule = schedule;
  }

  get isDone(): boolean {
    return this.clients.every(({ isDone }) => isDone) && this.memory.l2.isQuiet;
  }

  /** Receives a message that arrives in a cycle. */
  receive(message: CarriedMessage, cycle: number): void {
    const { remoteReplies, remoteRequests } = this.records;
    message.words[REMOTE.cycle] = cycle;
    append(message.isReply ? remoteReplies : remoteRequests, message.words);
    if (!message.isReply) this.#requests.push(message);
  }

  /** Returns the requests that the server has taken since the last call. */
  takeServed(): readonly CarriedMessage[] {
    const { start, end } = this.records.remoteRequests;
    return this.#requests.splice(0, this.#requests.length - (end - start));
  }

  /** Returns the words of the messages that were sent since the last call. */
  takeSent(): readonly Int32Array[] {
    const { remoteOutbox } = this.records;
    const sent = Array.from({ length: remoteOutbox.end }, (_, at) =>
      remoteOutbox.words.slice(at * REMOTE_WORDS, (at + 1) * REMOTE_WORDS),
    );
    remoteOutbox.reset();
    return sent;
  }

  run(until: number): void {
    this.schedule.wake(IDS.l2Id, this.memory.l2.remote.nextReply());
    this.schedule.wake(SERVER, this.server.nextArrival());
    this.clock.run(until);
  }
}

/** Message between two chiplets. */
export interface CarriedMessage {
  readonly from: number;
  readonly to: number;
  /** Replies, which their receiver always accepts, or requests. */
  readonly isReply: boolean;
  readonly hasLine: boolean;
  /** Words of the message in the chip. */
  readonly words: Int32Array;
}

/** Carries messages between chiplets. */
export interface MessageCarrier {
  /** Number of cycles that chiplets simulate between two exchanges of messages. */
  readonly windowCycles: number;
  /** Whether no message is on its way. */
  readonly isEmpty: boolean;
  /** Sends a message that leaves its chiplet in a cycle of the last window. */
  send(message: CarriedMessage, cycle: number): void;
  /**
   * Returns messages that arrive in the window from `start`, each with its cycle, which is not
   * before `start`, in the order of these cycles.
   */
  deliver(start: number): readonly { readonly message: CarriedMessage; readonly cycle: number }[];
  /** Receives a request that a server accepted in the last window. */
  release(message: CarriedMessage): void;
}

/** Carrier that delivers each message after a random delay. */
class RandomDelays implements MessageCarrier {
  readonly windowCycles: number;
  #flying: { readonly message: CarriedMessage; readonly cycle: number }[] = [];
  #state: number;

  constructor({ latencyCycles, seed }: SharedMemoriesOptions) {
    this.windowCycles = latencyCycles;
    this.#state = seed | 1;
  }

  get isEmpty(): boolean {
    return this.#flying.length === 0;
  }

  send(message: CarriedMessage, sentCycle: number): void {
    const latency = this.windowCycles;
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) | 0;
    const cycle = sentCycle + latency + ((this.#state >>> 8) % (2 * latency + 1));
    this.#flying.push({ message, cycle });
  }

  deliver(start: number) {
    const end = start + this.windowCycles;
    this.#flying.sort((a, b) => a.cycle - b.cycle);
    const late = this.#flying.findIndex(({ cycle }) => cycle >= end);
    return this.#flying.splice(0, late < 0 ? this.#flying.length : late);
  }

  release(): void {}
}

/**
 * Lets all clients make their requests.
 *
 * @param limitCycles Upper bound on the cycles.
 * @throws {Error} If requests are open after these cycles.
 */
export function runSharedMemories(
  options: SharedMemoriesOptions,
  limitCycles: number,
): SharedMemoriesResult {
  const { chipletCount, stopCycle = Number.POSITIVE_INFINITY } = options;
  const { carrier = new RandomDelays(options) } = options;
  const chiplets = Array.from({ length: chipletCount }, (_, id) => new ChipletMemory(options, id));
  const step = carrier.windowCycles;
  let cycle = 0;
  for (; !chiplets.every(({ isDone }) => isDone) || !carrier.isEmpty; cycle += step) {
    if (cycle > limitCycles) throw new Error(`shared memories: open requests in cycle ${cycle}`);
    if (cycle >= stopCycle) {
      for (const { clients } of chiplets) for (const client of clients) client.stop();
    }
    for (const { message, cycle: arrival } of carrier.deliver(cycle)) {
      chiplets[message.to]!.receive(message, arrival);
    }
    for (const [from, chiplet] of chiplets.entries()) {
      chiplet.run(cycle + step);
      for (const request of chiplet.takeServed()) carrier.release(request);
      for (const words of chiplet.takeSent())
        carrier.send(messageOf(from, words), words[REMOTE.cycle]!);
    }
  }
  const sum = (of: (chiplet: ChipletMemory) => number) =>
    chiplets.reduce((total, chiplet) => total + of(chiplet), 0);
  return {
    cycles: cycle,
    readsSent: sum(({ memory }) => memory.l2.remote.readsSent),
    readsServed: sum(({ server }) => server.reads),
    writesSent: sum(({ memory }) => memory.l2.remote.writesSent),
    writesServed: sum(({ server }) => server.writes),
  };
}

/** Returns a message of the outbox. The receiver finds its sender in place of itself. */
function messageOf(from: number, words: Int32Array): CarriedMessage {
  const kind = words[REMOTE.kind]!;
  const to = words[REMOTE.chiplet]!;
  words[REMOTE.chiplet] = from;
  const hasLine = kind === REMOTE_WRITE || kind === REMOTE_LINE;
  return { from, to, isReply: kind >= REMOTE_LINE, hasLine, words };
}

function append(ring: RecordRing, words: Int32Array): void {
  const at = ring.append();
  ring.words.set(words, at);
}
