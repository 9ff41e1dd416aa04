/** `requestAnimationFrame` without a screen: callbacks run about 60 times a second, all of a frame at one time. */

const FRAME_MS = 1000 / 60;

export class AnimationFrames {
  #callbacks = new Map<number, (timeMs: number) => void>();
  #lastId = 0;
  #timer: NodeJS.Timeout | null = null;
  readonly #reportError: (error: unknown) => void;
  readonly #endFrame: () => void;

  /**
   * @param reportError Told of what a callback throws; those after it run all the same.
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

  /** Drops what was asked for, so that nothing keeps the process alive. */
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
