/**
 * Event loop of a program's page: its animation frames, those of its workers, and the work that it
 * waits for before a frame.
 */
import { performance } from 'node:perf_hooks';
import { setTimeout as delay, setImmediate as turn } from 'node:timers/promises';
import { type PageWorkers, PendingWork, RequestedFrames, VideoClock } from '../dom/index.ts';
import type { PageContexts } from './page-contexts.ts';

/** Wall time between two checks whether a page has drawn. */
const POLL_MS = 2;
/** Time between animation frames of one frame of the program, such as those while it loads. */
const REPEAT_MS = 2 ** -10;
/**
 * Maximum number of frames before frame 0 in which only messages and timers were pending. Some
 * programs send a message with each frame.
 */
const MAX_BUSY_FRAMES = 20;

/** Page of a program, frame by frame. */
export class PageLoop {
  readonly frames = new RequestedFrames();
  /** Fetches, images and other work of the page, without its workers and timers. */
  readonly loading = new PendingWork();
  readonly timers = new PendingWork();
  /** Videos of the page, once the page exists. */
  videos = new VideoClock();
  /** Time of the current frame. */
  timeMs = 0;
  /** Called after the callbacks of each animation frame, to notify the observers of the page. */
  onAnimated = (): void => {};
  /** Time of the last animation frame. */
  #animatedMs = -1;
  readonly #contexts: PageContexts;
  readonly #workers: PageWorkers;

  constructor(contexts: PageContexts, workers: PageWorkers) {
    this.#contexts = contexts;
    this.#workers = workers;
  }

  /** Whether a canvas in the page has changes that a frame would show. */
  get hasImage(): boolean {
    return this.#contexts.hasImage || this.#workers.hasImage;
  }

  /** Names of the work that has not ended, without timers. */
  listPending(): string[] {
    return [...this.loading.list(), ...this.#workers.pending.list()];
  }

  /**
   * Sets the time of the page, which never decreases, and lets its videos show their frames of that
   * time.
   */
  async startFrame(timeMs: number): Promise<void> {
    this.timeMs = Math.max(this.timeMs, timeMs);
    await this.videos.advance(this.timeMs);
  }

  /**
   * Calls the callbacks of `requestAnimationFrame` until the page has drawn, or once if it drew
   * before. A page draws nothing until its files are loaded.
   *
   * @param timeoutMs Wall time without pending work after which the page must have drawn.
   * @param endMs Point of time after which it must have drawn.
   * @returns False if the page has not drawn in time.
   */
  async drawFrame(
    frameIndex: number,
    timeMs: number,
    timeoutMs: number,
    endMs: number,
  ): Promise<boolean> {
    let idleEndMs = performance.now() + timeoutMs;
    do {
      const isRequested = this.isRequested;
      const workBefore = this.#countWork();
      const wasPending = this.listPending().length > 0;
      await this.#animate(timeMs, endMs);
      if (this.hasImage || (isRequested && frameIndex > 0)) return true;
      const isPending = this.listPending().length > 0;
      if (wasPending || isPending || this.#countWork() !== workBefore)
        idleEndMs = performance.now() + timeoutMs;
      await delay(POLL_MS);
    } while (performance.now() < Math.min(idleEndMs, endMs));
    // A timer of the page can have drawn at the last moment.
    return this.hasImage;
  }

  /**
   * Waits until the workers are idle, so that no frame depends on their speed.
   *
   * @throws {PendingError} If they are not idle at a point of time.
   */
  async waitForWorkers(endMs: number): Promise<void> {
    await this.#waitFor([this.#workers.pending], endMs);
  }

  /**
   * Waits until nothing is pending, and calls the callbacks of animation frames meanwhile, because
   * programs continue to load in them. The draws of the last of these frames remain.
   *
   * @throws {PendingError} If something is pending at a point of time.
   */
  async waitUntilIdle(timeMs: number, endMs: number): Promise<void> {
    const works = [this.loading, this.timers, this.#workers.pending];
    await this.#waitFor(works, endMs);
    for (let busyFrames = 0; busyFrames < MAX_BUSY_FRAMES && this.isRequested; ) {
      const [loads, all] = [this.#countLoads(), this.#countWork()];
      this.#contexts.endFrames();
      this.#workers.endFrames();
      await this.#animate(timeMs, endMs);
      await this.#waitFor(works, endMs);
      if (this.#countWork() === all) return;
      busyFrames = this.#countLoads() === loads ? busyFrames + 1 : 0;
    }
  }

  /** Whether the page or a worker has requested an animation frame. */
  get isRequested(): boolean {
    return !this.frames.isEmpty || this.#workers.isAnimated;
  }

  async #animate(timeMs: number, endMs: number): Promise<void> {
    // Some libraries draw only if time has passed since the last animation frame.
    const nextMs = Math.max(timeMs, this.#animatedMs + REPEAT_MS);
    this.#animatedMs = nextMs;
    await this.startFrame(nextMs);
    this.frames.run(nextMs);
    this.#workers.animate(nextMs);
    this.onAnimated();
    await this.waitForWorkers(endMs);
  }

  /** Number of pieces of loading work so far. */
  #countLoads(): number {
    return this.loading.started + this.#workers.loadCount;
  }

  #countWork(): number {
    return this.#countLoads() + this.timers.started + this.#workers.messageCount;
  }

  async #waitFor(works: readonly PendingWork[], endMs: number): Promise<void> {
    const isEmpty = () => works.every((work) => work.isEmpty);
    const countStarted = () => works.reduce((sum, work) => sum + work.started, 0);
    for (;;) {
      // Code that continues after a promise starts its next piece of work in the same turn.
      await turn();
      await turn();
      if (isEmpty()) {
        const before = countStarted();
        await this.#workers.ping();
        await turn();
        if (isEmpty() && countStarted() === before) return;
      } else if (performance.now() < endMs) {
        const limit = new AbortController();
        const { signal } = limit;
        const late = delay(endMs - performance.now(), null, { signal }).catch(() => {});
        await Promise.race([...works.map((work) => work.changed()), late]);
        limit.abort();
      } else {
        throw new PendingError(works.flatMap((work) => work.list()));
      }
    }
  }
}

/** Work that did not end in time. */
export class PendingError extends Error {
  /** @param names Names of the work. */
  constructor(names: readonly string[]) {
    super(`still pending: ${names.join(', ')}`);
  }
}
