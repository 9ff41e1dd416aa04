/** Records a history in memory and, on request, in a file of JSON lines. */
import { closeSync, openSync, writeSync } from 'node:fs';
import type {
  Answer,
  Call,
  CallEntry,
  History,
  HistoryEntry,
  HistoryHeader,
  Phase,
  ProcessEntry,
} from './entries.ts';

/** Recorder of one run. */
export class Recorder {
  readonly #header: HistoryHeader;
  readonly #calls: CallEntry[] = [];
  readonly #processes: ProcessEntry[] = [];
  #file: number | null;
  readonly #startMs = performance.now();
  #lastNumber = 0;
  /** Phase of the calls that begin. */
  phase: Phase = 'reference';

  /** @param path File to write, or null. */
  constructor(header: HistoryHeader, path: string | null) {
    this.#header = header;
    this.#file = path === null ? null : openSync(path, 'w');
    this.#write(header);
  }

  /** Milliseconds since the start of the run. */
  nowMs(): number {
    return performance.now() - this.#startMs;
  }

  /** Number of calls that began. */
  get callCount(): number {
    return this.#lastNumber;
  }

  /** Records the invocation of a call. Returns a function that records its outcome. */
  begin(client: number, call: Call): (answer: Answer | null) => void {
    const number = ++this.#lastNumber;
    const invokedMs = this.nowMs();
    const { phase } = this;
    return (answer) => {
      const completedMs = answer === null ? Number.POSITIVE_INFINITY : this.nowMs();
      const entry = { number, client, phase, invokedMs, completedMs, call, answer } as const;
      this.#calls.push({ type: 'call', ...entry });
      this.#write({ type: 'call', ...entry });
    };
  }

  noteProcess(process: string, event: ProcessEntry['event'], detail: string): void {
    const entry = { type: 'process', atMs: this.nowMs(), process, event, detail } as const;
    this.#processes.push(entry);
    this.#write(entry);
  }

  /** Returns the history so far. */
  history(): History {
    const calls = this.#calls.toSorted((a, b) => a.number - b.number);
    return { header: this.#header, calls, processes: [...this.#processes] };
  }

  /** Closes the file. What is recorded later is in memory only. */
  close(): void {
    if (this.#file !== null) closeSync(this.#file);
    this.#file = null;
  }

  #write(entry: HistoryEntry): void {
    // JSON has no infinity; `readHistory` restores it from null.
    if (this.#file !== null) writeSync(this.#file, `${JSON.stringify(entry)}\n`);
  }
}
