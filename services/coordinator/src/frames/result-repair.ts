/**
 * Renders frames again whose result has a damaged or missing file. A result is a function of what was posted, so the
 * file that comes out has the same content and takes the place of the damaged one. One frame at a time.
 */
import { RenderError, type Sha256 } from '@tessera/frame';
import type { Logger } from 'pino';
import type { BlobStore } from '../store/blob-store.ts';
import type { FrameQueue } from './frame-queue.ts';
import { type FrameRecord, type FrameStore, filesOf } from './frame-store.ts';

export interface ResultRepairOptions {
  readonly store: FrameStore;
  readonly blobs: BlobStore;
  readonly queue: Pick<FrameQueue, 'prepare' | 'rerender'>;
  readonly log: Logger;
  /** Ends the repair that is in progress. */
  readonly stopping: AbortSignal;
}

/** Files that are repaired or wait for it; reading another damaged file is refused until one is repaired. */
const MAX_PENDING = 100;
/** Time for which a repair that failed is not tried again. */
const RETRY_AFTER_MS = 30_000;

export class ResultRepair {
  readonly #options: ResultRepairOptions;
  readonly #pending = new Map<Sha256, Promise<void>>();
  readonly #failures = new Map<Sha256, { readonly error: Error; readonly untilMs: number }>();
  #tail: Promise<void> = Promise.resolve();

  constructor(options: ResultRepairOptions) {
    this.#options = options;
  }

  /**
   * Makes a file of the store anew. Resolves when it is in its place.
   *
   * @throws {RenderError} SOURCE_DAMAGED if what was posted is damaged too; RESULT_DAMAGED if no frame has the file as
   *   its result, or another file comes out; and what rendering throws.
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
          this.#options.log.error({ sha256, err: error }, 'damaged file of a result not repaired');
        },
      )
      .finally(() => this.#pending.delete(sha256));
    return repaired;
  }

  async #repairNow(sha256: Sha256): Promise<void> {
    const { store, blobs, log } = this.#options;
    let failure = new RenderError('RESULT_DAMAGED', `${sha256}: no frame has it as its result`);
    for (const owner of blobs.ownersOf(sha256)) {
      const frame = owner.startsWith('frame:') ? store.get(owner.slice(6)) : undefined;
      if (frame === undefined || frame.result === null) continue;
      if (!filesOf(frame.result).some((file) => file.sha256 === sha256)) continue;
      log.warn(
        { frameId: frame.id, sha256 },
        'damaged file of a result; the frame is rendered again',
      );
      try {
        await this.#rerender(frame, sha256);
        log.info({ frameId: frame.id, sha256 }, 'damaged file of a result repaired');
        return;
      } catch (error) {
        if (!(error instanceof RenderError)) throw error;
        // Another frame with the same result may have a source that is whole.
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
      const message = `frame ${frame.id}: this version of the service renders another result`;
      throw new RenderError('RESULT_DAMAGED', message);
    } catch (error) {
      if (!(error instanceof RenderError) || error.code !== 'RESOURCES_MISSING') throw error;
      throw new RenderError('SOURCE_DAMAGED', error.message, { cause: error });
    } finally {
      blobs.release(source.files);
    }
  }
}
