/** Histories written by hand, for tests of the checker. */
import type {
  Answer,
  Call,
  CallEntry,
  History,
  HistoryHeader,
  ProcessEntry,
  Seen,
} from '../../scripts/history/record/entries.ts';

/** Statuses that every operation of a hand-made history documents. */
const DOCUMENTED = [200, 201, 202, 204, 400, 404, 409, 410, 422, 503];
/** Time between two calls that do not overlap. */
const STEP_MS = 10;

/** Builder of a history. Calls follow each other unless they have other times. */
export class HandMadeHistory {
  readonly #calls: CallEntry[] = [];
  readonly #processes: ProcessEntry[] = [];
  readonly #isCluster: boolean;
  #nowMs = 0;

  constructor(isCluster = false) {
    this.#isCluster = isCluster;
  }

  /** Adds a call. `lastsMs` is its duration; infinity without an answer. */
  call(call: Call, answer: Answer | null, lastsMs = 1): this {
    this.#nowMs += STEP_MS;
    const number = this.#calls.length + 1;
    const completedMs = answer === null ? Number.POSITIVE_INFINITY : this.#nowMs + lastsMs;
    const times = { invokedMs: this.#nowMs, completedMs };
    const base = { type: 'call', number, client: 1, phase: 'run' } as const;
    this.#calls.push({ ...base, ...times, call, answer });
    return this;
  }

  /** Lets time pass. */
  wait(ms: number): this {
    this.#nowMs += ms;
    return this;
  }

  /** Posts a frame that is accepted, or has an unknown outcome. */
  post(id: string, more: Partial<Call> = {}, isAnswered = true): this {
    const call = { operation: 'postFrame', job: 'cube', token: `token-${id}`, ...more };
    const seen = [frame(id, 'queued', { token: call.token })];
    return this.call(call, isAnswered ? { status: 202, subject: id, seen } : null);
  }

  /** Reads the status of a frame; `gone` is a 404. */
  read(id: string, status: string, more: Partial<Seen> = {}): this {
    const call = { operation: 'getFrame', subject: id };
    if (status === 'gone') return this.call(call, { status: 404, code: 'NOT_FOUND' });
    return this.call(call, { status: 200, seen: [frame(id, status, more)] });
  }

  /** Sends a delete request. */
  delete(id: string, status: number | null = 204, lastsMs = 1): this {
    const call = { operation: 'deleteFrame', subject: id };
    return this.call(call, status === null ? null : { status }, lastsMs);
  }

  /** Adds an event of a process. */
  process(process: string, event: ProcessEntry['event'], detail = ''): this {
    this.#processes.push({ type: 'process', atMs: this.#nowMs, process, event, detail });
    return this;
  }

  /** Returns the history. */
  build(): History {
    const operations = new Set(this.#calls.map(({ call }) => call.operation));
    const header: HistoryHeader = {
      type: 'header',
      documented: Object.fromEntries([...operations].map((name) => [name, DOCUMENTED])),
      expectedErrors: { loop: 'SHADER_BUDGET_EXCEEDED' },
      isCluster: this.#isCluster,
    };
    return { header, calls: this.#calls, processes: this.#processes };
  }
}

/** Returns the status of a frame that was posted by {@link HandMadeHistory.post}. */
export function frame(id: string, status: string, more: Partial<Seen> = {}): Seen {
  return { kind: 'frame', id, status, token: `token-${id}`, ...more };
}
