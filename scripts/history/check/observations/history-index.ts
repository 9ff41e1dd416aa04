/** Index of the observations of each frame, sequence and study in a history, for the laws. */
import {
  type CallEntry,
  type History,
  type ProcessEntry,
  type Seen,
  showsGone,
} from '../../record/entries.ts';

/** Violation of a law. */
export interface Violation {
  readonly law: string;
  readonly message: string;
  /** Numbers of the calls that contradict each other. */
  readonly numbers: readonly number[];
}

/** State of a subject at some time between two times. */
export interface Observation {
  readonly call: CallEntry;
  readonly fromMs: number;
  readonly toMs: number;
  /** Status, or `gone`, or `unfinished` if an answer shows no more. */
  readonly status: string;
  readonly code?: string | undefined;
  /** Whether the state may be from before `fromMs`, as in events that are sent again. */
  readonly isPast: boolean;
}

/** Everything about one subject. */
export interface SubjectHistory {
  readonly id: string;
  kind: Seen['kind'];
  job: string | null;
  /** Jobs of all posts with its name. There are several if the first post had no effect. */
  possibleJobs: readonly string[];
  /** Words in the names that were seen. */
  readonly tokens: Set<string>;
  readonly observations: Observation[];
  readonly deletes: CallEntry[];
  /** Posts that were answered with this id. */
  readonly posts: CallEntry[];
  /** Whether a study posted it. */
  isOfStudy: boolean;
}

const FINAL = new Set(['done', 'failed', 'cancelled']);

/** Whether a status is final. */
export function isFinal(status: string): boolean {
  return FINAL.has(status);
}

/** Whether a call was answered before another began. */
export function precedes(a: { completedMs: number }, b: { invokedMs: number }): boolean {
  return a.completedMs < b.invokedMs;
}

/** Whether a request may have taken effect: it has no answer, or one that does not refuse it. */
export function mayHaveTakenEffect({ answer, call }: CallEntry): boolean {
  return answer === null || answer.status < 400 || call.isWaiting === true;
}

const KIND_BY_WORD = [
  ['Sequence', 'sequence'],
  ['Stud', 'study'],
] as const;

function kindOf(operation: string): Seen['kind'] {
  return KIND_BY_WORD.find(([word]) => operation.includes(word))?.[1] ?? 'frame';
}

/** Index of a history. */
export class HistoryIndex {
  readonly history: History;
  readonly subjects = new Map<string, SubjectHistory>();
  /** Ends of the coordinator, and those of chiplets. */
  readonly coordinatorEnds: readonly ProcessEntry[];
  readonly chipletEnds: readonly ProcessEntry[];

  constructor(history: History) {
    this.history = history;
    const ends = history.processes.filter(({ event }) => event === 'ended');
    this.coordinatorEnds = ends.filter(({ process }) => process === 'coordinator');
    this.chipletEnds = ends.filter(({ process }) => process !== 'coordinator');
    for (const entry of history.calls) this.#add(entry);
    this.#findJobs();
  }

  /** Calls of an operation. */
  callsOf(...operations: readonly string[]): CallEntry[] {
    return this.history.calls.filter(({ call }) => operations.includes(call.operation));
  }

  /** Whether the coordinator may have ended between two times. */
  hasCoordinatorEnd(fromMs: number, toMs: number): boolean {
    return countBetween(this.coordinatorEnds, fromMs, toMs) > 0;
  }

  #add(entry: CallEntry): void {
    const { call, answer, invokedMs, completedMs } = entry;
    const { operation, subject } = call;
    if (/^delete(Frame|Sequence|Study)$/.test(operation)) {
      this.#of(subject!, kindOf(operation)).deletes.push(entry);
    }
    if (answer === null) return;
    const span = { call: entry, fromMs: invokedMs, toMs: completedMs, isPast: false };
    for (const seen of answer.seen ?? []) this.#see(seen, span);
    for (const { seen, atMs } of answer.events ?? []) {
      if (seen !== undefined) this.#see(seen, { ...span, toMs: atMs, isPast: true });
    }
    if (answer.subject !== undefined) {
      const created = this.#of(answer.subject, kindOf(operation));
      created.posts.push(entry);
      created.job ??= call.job ?? null;
      if (call.token !== undefined) created.tokens.add(call.token);
    }
    if (showsGone(call, answer)) {
      this.#of(subject!, kindOf(operation)).observations.push({ ...span, status: 'gone' });
    }
    const kind = kindOf(operation);
    // A study without rows has no plot, also if it is over.
    if (answer.code === 'RESULT_NOT_READY' && subject !== undefined && kind !== 'study') {
      this.#of(subject, kind).observations.push({ ...span, status: 'unfinished' });
    }
  }

  /** Finds the jobs of frames whose posts had no answer by their names. */
  #findJobs(): void {
    const jobsByToken = new Map<string, Set<string>>();
    for (const { call } of this.callsOf('postFrame', 'renderFrameAgain')) {
      const jobs = jobsByToken.get(call.token!) ?? new Set();
      jobsByToken.set(call.token!, jobs.add(call.job!));
    }
    for (const subject of this.subjects.values()) {
      const [token] = subject.tokens;
      if (subject.kind === 'frame' && token !== undefined) {
        const possible = [...(jobsByToken.get(token) ?? [])];
        if (possible.length === 1) subject.job ??= possible[0]!;
        subject.possibleJobs = possible;
      }
      if (subject.job !== null) subject.possibleJobs = [subject.job];
    }
  }

  #see(seen: Seen, span: Omit<Observation, 'status'>): void {
    const { id, kind, status, code, token, tags } = seen;
    const subject = this.#of(id, kind);
    if (token !== undefined) subject.tokens.add(token);
    subject.isOfStudy ||= tags?.includes('study') ?? false;
    subject.observations.push({ ...span, status, code });
  }

  #of(id: string, kind: Seen['kind']): SubjectHistory {
    let subject = this.subjects.get(id);
    if (subject === undefined) {
      const lists = { observations: [], deletes: [], posts: [] };
      subject = {
        id,
        kind,
        job: null,
        possibleJobs: [],
        tokens: new Set(),
        isOfStudy: false,
        ...lists,
      };
      this.subjects.set(id, subject);
    }
    return subject;
  }
}

/**
 * Slack for the times of processes: the run may notice the end of a process later than a client
 * notices its consequence.
 */
const SLACK_MS = 2000;

/** Number of process events between two times, with some slack. */
export function countBetween(
  entries: readonly ProcessEntry[],
  fromMs: number,
  toMs: number,
): number {
  return entries.filter(({ atMs }) => atMs >= fromMs - SLACK_MS && atMs <= toMs + SLACK_MS).length;
}
