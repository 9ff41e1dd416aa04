/**
 * Images that the Dockerfile, the compose files and the manifests name: `name:tag@sha256:digest`.
 * The tag is for readers. If there is a digest, container engines ask for the digest alone.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Image that the Dockerfile builds. No registry has it, so it has no tag and no digest. */
export const OWN_IMAGE = 'tessera';

/** An image that a file names. */
export interface ImageReference {
  /** Path of the file from the root of the repository. */
  readonly path: string;
  /** Line of the file, from 1. */
  readonly line: number;
  /** Reference without its digest, such as `node:26.10.0-bookworm-slim`. */
  readonly tagged: string;
  /** `sha256:` and 64 digits, or null if the reference has none. */
  readonly digest: string | null;
}

const REFERENCE = /^(\s*(?:image:|FROM(?: --platform=\S+)?)\s+)([^\s@]+)(@\S+)?/;

/** Returns the images of other makers that a file names, in the order of its lines. */
export function findImageReferences(path: string, text: string): ImageReference[] {
  return text.split('\n').flatMap((line, i) => {
    const match = REFERENCE.exec(line);
    if (match === null || match[2] === OWN_IMAGE) return [];
    const digest = match[3]?.slice(1) ?? null;
    return [{ path, line: i + 1, tagged: match[2]!, digest }];
  });
}

/** Returns the text of a file with digests by tagged reference; others stay as they are. */
export function writeDigests(text: string, digests: ReadonlyMap<string, string>): string {
  return text
    .split('\n')
    .map((line) =>
      line.replace(REFERENCE, (all, before: string, tagged: string) => {
        const digest = digests.get(tagged);
        return digest === undefined ? all : `${before}${tagged}@${digest}`;
      }),
    )
    .join('\n');
}

/** Returns the paths of the files that may name images, from the root of the repository. */
export function listImageFiles(root: string): string[] {
  const manifests = readdirSync(join(root, 'docs/deploy'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name))
    .map((name) => join('docs/deploy', name))
    .sort();
  return ['Dockerfile', 'docker-compose.yml', ...manifests];
}

/** Returns the images of other makers in all files of the repository. */
export function readImageReferences(root: string): ImageReference[] {
  return listImageFiles(root).flatMap((path) =>
    findImageReferences(path, readFileSync(join(root, path), 'utf8')),
  );
}
