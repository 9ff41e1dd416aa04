/** Metrics for Prometheus. Labels are closed sets or chiplet numbers, never frames. */

import { REJECTED_ANSWERS } from '@tessera/wire';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ClientQuotas } from '../admission/client-quotas.ts';
import { addQuotaMetrics } from './quota-metrics.ts';
import { makeRequestSeconds, STEP_SECONDS } from './request-seconds.ts';

/** Metrics of the coordinator. */
export class Metrics {
  readonly registry = new Registry();

  readonly framesTotal = new Counter({
    name: 'tessera_frames_total',
    help: 'Finished frames by outcome',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly frameAttemptsTotal = new Counter({
    name: 'tessera_frame_attempts_total',
    help: 'Attempts to render a frame; more than frames if chiplets were lost',
    registers: [this.registry],
  });
  readonly binsRetriedTotal = new Counter({
    name: 'tessera_bins_retried_total',
    help: 'Coarse bins rendered again because their chiplet was lost',
    registers: [this.registry],
  });
  readonly binsHedgedTotal = new Counter({
    name: 'tessera_bins_hedged_total',
    help: 'Coarse bins given to a second chiplet because the first took far longer than expected',
    registers: [this.registry],
  });
  readonly binComparisonsTotal = new Counter({
    name: 'tessera_bin_comparisons_total',
    help: 'Results of a coarse bin compared with those of another chiplet, by outcome: same or different',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly chipletsQuarantinedTotal = new Counter({
    name: 'tessera_chiplets_quarantined_total',
    help: 'Chiplets whose result other chiplets proved wrong',
    registers: [this.registry],
  });
  readonly answersRejectedTotal = new Counter({
    name: 'tessera_answers_rejected_total',
    help: 'Rejected answers of chiplets: wrong, duplicate, or late (which is not a fault)',
    labelNames: ['why'],
    registers: [this.registry],
  });
  readonly chipletsLostTotal = new Counter({
    name: 'tessera_chiplets_lost_total',
    help: 'Chiplets that disconnected or did not respond',
    registers: [this.registry],
  });
  readonly framesQueued = new Gauge({
    name: 'tessera_frames_queued',
    help: 'Frames waiting in the queue',
    registers: [this.registry],
  });
  readonly framesRunning = new Gauge({
    name: 'tessera_frames_running',
    help: 'Frames in progress',
    registers: [this.registry],
  });
  readonly queueWaitSeconds = this.#seconds(
    'tessera_queue_wait_seconds',
    'Time a frame waited in the queue',
  );
  readonly prepareSeconds = this.#seconds(
    'tessera_prepare_seconds',
    'Time to read a model, compile its shaders and validate the frame',
  );
  readonly visibilitySeconds = this.#seconds(
    'tessera_visibility_seconds',
    'Time of the visibility phase, including the broadcast',
  );
  readonly binsSeconds = this.#seconds(
    'tessera_bins_seconds',
    'Time of the bin phase, including composition',
  );
  readonly compositeSeconds = this.#seconds(
    'tessera_composite_seconds',
    'Time to composite the coarse bins of a frame, which is part of the bin phase',
  );
  readonly simulationSeconds = this.#seconds(
    'tessera_simulation_seconds',
    'Time to simulate the chiplets of a frame with coupling=exact, including its wait for a thread',
  );
  readonly encodeSeconds = this.#seconds('tessera_encode_seconds', 'Time to encode the PNG');
  readonly frameSeconds = this.#seconds(
    'tessera_frame_seconds',
    'Time from the start of rendering a frame to its encoded image',
  );
  readonly requestSeconds = makeRequestSeconds(this.registry);

  /** @param listChiplets Returns the connected chiplets; called at every scrape. */
  constructor(
    listChiplets: () => readonly {
      id: number;
      role: string;
      binsDone: number;
      pending: number;
      isSetAside: boolean;
    }[],
  ) {
    collectDefaultMetrics({ register: this.registry });
    for (const outcome of ['same', 'different']) this.binComparisonsTotal.inc({ outcome }, 0);
    for (const why of REJECTED_ANSWERS) this.answersRejectedTotal.inc({ why }, 0);
    const { registry } = this;
    new Gauge({
      name: 'tessera_chiplets',
      help: 'Connected chiplets by role',
      labelNames: ['role'],
      registers: [registry],
      collect() {
        this.reset();
        for (const role of ['visibility', 'worker']) {
          this.set({ role }, listChiplets().filter((chiplet) => chiplet.role === role).length);
        }
      },
    });
    new Gauge({
      name: 'tessera_chiplets_set_aside',
      help: 'Workers suspended after too many faults or a wrong result',
      registers: [registry],
      collect() {
        this.set(listChiplets().filter(({ isSetAside }) => isSetAside).length);
      },
    });
    new Gauge({
      name: 'tessera_chiplet_bins_done',
      help: 'Coarse bins that a chiplet rendered since it connected',
      labelNames: ['chiplet'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { id, binsDone } of listChiplets()) this.set({ chiplet: id }, binsDone);
      },
    });
    new Gauge({
      name: 'tessera_chiplet_requests_pending',
      help: 'Unanswered requests to a chiplet',
      labelNames: ['chiplet'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { id, pending } of listChiplets()) this.set({ chiplet: id }, pending);
      },
    });
  }

  /** Adds the use of quotas by the clients with tokens; see {@link addQuotaMetrics}. */
  addQuotas(quotas: Pick<ClientQuotas, 'clients' | 'statusOf'>): void {
    addQuotaMetrics(this.registry, quotas);
  }

  #seconds(name: string, help: string): Histogram {
    return new Histogram({ name, help, buckets: STEP_SECONDS, registers: [this.registry] });
  }
}
