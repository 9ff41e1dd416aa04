/** Encoding of a chiplet's specification for the simulated chip. */

import { packWords, TIMING_SPEC_WORDS, TimingSpec } from '@tessera/chip/records';
import { type ChipletSpec, requireChipletSpec } from '@tessera/chiplet-spec';

/**
 * Returns the words that `TimingSpec.load` reads. A specification reaches the cycle model only
 * through here, because the model does not check it.
 *
 * @throws {RangeError} See requireChipletSpec.
 */
export function timingSpecWords(spec: ChipletSpec): Int32Array {
  return packWords(TIMING_SPEC_WORDS, requireChipletSpec(spec));
}

/** Returns a text that two specifications share if the chip differs in one field at most. */
export function timingKeyWithout(spec: ChipletSpec, field: keyof typeof TIMING_SPEC_WORDS): string {
  const words = timingSpecWords(spec);
  words[Object.keys(TIMING_SPEC_WORDS).indexOf(field)] = 0;
  return words.join();
}

/** Returns the specification for parts of the chip that run on their own. */
export function timingSpecOf(spec: ChipletSpec): TimingSpec {
  const timing = new TimingSpec();
  timing.load(timingSpecWords(spec));
  return timing;
}
