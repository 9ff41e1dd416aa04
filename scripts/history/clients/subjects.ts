/** Frames, sequences and studies that the clients of a run know. All clients share them. */
import type { SeededRandom } from '@tessera/scenes/seeded-random';
import type { Job } from './jobs.ts';

/** Posted frame, sequence or study. */
export interface Subject {
  readonly kind: 'frame' | 'sequence' | 'study';
  readonly id: string;
  /** Name of its job. */
  readonly job: string;
  /** Posted job; null for sequences, studies and frames that were rendered again. */
  readonly posted: Job | null;
  readonly token: string;
  /** Tag of the client that posted it. */
  readonly tag: string;
  /** Whether it is kept to the end of the run, to be read again. */
  readonly isKept: boolean;
  /** Whether an answer showed it finished. */
  isOver: boolean;
  /** Whether an answer showed it done. */
  isDone: boolean;
}

/** Number of subjects of each kind beyond which clients delete the oldest. */
const MAX_KNOWN = { frame: 60, sequence: 10, study: 8 } as const;
/** Share of subjects that are kept. */
const KEPT_SHARE = 0.02;

/** Pool of subjects. */
export class Subjects {
  readonly #byId = new Map<string, Subject>();

  get(id: string): Subject | undefined {
    return this.#byId.get(id);
  }

  /** Adds a subject unless it is known. */
  add(
    random: SeededRandom,
    added: Pick<Subject, 'kind' | 'id' | 'job' | 'posted' | 'token' | 'tag'>,
  ): Subject {
    const known = this.#byId.get(added.id);
    if (known !== undefined) return known;
    const isKept = random.next() < KEPT_SHARE;
    const subject = { ...added, isKept, isOver: false, isDone: false };
    this.#byId.set(added.id, subject);
    return subject;
  }

  /** Returns all that may exist. */
  all(): Subject[] {
    return [...this.#byId.values()];
  }

  /** Returns a random one, or null. */
  pick(
    random: SeededRandom,
    kind: Subject['kind'],
    isSuitable: (subject: Subject) => boolean = () => true,
  ): Subject | null {
    const suitable = this.all().filter((each) => each.kind === kind && isSuitable(each));
    return suitable.length === 0 ? null : random.pick(suitable);
  }

  /** Returns the oldest that are too many. */
  tooMany(kind: Subject['kind']): Subject[] {
    const own = this.all().filter((each) => each.kind === kind && !each.isKept);
    return own.slice(0, Math.max(0, own.length - MAX_KNOWN[kind]));
  }

  /** Drops a subject that is gone. */
  drop(id: string): void {
    this.#byId.delete(id);
  }
}
