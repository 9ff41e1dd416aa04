/**
 * History of a run: what each client asked and what it learned, with times, and what happened to
 * the processes. Times are milliseconds since the start of the run.
 *
 * An operation takes effect at some time between its invocation and its completion. An operation
 * without an answer has an unknown outcome: it may take effect at any later time, or never.
 */

/** Request of a client. */
export interface Call {
  /** Operation of the OpenAPI document. */
  readonly operation: string;
  /** Id, name or hash in the path. */
  readonly subject?: string;
  /** Part of a result that is read, such as `image?bins=owner`. */
  readonly place?: string;
  /** Name of what is posted. Results are a function of the job. */
  readonly job?: string;
  /** Word in the name of a posted frame or sequence, by which it is recognized in lists. */
  readonly token?: string;
  readonly idempotencyKey?: string;
  /** Whether the request has `Prefer: wait`, so that an error may be that of an admitted frame. */
  readonly isWaiting?: boolean;
  /** Value that is written: of a specification, or of the label of a frame. */
  readonly value?: string | null;
  /** Hashes of the resources that a posted frame names. */
  readonly needs?: readonly string[];
  /** Ids of the frames that a posted sequence or study consists of. */
  readonly members?: readonly string[];
  /** Number of frames that a posted study or sequence may render. */
  readonly frameCount?: number;
  /** Tag by which a list is filtered. */
  readonly tag?: string;
  readonly lastEventId?: number;
  /** Whether a list was read to its end, from the newest element. */
  readonly isWholeList?: boolean;
}

/** State of a frame, sequence or study that an answer shows. */
export interface Seen {
  readonly kind: 'frame' | 'sequence' | 'study';
  readonly id: string;
  readonly status: string;
  /** Error code of a failed one. */
  readonly code?: string | undefined;
  /** {@link Call.token} in its name. */
  readonly token?: string | undefined;
  /** Label that `labelFrame` wrote last; null if none did. */
  readonly label?: string | null | undefined;
  readonly tags?: readonly string[] | undefined;
  /** Finished points of a study. */
  readonly done?: number | undefined;
}

/** Event of a stream. */
export interface SeenEvent {
  readonly number: number;
  readonly name: string;
  readonly atMs: number;
  readonly seen?: Seen | undefined;
}

/** Answer of the service. */
export interface Answer {
  readonly status: number;
  /** Code of a problem. */
  readonly code?: string | undefined;
  /** Id of what a post created, or of what it found under its key. */
  readonly subject?: string | undefined;
  /** SHA-256 of a result, without wall times, ids and names. */
  readonly digest?: string | undefined;
  readonly seen?: readonly Seen[] | undefined;
  readonly events?: readonly SeenEvent[] | undefined;
  /** Whether the service ended a stream, rather than the client or the network. */
  readonly isEnded?: boolean | undefined;
  /** Values that were read, by name; null if absent. */
  readonly values?: Readonly<Record<string, string | null>> | undefined;
}

/** Phase of a run: undisturbed references, disturbed clients, reads after the last disturbance. */
export type Phase = 'reference' | 'run' | 'final';

/** Request and answer. */
export interface CallEntry {
  readonly type: 'call';
  readonly number: number;
  readonly client: number;
  readonly phase: Phase;
  readonly invokedMs: number;
  /** Infinity in memory, null in a file, if the outcome is unknown. */
  readonly completedMs: number;
  readonly call: Call;
  readonly answer: Answer | null;
}

/** Event of a process. */
export interface ProcessEntry {
  readonly type: 'process';
  readonly atMs: number;
  readonly process: string;
  /** `disturbed` by the run, `ended`, or a line of its log that reports a `bug`. */
  readonly event: 'disturbed' | 'ended' | 'bug';
  readonly detail: string;
}

/** Facts about the service under test. */
export interface HistoryHeader {
  readonly type: 'header';
  /** Statuses that the OpenAPI document lists, by operation. */
  readonly documented: Readonly<Record<string, readonly number[]>>;
  /** Error codes with which a job is refused or fails, by job; other jobs succeed. */
  readonly expectedErrors: Readonly<Record<string, string>>;
  readonly isCluster: boolean;
}

/** Line of a recorded history. */
export type HistoryEntry = HistoryHeader | CallEntry | ProcessEntry;

/** Whole history. */
export interface History {
  readonly header: HistoryHeader;
  /** Calls in the order of their invocation. */
  readonly calls: readonly CallEntry[];
  readonly processes: readonly ProcessEntry[];
}

/** Operations whose 404 means that the subject does not exist, and not that it lacks a part. */
const READS_OF_SUBJECTS: ReadonlySet<string> = new Set([
  'getFrame',
  'deleteFrame',
  'labelFrame',
  'getFrameReport',
  'watchFrame',
  'getSequence',
  'labelSequence',
  'deleteSequence',
  'getStudy',
  'listStudyRows',
  'getStudyCsv',
  'watchStudy',
  'deleteStudy',
]);

/** Whether an answer shows that the subject of its call does not exist. */
export function showsGone({ operation, subject }: Call, answer: Answer): boolean {
  return subject !== undefined && answer.status === 404 && READS_OF_SUBJECTS.has(operation);
}
