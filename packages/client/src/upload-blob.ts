/**
 * Uploads content to a gateway in parts. After a failure the gateway tells how much has arrived,
 * and the upload continues there, also in another process.
 */
import { type BodyInit, fetch, type Response } from 'undici';
import { readProblem, type TesseraClientOptions } from './tessera-client.ts';

/** Content that can be read from any offset. */
export interface UploadContent {
  /** SHA-256 in lower-case hexadecimal. */
  readonly sha256: string;
  /** Length in bytes. */
  readonly bytes: number;
  /** Reads the bytes from `start` up to, but not including, `end`. */
  readonly read: (start: number, end: number) => AsyncIterable<Uint8Array>;
}

/** Settings of {@link uploadBlob}. */
export interface UploadOptions extends TesseraClientOptions {
  /** Called with the number of bytes that have arrived. */
  readonly onProgress?: (bytes: number) => void;
  /** Upper bound on the bytes of one request. Proxies may refuse or hold back larger ones. */
  readonly partBytes?: number;
  /** Waits after failures in a row without progress, in milliseconds. Then the upload fails. */
  readonly waitsMs?: readonly number[];
}

const PART_BYTES = 64 * 2 ** 20;
/** One minute in total. */
const WAITS_MS: readonly number[] = [500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000];

/**
 * Uploads content, or as much of it as has not arrived.
 *
 * @param origin Origin of the gateway, such as `http://127.0.0.1:8080`.
 * @throws {TesseraError} If the gateway refuses the content. After CONTENT_MISMATCH, `sha256` is
 *   not that of the content.
 * @throws {TypeError} If the gateway does not answer. The upload can be continued later. Errors of
 *   reading the content.
 */
export async function uploadBlob(
  origin: string,
  content: UploadContent,
  options: UploadOptions = {},
): Promise<void> {
  const { onProgress, partBytes = PART_BYTES, waitsMs = WAITS_MS } = options;
  const upload = new BlobUpload(origin, content, options);
  let failures = 0;
  let arrived = -1;
  for (;;) {
    let failure: unknown;
    try {
      let state = await upload.ask();
      while (!state.isStored) {
        // Another client may be uploading the same content.
        if (state.offset > arrived) failures = 0;
        arrived = state.offset;
        onProgress?.(arrived);
        state = await upload.sendPart(arrived, Math.min(content.bytes, arrived + partBytes));
      }
      onProgress?.(content.bytes);
      return;
    } catch (error) {
      failure = error;
    }
    if (upload.readError !== null) throw upload.readError;
    const waitMs = waitsMs[failures++];
    if (waitMs === undefined || !isPassing(failure)) throw failure;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
  }
}

/** State of an upload at the gateway. */
interface UploadState {
  readonly isStored: boolean;
  /** Number of bytes that have arrived. */
  readonly offset: number;
}

class BlobUpload {
  /** Error of reading the content; null if there was none. */
  readError: unknown = null;
  readonly #url: string;
  readonly #content: UploadContent;
  readonly #options: TesseraClientOptions;

  constructor(origin: string, content: UploadContent, options: TesseraClientOptions) {
    this.#url = `${origin.replace(/\/$/, '')}/v1/blobs/${content.sha256}`;
    this.#content = content;
    this.#options = options;
  }

  /** Asks how much has arrived. */
  async ask(): Promise<UploadState> {
    const { status, headers } = await this.#send('HEAD', {}, null);
    // A refusal of HEAD has no text. That of an empty part has one.
    if (status !== 200 && status !== 404) return this.sendPart(0, 0);
    return { isStored: status === 200, offset: Number(headers.get('upload-offset') ?? 0) };
  }

  /** Sends a part. @throws {TesseraError} If the gateway does not accept it. */
  async sendPart(start: number, end: number): Promise<UploadState> {
    const headers = {
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': String(start),
      'Upload-Length': String(this.#content.bytes),
    };
    const body = start < end ? this.#read(start, end) : null;
    const response = await this.#send('PATCH', headers, body);
    if (response.status >= 400) throw await readProblem(response);
    await response.arrayBuffer();
    const offset = Number(response.headers.get('upload-offset'));
    return { isStored: response.status === 201 || offset === this.#content.bytes, offset };
  }

  async *#read(start: number, end: number): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#content.read(start, end);
    } catch (error) {
      this.readError = error;
      throw error;
    }
  }

  #send(
    method: string,
    headers: Readonly<Record<string, string>>,
    body: BodyInit | null,
  ): Promise<Response> {
    const { token, dispatcher } = this.#options;
    return fetch(this.#url, {
      method,
      headers: token === undefined ? headers : { ...headers, Authorization: `Bearer ${token}` },
      body,
      ...(body !== null && { duplex: 'half' as const }),
      ...(dispatcher !== undefined && { dispatcher }),
    });
  }
}

/** Whether the same request may succeed later. */
function isPassing(error: unknown): boolean {
  // The connection broke, or there is none.
  if (error instanceof TypeError) return true;
  const { status } = error as { status?: unknown };
  return typeof status === 'number' && (status >= 500 || [408, 409, 429].includes(status));
}
