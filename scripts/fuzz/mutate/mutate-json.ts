/** Damage to JSON as a tree of values, so that the checks after the parser are reached. */
import type { SeededRandom } from '@tessera/scenes/seeded-random';
import { mutateBytes } from './mutate-bytes.ts';
import { mutateValue } from './mutate-value.ts';

const decoder = new TextDecoder();
const encoder = new TextEncoder();

/** Returns a damaged copy of JSON text; damages the bytes of what is none. */
export function mutateJson(text: Uint8Array, other: Uint8Array, random: SeededRandom): Uint8Array {
  try {
    const read = (one: Uint8Array): unknown => JSON.parse(decoder.decode(one));
    const value = mutateValue(read(text), () => read(other), random);
    return encoder.encode(JSON.stringify(value) ?? 'null');
  } catch {
    return mutateBytes(text, other, random); // damaged before
  }
}
