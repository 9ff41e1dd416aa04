/** Animation frames and timers of a running program. */

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

/** Timers that a program sets. They keep the process alive only until the program ends. */
export class ProgramTimers {
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #original = { setTimeout, setInterval };

  constructor() {
    const { setTimeout: after, setInterval: every } = this.#original;
    const track = (timer: NodeJS.Timeout) => {
      this.#timers.add(timer);
      return timer;
    };
    Object.assign(globalThis, {
      setTimeout: (...args: Parameters<typeof setTimeout>) => track(after(...args)),
      setInterval: (...args: Parameters<typeof setInterval>) => track(every(...args)),
    });
  }

  end(): void {
    Object.assign(globalThis, this.#original);
    for (const timer of this.#timers) timer.unref();
  }
}
