/** Decides which frames the queue accepts: places, bytes and the size of the simulation. */
import { RenderError } from '@tessera/frame';
import type { ClientQuotas } from '../admission/client-quotas.ts';
import type { FairQueue } from '../admission/fair-queue.ts';
import { refuseBeyondShare, refuseBytesBeyondShare } from '../admission/queue-places.ts';
import { refuseLargeFrames } from '../compute/simulation-size.ts';
import type { Config } from '../config/config.ts';
import { resourceBytes } from '../prepare/frame-on-spec.ts';
import type { FrameOptions } from '../prepare/frame-options.ts';
import type { PreparedModel } from '../prepare/model-preparer.ts';
import type { Job } from './frame-job.ts';

/** Limits that admission enforces; docs/limits.md describes them. */
export type AdmissionLimits = Pick<
  Config,
  'TESSERA_QUEUE_FRAMES' | 'TESSERA_QUEUE_BYTES' | 'TESSERA_SIMULATION_STEPS'
>;

/** Quotas that admission enforces. */
export type AdmissionQuotas = Pick<ClientQuotas, 'refusePlace' | 'refuseFrame'>;

/** Admission control of the frame queue. */
export class FrameAdmission {
  readonly #limits: AdmissionLimits;
  readonly #waiting: Pick<FairQueue<Pick<Job, 'model'>>, 'length' | 'countOf' | 'list'>;
  readonly #stopping: AbortSignal;
  readonly #quotas: AdmissionQuotas;
  /** Client of each reserved place. */
  readonly #reservations: string[] = [];

  /**
   * @param waiting Frames that wait for their turn.
   * @param stopping Aborted when the service stops, after which nothing is admitted.
   * @param quotas Quotas of the clients.
   */
  constructor(
    limits: AdmissionLimits,
    waiting: Pick<FairQueue<Pick<Job, 'model'>>, 'length' | 'countOf' | 'list'>,
    stopping: AbortSignal,
    quotas: AdmissionQuotas,
  ) {
    this.#quotas = quotas;
    this.#limits = limits;
    this.#waiting = waiting;
    this.#stopping = stopping;
  }

  /**
   * Reserves a place for a frame whose body is still being received, so that bodies beyond the
   * queue's length are refused before they take memory.
   *
   * @param client Client that the place counts for; see {@link refuseBeyondShare}.
   * @returns Function that releases the place. Call it when the frame has been submitted or
   *   rejected.
   * @throws {RenderError} QUEUE_FULL, QUOTA_EXCEEDED or SHUTTING_DOWN.
   */
  reserve(client: string): () => void {
    this.refuseWhenStopping();
    const reserved = this.#reservations;
    const byClient = this.placesOf(client);
    this.#quotas.refuseFrame(client);
    this.#quotas.refusePlace(client, byClient);
    refuseBeyondShare(this.#limits.TESSERA_QUEUE_FRAMES, {
      all: this.#waiting.length + reserved.length,
      byClient,
    });
    reserved.push(client);
    let isReserved = true;
    return () => {
      if (isReserved) reserved.splice(reserved.indexOf(client), 1);
      isReserved = false;
    };
  }

  /** Returns the places of a client: its frames that wait, and those whose bodies arrive. */
  placesOf(client: string): number {
    const reserved = this.#reservations.filter((other) => other === client).length;
    return this.#waiting.countOf(client) + reserved;
  }

  /**
   * Rejects a prepared frame that may not be queued.
   *
   * @throws {RenderError} SHUTTING_DOWN; QUEUE_FULL if the waiting frames hold too many bytes;
   *   LIMIT_EXCEEDED if its passes, bins and chiplets are too many to simulate.
   */
  check(model: PreparedModel, options: FrameOptions, client: string): void {
    this.refuseWhenStopping();
    this.#refuseBytes(model, client);
    const { TESSERA_SIMULATION_STEPS: maxSteps } = this.#limits;
    refuseLargeFrames('the frame', 1, model.frame, options.chipletCount ?? 1, maxSteps);
  }

  /** @throws {RenderError} SHUTTING_DOWN. */
  refuseWhenStopping(): void {
    if (this.#stopping.aborted) throw new RenderError('SHUTTING_DOWN', 'the service is stopping');
  }

  /** Accepts a frame of any size while no frame waits, because the limits of a body bound it. */
  #refuseBytes(model: PreparedModel, client: string): void {
    if (this.#waiting.length === 0) return;
    refuseBytesBeyondShare(this.#limits.TESSERA_QUEUE_BYTES, resourceBytes(model.frame), {
      all: sumBytes(this.#waiting.list()),
      byClient: sumBytes(this.#waiting.list(client)),
    });
  }
}

function sumBytes(jobs: readonly Pick<Job, 'model'>[]): number {
  return jobs.reduce((sum, { model }) => sum + resourceBytes(model.frame), 0);
}
