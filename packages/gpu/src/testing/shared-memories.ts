/**
 * Memory systems of several chiplets that share their memories, with clients that send requests and
 * a network that delivers each message after a time of its own. It serves to test that requests of
 * any clients end, whatever they wait for.
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

  run(until: number): void {
    this.schedule.wake(IDS.l2Id, this.memory.l2.remote.nextReply());
    this.schedule.wake(SERVER, this.server.nextArrival());
    this.clock.run(until);
  }
}

/** Message on its way. */
interface Flying {
  readonly to: number;
  readonly words: Int32Array;
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
  const { chipletCount, latencyCycles } = options;
  const chiplets = Array.from({ length: chipletCount }, (_, id) => new ChipletMemory(options, id));
  let flying: Flying[] = [];
  let delays = options.seed | 1;
  let cycle = 0;
  for (; !chiplets.every(({ isDone }) => isDone) || flying.length > 0; cycle += latencyCycles) {
    if (cycle > limitCycles) throw new Error(`shared memories: open requests in cycle ${cycle}`);
    const end = cycle + latencyCycles;
    for (const each of flying.filter(({ words }) => words[REMOTE.cycle]! < end)) {
      const { remoteReplies, remoteRequests } = chiplets[each.to]!.records;
      const isReply = each.words[REMOTE.kind]! >= REMOTE_LINE;
      append(isReply ? remoteReplies : remoteRequests, each.words);
    }
    flying = flying.filter(({ words }) => words[REMOTE.cycle]! >= end);
    for (const [from, chiplet] of chiplets.entries()) {
      chiplet.run(end);
      const { remoteOutbox } = chiplet.records;
      for (let at = 0; at < remoteOutbox.end; at++) {
        const words = remoteOutbox.words.slice(at * REMOTE_WORDS, (at + 1) * REMOTE_WORDS);
        const to = words[REMOTE.chiplet]!;
        delays = (Math.imul(delays, 1_664_525) + 1_013_904_223) | 0;
        words[REMOTE.chiplet] = from;
        words[REMOTE.cycle]! += latencyCycles + ((delays >>> 8) % (2 * latencyCycles + 1));
        flying.push({ to, words });
      }
      remoteOutbox.reset();
    }
    flying.sort((a, b) => a.words[REMOTE.cycle]! - b.words[REMOTE.cycle]!);
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

function append(ring: RecordRing, words: Int32Array): void {
  const at = ring.append();
  ring.words.set(words, at);
}
