/** Metrics of a gateway for Prometheus. Those of the cluster are read when they are collected. */
import type { EngineStats } from '@tessera/engine';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { makeRequestSeconds } from '../observe/request-seconds.ts';

/** Metrics of a gateway. */
export class GatewayMetrics {
  readonly registry = new Registry();

  readonly requestSeconds = makeRequestSeconds(this.registry);

  /** @param readStats Returns the numbers of the cluster, or null if its database is away. */
  constructor(readStats: () => Promise<EngineStats | null>) {
    collectDefaultMetrics({ register: this.registry });
    const registers = [this.registry];
    const units = new Gauge({
      name: 'tessera_cluster_units',
      help: 'Units that wait for a cell, and those that cells have claimed',
      labelNames: ['state'],
      registers,
    });
    const results = new Gauge({
      name: 'tessera_cluster_results',
      help: 'Stored results of units',
      registers,
    });
    const violations = new Gauge({
      name: 'tessera_cluster_determinism_violations',
      help: 'Units that two cells rendered differently; anything above 0 is a fault',
      registers,
    });
    new Gauge({
      name: 'tessera_cluster_cells',
      help: 'Cells that have been heard of in the last 30 seconds',
      registers,
      async collect() {
        const stats = await readStats();
        // The last values stay while the database is away.
        if (stats === null) return;
        this.set(stats.cells.length);
        units.set({ state: 'waiting' }, stats.waitingUnits);
        units.set({ state: 'running' }, stats.runningUnits);
        results.set(stats.resultCount);
        violations.set(stats.violationCount);
      },
    });
  }
}
