/** Metrics in Prometheus' form. Labels are closed sets or chiplet numbers, never frames. */
import { REJECTED_ANSWERS } from '@tessera/wire';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const STEP_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

export class Metrics {
  readonly registry = new Registry();

  readonly framesTotal = new Counter({
    name: 'tessera_frames_total',
    help: 'Frames that ended, by outcome',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly frameAttemptsTotal = new Counter({
    name: 'tessera_frame_attempts_total',
    help: 'Times that rendering a frame was begun; more than frames when chiplets were lost',
    registers: [this.registry],
  });
  readonly binsRetriedTotal = new Counter({
    name: 'tessera_bins_retried_total',
    help: 'Coarse bins that were run again since their chiplet went away',
    registers: [this.registry],
  });
  readonly binsHedgedTotal = new Counter({
    name: 'tessera_bins_hedged_total',
    help: 'Coarse bins that were given to a second chiplet since the first took far longer than expected',
    registers: [this.registry],
  });
  readonly binComparisonsTotal = new Counter({
    name: 'tessera_bin_comparisons_total',
    help: 'Results of a coarse bin that were compared with another chiplet’s, by outcome: same or different',
    labelNames: ['outcome'],
    registers: [this.registry],
  });
  readonly chipletsQuarantinedTotal = new Counter({
    name: 'tessera_chiplets_quarantined_total',
    help: 'Chiplets that gave a result which others prove wrong',
    registers: [this.registry],
  });
  readonly answersRejectedTotal = new Counter({
    name: 'tessera_answers_rejected_total',
    help: 'Answers of chiplets that were not taken: wrong, duplicate, or late (which is no fault)',
    labelNames: ['why'],
    registers: [this.registry],
  });
  readonly chipletsLostTotal = new Counter({
    name: 'tessera_chiplets_lost_total',
    help: 'Chiplets that went away or did not answer',
    registers: [this.registry],
  });
  readonly framesQueued = new Gauge({
    name: 'tessera_frames_queued',
    help: 'Frames that wait',
    registers: [this.registry],
  });
  readonly framesRunning = new Gauge({
    name: 'tessera_frames_running',
    help: 'Frames that are worked at',
    registers: [this.registry],
  });
  readonly queueWaitSeconds = this.#seconds('tessera_queue_wait_seconds', 'Time a frame waited');
  readonly prepareSeconds = this.#seconds(
    'tessera_prepare_seconds',
    'Time to read a model, compile its shaders and validate the frame',
  );
  readonly visibilitySeconds = this.#seconds(
    'tessera_visibility_seconds',
    'Time of the visibility phase, broadcast included',
  );
  readonly binsSeconds = this.#seconds(
    'tessera_bins_seconds',
    'Time of the coarse-bin rendering phase, composition included',
  );
  readonly compositeSeconds = this.#seconds(
    'tessera_composite_seconds',
    'Time to place the coarse bins of a frame in its targets, within the rendering phase',
  );
  readonly encodeSeconds = this.#seconds('tessera_encode_seconds', 'Time to encode the PNG');
  readonly frameSeconds = this.#seconds(
    'tessera_frame_seconds',
    'Time from the start of work at a frame to its picture',
  );
  readonly requestSeconds = new Histogram({
    name: 'tessera_http_request_seconds',
    help: 'Time to answer an HTTP request',
    labelNames: ['method', 'route', 'status'],
    buckets: STEP_SECONDS,
    registers: [this.registry],
  });

  /** @param listChiplets Asked at every scrape. */
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
      help: 'Chiplets that are connected, by role',
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
      help: 'Workers that get no work for a while after too many faults or a wrong result',
      registers: [registry],
      collect() {
        this.set(listChiplets().filter(({ isSetAside }) => isSetAside).length);
      },
    });
    new Gauge({
      name: 'tessera_chiplet_bins_done',
      help: 'Coarse bins that a connected chiplet rendered since it connected',
      labelNames: ['chiplet'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { id, binsDone } of listChiplets()) this.set({ chiplet: id }, binsDone);
      },
    });
    new Gauge({
      name: 'tessera_chiplet_requests_pending',
      help: 'Requests to a chiplet without an answer',
      labelNames: ['chiplet'],
      registers: [registry],
      collect() {
        this.reset();
        for (const { id, pending } of listChiplets()) this.set({ chiplet: id }, pending);
      },
    });
  }

  #seconds(name: string, help: string): Histogram {
    return new Histogram({ name, help, buckets: STEP_SECONDS, registers: [this.registry] });
  }
}
