/** Damage to MessagePack as a tree of values, so that the checks after the decoder are reached. */
import type { SeededRandom } from '@tessera/scenes/seeded-random';
import { unpack } from '../../../packages/wire/src/codec/unpack.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { mutateValue } from './mutate-value.ts';

/**
 * Returns a damaged copy of MessagePack; damages the bytes of what is none.
 *
 * @param pack Encoder.
 */
export function mutatePacked(
  encoded: Uint8Array,
  other: Uint8Array,
  random: SeededRandom,
  pack: (value: unknown) => Uint8Array,
): Uint8Array {
  try {
    return pack(mutateValue(unpack(encoded), () => unpack(other), random));
  } catch {
    return mutateBytes(encoded, other, random); // damaged before
  }
}
