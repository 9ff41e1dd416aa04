/**
 * Files of a cluster on a cell: those of sources are kept as resources, so that later units find
 * them, and those of results are copied to the cluster's store.
 */
import { Readable } from 'node:stream';
import { BlobMissingError, type BlobStore as ClusterBlobs } from '@tessera/blobs';
import { RenderError } from '@tessera/frame';
import type { BlobStore, StoredBlob } from '../store/blob-store.ts';
import { MissingResourcesError } from '../store/missing-resources.ts';
import type { ResourceStore } from '../store/resource-store.ts';
import type { WhileAway } from './while-away.ts';

/** Services of {@link ClusterFiles}. */
export interface ClusterFilesOptions {
  readonly cluster: ClusterBlobs;
  readonly blobs: BlobStore;
  readonly resources: ResourceStore;
  readonly whileAway: WhileAway;
}

/** Files of a cluster on a cell. */
export class ClusterFiles {
  readonly #options: ClusterFilesOptions;
  /** Downloads in progress, so that two chunks do not repeat one. */
  readonly #downloads = new Map<string, Promise<void>>();

  constructor(options: ClusterFilesOptions) {
    this.#options = options;
  }

  /**
   * Calls `use` while the cell keeps files, which are downloaded if they are missing.
   *
   * @throws {RenderError} RESOURCES_MISSING if the cluster does not have one; LIMIT_EXCEEDED if it
   *   is larger than the cell's limit of resources; STORAGE_FULL.
   */
  async withFiles<Result>(
    files: readonly StoredBlob[],
    signal: AbortSignal,
    use: () => Promise<Result>,
  ): Promise<Result> {
    const { resources } = this.#options;
    const lease = resources.lease();
    try {
      const hashes = [...new Set(files.map(({ sha256 }) => sha256))];
      for (;;) {
        const missing = missingOf(() => lease.take(hashes));
        if (missing.length === 0) break;
        for (const sha256 of missing) await this.#download(sha256, signal);
      }
      return await use();
    } finally {
      lease.close();
    }
  }

  /** Copies a file of this cell to the cluster. */
  async publish({ sha256, bytes }: StoredBlob, signal: AbortSignal): Promise<void> {
    const { cluster, blobs, whileAway } = this.#options;
    const content = await blobs.read(sha256);
    await whileAway(() => cluster.put(sha256, bytes, () => Readable.from([content])), signal);
  }

  /** Writes bytes to the cluster. */
  async write(content: Buffer, sha256: string, signal: AbortSignal): Promise<StoredBlob> {
    const { cluster, whileAway } = this.#options;
    const open = () => Readable.from([content]);
    await whileAway(() => cluster.put(sha256, content.length, open), signal);
    return { sha256, bytes: content.length };
  }

  async #download(sha256: string, signal: AbortSignal): Promise<void> {
    const running = this.#downloads.get(sha256);
    if (running !== undefined) return running;
    const download = this.#fetch(sha256, signal).finally(() => this.#downloads.delete(sha256));
    this.#downloads.set(sha256, download);
    return download;
  }

  async #fetch(sha256: string, signal: AbortSignal): Promise<void> {
    const { cluster, blobs, resources, whileAway } = this.#options;
    try {
      await whileAway(async () => {
        const blob = await blobs.writeStream(await cluster.get(sha256), Number.POSITIVE_INFINITY);
        try {
          resources.add(blob);
        } finally {
          blobs.release([blob]);
        }
      }, signal);
    } catch (error) {
      if (!(error instanceof BlobMissingError)) throw error;
      const message = `the cluster does not have the file ${sha256}`;
      throw new RenderError('RESOURCES_MISSING', message, { cause: error });
    }
  }
}

function missingOf(take: () => unknown): readonly string[] {
  try {
    take();
    return [];
  } catch (error) {
    if (error instanceof MissingResourcesError) return error.missing;
    throw error;
  }
}
