/**
 * Inputs of one kind that reach different branches. Each is a file, named by the SHA-256 of its
 * bytes, in `test/fuzz-corpus` (kept in the repository) or `out/fuzz/corpus` (found by runs).
 */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SeededRandom } from '@tessera/scenes/seeded-random';

/** Number of digits of the SHA-256 in a name. */
const NAME_DIGITS = 12;
/** Share of the newest inputs, which are chosen every other time. */
const NEWEST_SHARE = 0.125;

/** Returns the inputs in a folder, in the order of their names. */
export function readInputs(folder: string): Uint8Array[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => Uint8Array.from(readFileSync(join(folder, name))));
}

/** Writes an input to a folder. Returns its path. */
export function writeInput(folder: string, input: Uint8Array): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, nameOf(input));
  writeFileSync(path, input);
  return path;
}

function nameOf(input: Uint8Array): string {
  return createHash('sha256').update(input).digest('hex').slice(0, NAME_DIGITS);
}

/** Inputs that a run damages. */
export class Corpus {
  readonly #inputs: Uint8Array[] = [];

  add(input: Uint8Array): void {
    this.#inputs.push(input);
  }

  /** Returns an input; every other time one of the newest, which were damaged least often. */
  pick(random: SeededRandom): Uint8Array {
    const last = this.#inputs.length - 1;
    const newest = Math.floor(last * (1 - NEWEST_SHARE));
    return this.#inputs[random.integer(random.integer(0, 1) === 0 ? newest : 0, last)]!;
  }

  /** Returns any input. */
  pickAny(random: SeededRandom): Uint8Array {
    return random.pick(this.#inputs);
  }
}
