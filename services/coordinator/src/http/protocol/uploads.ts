/**
 * Bodies on their way to disk, which together hold at most `TESSERA_UPLOAD_BYTES` in memory and in the folder of
 * incoming files. When one more chunk passes that, the largest body of all is refused. So a body is refused only while
 * as many others hold as much as it does: a small one always arrives, however many large ones are sent.
 */
import { RenderError } from '@tessera/frame';

/** The body of one request; a form is one body of several files. */
export interface Upload {
  /**
   * Passes the chunks of a stream on and counts them.
   *
   * @throws {RenderError} UPLOADS_FULL, at once, when this body has to make room. And what the stream throws.
   */
  count(stream: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** To be called when the body has arrived or failed: it counts no more. */
  close(): void;
}

interface Arrived {
  bytes: number;
  /** Why the body has to make room; `null` while it need not. */
  refusal: RenderError | null;
  /** Ends a wait for the next chunk. */
  wakeUp: (refusal: RenderError) => void;
}

export class Uploads {
  readonly #maxBytes: number;
  readonly #open = new Set<Arrived>();
  #bytes = 0;

  /** @param maxBytes Bytes that all bodies together may hold. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes that bodies on their way hold. */
  get bytes(): number {
    return this.#bytes;
  }

  begin(): Upload {
    const arrived: Arrived = { bytes: 0, refusal: null, wakeUp: () => {} };
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
        this.#grow(arrived, next.value.length);
        yield next.value;
      }
    } finally {
      // Not awaited: a stream on which nothing comes would hold up the refusal.
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
        `body: bodies on their way hold ${held} bytes of ${this.#maxBytes}, and this one is the largest`,
      );
      largest.wakeUp(largest.refusal);
    }
  }

  #close(arrived: Arrived): void {
    if (!this.#open.delete(arrived)) return;
    this.#bytes -= arrived.bytes;
  }
}

/** The next chunk, or the refusal as soon as there is one. */
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
