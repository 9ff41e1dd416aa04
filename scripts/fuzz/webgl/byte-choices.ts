/**
 * Choices of a generator, read from bytes, so that damage to the bytes changes the generated input
 * but not its form (Padhye et al., "Semantic Fuzzing with Zest", ISSTA 2019).
 */
import { randomFrom, type SeededRandom, seededRandom } from '@tessera/scenes/seeded-random';

/** Bytes of one choice. */
const BYTES_PER_CHOICE = 2;

/** Choices that bytes determine. After the last byte they are those of a constant seed. */
export interface ByteChoices extends SeededRandom {
  /** Returns whether no bytes are left for another choice. */
  readonly isUsedUp: () => boolean;
}

/** Returns the choices of bytes. */
export function byteChoices(bytes: Uint8Array): ByteChoices {
  const rest = seededRandom(0);
  let at = 0;
  const isUsedUp = () => at + BYTES_PER_CHOICE > bytes.length;
  const next = (): number => {
    if (isUsedUp()) return rest.next();
    const choice = bytes[at]! * 256 + bytes[at + 1]!;
    at += BYTES_PER_CHOICE;
    return choice / 2 ** 16;
  };
  return { ...randomFrom(next), isUsedUp };
}
