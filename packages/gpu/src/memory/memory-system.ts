/**
 * The memory system of a chiplet: clients' ports ─► arbiter, second-level cache ─► channels of local memory. Two
 * modules, clocked before their clients: local memory, then the second-level cache.
 */
import type { CounterName } from '@tessera/frame';
import type { ChipletSpec } from '../chiplet-spec.ts';
import { Queue } from '../sim/queue.ts';
import type { Schedule } from '../sim/schedule.ts';
import { LINE_BYTES } from './address-map.ts';
import { AskingPorts, ClientPort } from './client-port.ts';
import { DramModule } from './dram-module.ts';
import { L2CacheModule } from './l2-cache-module.ts';
import { MEMORY_CLIENTS, type MemoryClientName } from './memory-clients.ts';

export class MemorySystem {
  readonly dram: DramModule;
  readonly l2: L2CacheModule;
  readonly queues: readonly Queue[];
  readonly #schedule: Schedule;
  readonly #spec: ChipletSpec;
  readonly #ports: ClientPort[] = [];
  readonly #asking = new AskingPorts();
  readonly #clientOf: MemoryClientName[] = [];

  /** @param dram Number of the module of local memory. @param l2 Of the second-level cache, above it. */
  constructor(spec: ChipletSpec, schedule: Schedule, dram: number, l2: number) {
    if (dram >= l2) throw new Error(`memory system: module ${dram} must come before ${l2}`);
    this.#schedule = schedule;
    this.#spec = spec;
    this.queues = Array.from(
      { length: spec.dramChannels },
      (_, channel) => new Queue(`dramToL2[${channel}]`, spec.l2MissEntries, schedule, dram, l2),
    );
    this.dram = new DramModule(dram, schedule, spec, l2, this.queues);
    this.l2 = new L2CacheModule(
      l2,
      schedule,
      spec,
      this.dram,
      this.queues,
      this.#ports,
      this.#asking,
    );
  }

  /** All ports, in the order in which they were made. */
  get ports(): readonly ClientPort[] {
    return this.#ports;
  }

  /**
   * Makes a port of a client.
   *
   * @param module Number of the module that owns it. @param ticketCount Tickets that it has open at once.
   */
  connect(client: MemoryClientName, module: number, ticketCount: number): ClientPort {
    const port = new ClientPort(
      `memory.${client}[${module}]`,
      MEMORY_CLIENTS[client].priority,
      this.#schedule,
      module,
      this.l2.id,
      this.#spec.memoryClientLines,
      this.#spec.memoryBurstLines,
      ticketCount,
      this.#asking,
    );
    this.#ports.push(port);
    this.#clientOf.push(client);
    return port;
  }

  /** For a new run; its modules and queues are reset by the clock. */
  reset(): void {
    for (const port of this.#ports) port.reset();
  }

  /** Hands over the counters of the run; see the table in frame/src/counters.ts. */
  count(add: (name: CounterName, value: number) => void): void {
    for (const [index, { bytesRead, bytesWritten, bytesServed }] of this.#ports.entries()) {
      const { read, write } = MEMORY_CLIENTS[this.#clientOf[index]!];
      add(read, bytesRead);
      if (write !== null) add(write, bytesWritten);
      add('memory.bytesServed', bytesServed);
    }
    const { l2, dram } = this;
    add('l2Cache.lineHits', l2.hits);
    add('l2Cache.lineMisses', l2.misses);
    add('l2Cache.linesMerged', l2.merged);
    add('l2Cache.linesWritten', l2.written);
    add('l2Cache.linesWrittenBack', l2.writtenBack);
    add('arbiter.burstsGranted', l2.bursts);
    let longest = 0;
    for (const { waitCycles, longestWaitCycles } of this.#ports) {
      add('arbiter.cyclesWaited', waitCycles);
      longest = Math.max(longest, longestWaitCycles);
    }
    add('arbiter.longestWait', longest);
    for (const channel of dram.channels) {
      add('memory.bytesRead', LINE_BYTES * channel.linesRead);
      add('memory.bytesWritten', LINE_BYTES * channel.linesWritten);
      add('dram.rowHits', channel.rowHits);
      add('dram.rowMisses', channel.rowMisses);
      add('dram.rowConflicts', channel.rowConflicts);
      add('dram.turnarounds', channel.turnarounds);
      add('dram.refreshes', channel.refreshes);
      add('dram.channelCyclesBusy', channel.busyCycles);
    }
  }
}
