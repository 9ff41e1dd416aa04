/**
 * A run that coverage guides: the seeds and the corpus first, then damaged copies of them. An input
 * that reaches a branch for the first time joins the corpus.
 */
import { setImmediate as letOthersRun } from 'node:timers/promises';
import { seededRandom } from '@tessera/scenes/seeded-random';
import { Corpus, readInputs, writeInput } from './corpus.ts';
import { CurrentInput } from './current-input.ts';
import { type Followed, followInput } from './follow-input.ts';
import { mutateOften } from './mutate-often.ts';
import { shrinkInput } from './shrink-input.ts';
import type { WorkerParts } from './worker-task.ts';

const NEWS_EVERY = 2000;
/** Time between two turns of the event loop, in which the process ends if its parent has ended. */
const TURN_EVERY_MS = 1000;
/** Upper bound on the attempts to shorten an input of the corpus, and a finding. */
const TRIES = { corpus: 60, finding: 600 };

/** Returns the random numbers of one input. */
function randomOf(seed: number, number: number) {
  return seededRandom((Math.imul(seed, 0x9e3779b1) + Math.imul(number, 0x85ebca6b)) >>> 0);
}

/** Runs the task. */
export async function guideRun(parts: WorkerParts): Promise<void> {
  const { task, kind } = parts;
  const run = new GuidedRun(parts);
  const stored = task.corpora.flatMap(readInputs);
  // After a crash the corpus is needed, but it was counted before.
  for (const input of [...kind.seeds, ...stored]) await run.add(input, task.first === 0);
  while (run.number < task.first + task.count) await run.mutateOnce();
  run.close();
}

class GuidedRun {
  number: number;
  readonly #parts: WorkerParts;
  readonly #corpus = new Corpus();
  readonly #current: CurrentInput;
  readonly #signatures = new Set<string>();
  #outcomes: Record<string, number> = {};
  #slowestMs = 0;
  #turnMs = performance.now();

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.number = parts.task.first;
    this.#current = new CurrentInput(parts.task.place);
  }

  /** Processes an input that joins the corpus unless it is a finding. */
  async add(input: Uint8Array, isCounted: boolean): Promise<void> {
    const { reason, outcome } = await this.#follow(input, isCounted);
    this.#parts.coverage.takeFresh();
    if (reason === null) this.#corpus.add(input, outcome);
  }

  /** Processes a damaged copy of an input of the corpus. */
  async mutateOnce(): Promise<void> {
    const { task, kind, coverage } = this.#parts;
    const random = randomOf(task.seed, this.number);
    const input = this.#corpus.pick(random);
    const mutated = mutateOften(kind, input, this.#corpus.pickAny(random), random);
    const { reason, outcome } = await this.#follow(mutated, true);
    const fresh = coverage.takeFresh();
    if (fresh.length === 0 || reason !== null) return;
    const shorter = await shrinkInput(
      mutated,
      (bytes) => this.#reaches(bytes, fresh),
      kind.shortenTries ?? TRIES.corpus,
    );
    this.#corpus.add(shorter, outcome);
    writeInput(task.corpora.at(-1)!, shorter);
  }

  close(): void {
    this.#tellProgress();
    this.#current.close();
  }

  async #follow(input: Uint8Array, isCounted: boolean): Promise<Followed> {
    this.#current.write(this.number, input);
    const followed = await followInput(this.#parts.kind, input);
    if (isCounted) {
      const { outcome } = followed;
      this.#outcomes[outcome] = (this.#outcomes[outcome] ?? 0) + 1;
      this.number++;
    }
    this.#slowestMs = Math.max(this.#slowestMs, followed.cpuMs);
    if (followed.reason !== null) await this.#report(input, followed);
    if (performance.now() - this.#turnMs > TURN_EVERY_MS) {
      await letOthersRun();
      this.#turnMs = performance.now();
    }
    if (isCounted && this.number % NEWS_EVERY === 0) {
      await letOthersRun();
      this.#tellProgress();
    }
    return followed;
  }

  /** Whether a shorter input reaches the same new branches without a finding. */
  async #reaches(input: Uint8Array, fresh: readonly number[]): Promise<boolean> {
    const { kind, coverage } = this.#parts;
    this.#current.write(this.number, input);
    coverage.forget(fresh);
    const { reason } = await followInput(kind, input);
    const reached = new Set(coverage.takeFresh());
    // The shorter input may not be kept, so branches that only it reaches stay new. Those of the
    // longer input stay reached.
    coverage.forget([...reached]);
    coverage.mark(fresh);
    return reason === null && fresh.every((number) => reached.has(number));
  }

  /** Reports a finding, shortened, once for each fault. */
  async #report(input: Uint8Array, { reason, signature }: Followed): Promise<void> {
    if (this.#signatures.has(signature)) return;
    this.#signatures.add(signature);
    const isSame = async (bytes: Uint8Array) =>
      (await followInput(this.#parts.kind, bytes)).signature === signature;
    const tries = signature === 'slow' ? 0 : TRIES.finding;
    const shorter = await shrinkInput(input, isSame, tries);
    const text = Buffer.from(shorter).toString('base64');
    this.#parts.tell({ kind: 'finding', input: text, reason: reason! });
  }

  #tellProgress(): void {
    globalThis.gc?.();
    const { heapUsed, external, arrayBuffers, rss } = process.memoryUsage();
    this.#parts.tell({
      kind: 'progress',
      done: this.number - this.#parts.task.first,
      outcomes: this.#outcomes,
      usedBytes: heapUsed + Math.max(external, arrayBuffers),
      rssBytes: rss,
      slowestMs: this.#slowestMs,
    });
    this.#outcomes = {};
  }
}
