/**
 * Rerenders frames whose result has a damaged or missing file. A result is a function of the posted
 * source, so the new file has the same content and replaces the damaged one. Repairs one frame at a
 * time.
 */
import { RenderError, type Sha256 } from '@tessera/frame';
import type { Logger } from 'pino';
import type { BlobStore } from '../store/blob-store.ts';
import type { FrameQueue } from './frame-queue.ts';
import { type FrameRecord, filesOf } from './frame-record.ts';
import type { FrameStore } from './frame-store.ts';

/** Services that a {@link ResultRepair} uses. */
export interface ResultRepairOptions {
  readonly store: FrameStore;
  readonly blobs: BlobStore;
  readonly queue: Pick<FrameQueue, 'prepare' | 'rerender'>;
  readonly log: Logger;
  /** Aborted when the service stops; ends the repair in progress. */
  readonly stopping: AbortSignal;
}

/**
 * Upper bound on files being repaired or waiting for it. Reading another damaged file is refused
 * until one is repaired.
 */
const MAX_PENDING = 100;
/** Time after a failed repair during which it is not retried. */
const RETRY_AFTER_MS = 30_000;

/** Recreates damaged files of results. */
export class ResultRepair {
  readonly #options: ResultRepairOptions;
  readonly #pending = new Map<Sha256, Promise<void>>();
  readonly #failures = new Map<Sha256, { readonly error: Error; readonly untilMs: number }>();
  #tail: Promise<void> = Promise.resolve();

  constructor(options: ResultRepairOptions) {
    this.#options = options;
  }

  /**
   * Recreates a file of the store. Resolves when it is in place.
   *
   * @throws {RenderError} SOURCE_DAMAGED if the posted source is damaged too; RESULT_DAMAGED if no
   *   frame has the file as its result, if too many files are being repaired, or if rendering
   *   produces another file. Also throws the errors of rendering.
   */
  repair(sha256: Sha256): Promise<void> {
    const pending = this.#pending.get(sha256);
    if (pending !== undefined) return pending;
    const failure = this.#failures.get(sha256);
    if (failure !== undefined && performance.now() < failure.untilMs) {
      return Promise.reject(failure.error);
    }
    if (this.#pending.size >= MAX_PENDING) {
      const message = `${this.#pending.size} damaged files are being repaired; try again later`;
      return Promise.reject(new RenderError('RESULT_DAMAGED', message));
    }
    const repaired = this.#tail.then(() => this.#repairNow(sha256));
    this.#pending.set(sha256, repaired);
    this.#tail = repaired
      .then(
        () => {
          this.#failures.delete(sha256);
        },
        (error: Error) => {
          this.#failures.set(sha256, { error, untilMs: performance.now() + RETRY_AFTER_MS });
          this.#options.log.error({ sha256, err: error }, 'damaged result file not repaired');
        },
      )
      .finally(() => this.#pending.delete(sha256));
    return repaired;
  }

  async #repairNow(sha256: Sha256): Promise<void> {
    const { store, blobs, log } = this.#options;
    let failure = new RenderError('RESULT_DAMAGED', `${sha256}: not a result of any frame`);
    for (const owner of blobs.ownersOf(sha256)) {
      const frame = owner.startsWith('frame:') ? store.get(owner.slice(6)) : undefined;
      if (frame === undefined || frame.result === null) continue;
      if (!filesOf(frame.result).some((file) => file.sha256 === sha256)) continue;
      log.warn({ frameId: frame.id, sha256 }, 'damaged result file; rendering its frame again');
      try {
        await this.#rerender(frame, sha256);
        log.info({ frameId: frame.id, sha256 }, 'damaged result file repaired');
        return;
      } catch (error) {
        if (!(error instanceof RenderError)) throw error;
        // Another frame with the same result may have an intact source.
        failure = error;
      }
    }
    throw failure;
  }

  async #rerender(frame: FrameRecord, sha256: Sha256): Promise<void> {
    const { store, blobs, queue, stopping } = this.#options;
    const { source, options } = frame;
    // The frame may be deleted meanwhile.
    blobs.hold(source.files);
    try {
      const model = await queue.prepare(source, options, stopping);
      const { result } = await queue.rerender(frame, model);
      store.dropResult(result);
      if (filesOf(result).some((file) => file.sha256 === sha256)) return;
      const message = `frame ${frame.id}: this version of the service renders a different result`;
      throw new RenderError('RESULT_DAMAGED', message);
    } catch (error) {
      if (!(error instanceof RenderError) || error.code !== 'RESOURCES_MISSING') throw error;
      throw new RenderError('SOURCE_DAMAGED', error.message, { cause: error });
    } finally {
      blobs.release(source.files);
    }
  }
}
