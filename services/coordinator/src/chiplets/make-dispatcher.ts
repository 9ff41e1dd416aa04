/** The dispatcher of the service: what it learns about chiplets goes to the registry and to metrics. */
import { randomInt } from 'node:crypto';
import { BinDispatcher } from '@tessera/multi-chiplet/rendering';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../observe/metrics.ts';
import { WALL_CLOCK } from '../process/wall-clock.ts';
import type { ChipletRegistry } from './chiplet-registry.ts';

export interface DispatcherServices {
  readonly config: Config;
  readonly registry: ChipletRegistry;
  readonly metrics: Metrics;
}

/** Makes a dispatcher for the chiplets of a registry. */
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
    // From a source that chiplets, which know frame and bin, cannot predict.
    chooseCheck: () => randomInt(100) < config.TESSERA_CHECKED_BINS,
  });
}
