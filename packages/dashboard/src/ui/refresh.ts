/** Repeats a load while its subject changes, as often as the load is cheap. */

/** Shortest time between two loads. */
const REST_MS = 1000;
/** Share of the time that loads may take. */
const LOAD_SHARE = 0.1;

/** Repeated load. A request during a load or its rest is granted after the rest. */
export class Refresh {
  readonly #signal: AbortSignal;
  readonly #load: () => Promise<void>;
  #isBusy = false;
  #isWanted = false;

  /** @param signal Aborted when no further load is needed. */
  constructor(signal: AbortSignal, load: () => Promise<void>) {
    this.#signal = signal;
    this.#load = load;
  }

  /** Loads now, or once after the rest. */
  request(): void {
    this.#isWanted = true;
    if (!this.#isBusy) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isBusy = true;
    while (this.#isWanted && !this.#signal.aborted) {
      this.#isWanted = false;
      const startMs = performance.now();
      await this.#load();
      const restMs = Math.max(REST_MS, (performance.now() - startMs) / LOAD_SHARE);
      await new Promise((resolve) => setTimeout(resolve, restMs));
    }
    this.#isBusy = false;
  }
}
