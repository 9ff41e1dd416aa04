/** Workers that a page, or another worker, has created. */
import { PendingWork } from '../scope/pending-work.ts';
import type { WorkerContextsChoice, WorkerFrame, WorkerState } from './worker-protocol.ts';

/** Worker as the page runs it. */
export interface RunningWorker {
  readonly state: WorkerState;
  animate(timeMs: number): void;
  endFrames(): void;
  takeFrame(): Promise<WorkerFrame>;
  /** Resolves when the worker has handled everything that is in its queues. */
  ping(): Promise<void>;
  terminate(): void;
}

/** Options of the workers of a page. */
export interface PageWorkersOptions {
  /** Contexts of workers; those of this process by default. */
  readonly contexts?: WorkerContextsChoice;
  /**
   * Whether the owner of this object runs the animation frames of workers and takes the frames of
   * their canvases. By default, a worker runs its frames about 60 times per second.
   */
  readonly isDriven?: boolean;
}

/** Workers in the order of their creation. */
export class PageWorkers {
  readonly contexts: WorkerContextsChoice;
  readonly isDriven: boolean;
  /** Workers that are not idle. */
  readonly pending = new PendingWork();
  /** Number of messages of programs to and from workers. */
  messageCount = 0;
  /** Number of pieces of loading work of workers that have ended. */
  #endedLoads = 0;
  readonly #running = new Set<RunningWorker>();

  constructor(options: PageWorkersOptions = {}) {
    this.contexts = options.contexts ?? {
      module: new URL('./in-process-contexts.ts', import.meta.url).href,
    };
    this.isDriven = options.isDriven ?? false;
  }

  add(worker: RunningWorker): void {
    this.#running.add(worker);
  }

  delete(worker: RunningWorker): void {
    if (this.#running.delete(worker)) this.#endedLoads += worker.state.loads;
  }

  /** Number of fetches and other pieces of loading work that workers have started so far. */
  get loadCount(): number {
    return [...this.#running].reduce((sum, { state }) => sum + state.loads, this.#endedLoads);
  }

  /** Whether a worker has requested an animation frame. */
  get isAnimated(): boolean {
    return [...this.#running].some(({ state }) => state.isAnimated);
  }

  /** Whether a worker has drawn into a canvas of the page. */
  get hasImage(): boolean {
    return [...this.#running].some(({ state }) => state.hasImage);
  }

  /** Runs the callbacks of `requestAnimationFrame` of all workers. */
  animate(timeMs: number): void {
    for (const worker of this.#running) if (worker.state.isAnimated) worker.animate(timeMs);
  }

  /** Ends the frames of canvases that workers draw. */
  endFrames(): void {
    for (const worker of this.#running) if (worker.state.hasImage) worker.endFrames();
  }

  /**
   * Ends the frame of the first canvas that a worker has drawn, and renders it.
   *
   * @throws {Error} If no worker has drawn.
   */
  async takeFrame(): Promise<WorkerFrame> {
    const drawing = [...this.#running].find(({ state }) => state.hasImage);
    if (drawing === undefined) throw new Error('no worker has drawn into a canvas of the page');
    return drawing.takeFrame();
  }

  /** Resolves when all workers have handled everything that is in their queues. */
  async ping(): Promise<void> {
    await Promise.all([...this.#running].map((worker) => worker.ping()));
  }

  terminate(): void {
    for (const worker of [...this.#running]) worker.terminate();
  }
}
