/** Damage upon damage: an input that needs two changes for a branch is reached by one mutation. */
import type { SeededRandom } from '@tessera/scenes/seeded-random';
import type { FuzzKind } from '../kinds/fuzz-kind.ts';

/** Inputs above this length are cut, so that inputs do not grow from one to the next. */
const MAX_BYTES = 256 * 1024;

/** Damages an input at least once, and again with a probability of a quarter each time. */
export function mutateOften(
  kind: FuzzKind,
  input: Uint8Array,
  other: Uint8Array,
  random: SeededRandom,
): Uint8Array {
  let mutated = input;
  do {
    mutated = kind.mutate(mutated, other, random);
  } while (random.integer(0, 3) === 0);
  return mutated.length > MAX_BYTES ? mutated.subarray(0, MAX_BYTES) : mutated;
}
