/** A chiplet's specification as the simulated chip takes it. */

import { packWords, TIMING_SPEC_WORDS, TimingSpec } from '@tessera/chip/records';
import { type ChipletSpec, requireChipletSpec } from '../spec/chiplet-spec.ts';

/**
 * Returns the words that `TimingSpec.load` reads. A specification reaches the cycle model only through here, because
 * the model trusts it.
 *
 * @throws {RangeError} See requireChipletSpec.
 */
export function timingSpecWords(spec: ChipletSpec): Int32Array {
  return packWords(TIMING_SPEC_WORDS, requireChipletSpec(spec));
}

/** For parts of the chip that run by themselves. */
export function timingSpecOf(spec: ChipletSpec): TimingSpec {
  const timing = new TimingSpec();
  timing.load(timingSpecWords(spec));
  return timing;
}
