/**
 * Bodies that are being received. Together they hold at most `TESSERA_UPLOAD_BYTES` in memory and
 * in the folder of incoming files. If another chunk exceeds that, the largest body is refused. A
 * small body therefore arrives even while many large ones are being received.
 */
import { RenderError } from '@tessera/frame';

/** Body of one request. A form is one body of several files. */
export interface Upload {
  /**
   * Passes the chunks of a stream through and counts them.
   *
   * @throws {RenderError} UPLOADS_FULL, at once, when this body is refused. Also throws the errors
   *   of the stream.
   */
  count(stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Stops counting the body. Call it when the body has arrived or failed. */
  close(): void;
}

/** Receives the bytes of one body, such as `ClientQuotas.beginBody`. */
export interface BodyCount {
  /** @throws {RenderError} If the body must not have these bytes too. */
  readonly add: (bytes: number) => void;
  readonly end: () => void;
}

interface Arrived {
  bytes: number;
  readonly count: BodyCount | null;
  /** Error of a refused body; null until it is refused. */
  refusal: RenderError | null;
  /** Ends a wait for the next chunk. */
  wakeUp: (refusal: RenderError) => void;
}

/** Limit on all bodies that are being received. */
export class Uploads {
  readonly #maxBytes: number;
  readonly #open = new Set<Arrived>();
  #bytes = 0;

  /** @param maxBytes Upper bound on the bytes of all bodies together. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of all bodies that are being received. */
  get bytes(): number {
    return this.#bytes;
  }

  /** @param count Also receives the bytes of the body. */
  begin(count: BodyCount | null = null): Upload {
    const arrived: Arrived = { bytes: 0, count, refusal: null, wakeUp: () => {} };
    this.#open.add(arrived);
    return {
      count: (stream) => this.#count(arrived, stream),
      close: () => this.#close(arrived),
    };
  }

  async *#count(arrived: Arrived, stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    const chunks = stream[Symbol.asyncIterator]();
    let isOver = false;
    try {
      for (;;) {
        const next = await nextChunk(chunks, arrived);
        isOver = next.done === true;
        if (next.done === true) return;
        arrived.count?.add(next.value.length);
        this.#grow(arrived, next.value.length);
        yield next.value;
      }
    } finally {
      // Not awaited, because a silent stream would delay the refusal.
      if (!isOver) chunks.return?.().catch(() => {});
    }
  }

  #grow(arrived: Arrived, bytes: number): void {
    if (this.#open.has(arrived)) {
      arrived.bytes += bytes;
      this.#bytes += bytes;
    }
    while (this.#bytes > this.#maxBytes) {
      let largest = arrived;
      for (const other of this.#open) if (other.bytes > largest.bytes) largest = other;
      const held = this.#bytes;
      this.#close(largest);
      largest.refusal = new RenderError(
        'UPLOADS_FULL',
        `body: bodies being received hold ${held} of ${this.#maxBytes} bytes, and this one is the largest`,
      );
      largest.wakeUp(largest.refusal);
    }
  }

  #close(arrived: Arrived): void {
    if (!this.#open.delete(arrived)) return;
    this.#bytes -= arrived.bytes;
    arrived.count?.end();
  }
}

/** Returns the next chunk. Rejects as soon as the body is refused. */
function nextChunk(
  chunks: AsyncIterator<Uint8Array>,
  arrived: Arrived,
): Promise<IteratorResult<Uint8Array>> {
  return new Promise((resolve, reject) => {
    if (arrived.refusal !== null) {
      reject(arrived.refusal);
      return;
    }
    arrived.wakeUp = reject;
    chunks.next().then(resolve, reject);
  });
}
