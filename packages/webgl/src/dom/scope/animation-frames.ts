/**
 * `requestAnimationFrame` without a screen. All callbacks of a frame run together, about 60 times
 * per second.
 */
import { clearTimeout, setTimeout } from 'node:timers';

const FRAME_MS = 1000 / 60;

/** Animation frame callbacks of one page. */
export class AnimationFrames {
  #callbacks = new Map<number, (timeMs: number) => void>();
  #lastId = 0;
  #timer: NodeJS.Timeout | null = null;
  readonly #reportError: (error: unknown) => void;
  readonly #endFrame: () => void;

  /**
   * @param reportError Receives an error thrown by a callback. Later callbacks of the frame still
   *   run.
   * @param endFrame Called after the callbacks of a frame.
   */
  constructor(reportError: (error: unknown) => void, endFrame: () => void) {
    this.#reportError = reportError;
    this.#endFrame = endFrame;
  }

  request(callback: (timeMs: number) => void): number {
    this.#timer ??= setTimeout(() => this.#run(), FRAME_MS);
    this.#callbacks.set(++this.#lastId, callback);
    return this.#lastId;
  }

  cancel(id: number): void {
    this.#callbacks.delete(id);
  }

  /** Cancels all callbacks, so that the timer does not keep the process alive. */
  stop(): void {
    this.#callbacks.clear();
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #run(): void {
    const callbacks = this.#callbacks;
    this.#callbacks = new Map();
    this.#timer = null;
    const timeMs = performance.now();
    for (const callback of callbacks.values()) {
      try {
        callback(timeMs);
      } catch (error) {
        this.#reportError(error);
      }
    }
    this.#endFrame();
  }
}
