/**
 * Client that renders frames on a running service. It posts a frame in the native form, which
 * refers to buffers, textures and sources by hash. Only resources that the service does not have
 * are uploaded, so a frame similar to the previous one takes a few kilobytes.
 */
import { createHash } from 'node:crypto';
import type { CallOptions, Report, TesseraClient, TesseraError } from '@tessera/client';
import { type Frame, type HashParts, RenderError, toReferencingNativeJson } from '@tessera/frame';

/** Connection to a running service. */
export interface ServiceOptions {
  /** Address, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Access token, if the service requires one. */
  readonly token?: string | undefined;
  /** Chiplets, policy, timing and the other parameters of `POST /v1/frames`. */
  readonly parameters?: ServiceParameters | undefined;
}

/** Query parameters of `POST /v1/frames` that a context can set. */
export type ServiceParameters = Omit<
  NonNullable<CallOptions<'postFrame'>['parameters']>,
  'width' | 'height' | 'camera' | 'time' | 'frame'
>;

/** Result of a frame. */
export interface ServiceFrame {
  readonly id: string;
  /** Image of the screen without alpha. */
  readonly png: Uint8Array;
  readonly report: Report;
  /** Number of body bytes sent: for the frame, and for its resources. */
  readonly sentBytes: { readonly frame: number; readonly resources: number };
}

/**
 * Maximum number of posts of a frame. A frame that reaches it shows that the store evicts resources
 * faster than they are uploaded.
 */
const MAX_POSTS = 4;
/** Seconds that one request waits for the frame. */
const WAIT_SECONDS = 60;

/** Renders frames on one service. */
export class ServiceRenderer {
  readonly #options: ServiceOptions;
  #client: Promise<TesseraClient> | null = null;
  readonly #parameters: ServiceParameters;
  readonly #hashes = new WeakMap<Uint8Array, string>();

  constructor(options: ServiceOptions) {
    this.#options = options;
    this.#parameters = options.parameters ?? {};
  }

  /** Loads the client with the first frame: programs without a service run without it. */
  #connect(): Promise<TesseraClient> {
    this.#client ??= this.#load();
    return this.#client;
  }

  async #load(): Promise<TesseraClient> {
    const { url, token } = this.#options;
    const { TesseraClient } = await import('@tessera/client');
    return new TesseraClient(url, token === undefined ? {} : { token });
  }

  /**
   * Renders a frame.
   *
   * @throws {TesseraError} If the service rejects the frame.
   * @throws {RenderError} If rendering failed.
   */
  async render(frame: Frame): Promise<ServiceFrame> {
    const { json, contents } = toReferencingNativeJson(frame, hashParts, this.#hashes);
    const sentBytes = { frame: 0, resources: 0 };
    const body = new TextEncoder().encode(json);
    for (let posts = 1; ; posts++) {
      sentBytes.frame += body.length;
      try {
        return await this.#post(body, sentBytes);
      } catch (error) {
        if (!isAboutMissing(error) || posts === MAX_POSTS) throw error;
        sentBytes.resources += await this.#put(error.missing, contents);
      }
    }
  }

  async #post(body: Uint8Array, sentBytes: ServiceFrame['sentBytes']): Promise<ServiceFrame> {
    const client = await this.#connect();
    const posted = await client.call('postFrame', {
      body: { mediaType: 'application/json', value: body },
      parameters: this.#parameters,
      headers: { Accept: 'application/json', Prefer: `wait=${WAIT_SECONDS}` },
    });
    const id = posted.headers.location!.split('/').at(-1)!;
    if (posted.status === 202) await this.#follow(id);
    const parameters = { id };
    const { value: report } = await client.call('getFrameReport', { parameters });
    if (report === null) throw new Error(`frame ${id}: the service returned no report`);
    const image = await client.call('getFrameImage', { parameters });
    if (image.status !== 200) throw new Error(`frame ${id}: the service returned no image`);
    return { id, png: image.value, report, sentBytes };
  }

  /** Waits until a frame is finished. @throws {RenderError} If it failed. */
  async #follow(id: string): Promise<void> {
    const client = await this.#connect();
    for (;;) {
      // The event stream ends with the frame or with the connection.
      for await (const _event of client.events('watchFrame', { parameters: { id } }));
      const { value } = await client.call('getFrame', { parameters: { id } });
      if (value.status === 'done') return;
      if (value.status === 'failed' || value.status === 'cancelled') {
        const { code, message } = value.error ?? { code: 'INTERNAL', message: 'no reason given' };
        // The service uses the same error codes.
        throw new RenderError(code as RenderError['code'], message);
      }
    }
  }

  /** Uploads the missing resources and returns the number of bytes sent. */
  async #put(
    missing: readonly string[],
    contents: ReadonlyMap<string, Uint8Array>,
  ): Promise<number> {
    const client = await this.#connect();
    let bytes = 0;
    for (const sha256 of missing) {
      const content = contents.get(sha256);
      if (content === undefined)
        throw new Error(`the service requested ${sha256}, which the frame does not reference`);
      const body = { mediaType: 'application/octet-stream' as const, value: content };
      await client.call('putResource', { parameters: { sha256 }, body });
      bytes += content.length;
    }
    return bytes;
  }
}

function isAboutMissing(error: unknown): error is TesseraError {
  const { name, code } = error as Partial<TesseraError>;
  return name === 'TesseraError' && code === 'RESOURCES_MISSING';
}

const hashParts: HashParts = (parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};
