/** Measures the throughput of a memory system with clients that only send requests. */

import {
  BUSY,
  Clock,
  MemorySystem,
  Module,
  ModuleLoop,
  NEVER,
  RunControl,
  Schedule,
} from '@tessera/chip/parts';
import {
  LINE_BYTES,
  MEMORY_CLIENT,
  type MemoryClientName,
  RecordRing,
} from '@tessera/chip/records';
import { type ChipletSpec, defineChipletSpec } from '@tessera/chiplet-spec';
import { MAX_UNIT_SPANS } from '@tessera/frame';
import { timingSpecOf } from './timing-spec-words.ts';
import { TRAFFIC_TICKETS, type Traffic, TrafficModule } from './traffic-module.ts';

/** Client of memory and its traffic. */
export interface MemoryLoad extends Traffic {
  readonly client: MemoryClientName;
}

/** Measured throughput of a memory system. */
export interface MemoryMeasurement {
  readonly cycles: number;
  readonly bytes: number;
  readonly bytesPerSecond: number;
  /** Peak of the buses of local memory. */
  readonly peakBytesPerSecond: number;
  readonly longestWaitCycles: number;
}

interface WatchModuleOptions {
  readonly id: number;
  readonly schedule: Schedule;
  readonly control: RunControl;
  readonly memory: MemorySystem;
  readonly clients: readonly TrafficModule[];
}

/** Module that ends the run when all clients are done and memory is idle. */
class WatchModule extends Module {
  private readonly control: RunControl;
  private readonly memory: MemorySystem;
  private readonly clients: readonly TrafficModule[];

  constructor({ id, schedule, control, memory, clients }: WatchModuleOptions) {
    super({ id, name: 'memory.watch', schedule, inputs: [], outputs: [] });
    this.control = control;
    this.memory = memory;
    this.clients = clients;
  }

  reset(): void {}

  clock(cycle: number): number {
    this.states[this.id] = BUSY;
    const isOver =
      this.clients.every(({ isDone }) => isDone) &&
      this.memory.l2.isQuiet &&
      this.memory.dram.idleAt() <= cycle;
    if (!isOver) return cycle + 1;
    this.control.isFinished = true;
    return NEVER;
  }
}

/** First line of the page table, above the lines of all loads. */
const PAGE_TABLE_LINE = 2 ** 24;

/**
 * Measures the throughput of a memory system under the given loads.
 *
 * @param spec Specification, with `memoryBurstLines` and client buffers raised to the longest burst
 *   of the loads.
 */
export function measureMemory(spec: ChipletSpec, loads: readonly MemoryLoad[]): MemoryMeasurement {
  const longest = Math.max(...loads.map(({ burstLines }) => burstLines));
  const raised = defineChipletSpec({
    ...spec,
    memoryBurstLines: longest,
    memoryClientLines: Math.max(spec.memoryClientLines, 2 * longest),
    l2MissEntries: Math.max(spec.l2MissEntries, longest),
  });
  const schedule = new Schedule(loads.length + 4);
  const control = new RunControl();
  const ids = { dramId: 0, l2Id: 1, walkerId: 2 };
  const memory = new MemorySystem({
    spec: timingSpecOf(raised),
    schedule,
    heads: new RecordRing(1, 64),
    outbox: new RecordRing(1, 2),
    replies: new RecordRing(1, 2),
    ...ids,
  });
  memory.walker.tableLine = PAGE_TABLE_LINE;
  const clients = loads.map((load, index) => {
    const id = index + 4;
    const port = memory.connect(MEMORY_CLIENT[load.client], id, TRAFFIC_TICKETS);
    return new TrafficModule({ id, schedule, port, traffic: load });
  });
  const watch = new WatchModule({ id: 3, schedule, control, memory, clients });
  const modules = [memory.dram, memory.l2, memory.walker, watch, ...clients];
  const clock = new Clock({
    schedule,
    loop: new ModuleLoop(schedule, modules, false),
    queues: memory.queues,
    control,
    maxUnitSpans: MAX_UNIT_SPANS,
  });
  memory.reset();
  clock.reset();
  clock.run(NEVER);
  const bytes = loads.reduce((sum, load) => sum + LINE_BYTES * load.burstLines * load.bursts, 0);
  return {
    cycles: clock.cycle,
    bytes,
    bytesPerSecond: (bytes * spec.clockHz) / clock.cycle,
    peakBytesPerSecond: spec.clockHz * spec.dramChannels * spec.dramBytesPerCycle,
    longestWaitCycles: Math.max(...memory.ports.map((port) => port.longestWaitCycles)),
  };
}
