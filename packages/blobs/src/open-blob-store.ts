/** Opens the blob store that a URL names. */
import { fileURLToPath } from 'node:url';
import type { BlobStore } from './blob-store.ts';
import { FolderBlobs } from './folder-blobs.ts';
import { HttpBlobs } from './http-blobs.ts';
import { s3Server } from './s3-server.ts';
import { davServer, gatewayServer } from './web-servers.ts';

/** Settings that are not part of the URL, because they are secret. */
export interface BlobStoreOptions {
  /** Bearer token for `http(s)` and `gateway+http(s)`. */
  readonly token?: string;
  /** Environment with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY for `s3`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Forms of URLs, for messages. */
const FORMS =
  'file:/path, http(s)://host/path, gateway+http(s)://host/v1/blobs, or s3://bucket/prefix?endpoint=https://host&region=r';

/**
 * Returns the store. A folder is created if it is missing. A server is not contacted before the
 * first call.
 *
 * @param url `file:/path` for a folder that all processes share. `http(s)://host/path` for a server
 *   that takes GET, HEAD, PUT and DELETE of `<url>/<first two digits>/<sha256>`.
 *   `gateway+http(s)://host/v1/blobs` for a gateway of Tessera.
 *   `s3://bucket/prefix?endpoint=https://host&region=r` for S3.
 * @throws {RangeError} If the URL has another form, or a credential is missing.
 */
export function openBlobStore(url: string, options: BlobStoreOptions = {}): BlobStore {
  const { token, env = {} } = options;
  // The host of other schemes is not parsed alike.
  const [, gateway, rest] = /^(gateway\+)?(.*)$/s.exec(url)!;
  const parsed = URL.parse(rest!);
  const scheme = parsed?.protocol;
  if (parsed && (scheme === 'http:' || scheme === 'https:')) {
    return new HttpBlobs(gateway ? gatewayServer(parsed, token) : davServer(parsed, token));
  }
  if (parsed && !gateway) {
    if (scheme === 'file:' && url.startsWith('file:/') && parsed.host === '') {
      return new FolderBlobs(fileURLToPath(parsed));
    }
    if (scheme === 's3:') return new HttpBlobs(s3Server(parsed, env));
  }
  // Without the rest of the URL, which may contain a password.
  const found = /^[\w+.-]*:/.exec(url)?.[0] ?? 'no scheme';
  throw new RangeError(`blob store: found '${found}'; give ${FORMS}`);
}
