/**
 * Turns posted models, captures and native frames into prepared frames in threads of their own, so that a large model does not
 * hold up the event loop. A model that takes too long, or more memory than its thread may have, ends the thread, and the next
 * model gets a new one.
 *
 * Clients take turns. There are two lanes: one model of any size, and beside it one that is expected to be quick. A quick one
 * that takes longer changes to the other lane, though its thread stays the same, so that it does not block the quick lane.
 */
import { type PreparedFrame, RenderError, type Sha256 } from '@tessera/frame';
import { FairQueue } from '../admission/fair-queue.ts';
import type { FrameOptions } from './frame-options.ts';
import type { FrameSource, SourceLimits } from './frame-source.ts';
import type { PrepareRequest } from './prepare-thread.ts';
import { PreparerThread } from './preparer-thread.ts';

export interface ModelPreparerOptions {
  readonly withinMs: number;
  readonly heapMb: number;
  readonly limits: SourceLimits;
  /** Where a posted file lies. */
  readonly pathOf: (sha256: Sha256) => string;
  /** Folder of all that lies in the store. */
  readonly filesFolder: string;
  /** Time after which a model is none of the quick ones, in milliseconds. */
  readonly quickMs?: number;
}

export interface PreparedModel {
  readonly frame: PreparedFrame;
  readonly warnings: readonly string[];
  /** What a native frame named by hash. */
  readonly resources: readonly Sha256[];
  /** Wall time in the thread. */
  readonly prepareMs: number;
}

/** Largest source of a quick model, all files together. A shader of this size is compiled in under a second. */
export const MAX_QUICK_BYTES = 32_768;
const QUICK_MS = 1000;
/** Threads at once: one per lane, and one for a quick model that took longer beside a model of any size. */
const MAX_THREADS = 3;
/** Idle threads that are kept for the next models. */
const MAX_IDLE_THREADS = 2;

interface Job {
  readonly client: string;
  readonly source: FrameSource;
  readonly options: FrameOptions;
  readonly signal: AbortSignal;
  readonly resolve: (model: PreparedModel) => void;
  readonly reject: (error: unknown) => void;
}

/** A model in a thread; an overstaying one was taken for a quick one. */
interface Running {
  readonly client: string;
  kind: 'any' | 'quick' | 'overstaying';
}

export class ModelPreparer {
  readonly #options: ModelPreparerOptions;
  readonly #line = new FairQueue<Job>();
  readonly #running = new Set<Running>();
  readonly #threads = new Set<PreparerThread>();
  readonly #idle: PreparerThread[] = [];

  constructor(options: ModelPreparerOptions) {
    this.#options = options;
  }

  /** Number of threads, idle ones included. */
  get threadCount(): number {
    return this.#threads.size;
  }

  /**
   * @param client Name of the client, for turns.
   * @throws {RenderError} MODEL_INVALID and others of the importer, FRAME_INVALID and others of replaying a
   *   capture; LIMIT_EXCEEDED when time or memory
   *   is used up; FRAME_CANCELLED when `signal` is aborted.
   */
  prepare(
    source: FrameSource,
    options: FrameOptions,
    signal: AbortSignal,
    client: string,
  ): Promise<PreparedModel> {
    return new Promise((resolve, reject) => {
      const job: Job = { client, source, options, signal, resolve, reject };
      this.#line.push(client, job);
      this.#startNext();
      if (signal.aborted) this.#drop(job);
      else signal.addEventListener('abort', () => this.#drop(job), { once: true });
    });
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    for (const job of this.#line.list()) this.#drop(job);
    await Promise.all([...this.#threads].map((thread) => thread.close()));
    this.#threads.clear();
    this.#idle.length = 0;
  }

  /** A job that has no thread yet. */
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

  /** Of a client whose model overstays, no other is expected to be quick. */
  #isQuick({ client, source }: Job): boolean {
    if (bytesOf(source) > MAX_QUICK_BYTES) return false;
    return ![...this.#running].some(
      (other) => other.client === client && other.kind === 'overstaying',
    );
  }

  /** Runs a job in a thread. Whatever fails is the job's failure. */
  #start(job: Job, kind: Running['kind']): void {
    this.#run(job, { client: job.client, kind }).then(job.resolve, job.reject);
  }

  async #run(job: Job, running: Running): Promise<PreparedModel> {
    this.#running.add(running);
    const thread = this.#takeThread();
    let timer: NodeJS.Timeout | undefined;
    thread.onReady(() => {
      if (running.kind !== 'quick' || !this.#running.has(running)) return;
      timer = setTimeout(() => this.#noteOverstay(running), this.#options.quickMs ?? QUICK_MS);
    });
    try {
      return await thread.prepare(this.#requestOf(job), job.signal, this.#options.withinMs);
    } finally {
      clearTimeout(timer);
      this.#running.delete(running);
      this.#returnThread(thread);
      this.#startNext();
    }
  }

  #requestOf({ source, options }: Job): PrepareRequest {
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
    if (!this.#threads.has(thread)) return; // closed meanwhile
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
