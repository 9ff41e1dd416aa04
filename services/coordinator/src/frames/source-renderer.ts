/** Renders sources for work that waits for its turn: studies, and units of a cluster. */
import { RenderError } from '@tessera/frame';
import { QuotaError } from '../admission/quota-error.ts';
import type { FrameOptions } from '../prepare/frame-options.ts';
import type { FrameSource } from '../prepare/frame-source.ts';
import { delay } from '../process/delay.ts';
import type { FrameQueue } from './frame-queue.ts';
import type { FrameRecord } from './frame-record.ts';
import type { FrameStore } from './frame-store.ts';

/** Time between two attempts to reserve a place in a full queue. */
const RETRY_MS = 500;
/** Upper bound on one wait for a frame. */
const WAIT_MS = 60_000;

/** Frame to render. */
export interface SourceRequest {
  readonly source: FrameSource;
  readonly options: FrameOptions;
  readonly name: string;
  readonly tags: readonly string[];
  /** Human-readable origin of the frame. */
  readonly model: string;
  /** Client whose turns and places the frame takes; that of the renderer by default. */
  readonly client?: string;
  /** Key that identifies the frame if an earlier process has admitted it. */
  readonly key: string;
}

/** Services of a {@link SourceRenderer}. */
export interface SourceRendererOptions {
  readonly store: FrameStore;
  readonly queue: FrameQueue;
  /** Client of requests that name none. */
  readonly client: string;
  /** Leaves frames to the next process when it is aborted, instead of cancelling them. */
  readonly leaving: AbortSignal;
}

/** Renders sources as frames of the queue. */
export class SourceRenderer {
  readonly #options: SourceRendererOptions;

  constructor(options: SourceRendererOptions) {
    this.#options = options;
  }

  /**
   * Renders a source and returns its frame when it is over.
   *
   * @throws {RenderError} The errors of `FrameQueue.prepare` and `submit`; QUOTA_EXCEEDED at once
   *   if the client has used up its bytes or seconds.
   */
  async render(request: SourceRequest, signal: AbortSignal): Promise<FrameRecord> {
    const { queue, store } = this.#options;
    const { client = this.#options.client, source, options, key, name, tags, model } = request;
    const found = store.findByKey(key);
    if (found !== null) return this.#waitFor(found.record, signal);
    const releasePlace = await this.#reserve(client, signal);
    try {
      const prepared = await queue.prepare(source, options, signal, client);
      const idempotency = { key, fingerprint: key };
      const admission = { name, tags, model, source, idempotency, client };
      // A cell may claim a unit again while its earlier claim of the unit is prepared.
      const concurrent = store.findByKey(key)?.record;
      const record = concurrent ?? queue.submit(prepared, options, admission);
      return await this.#waitFor(record, signal);
    } finally {
      releasePlace();
    }
  }

  async #waitFor(record: FrameRecord, signal: AbortSignal): Promise<FrameRecord> {
    const { queue, store, leaving } = this.#options;
    const cancel = () => {
      if (leaving.aborted) return;
      try {
        queue.cancel(record.id);
      } catch (error) {
        // The disk is full, so the frame is rendered although nothing waits for it. An error of a
        // listener would end the process.
        if (!(error instanceof RenderError)) throw error;
      }
    };
    signal.addEventListener('abort', cancel, { once: true });
    try {
      for (;;) {
        signal.throwIfAborted();
        await queue.waitFor(record.id, WAIT_MS);
        const now = store.get(record.id);
        if (now === undefined || now.phase === 'over') return now ?? record;
        // A frame of an earlier start may not be in the queue yet.
        await delay(RETRY_MS, signal);
      }
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  /** Reserves a place in the queue as soon as one is free. */
  async #reserve(client: string, signal: AbortSignal): Promise<() => void> {
    const { queue } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      try {
        return queue.reserve(client);
      } catch (error) {
        const isPlace = error instanceof QuotaError && error.quota.name === 'places';
        const isFull = error instanceof RenderError && error.code === 'QUEUE_FULL';
        if (!isFull && !isPlace) throw error;
      }
      await delay(RETRY_MS, signal);
    }
  }
}
