/**
 * Prepares posted models, captures and native frames in threads, so that a large model does not
 * block the event loop. A model that exceeds the time or memory of its thread ends the thread, and
 * the next model gets a new one.
 *
 * Clients take turns. There are two lanes: one model of any size, and beside it one that is
 * expected to be quick. A quick model that takes longer moves to the other lane in the same thread,
 * so that it does not block the quick lane.
 */
import { type PreparedFrame, RenderError, type Sha256 } from '@tessera/frame';
import { FairQueue } from '../admission/fair-queue.ts';
import { onAbortBefore } from '../process/on-abort.ts';
import type { FrameOptions } from './frame-options.ts';
import type { FrameSource, SourceLimits } from './frame-source.ts';
import type { PrepareRequest } from './prepare-source.ts';
import { PreparerThread } from './preparer-thread.ts';

/** Limits and paths of a {@link ModelPreparer}. */
export interface ModelPreparerOptions {
  readonly withinMs: number;
  readonly heapMb: number;
  readonly limits: SourceLimits;
  /** Returns the path of a posted file. */
  readonly pathOf: (sha256: Sha256) => string;
  /** Folder of all files in the store. */
  readonly filesFolder: string;
  /** Returns the weight of a client for its turns; 1 by default. */
  readonly weightOf?: ((client: string) => number) | undefined;
  /** Receives the seconds that a model of a client was in a thread, whatever the outcome. */
  readonly onWorked?: ((client: string, seconds: number) => void) | undefined;
  /** Time after which a model does not count as quick, in milliseconds. */
  readonly quickMs?: number;
}

/** Source that is ready to be rendered. */
export interface PreparedModel {
  readonly frame: PreparedFrame;
  readonly warnings: readonly string[];
  /** Hashes of the resources that a native frame names. */
  readonly resources: readonly Sha256[];
  /** Wall time in the thread. */
  readonly prepareMs: number;
}

/**
 * Maximum size of a quick model, all files together. A shader of this size compiles in under a
 * second.
 */
export const MAX_QUICK_BYTES = 32_768;
const QUICK_MS = 1000;
/**
 * Upper bound on threads: one per lane, and one for a quick model that took longer beside a model
 * of any size.
 */
const MAX_THREADS = 3;
/** Upper bound on idle threads that are kept for the next models. */
const MAX_IDLE_THREADS = 2;

interface Job {
  readonly client: string;
  readonly source: FrameSource;
  readonly options: FrameOptions;
  readonly signal: AbortSignal;
  readonly resolve: (model: PreparedModel) => void;
  readonly reject: (error: unknown) => void;
}

/** Model in a thread. It is overstaying if it was expected to be quick and took longer. */
interface Running {
  readonly client: string;
  kind: 'any' | 'quick' | 'overstaying';
}

/** Threads that prepare models, with a fair queue. */
export class ModelPreparer {
  readonly #options: ModelPreparerOptions;
  readonly #line: FairQueue<Job>;
  readonly #running = new Set<Running>();
  readonly #threads = new Set<PreparerThread>();
  readonly #idle: PreparerThread[] = [];

  constructor(options: ModelPreparerOptions) {
    this.#options = options;
    this.#line = new FairQueue(options.weightOf);
  }

  /** Number of threads, including idle ones. */
  get threadCount(): number {
    return this.#threads.size;
  }

  /**
   * Prepares a model.
   *
   * @param client Client whose turn the preparation takes.
   * @throws {RenderError} MODEL_INVALID and others of the importer; FRAME_INVALID and others of the
   *   replay of a capture; LIMIT_EXCEEDED if time or memory is exhausted; FRAME_CANCELLED if
   *   `signal` is aborted.
   */
  prepare(
    source: FrameSource,
    options: FrameOptions,
    signal: AbortSignal,
    client: string,
  ): Promise<PreparedModel> {
    const { promise, resolve, reject } = Promise.withResolvers<PreparedModel>();
    const job: Job = { client, source, options, signal, resolve, reject };
    this.#line.push(client, job);
    this.#startNext();
    onAbortBefore(promise, signal, () => this.#drop(job));
    return promise;
  }

  /** Ends the threads without a model, which returns their memory. */
  endIdle(): void {
    for (const thread of this.#idle.splice(0)) {
      this.#threads.delete(thread);
      thread.end();
    }
  }

  /** Terminates the threads. */
  async close(): Promise<void> {
    for (const job of this.#line.list()) this.#drop(job);
    await Promise.all([...this.#threads].map((thread) => thread.close()));
    this.#threads.clear();
    this.#idle.length = 0;
  }

  /** Cancels a job that has no thread yet. */
  #drop(job: Job): void {
    if (!this.#line.remove(job)) return;
    job.reject(new RenderError('FRAME_CANCELLED', 'the frame was cancelled'));
  }

  #startNext(): void {
    while (this.#running.size < MAX_THREADS) {
      const running = [...this.#running];
      const quick = running.some(({ kind }) => kind === 'quick')
        ? undefined
        : this.#line.shift((job) => this.#isQuick(job));
      if (quick !== undefined) {
        this.#start(quick, 'quick');
        continue;
      }
      const isLaneFree = running.every(({ kind }) => kind === 'quick');
      const job = isLaneFree ? this.#line.shift() : undefined;
      if (job === undefined) return;
      this.#start(job, 'any');
    }
  }

  /**
   * Whether a job is expected to be quick: it is small, and no other model of its client overstays.
   */
  #isQuick({ client, source }: Job): boolean {
    if (bytesOf(source) > MAX_QUICK_BYTES) return false;
    return ![...this.#running].some(
      (other) => other.client === client && other.kind === 'overstaying',
    );
  }

  /** Runs a job in a thread. Every failure becomes the failure of the job. */
  #start(job: Job, kind: Running['kind']): void {
    this.#run(job, { client: job.client, kind }).then(job.resolve, job.reject);
  }

  async #run(job: Job, running: Running): Promise<PreparedModel> {
    this.#running.add(running);
    const thread = this.#takeThread();
    let timer: NodeJS.Timeout | undefined;
    let startMs: number | null = null;
    thread.onReady(() => {
      startMs = performance.now();
      if (running.kind !== 'quick' || !this.#running.has(running)) return;
      timer = setTimeout(() => this.#noteOverstay(running), this.#options.quickMs ?? QUICK_MS);
    });
    try {
      return await thread.prepare(
        this.requestOf(job.source, job.options),
        job.signal,
        this.#options.withinMs,
      );
    } finally {
      clearTimeout(timer);
      if (startMs !== null) {
        this.#options.onWorked?.(job.client, (performance.now() - startMs) / 1000);
      }
      this.#running.delete(running);
      this.#returnThread(thread);
      this.#startNext();
    }
  }

  /** Returns the request that prepares a source, for other threads. */
  requestOf(source: FrameSource, options: FrameOptions): PrepareRequest {
    const { limits, pathOf, filesFolder } = this.#options;
    const { kind, frameIndex } = source;
    const files = source.files.map(({ name, sha256 }) => ({ name, path: pathOf(sha256) }));
    return { kind, files, frameIndex, filesFolder, limits, options };
  }

  #noteOverstay(running: Running): void {
    running.kind = 'overstaying';
    this.#startNext();
  }

  #takeThread(): PreparerThread {
    const idle = this.#idle.pop();
    if (idle !== undefined && !idle.isOver) return idle;
    if (idle !== undefined) this.#threads.delete(idle);
    const thread = new PreparerThread(this.#options.heapMb);
    this.#threads.add(thread);
    return thread;
  }

  #returnThread(thread: PreparerThread): void {
    if (!this.#threads.has(thread)) return; // The preparer was closed meanwhile.
    if (!thread.isOver && this.#idle.length < MAX_IDLE_THREADS) {
      this.#idle.push(thread);
      return;
    }
    this.#threads.delete(thread);
    thread.end();
  }
}

function bytesOf({ files }: FrameSource): number {
  return files.reduce((sum, { bytes }) => sum + bytes, 0);
}
