/** More ways to take numbers from a seeded sequence, the only source of chance in a world. */
import { type SeededRandom, seededRandom } from '@tessera/scenes/seeded-random';

const MAX_SEED = 2 ** 32 - 1;

/** Starts a sequence whose numbers do not depend on how many are taken from `random` later. */
export function forkRandom(random: SeededRandom): SeededRandom {
  return seededRandom(random.integer(0, MAX_SEED));
}

/** Fills all bytes of a view. Returns the view. */
export function fillRandomly<T extends ArrayBufferView>(random: SeededRandom, view: T): T {
  const bytes = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
  for (let i = 0; i < bytes.length; i++) bytes[i] = random.integer(0, 255);
  return view;
}
