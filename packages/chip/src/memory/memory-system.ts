/**
 * Memory system of a chiplet: ports of clients ─► arbiter and second-level cache ─► channels of
 * local memory. Two modules are clocked before their clients: local memory, then the second-level
 * cache.
 */

import type { i32 } from '../portable/number-types.ts';
import { MEMORY_CLIENT } from '../records/client-numbers.generated.ts';
import type { RecordRing } from '../records/record-ring.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { Queue } from '../sim/queue.ts';
import type { Schedule } from '../sim/schedule.ts';
import { VisibilityPriority } from '../sim/visibility-priority.ts';
import { AskingPorts } from './asking-ports.ts';
import { ClientPort } from './client-port.ts';
import { DramModule } from './dram-module.ts';
import { L2CacheModule } from './l2-cache-module.ts';
import { PageWalkerModule } from './page-walker-module.ts';
import { RemotePort } from './remote-port.ts';

/** Options of a memory system. */
export interface MemorySystemOptions {
  readonly spec: TimingSpec;
  readonly schedule: Schedule;
  /** Number of the module of local memory. */
  readonly dramId: i32;
  /** Number of the second-level cache, which is clocked after local memory. */
  readonly l2Id: i32;
  /** Number of the page walker, which is clocked after the second-level cache. */
  readonly walkerId: i32;
  /** First pages of the objects with lists of pages. */
  readonly heads: RecordRing;
  /** Messages to other chiplets, and their replies. */
  readonly outbox: RecordRing;
  readonly replies: RecordRing;
}

/** Modules and ports of the memory system. */
export class MemorySystem {
  readonly dram: DramModule;
  readonly l2: L2CacheModule;
  readonly walker: PageWalkerModule;
  /** Priority of visibility phases, which the arbiter observes as shader cores do. */
  readonly priority: VisibilityPriority;
  readonly queues: readonly Queue[];
  /** Ports in the order of their construction. */
  readonly ports: ClientPort[];
  private readonly schedule: Schedule;
  private readonly spec: TimingSpec;
  private readonly asking: AskingPorts;

  /** @throws {Error} If `dramId` is not below `l2Id`. */
  constructor(options: MemorySystemOptions) {
    const spec = options.spec;
    const schedule = options.schedule;
    const dramId = options.dramId;
    const l2Id = options.l2Id;
    if (dramId >= l2Id) throw new Error(`memory system: module ${dramId} must come before ${l2Id}`);
    this.schedule = schedule;
    this.spec = spec;
    const priority = new VisibilityPriority(schedule);
    this.priority = priority;
    const queues: Queue[] = [];
    for (let channel = 0; channel < spec.dramChannels; channel++) {
      const name = `dramToL2[${channel}]`;
      const capacity = spec.l2MissEntries;
      queues.push(new Queue({ name, capacity, schedule, producer: dramId, consumer: l2Id }));
    }
    this.queues = queues;
    const ports: ClientPort[] = [];
    const asking = new AskingPorts(spec.l2Slices);
    const dram = new DramModule({
      id: dramId,
      name: 'memory.dram',
      schedule,
      spec,
      l2: l2Id,
      fills: queues,
    });
    this.ports = ports;
    this.asking = asking;
    this.dram = dram;
    this.l2 = new L2CacheModule({
      id: l2Id,
      name: 'memory.l2Cache',
      schedule,
      spec,
      dram,
      fills: queues,
      ports,
      asking,
      priority,
      remote: new RemotePort(spec, options.outbox, options.replies),
    });
    const name = 'memory.pageWalker';
    this.walker = new PageWalkerModule({
      id: options.walkerId,
      name,
      schedule,
      spec,
      ports,
      heads: options.heads,
    });
    this.walker.port = this.connect(MEMORY_CLIENT.pageTable, options.walkerId, spec.pageWalks);
  }

  /**
   * Creates a port of a client.
   *
   * @param client Number in MEMORY_CLIENT.
   * @param module Number of the module that owns the port.
   * @param ticketCount Upper bound on the number of open tickets.
   */
  connect(client: i32, module: i32, ticketCount: i32): ClientPort {
    const port = new ClientPort({
      client,
      schedule: this.schedule,
      module,
      memoryModule: this.l2.id,
      capacity: this.spec.memoryClientLines,
      burstLines: this.spec.memoryBurstLines,
      ticketCount,
      asking: this.asking,
      slices: this.l2.slices,
      walker: this.walker,
      isTranslated: this.walker.isOn && client !== MEMORY_CLIENT.pageTable,
    });
    this.ports.push(port);
    return port;
  }

  /** Resets the ports for a new run. The clock resets modules and queues. */
  reset(): void {
    for (let i = 0; i < this.ports.length; i++) this.ports[i]!.reset();
  }
}
