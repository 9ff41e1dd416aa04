/**
 * Serves requests of other chiplets as one more client of the second-level cache and local memory.
 * It takes a request per cycle and answers in their order. Its requests do not pass the arbiter: a
 * granted client that waits for another chiplet would hold up what that chiplet waits for. As
 * directory of pages that are placed by their first access, it answers at once.
 */
import type { f64, i32 } from '../portable/number-types.ts';
import {
  REMOTE,
  REMOTE_FIND_HOME,
  REMOTE_HOME,
  REMOTE_LINE,
  REMOTE_WRITE,
  REMOTE_WRITTEN,
} from '../records/record-layout.ts';
import type { RunRecords } from '../records/run-records.ts';
import { WAIT } from '../records/wait-kinds.generated.ts';
import { Module } from '../sim/module.ts';
import { BUSY, NEVER, type Schedule, stalled, starved } from '../sim/schedule.ts';
import type { ClientPort } from './client-port.ts';
import type { RemotePort } from './remote-port.ts';
import type { ServedRequests } from './served-requests.ts';

/** Options of {@link RemoteServerModule}. */
export interface RemoteServerModuleOptions {
  readonly id: i32;
  readonly name: string;
  readonly schedule: Schedule;
  readonly records: RunRecords;
  /** Port whose tickets the requests have. */
  readonly port: ClientPort;
  readonly remote: RemotePort;
  /** Requests that the second-level cache takes. */
  readonly requests: ServedRequests;
  /** Number of the second-level cache. */
  readonly l2CacheId: i32;
}

/** Module of the remote server. */
export class RemoteServerModule extends Module {
  /** Counts of the run: lines, and cycles from the arrivals of requests to their replies. */
  reads: i32 = 0;
  writes: i32 = 0;
  serviceCycles: f64 = 0;
  private readonly schedule: Schedule;
  private readonly records: RunRecords;
  private readonly port: ClientPort;
  private readonly remote: RemotePort;
  private readonly requests: ServedRequests;
  private readonly l2: i32;

  constructor(options: RemoteServerModuleOptions) {
    super({
      id: options.id,
      name: options.name,
      schedule: options.schedule,
      inputs: [],
      outputs: [],
    });
    this.schedule = options.schedule;
    this.records = options.records;
    this.port = options.port;
    this.remote = options.remote;
    this.requests = options.requests;
    this.requests.port = options.port.number;
    this.l2 = options.l2CacheId;
  }

  reset(): void {
    this.reads = 0;
    this.writes = 0;
    this.serviceCycles = 0;
    this.requests.reset();
  }

  override describeWait(): string {
    return this.requests.isEmpty ? '' : 'a request of another chiplet';
  }

  clock(cycle: i32): i32 {
    const hasAnswered = this.answer(cycle);
    const hasAdmitted = this.admit(cycle);
    if (hasAnswered || hasAdmitted) {
      this.states[this.id] = BUSY;
      return cycle + 1;
    }
    this.states[this.id] = this.requests.isFull ? stalled(WAIT.l2) : starved(WAIT.input);
    const done = this.requests.isFirstTaken
      ? this.port.doneCycle(this.requests.firstTicket)
      : NEVER;
    const next = this.requests.isFull ? NEVER : this.nextArrival();
    return next < done ? next : done;
  }

  /** Cycle in which the next request arrives; NEVER if none is known. */
  nextArrival(): i32 {
    const inbox = this.records.remoteRequests;
    return inbox.start === inbox.end ? NEVER : inbox.words[inbox.at(inbox.start) + REMOTE.cycle]!;
  }

  /** Answers the oldest request if it is done. */
  private answer(cycle: i32): boolean {
    const requests = this.requests;
    if (!requests.isFirstTaken || !this.port.isDone(requests.firstTicket, cycle)) return false;
    this.port.close(requests.firstTicket);
    const isWrite = requests.isFirstWrite;
    if (isWrite) this.writes++;
    else this.reads++;
    this.serviceCycles += cycle - requests.firstArrival;
    const kind = isWrite ? REMOTE_WRITTEN : REMOTE_LINE;
    this.remote.send(kind, requests.firstChiplet, requests.firstLine, 0, cycle);
    requests.removeFirst();
    return true;
  }

  /** Takes a request that has arrived. */
  private admit(cycle: i32): boolean {
    if (this.requests.isFull || this.nextArrival() > cycle) return false;
    const inbox = this.records.remoteRequests;
    const at = inbox.at(inbox.start++);
    const words = inbox.words;
    const kind = words[at + REMOTE.kind]!;
    const chiplet = words[at + REMOTE.chiplet]!;
    const line = words[at + REMOTE.line]!;
    this.schedule.transfers[0]!++;
    if (kind === REMOTE_FIND_HOME) {
      const homes = this.remote.homes;
      const home = homes.decide(homes.pageOf(line), chiplet);
      this.remote.send(REMOTE_HOME, chiplet, line, home, cycle);
      return true;
    }
    const ticket = this.port.open(cycle);
    this.port.expect(ticket, kind === REMOTE_WRITE);
    this.requests.add(kind, chiplet, line, ticket, words[at + REMOTE.cycle]!);
    this.schedule.wake(this.l2, cycle + 1);
    return true;
  }
}
