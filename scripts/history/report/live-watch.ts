/** Watches the latency of /livez from a thread of its own, which no client delays. */
import { Worker } from 'node:worker_threads';

/** Watch over one service. */
export class LiveWatch {
  readonly #thread: Worker;
  readonly #disturbedUntilMs: () => number;
  #worstMs = 0;
  #worstUndisturbedMs = 0;

  /** @param disturbedUntilMs Returns the time until which the coordinator counts as disturbed. */
  constructor(url: string, disturbedUntilMs: () => number) {
    this.#disturbedUntilMs = disturbedUntilMs;
    this.#thread = new Worker(new URL('./live-thread.ts', import.meta.url), {
      workerData: { url },
    });
    this.#thread.on('message', (latencyMs: number) => {
      this.#worstMs = Math.max(this.#worstMs, latencyMs);
      if (performance.now() - latencyMs < this.#disturbedUntilMs()) return;
      this.#worstUndisturbedMs = Math.max(this.#worstUndisturbedMs, latencyMs);
    });
  }

  /** Stops and returns the longest latencies: of all, and while no coordinator was disturbed. */
  async finish(): Promise<{ worstMs: number; worstUndisturbedMs: number }> {
    await this.#thread.terminate();
    return { worstMs: this.#worstMs, worstUndisturbedMs: this.#worstUndisturbedMs };
  }
}
