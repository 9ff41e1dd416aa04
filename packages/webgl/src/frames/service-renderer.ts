/**
 * Frames rendered by a running service. A frame is posted in the native form with its buffers, textures and sources named by
 * hash; those that the service does not have yet are put there first, so that a frame like the last one is a few kilobytes.
 */
import { createHash } from 'node:crypto';
import { type CallOptions, type Report, TesseraClient, TesseraError } from '@tessera/client';
import { type Frame, type HashParts, RenderError, toReferencingNativeJson } from '@tessera/frame';

export interface ServiceOptions {
  /** Such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Of a service that asks for one. */
  readonly token?: string | undefined;
  /** Chiplets, policy, timing and so on, as `POST /v1/frames` takes them. */
  readonly parameters?: ServiceParameters | undefined;
}

export type ServiceParameters = Omit<
  NonNullable<CallOptions<'postFrame'>['parameters']>,
  'width' | 'height' | 'camera' | 'time' | 'frame'
>;

/** What came back. */
export interface ServiceFrame {
  readonly id: string;
  /** The screen; its alpha is dropped. */
  readonly png: Uint8Array;
  readonly report: Report;
  /** Bytes of bodies that were sent: the frame, and what was put for it. */
  readonly sentBytes: { readonly frame: number; readonly resources: number };
}

/** Puts and posts after it that a frame gets; a store that drops what was just put is too small for it. */
const MAX_POSTS = 4;
/** Seconds that one request waits for the frame. */
const WAIT_SECONDS = 60;

export class ServiceRenderer {
  readonly #client: TesseraClient;
  readonly #parameters: ServiceParameters;
  readonly #hashes = new WeakMap<Uint8Array, string>();

  constructor({ url, token, parameters = {} }: ServiceOptions) {
    this.#client = new TesseraClient(url, token === undefined ? {} : { token });
    this.#parameters = parameters;
  }

  /** @throws {TesseraError} What the service refuses. @throws {RenderError} What became of a frame that failed. */
  async render(frame: Frame): Promise<ServiceFrame> {
    const { json, contents } = toReferencingNativeJson(frame, hashParts, this.#hashes);
    const sentBytes = { frame: 0, resources: 0 };
    const body = new TextEncoder().encode(json);
    for (let posts = 1; ; posts++) {
      sentBytes.frame += body.length;
      try {
        return await this.#post(body, sentBytes);
      } catch (error) {
        const isMissing = error instanceof TesseraError && error.code === 'RESOURCES_MISSING';
        if (!isMissing || posts === MAX_POSTS) throw error;
        sentBytes.resources += await this.#put(error.missing, contents);
      }
    }
  }

  async #post(body: Uint8Array, sentBytes: ServiceFrame['sentBytes']): Promise<ServiceFrame> {
    const posted = await this.#client.call('postFrame', {
      body: { mediaType: 'application/json', value: body },
      parameters: this.#parameters,
      headers: { Accept: 'application/json', Prefer: `wait=${WAIT_SECONDS}` },
    });
    const id = posted.headers.location!.split('/').at(-1)!;
    if (posted.status === 202) await this.#follow(id);
    const parameters = { id };
    const { value: report } = await this.#client.call('getFrameReport', { parameters });
    if (report === null) throw new Error(`frame ${id}: no report`);
    const image = await this.#client.call('getFrameImage', { parameters });
    if (image.status !== 200) throw new Error(`frame ${id}: no picture`);
    return { id, png: image.value, report, sentBytes };
  }

  /** Waits for the end of a frame that takes long. @throws {RenderError} If it failed. */
  async #follow(id: string): Promise<void> {
    for (;;) {
      // The stream ends with the frame, or with the connection.
      for await (const _event of this.#client.events('watchFrame', { parameters: { id } }));
      const { value } = await this.#client.call('getFrame', { parameters: { id } });
      if (value.status === 'done') return;
      if (value.status === 'failed' || value.status === 'cancelled') {
        const { code, message } = value.error ?? { code: 'INTERNAL', message: 'without a reason' };
        throw new RenderError(code as RenderError['code'], message); // the service has the same codes
      }
    }
  }

  /** Gives the bytes that were sent. */
  async #put(
    missing: readonly string[],
    contents: ReadonlyMap<string, Uint8Array>,
  ): Promise<number> {
    let bytes = 0;
    for (const sha256 of missing) {
      const content = contents.get(sha256);
      if (content === undefined) throw new Error(`the frame names no ${sha256}`);
      const body = { mediaType: 'application/octet-stream' as const, value: content };
      await this.#client.call('putResource', { parameters: { sha256 }, body });
      bytes += content.length;
    }
    return bytes;
  }
}

const hashParts: HashParts = (parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};
