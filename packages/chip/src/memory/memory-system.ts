/**
 * Memory system of a chiplet: ports of clients ─► arbiter and second-level cache ─► channels of
 * local memory. Two modules are clocked before their clients: local memory, then the second-level
 * cache.
 */

import type { i32 } from '../portable/number-types.ts';
import type { TimingSpec } from '../records/timing-spec.generated.ts';
import { Queue } from '../sim/queue.ts';
import type { Schedule } from '../sim/schedule.ts';
import { AskingPorts, ClientPort } from './client-port.ts';
import { DramModule } from './dram-module.ts';
import { L2CacheModule } from './l2-cache-module.ts';

/** Modules and ports of the memory system. */
export class MemorySystem {
  readonly dram: DramModule;
  readonly l2: L2CacheModule;
  readonly queues: readonly Queue[];
  /** Ports in the order of their construction. */
  readonly ports: ClientPort[];
  private readonly schedule: Schedule;
  private readonly spec: TimingSpec;
  private readonly asking: AskingPorts;

  /**
   * @param dramId Number of the module of local memory.
   * @param l2Id Number of the second-level cache, which is clocked after local memory.
   * @throws {Error} If `dramId` is not below `l2Id`.
   */
  constructor(spec: TimingSpec, schedule: Schedule, dramId: i32, l2Id: i32) {
    if (dramId >= l2Id)
      throw new Error(`memory system: DRAM module ${dramId} is not below L2 module ${l2Id}`);
    this.schedule = schedule;
    this.spec = spec;
    const queues: Queue[] = [];
    for (let channel = 0; channel < spec.dramChannels; channel++) {
      queues.push(new Queue(`dramToL2[${channel}]`, spec.l2MissEntries, schedule, dramId, l2Id));
    }
    this.queues = queues;
    const ports: ClientPort[] = [];
    const asking = new AskingPorts();
    const dramModule = new DramModule(dramId, 'memory.dram', schedule, spec, l2Id, queues);
    this.ports = ports;
    this.asking = asking;
    this.dram = dramModule;
    this.l2 = new L2CacheModule(
      l2Id,
      'memory.l2Cache',
      schedule,
      spec,
      dramModule,
      queues,
      ports,
      asking,
    );
  }

  /**
   * Creates a port of a client.
   *
   * @param client Number in MEMORY_CLIENT.
   * @param module Number of the module that owns the port.
   * @param ticketCount Upper bound on the number of open tickets.
   */
  connect(client: i32, module: i32, ticketCount: i32): ClientPort {
    const port = new ClientPort(
      client,
      this.schedule,
      module,
      this.l2.id,
      this.spec.memoryClientLines,
      this.spec.memoryBurstLines,
      ticketCount,
      this.asking,
    );
    this.ports.push(port);
    return port;
  }

  /** Resets the ports for a new run. The clock resets modules and queues. */
  reset(): void {
    for (let i = 0; i < this.ports.length; i++) this.ports[i]!.reset();
  }
}
