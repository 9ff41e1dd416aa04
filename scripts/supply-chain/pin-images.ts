/**
 * Writes the digests of all images of other makers beside their tags, as Docker Hub has them now:
 *
 *     npm run images:pin              after a tag was changed by hand
 *     npm run images:pin -- --check   writes nothing; ends with 1 if a digest differs
 *
 * A tag can be moved, so a digest that differs is not wrong: it is the image that was tested.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { listImageFiles, readImageReferences, writeDigests } from './image-references.ts';
import { fetchDigest } from './registry-digest.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const { check } = parseArgs({ options: { check: { type: 'boolean', default: false } } }).values;

const references = readImageReferences(ROOT);
const digests = new Map<string, string>();
for (const tagged of new Set(references.map((reference) => reference.tagged))) {
  digests.set(tagged, await fetchDigest(tagged));
}
for (const { path, line, tagged, digest } of references) {
  const current = digests.get(tagged)!;
  if (digest === current) continue;
  console.log(`${path}:${line} ${tagged}: ${digest ?? 'no digest'}, the registry has ${current}`);
  if (check) process.exitCode = 1;
}
if (!check) {
  for (const path of listImageFiles(ROOT)) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const pinned = writeDigests(text, digests);
    if (pinned !== text) writeFileSync(join(ROOT, path), pinned);
  }
}
