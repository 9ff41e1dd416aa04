/** Recognizes a post that is sent again with the same `Idempotency-Key`. */
import { createHash } from 'node:crypto';
import { DEFAULT_OPTIONS, RenderError, type Sha256 } from '@tessera/frame';
import type { FrameRecord, Idempotency } from '../../frames/frame-record.ts';
import type { FrameStore } from '../../frames/frame-store.ts';
import type { FrameSource } from '../../prepare/frame-source.ts';

/**
 * Parameters with default values that versions after 0.1 added. A checked query has them even if
 * the client did not send them.
 */
const LATER_DEFAULTS: ReadonlyMap<string, unknown> = new Map([
  ['coupling', DEFAULT_OPTIONS.coupling],
]);

/**
 * Returns the hash of everything that defines a post: the content of its body, and its query. It is
 * the same in all versions, so that a client can send a post again after an upgrade.
 */
export function fingerprintOf(source: FrameSource, query: object): Sha256 {
  const files = source.files.map(({ name, sha256 }) => [name, sha256]);
  const parameters = Object.entries(query)
    .filter(([name, value]) => !LATER_DEFAULTS.has(name) || LATER_DEFAULTS.get(name) !== value)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([source.kind, files, parameters]))
    .digest('hex');
}

/**
 * Returns the frame that an equal post created, or null if there is none.
 *
 * @throws {RenderError} IDEMPOTENCY_KEY_REUSED if a different post used the key.
 */
export function findRepeated(
  store: FrameStore,
  idempotency: Idempotency | null,
): FrameRecord | null {
  const found = idempotency === null ? null : store.findByKey(idempotency.key);
  if (found === null) return null;
  if (found.fingerprint !== idempotency?.fingerprint) {
    throw new RenderError(
      'IDEMPOTENCY_KEY_REUSED',
      `Idempotency-Key: frame ${found.record.id} was posted with this key and another body or query`,
    );
  }
  return found.record;
}
