/** Animation frames of a page or worker whose owner decides when a frame is drawn. */

/** Callbacks of `requestAnimationFrame`, called when the next frame is drawn. */
export class RequestedFrames {
  #callbacks = new Map<number, (timeMs: number) => void>();
  #lastId = 0;

  get isEmpty(): boolean {
    return this.#callbacks.size === 0;
  }

  readonly request = (callback: (timeMs: number) => void): number => {
    this.#callbacks.set(++this.#lastId, callback);
    return this.#lastId;
  };

  readonly cancel = (id: number): void => {
    this.#callbacks.delete(id);
  };

  /** Calls all requested callbacks. New requests belong to the next frame. */
  run(timeMs: number): void {
    const callbacks = this.#callbacks;
    this.#callbacks = new Map();
    for (const callback of callbacks.values()) callback(timeMs);
  }
}
