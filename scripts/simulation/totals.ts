/** Sums over the seeds of a simulation. */
import type { TimedResult } from './batches.ts';

/** Totals of a run. */
export class SimulationTotals {
  readonly failedSeeds: number[] = [];
  #seeds = 0;
  #events = 0;
  #starts = 0;
  #virtualMs = 0;
  #cpuMs = 0;
  readonly #counts = new Map<string, number>();

  add({
    seed,
    events,
    starts,
    virtualMs,
    cpuMs,
    jobs,
    disturbances,
    answers,
    violations,
  }: TimedResult): void {
    this.#seeds++;
    this.#events += events;
    this.#starts += starts;
    this.#virtualMs += virtualMs;
    this.#cpuMs += cpuMs;
    this.#addCounts('accepted', jobs);
    this.#addCounts('disturbed by', disturbances);
    this.#addCounts('answered', answers);
    if (violations.length > 0) this.failedSeeds.push(seed);
  }

  /** Returns a text of a few lines. */
  describe(): string {
    const hours = this.#cpuMs / 3_600_000;
    const counts = [...this.#counts].sort(([a], [b]) => (a < b ? -1 : 1));
    return [
      `${this.#seeds} seeds, ${this.#events} events, ${this.#starts} starts of processes, ${(this.#virtualMs / 60_000).toFixed(0)} simulated minutes`,
      `${(this.#cpuMs / 1000).toFixed(0)} s of processor time, ${Math.round(this.#events / hours)} events an hour`,
      ...counts.map(([name, count]) => `  ${name}: ${count}`),
      this.failedSeeds.length === 0
        ? 'no law was violated'
        : `laws were violated by the seeds ${this.failedSeeds.join(', ')}`,
    ].join('\n');
  }

  #addCounts(group: string, counts: Readonly<Record<string, number>>): void {
    for (const [name, count] of Object.entries(counts)) {
      const key = `${group} ${name}`;
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
    }
  }
}
