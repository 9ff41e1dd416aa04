/** Damage to bytes, as in a broken file or an unsophisticated attack. */
import type { SeededRandom } from '@tessera/scenes/seeded-random';

/** Lengths and counts that programs often handle incorrectly. */
const EXTREMES = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

/**
 * Returns a damaged copy of `bytes`.
 *
 * @param other Bytes of the same kind, for splices.
 */
export function mutateBytes(
  bytes: Uint8Array,
  other: Uint8Array,
  random: SeededRandom,
): Uint8Array {
  if (bytes.length === 0) return Uint8Array.of(random.integer(0, 255));
  const mutated = Uint8Array.from(bytes);
  const anywhere = () => random.integer(0, mutated.length - 1);
  switch (random.integer(0, 6)) {
    case 0:
      return mutated.subarray(0, anywhere());
    case 1:
      for (let flips = random.integer(1, 8); flips > 0; flips--) {
        mutated[anywhere()]! ^= 1 << random.integer(0, 7);
      }
      return mutated;
    case 2: {
      // A field of four bytes in either byte order.
      if (mutated.length < 4) return new Uint8Array(0);
      const view = new DataView(mutated.buffer);
      const at = random.integer(0, mutated.length - 4);
      const value = random.pick(EXTREMES) + random.integer(-1, 1);
      view.setUint32(at, value >>> 0, random.integer(0, 1) === 0);
      return mutated;
    }
    case 3: {
      const start = anywhere();
      return mutated.fill(random.pick([0, 0xff, 0x20]), start, start + random.integer(1, 9));
    }
    case 4: {
      const start = anywhere();
      return mutated.copyWithin(anywhere(), start, start + random.integer(1, 64));
    }
    case 5: {
      const start = anywhere();
      const rest = mutated.subarray(Math.min(mutated.length, start + random.integer(1, 16)));
      return join([mutated.subarray(0, start), rest]);
    }
    default:
      return join([
        mutated.subarray(0, anywhere()),
        other.subarray(random.integer(0, Math.max(0, other.length - 1))),
      ]);
  }
}

/** Returns the bytes after a first byte that states their format. */
export function withFirstByte(first: number, bytes: Uint8Array): Uint8Array {
  return join([Uint8Array.of(first), bytes]);
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
