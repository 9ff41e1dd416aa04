/**
 * Lets one request at a time write an upload. A request whose bytes stopped arriving, because its
 * connection broke without a sign, loses its turn to the next.
 */
import { RenderError } from '@tessera/frame';

/** Wall time without bytes after which another request may take over, in milliseconds. */
const STALLED_MS = 10_000;

/** Right to write an upload. */
export interface Turn {
  /** Aborts when another request takes over. */
  readonly signal: AbortSignal;
  /** Records that bytes arrived. */
  readonly progress: () => void;
  /** Keeps the turn while nothing arrives, because the content is complete. */
  readonly keep: () => void;
  /** Ends the turn. */
  readonly end: () => void;
}

interface Holder {
  /** Time of the last bytes; infinity while the holder keeps its turn. */
  lastMs: number;
  readonly abort: AbortController;
  readonly ended: Promise<void>;
}

/** Turns by upload. */
export class UploadTurns {
  readonly #holders = new Map<string, Holder>();
  readonly #stalledMs: number;

  /** @param stalledMs Wall time without bytes after which another request may take over. */
  constructor(stalledMs: number = STALLED_MS) {
    this.#stalledMs = stalledMs;
  }

  /**
   * Takes the turn.
   *
   * @param upload Name of the upload.
   * @throws {RenderError} UPLOAD_BUSY if another request has the turn and receives bytes.
   */
  async take(upload: string): Promise<Turn> {
    for (;;) {
      const other = this.#holders.get(upload);
      if (other === undefined) break;
      if (performance.now() - other.lastMs < this.#stalledMs) {
        const message = 'another request is sending or storing the same upload';
        throw new RenderError('UPLOAD_BUSY', message);
      }
      other.abort.abort();
      await other.ended;
    }
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const abort = new AbortController();
    const holder: Holder = { lastMs: performance.now(), abort, ended };
    this.#holders.set(upload, holder);
    return {
      signal: abort.signal,
      progress: () => {
        holder.lastMs = performance.now();
      },
      keep: () => {
        holder.lastMs = Number.POSITIVE_INFINITY;
      },
      end: () => {
        this.#holders.delete(upload);
        resolve();
      },
    };
  }
}
