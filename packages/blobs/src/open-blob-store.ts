/** Opens the blob store that a URL names. */
import { fileURLToPath } from 'node:url';
import type { BlobStore } from './blob-store.ts';
import { FolderBlobs } from './folder-blobs.ts';

/** Settings that are not part of the URL, because they are secrets or differ by process. */
export interface BlobStoreOptions {
  /** Bearer token for `http:`, `https:` and `gateway+` URLs. */
  readonly token?: string;
  /** Environment with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and others for `s3:` URLs. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns the store. It is not contacted before the first call; a folder is created.
 *
 * @param url `file:/path`, `http(s)://host/path`, `gateway+http(s)://host/v1/blobs` or
 *   `s3://bucket/prefix?endpoint=https://host&region=r`.
 * @throws {RangeError} If the URL has another form.
 */
export function openBlobStore(url: string, _options: BlobStoreOptions = {}): BlobStore {
  const parsed = URL.parse(url);
  if (parsed?.protocol === 'file:' && url.startsWith('file:/')) {
    return new FolderBlobs(fileURLToPath(parsed));
  }
  throw new RangeError(`blob store '${url}': give file:/path`);
}
