/**
 * Bounded queue of accepted frames; renders a few concurrently. Restarts a frame whose chiplets
 * were lost, unless it appears to crash them.
 *
 * Admission, scheduling, attempts and outcomes are classes of their own; this file connects them.
 */
import { RenderError } from '@tessera/frame';
import type { Logger } from 'pino';
import type { ClientQuotas } from '../admission/client-quotas.ts';
import { JobScheduler, type QueueLoad } from '../admission/job-scheduler.ts';
import type { CurrentWork } from '../chiplets/chiplet-activity.ts';
import type { ChipletRegistry } from '../chiplets/chiplet-registry.ts';
import { makeDispatcher } from '../chiplets/make-dispatcher.ts';
import type { MachineRooms } from '../compute/machine-rooms.ts';
import { NO_CLIENT } from '../config/clients.ts';
import type { Config } from '../config/config.ts';
import type { EventLog } from '../observe/event-log.ts';
import type { Metrics } from '../observe/metrics.ts';
import { startTrace, type Trace } from '../observe/tracing.ts';
import type { FrameOptions } from '../prepare/frame-options.ts';
import type { FrameSource } from '../prepare/frame-source.ts';
import type { ModelPreparer, PreparedModel } from '../prepare/model-preparer.ts';
import { FrameAdmission } from './frame-admission.ts';
import { FrameAttempts } from './frame-attempts.ts';
import { type Job, makeJob, type Outcome } from './frame-job.ts';
import { FrameOutcomes } from './frame-outcomes.ts';
import type { Admission, FrameRecord } from './frame-record.ts';
import { FrameRunner } from './frame-runner.ts';
import type { FrameStore } from './frame-store.ts';
import { LossAttribution } from './loss-attribution.ts';
import { renderAttempt } from './render-attempt.ts';

/** Services that {@link FrameQueue} uses. */
export interface FrameQueueOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly store: FrameStore;
  readonly registry: ChipletRegistry;
  readonly preparer: ModelPreparer;
  readonly metrics: Metrics;
  readonly events: EventLog;
  readonly quotas: ClientQuotas;
  /** Threads that simulate frames with `coupling: exact`. */
  readonly machineRooms: Pick<MachineRooms, 'prepare' | 'simulate'>;
}

/** Queue of frames, from admission to outcome. */
export class FrameQueue {
  readonly #options: FrameQueueOptions;
  readonly #jobById = new Map<string, Job>();
  readonly #stopping = new AbortController();
  readonly #scheduler: JobScheduler<Job>;
  readonly #admission: FrameAdmission;
  readonly #outcomes: FrameOutcomes;
  readonly #losses = new LossAttribution((id) => this.#jobById.get(id));

  constructor(options: FrameQueueOptions) {
    const { config, log, store, metrics, registry, events, machineRooms, quotas } = options;
    const stopping = this.#stopping.signal;
    this.#options = options;
    const dispatcher = makeDispatcher(options);
    const services = { config, registry, metrics, store, dispatcher, machineRooms };
    const attempts = new FrameAttempts({
      config,
      log,
      metrics,
      registry,
      store,
      renderOnce: (job, chiplets, attempt) => renderAttempt(services, job, chiplets, attempt),
    });
    const onOver = ({ record }: Job) => this.#jobById.delete(record.id);
    this.#outcomes = new FrameOutcomes({ log, store, metrics, onOver });
    const outcomes = this.#outcomes;
    const runner = new FrameRunner({ config, log, metrics, store, attempts, outcomes, stopping });
    this.#scheduler = new JobScheduler<Job>({
      maxRunning: config.TESSERA_FRAMES_IN_FLIGHT,
      weightOf: (client) => quotas.weightOf(client),
      log,
      run: (job) => runner.run(job),
      onFailure: (job, error) => outcomes.leave(job, error),
      onLoad: (load) => {
        metrics.framesQueued.set(load.waiting);
        metrics.framesRunning.set(load.running);
        events.publish('queue', '', load);
      },
      describe: ({ record }) => ({ frameId: record.id, traceId: record.traceId }),
    });
    this.#admission = new FrameAdmission(config, this.#scheduler.waiting, stopping, quotas);
  }

  /** Number of frames that wait and that are in progress. */
  get load(): QueueLoad {
    return this.#scheduler.load;
  }

  /** Returns the places of a client; see {@link FrameAdmission.placesOf}. */
  placesOf(client: string): number {
    return this.#admission.placesOf(client);
  }

  /** Records a lost chiplet and its work; see {@link LossAttribution.noteLoss}. */
  noteLoss(work: CurrentWork | null): void {
    this.#losses.noteLoss(work);
  }

  /** Records that a chiplet that counted as lost came back alive. */
  noteSurvival(work: CurrentWork): void {
    this.#losses.noteSurvival(work);
  }

  /**
   * Reserves a place for a frame whose body is being received; see {@link FrameAdmission.reserve}.
   */
  reserve(client: string): () => void {
    return this.#admission.reserve(client);
  }

  /**
   * Imports a model, validates its frame and compiles its shaders. Runs before admission, so the
   * sender learns of errors at once and every admitted frame is valid.
   *
   * @param client Client whose turn the preparation takes.
   * @throws {RenderError} SHUTTING_DOWN, and the errors of {@link ModelPreparer.prepare}.
   */
  async prepare(
    source: FrameSource,
    options: FrameOptions,
    signal: AbortSignal,
    client = NO_CLIENT,
  ): Promise<PreparedModel> {
    this.#admission.refuseWhenStopping();
    const { preparer, metrics } = this.#options;
    try {
      const either = AbortSignal.any([signal, this.#stopping.signal]);
      const model = await preparer.prepare(source, options, either, client);
      metrics.prepareSeconds.observe(model.prepareMs / 1000);
      return model;
    } catch (error) {
      this.#admission.refuseWhenStopping();
      throw error;
    }
  }

  /**
   * Queues a frame that has a reserved place. The frame is in the journal when this returns.
   *
   * @throws {RenderError} The errors of {@link FrameAdmission.check}; QUOTA_EXCEEDED if its files
   *   exceed the bytes of its client.
   */
  submit(model: PreparedModel, options: FrameOptions, admission: Admission): FrameRecord {
    const { client = NO_CLIENT } = admission;
    this.#admission.check(model, options, client);
    this.#options.quotas.refuseFiles(client, admission.source.files);
    const record = this.#options.store.add(admission, options, model.warnings);
    this.#scheduler.push(client, this.#makeJob(record, model, { trace: admission.trace }));
    return record;
  }

  /** Queues a frame of the journal that an earlier process did not finish. */
  resume(record: FrameRecord, model: PreparedModel, client: string): void {
    this.#scheduler.push(client, this.#makeJob(record, model));
  }

  /**
   * Prepares and renders a frame of an earlier process while no other frame is in progress. Frames
   * that wait already are finished first; later ones wait. Resolves when the frame is over or left
   * for the next start.
   *
   * @param prepare Returns null for a frame that is over.
   * @throws {RenderError} SHUTTING_DOWN, and the errors of `prepare`.
   */
  async resumeAlone(
    record: FrameRecord,
    prepare: () => Promise<PreparedModel | null>,
  ): Promise<void> {
    await Promise.all(this.#scheduler.waiting.list().map(({ finished }) => finished.promise));
    await this.#scheduler.runAlone(async () => {
      this.#admission.refuseWhenStopping();
      const model = await prepare();
      return model === null ? null : this.#makeJob(record, model, { isAlone: true });
    });
  }

  /**
   * Renders a finished frame again. Its record does not change. The caller owns the files of the
   * result and releases them with `FrameStore.dropResult`.
   *
   * @throws {RenderError} SHUTTING_DOWN, and the errors of rendering.
   */
  async rerender(record: FrameRecord, model: PreparedModel): Promise<Outcome> {
    this.#admission.refuseWhenStopping();
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    const job = this.#makeJob(record, model);
    job.deliver = (outcome) => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
    this.#scheduler.push(NO_CLIENT, job);
    return promise;
  }

  /** Waits until a frame is finished, for at most `withinMs`. */
  async waitFor(id: string, withinMs: number): Promise<void> {
    const job = this.#jobById.get(id);
    // A frame of an earlier process has no job until it is resumed.
    const over = this.#options.store.overSignal(id);
    if (job === undefined && over === null) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const onOver = () => resolve();
    const timer = setTimeout(onOver, withinMs);
    over?.addEventListener('abort', onOver);
    await Promise.race([job?.finished.promise ?? promise, promise]);
    over?.removeEventListener('abort', onOver);
    clearTimeout(timer);
  }

  /**
   * Cancels an unfinished frame, also one of an earlier process that is not in the queue yet. Its
   * end is in the journal when this returns, and its rendering stops later. Returns false if no
   * unfinished frame has this id.
   *
   * @throws {RenderError} STORAGE_FULL. The frame then continues.
   */
  cancel(id: string): boolean {
    const { store } = this.#options;
    const job = this.#jobById.get(id);
    if (job === undefined) {
      if (!store.isLive(id)) return false;
      store.cancel(store.get(id)!);
      return true;
    }
    if (job.deliver === null) this.#outcomes.cancel(job);
    this.#abort(job);
    return true;
  }

  /**
   * Stops admission, gives frames in progress up to `withinMs` to finish, then aborts the rest.
   * Unfinished frames stay in the journal and the next process resumes them.
   */
  async stop(withinMs: number): Promise<void> {
    this.#stopping.abort();
    for (const job of this.#scheduler.waiting.list()) this.#abort(job);
    const running = [...this.#jobById.values()];
    await Promise.all(running.map((job) => this.waitFor(job.record.id, withinMs)));
    for (const job of running) this.#abort(job);
    await Promise.all(running.map((job) => job.finished.promise));
  }

  #makeJob(
    record: FrameRecord,
    model: PreparedModel,
    {
      trace = startTrace(record.traceId),
      isAlone = false,
    }: { trace?: Trace | undefined; isAlone?: boolean } = {},
  ): Job {
    const { config, log } = this.#options;
    const maxLosses = config.TESSERA_FRAME_ATTEMPTS;
    const job = makeJob({ record, model, trace, maxLosses, isAlone });
    this.#jobById.set(record.id, job);
    const { id: frameId, name, traceId } = record;
    log.info({ frameId, traceId, name }, 'frame queued');
    return job;
  }

  #abort(job: Job): void {
    job.abort.abort();
    const { waiting } = this.#scheduler;
    if (!waiting.list().includes(job)) return;
    // If the disk is full, this throws; the frame stays queued and finishes at its turn.
    this.#outcomes.finish(job, new RenderError('FRAME_CANCELLED', 'the frame was cancelled'));
    waiting.remove(job);
  }
}
