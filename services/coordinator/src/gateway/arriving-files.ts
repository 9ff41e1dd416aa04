/** Files of a posted frame: received in the spool folder, then stored in the cluster. */
import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { RenderError } from '@tessera/frame';
import type { StoredBlob } from '../store/blob-store.ts';
import { asProblem } from './blob-problems.ts';
import { admitBytes, type GatewayServices } from './gateway-services.ts';
import type { GatewayTenant } from './tenants.ts';

/** Writes files of a tenant to the cluster. */
export class ArrivingFiles {
  readonly #services: GatewayServices;
  readonly #tenant: GatewayTenant;

  constructor(services: GatewayServices, tenant: GatewayTenant) {
    this.#services = services;
    this.#tenant = tenant;
  }

  /**
   * Writes a stream. When this resolves, the file is in the cluster's store.
   *
   * @throws {RenderError} LIMIT_EXCEEDED beyond `maxBytes`; QUOTA_EXCEEDED, BLOBS_UNAVAILABLE. Also
   *   throws the errors of the stream.
   */
  async writeStream(
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    maxBytes: number,
  ): Promise<StoredBlob> {
    const { blobs, spoolFolder, withEngine } = this.#services;
    const path = join(spoolFolder, `body-${randomUUID()}`);
    const hash = createHash('sha256');
    let bytes = 0;
    try {
      await pipeline(
        chunks,
        async function* (source: AsyncIterable<Uint8Array>) {
          for await (const chunk of source) {
            bytes += chunk.length;
            if (bytes > maxBytes) {
              throw new RenderError('LIMIT_EXCEEDED', `body: more than ${maxBytes} bytes`);
            }
            hash.update(chunk);
            yield chunk;
          }
        },
        createWriteStream(path),
      );
      const sha256 = hash.digest('hex');
      await admitBytes(this.#services, this.#tenant, bytes);
      await asProblem(blobs.put(sha256, bytes, () => createReadStream(path)));
      await withEngine((engine) => engine.addBlob(this.#tenant.name, sha256, bytes));
      return { sha256, bytes };
    } finally {
      await rm(path, { force: true });
    }
  }

  /** Files stay in the cluster. */
  release(): void {}
}
