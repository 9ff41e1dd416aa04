/** A chiplet's specification as the simulated chip takes it. */

import { TimingSpec } from '@tessera/chip/records';
import { type ChipletSpec, requireChipletSpec, SPEC_CHOICES } from '../spec/chiplet-spec.ts';

/** Fields in the order of their words. */
const FIELDS = Object.keys(new TimingSpec()) as (keyof TimingSpec & keyof ChipletSpec)[]; // a test compares

/**
 * The words that `TimingSpec.load` reads: the one way of a specification into the cycle model, which trusts it.
 *
 * @throws {RangeError} See requireChipletSpec.
 */
export function timingSpecWords(given: ChipletSpec): Int32Array {
  const spec = requireChipletSpec(given);
  return Int32Array.from(FIELDS, (field) => {
    const value = spec[field];
    if (field === 'slotPolicy' || field === 'warpIdLayout') {
      return (SPEC_CHOICES[field].values as readonly string[]).indexOf(String(value));
    }
    return Number(value);
  });
}

/** For parts of the chip that run by themselves. */
export function timingSpecOf(spec: ChipletSpec): TimingSpec {
  const timing = new TimingSpec();
  timing.load(timingSpecWords(spec));
  return timing;
}
