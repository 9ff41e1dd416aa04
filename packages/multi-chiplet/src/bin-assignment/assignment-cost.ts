/**
 * What deciding costs in simulated time (patent ¶47: dynamic assignment takes more logic than static). A step is a
 * table lookup or a comparison of two loads; chiplet 0's command processor does one after the other, one a cycle,
 * when the visibility phase is over and while the stream is on its way. Grants of a pull queue come one at a time
 * while bins are rendered and take none of this.
 */
import { BIN_ASSIGNMENT_POLICIES, type BinAssignmentPolicyName } from './policies.ts';

const CYCLES_PER_STEP = 1;

export interface AssignmentCost {
  readonly steps: number;
  readonly cycles: number;
}

export function assignmentCost(
  policy: BinAssignmentPolicyName,
  binCount: number,
  chipletCount: number,
): AssignmentCost {
  const steps = BIN_ASSIGNMENT_POLICIES[policy].countSteps(binCount, chipletCount);
  return { steps, cycles: steps * CYCLES_PER_STEP };
}
