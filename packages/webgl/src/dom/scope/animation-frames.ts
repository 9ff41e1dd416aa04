/**
 * `requestAnimationFrame` without a screen. All callbacks of a frame run together, about 60 times
 * per second.
 */
import { setTimeout } from 'node:timers';

const FRAME_MS = 1000 / 60;

/** Work before the callbacks of a frame, such as that of playing videos. */
interface FrameClock {
  readonly isRunning: boolean;
  onStart: () => void;
  advance(timeMs: number): Promise<void>;
}

/** Animation frame callbacks of one page. */
export class AnimationFrames {
  #callbacks = new Map<number, (timeMs: number) => void>();
  #lastId = 0;
  #timer: NodeJS.Timeout | null = null;
  /** Whether a frame waits for the clock. */
  #isAdvancing = false;
  readonly #reportError: (error: unknown) => void;
  readonly #endFrame: () => void;
  readonly #clock: FrameClock | null;

  /**
   * @param reportError Receives an error thrown by a callback. Later callbacks of the frame still
   *   run.
   * @param endFrame Called after the callbacks of a frame.
   * @param clock Runs before the callbacks. While it runs, there are frames without callbacks.
   */
  constructor(
    reportError: (error: unknown) => void,
    endFrame: () => void,
    clock: FrameClock | null = null,
  ) {
    this.#reportError = reportError;
    this.#endFrame = endFrame;
    this.#clock = clock;
    if (clock !== null) clock.onStart = () => this.#start();
  }

  request(callback: (timeMs: number) => void): number {
    this.#start();
    this.#callbacks.set(++this.#lastId, callback);
    return this.#lastId;
  }

  cancel(id: number): void {
    this.#callbacks.delete(id);
  }

  #start(): void {
    if (!this.#isAdvancing) this.#timer ??= setTimeout(() => this.#begin(), FRAME_MS);
  }

  #begin(): void {
    this.#timer = null;
    const timeMs = performance.now();
    if (this.#clock?.isRunning !== true) {
      this.#run(timeMs);
      return;
    }
    this.#isAdvancing = true;
    void this.#clock
      .advance(timeMs)
      .catch(this.#reportError)
      .then(() => {
        this.#isAdvancing = false;
        this.#run(timeMs);
      });
  }

  #run(timeMs: number): void {
    const callbacks = this.#callbacks;
    this.#callbacks = new Map();
    for (const callback of callbacks.values()) {
      try {
        callback(timeMs);
      } catch (error) {
        this.#reportError(error);
      }
    }
    this.#endFrame();
    if (this.#callbacks.size > 0 || this.#clock?.isRunning === true) this.#start();
  }
}
