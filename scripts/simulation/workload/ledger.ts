/**
 * Knowledge of the simulated clients, and the laws that the answers of the service must obey. An
 * answer is judged by what was certain before its request was sent and possible until it arrived.
 */
import { sha256Of } from '../../history/clients/bodies.ts';

/** Kind of job of the service. */
export type JobKind = 'frames' | 'sequences' | 'studies';

/** Status that a job never leaves. */
const FINAL = ['done', 'failed', 'cancelled'];
/** Code with which an accepted, valid job may fail because chiplets were lost while they had it. */
const LOSS_CODES = ['FRAME_KILLS_CHIPLETS'];
/** Codes with which it may also fail if the disk lost or refused what it had promised to keep. */
const DISK_CODES = [
  'SOURCE_DAMAGED',
  'RESULT_DAMAGED',
  'RESOURCES_MISSING',
  'STORAGE_FULL',
  'INTERNAL',
];

/** Codes with which a sequence or study refuses its frames. */
const REFUSALS = ['REQUEST_INVALID', 'NOT_FOUND', 'FRAME_CANCELLED', 'MEASUREMENT_MISSING'];

/** Job that was accepted. */
export interface Job {
  readonly kind: JobKind;
  readonly id: string;
  /** Everything that determines its results. */
  readonly content: string;
  readonly key: string | null;
  /** Number of requests to delete it that were sent. */
  deletesSent: number;
  /** Whether such a request was answered with success. */
  isDeleted: boolean;
  /** Final status that was seen, and the power failures before the request that showed it. */
  final: { readonly status: string; readonly powerFailures: number } | null;
}

/** Knowledge about a job before a request. */
export interface JobBefore {
  readonly isDeleted: boolean;
  readonly final: Job['final'];
  readonly powerFailures: number;
}

/** Element of a list. */
export interface ListedJob {
  readonly id: string;
  /** Origin of a frame. */
  readonly model?: string;
}

/** Damage by the world, which weakens some laws. */
export interface Damage {
  powerFailures: number;
  rottenBytes: number;
  diskFaults: number;
  /** Whether records may be deleted because there are too many. */
  readonly isRetentionSmall: boolean;
}

/** Violated law. */
export interface Violation {
  readonly law: string;
  readonly detail: string;
}

/**
 * Results by the content of the job, shared by all seeds of this process: they must never differ.
 */
const resultByContent = new Map<string, string>();

/** Knowledge of all clients of one world. */
export class Ledger {
  readonly damage: Damage;
  readonly violations: Violation[] = [];
  readonly jobs = new Map<string, Job>();
  /** Number of posts by kind whose outcome is unknown. */
  readonly unknownPosts: Record<JobKind, number> = { frames: 0, sequences: 0, studies: 0 };
  readonly jobByKey = new Map<string, Job>();
  /** Number of answers by status code. */
  readonly answers = new Map<string, number>();

  /** Settings of the service on which results depend. */
  readonly setting: string;

  constructor(damage: Damage, setting: string) {
    this.damage = damage;
    this.setting = setting;
  }

  /** Whether the disk kept all that it had promised to keep. Power failures do not count. */
  get isDiskSound(): boolean {
    return this.damage.rottenBytes + this.damage.diskFaults === 0;
  }

  violate(law: string, detail: string): void {
    this.violations.push({ law, detail });
  }

  /** Checks a status code, and what every answer must be. */
  noteAnswer(what: string, status: number, body: Buffer): void {
    const name = `${what} ${status}`;
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
    if (status === 500 && this.isDiskSound) {
      this.violate(
        'no request fails because of a bug',
        `${what}: ${body.toString().slice(0, 300)}`,
      );
    }
  }

  /** Records an accepted job, or checks the one that its key already had. */
  accept(job: Job): Job {
    const { key, id, content } = job;
    const known = key === null ? undefined : this.jobByKey.get(key);
    if (
      known !== undefined &&
      known.id !== id &&
      known.deletesSent === 0 &&
      !this.damage.isRetentionSmall
    ) {
      this.violate('one key, one frame', `key ${key}: ${known.id} and ${id}`);
    }
    const existing = this.jobs.get(id);
    if (existing !== undefined) {
      if (existing.content !== content) this.violate('ids are unique', id);
      return existing;
    }
    this.jobs.set(id, job);
    if (key !== null) this.jobByKey.set(key, job);
    return job;
  }

  /** Returns what is known before a request. */
  before({ isDeleted, final }: Job): JobBefore {
    return { isDeleted, final, powerFailures: this.damage.powerFailures };
  }

  /** Checks the status of a job against what was known when it was requested. */
  noteStatus(job: Job, status: string, code: string | null, before: JobBefore): void {
    const place = `${job.kind} ${job.id}`;
    const finalBefore = before.final;
    if (before.isDeleted && !FINAL.includes(status)) {
      this.violate('a cancelled job stays cancelled', `${place} is ${status}`);
    }
    if (finalBefore !== null && finalBefore.status !== status) {
      // A power failure may undo what no answer promised to be durable.
      const isExcused = finalBefore.powerFailures < this.damage.powerFailures;
      if (!isExcused)
        this.violate(
          'the end of a job is final',
          `${place}: ${finalBefore.status}, then ${status}`,
        );
    }
    if (status === 'cancelled' && job.deletesSent === 0) {
      this.violate('only a request cancels', place);
    }
    if (status === 'failed' && !isRefusal(job.kind, code)) this.#judgeFailure(place, code);
    if (FINAL.includes(status)) {
      job.final ??= { status, powerFailures: before.powerFailures };
    }
  }

  /** Checks that a job that is not found was deleted. */
  noteMissing(job: Job): void {
    if (job.deletesSent > 0 || this.damage.isRetentionSmall || job.kind === 'sequences') return;
    this.violate('what was accepted is kept', `${job.kind} ${job.id} is gone`);
  }

  /** Checks a result against all other results of the same content. */
  noteResult(job: Job, part: string, result: Uint8Array | string): void {
    const name = `${job.content} ${part}`;
    const text = typeof result === 'string' ? result : sha256Of(result);
    const known = resultByContent.get(name);
    if (known === undefined) resultByContent.set(name, text);
    else if (known !== text) {
      this.violate(
        'equal jobs have equal results',
        `${part} of ${job.id} (${name}): ${difference(known, text)}`,
      );
    }
  }

  /** Checks the ids of a list. */
  noteList(kind: JobKind, listed: readonly ListedJob[]): void {
    const ids = listed.map(({ id }) => id);
    const strangers = listed
      .filter(({ id, model }) => !this.jobs.has(id) && !this.#isOfStudy(model))
      .map(({ id }) => id);
    if (strangers.length > this.unknownPosts[kind]) {
      this.violate(
        'nothing appears that was not posted',
        `${kind}: of ${this.unknownPosts[kind]} unknown posts ${strangers.join(', ')}`,
      );
    }
    if (new Set(ids).size !== ids.length) this.violate('a list names each job once', kind);
  }

  /** Whether a frame belongs to a study, which has frames of its own. */
  #isOfStudy(model: string | undefined): boolean {
    const id = /^frame of study (\S+)$/.exec(model ?? '')?.[1];
    return id !== undefined && (this.jobs.has(id) || this.unknownPosts.studies > 0);
  }

  #judgeFailure(place: string, code: string | null): void {
    const allowed = this.isDiskSound ? LOSS_CODES : [...LOSS_CODES, ...DISK_CODES];
    if (code === null || !allowed.includes(code)) {
      this.violate('a valid job fails only by what the world did', `${place}: ${code}`);
    }
  }
}

/**
 * Whether a sequence or study failed because of its frames: they do not fit together, or one of
 * them was deleted meanwhile.
 */
function isRefusal(kind: JobKind, code: string | null): boolean {
  return kind !== 'frames' && code !== null && REFUSALS.includes(code);
}

function difference(a: string, b: string): string {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const from = Math.max(0, at - 60);
  return `…${a.slice(from, at + 60)}… and …${b.slice(from, at + 60)}…`;
}
