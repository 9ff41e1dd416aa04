/** Dispatcher of the service, which reports to the registry and to the metrics. */
import { randomInt } from 'node:crypto';
import { BinDispatcher } from '@tessera/multi-chiplet/rendering';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../observe/metrics.ts';
import { WALL_CLOCK } from '../process/wall-clock.ts';
import type { ChipletRegistry } from './chiplet-registry.ts';

/** Services that the dispatcher reports to. */
export interface DispatcherServices {
  readonly config: Config;
  readonly registry: ChipletRegistry;
  readonly metrics: Metrics;
}

/** Returns a dispatcher for the chiplets of a registry. */
export function makeDispatcher({ config, registry, metrics }: DispatcherServices): BinDispatcher {
  return new BinDispatcher({
    clock: WALL_CLOCK,
    onHedge: () => metrics.binsHedgedTotal.inc(),
    onHostFault: (host, reason) => registry.reportFault(host, reason),
    onLie: (host, reason) => {
      metrics.chipletsQuarantinedTotal.inc();
      registry.quarantine(host, reason);
    },
    onComparison: (isSame) => {
      metrics.binComparisonsTotal.inc({ outcome: isSame ? 'same' : 'different' });
    },
    onDone: (host, result) => registry.publishBin(host, result),
    trustOf: (host) => registry.trustOf(host),
    // Random, so that chiplets, which know frame and bin, cannot predict it.
    chooseCheck: () => randomInt(100) < config.TESSERA_CHECKED_BINS,
  });
}
