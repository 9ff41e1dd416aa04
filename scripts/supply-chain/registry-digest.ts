/**
 * Asks a registry for the digest of a tag, with plain HTTPS: the pull part of the OCI distribution
 * specification 1.1, and the token challenge of the Docker registry.
 */
import { createHash } from 'node:crypto';

/** Registry of references that name none. */
export const DOCKER_HUB = 'https://registry-1.docker.io';
/** Lists of manifests by platform come first, so that the digest is right for every processor. */
const MANIFEST_TYPES = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');
const TIMEOUT_MS = 30_000;

/**
 * Returns the path of an image in Docker Hub, and its tag: `node:26` is `library/node` and `26`.
 *
 * @throws {Error} If the reference names another registry or no tag.
 */
export function parseTagged(tagged: string): { readonly repository: string; readonly tag: string } {
  const match = /^([\w-]+(?:\/[\w.-]+)?):([\w.-]+)$/.exec(tagged);
  if (match === null) throw new Error(`${tagged}: not an image of Docker Hub with a tag`);
  const name = match[1]!;
  return { repository: name.includes('/') ? name : `library/${name}`, tag: match[2]! };
}

/**
 * Returns the token of an anonymous client that a challenge asks for.
 *
 * @throws {Error} If the challenge is of another kind, or the server of tokens refuses.
 */
async function fetchToken(challenge: string): Promise<string> {
  const fields = Object.fromEntries(
    [...challenge.matchAll(/(\w+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]),
  );
  if (!challenge.startsWith('Bearer ') || fields.realm === undefined) {
    throw new Error(`the registry asks for '${challenge}'`);
  }
  const url = new URL(fields.realm);
  for (const key of ['service', 'scope']) {
    if (fields[key] !== undefined) url.searchParams.set(key, fields[key]);
  }
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`${url.origin} answers ${response.status}`);
  return ((await response.json()) as { token: string }).token;
}

/**
 * Returns the digest of a tagged image: the SHA-256 of the manifest that the registry sends.
 *
 * @throws {Error} If the registry cannot be reached, has no such tag, or announces a digest that is
 *   not that of its manifest.
 */
export async function fetchDigest(tagged: string, registryUrl = DOCKER_HUB): Promise<string> {
  const { repository, tag } = parseTagged(tagged);
  const url = `${registryUrl}/v2/${repository}/manifests/${tag}`;
  const ask = (headers: Record<string, string>) =>
    fetch(url, {
      headers: { Accept: MANIFEST_TYPES, ...headers },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  let response = await ask({});
  if (response.status === 401) {
    const token = await fetchToken(response.headers.get('www-authenticate') ?? '');
    response = await ask({ Authorization: `Bearer ${token}` });
  }
  if (!response.ok) throw new Error(`${url} answers ${response.status}`);
  const manifest = Buffer.from(await response.arrayBuffer());
  const digest = `sha256:${createHash('sha256').update(manifest).digest('hex')}`;
  const announced = response.headers.get('docker-content-digest');
  if (announced !== null && announced !== digest) {
    throw new Error(`${url} announces ${announced} and sends ${digest}`);
  }
  return digest;
}
