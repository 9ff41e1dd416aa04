/** The interface of every kind of fuzzed input. */
import type { SeededRandom } from '@tessera/scenes/seeded-random';

/** One input of the service and the way to damage it. */
export interface FuzzKind {
  /** Undamaged inputs, with which the corpus starts. */
  readonly seeds: readonly Uint8Array[];
  /** Upper bound on the attempts to shorten an input of the corpus, for slow kinds. */
  readonly shortenTries?: number;
  /**
   * Returns a damaged copy of an input.
   *
   * @param input Seed, or an input that was damaged before.
   * @param other Input of the same kind, for splices.
   */
  mutate(input: Uint8Array, other: Uint8Array, random: SeededRandom): Uint8Array;
  /**
   * Processes an input through the same stages as the service. Returns the outcome in one word:
   * that of a refused input is in capitals, like the codes of errors.
   *
   * @throws {unknown} An error that the service would not answer with a 4xx problem: a finding.
   */
  follow(input: Uint8Array): string | Promise<string>;
}
