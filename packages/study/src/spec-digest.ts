/** Digest of a specification, which tells specifications of one name apart. */
import { type SpecSummary, sha256Hex } from '@tessera/frame';

const DIGEST_LENGTH = 12;

/**
 * Returns the first 12 hexadecimal digits of the SHA-256 of all parameters, sorted by name. The
 * name of the specification is not part of it.
 */
export function specDigest({ parameters }: Pick<SpecSummary, 'parameters'>): string {
  const sorted = Object.entries(parameters).sort(([a], [b]) => (a < b ? -1 : 1));
  const bytes = new TextEncoder().encode(JSON.stringify(sorted));
  return sha256Hex(bytes).slice(0, DIGEST_LENGTH);
}
