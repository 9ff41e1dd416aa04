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
/** Share of the newest inputs, which are chosen every third time. */
const NEWEST_SHARE = 0.125;

/** Outcomes of refused inputs. */
const REFUSED = /^[A-Z_]+$/;
/** Beginning of the names of regression inputs, which a minimized corpus keeps. */
export const REGRESSION_PREFIX = 'fixed-';

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
  readonly #accepted: Uint8Array[] = [];

  /** @param outcome Outcome of the input. */
  add(input: Uint8Array, outcome: string): void {
    this.#inputs.push(input);
    if (!REFUSED.test(outcome)) this.#accepted.push(input);
  }

  /**
   * Returns an input: every third time one of the newest, which were damaged least often, and every
   * third time one that was accepted, because a small damage to it reaches the last stages.
   */
  pick(random: SeededRandom): Uint8Array {
    const choice = random.integer(0, 2);
    if (choice === 0 && this.#accepted.length > 0) return random.pick(this.#accepted);
    const last = this.#inputs.length - 1;
    const newest = Math.floor(last * (1 - NEWEST_SHARE));
    return this.#inputs[random.integer(choice === 1 ? newest : 0, last)]!;
  }

  /** Returns any input. */
  pickAny(random: SeededRandom): Uint8Array {
    return random.pick(this.#inputs);
  }
}
