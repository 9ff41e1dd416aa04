/** Timings of instructions by class, from the specification of a chiplet. */

import type { ChipletSpec } from '@tessera/chiplet-spec';
import { TIMED_CLASSES } from '@tessera/chiplet-spec';
import { type OperationTimings, UNIT_TIMINGS } from '@tessera/shader/codegen';

const timingsBySpec = new WeakMap<ChipletSpec, OperationTimings>();

/**
 * Returns the timings of a specification, the same object in every call. A texture instruction
 * takes one cycle, because its latency is that of the texture unit.
 */
export function operationTimingsOf(spec: ChipletSpec): OperationTimings {
  const known = timingsBySpec.get(spec);
  if (known !== undefined) return known;
  const timings = { ...UNIT_TIMINGS };
  for (const name of TIMED_CLASSES) {
    timings[name] = {
      issueCycles: spec[`${name}IssueCycles`],
      latencyCycles: spec[`${name}LatencyCycles`],
    };
  }
  timingsBySpec.set(spec, timings);
  return timings;
}
