/** Blob servers without signatures: nginx with WebDAV, and gateways of Tessera. */
import type { BlobServer } from './http-blobs.ts';

/**
 * Returns a server that stores a blob at `<url>/<first two digits>/<sha256>`.
 *
 * @param token Bearer token to send, if any.
 */
export function davServer(base: URL, token: string | undefined): BlobServer {
  return webServer(base, token, true, (sha256) => `${sha256.slice(0, 2)}/${sha256}`);
}

/** Returns a gateway of Tessera, which stores a blob at `<url>/<sha256>`. */
export function gatewayServer(base: URL, token: string | undefined): BlobServer {
  return webServer(base, token, false, (sha256) => sha256);
}

function webServer(
  base: URL,
  token: string | undefined,
  canDelete: boolean,
  pathOf: (sha256: string) => string,
): BlobServer {
  if (base.username !== '' || base.password !== '' || base.search !== '' || base.hash !== '') {
    throw new RangeError(
      `blob store at ${base.host}: the URL may have no user, password, query or fragment; give a token instead`,
    );
  }
  const headers: Readonly<Record<string, string>> =
    token === undefined ? {} : { authorization: `Bearer ${token}` };
  const prefix = base.href.replace(/\/+$/, '');
  return {
    name: prefix,
    canDelete,
    storedStatuses: [201, 204],
    urlOf: (sha256) => new URL(`${prefix}/${pathOf(sha256)}`),
    authorize: async () => headers,
  };
}
