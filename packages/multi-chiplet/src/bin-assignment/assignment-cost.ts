/**
 * Cost of bin assignment in simulated time (patent ¶47: dynamic assignment takes more logic than
 * static). A step is a table lookup or a comparison of two loads. The command processor of chiplet
 * 0 executes one step per cycle, after the visibility phase, while the stream is being sent. A pull
 * queue grants bins one at a time during rendering, which costs no steps.
 */
import { BIN_ASSIGNMENT_POLICIES, type BinAssignmentPolicyName } from './policies.ts';

const CYCLES_PER_STEP = 1;

/** Steps of one assignment, and the cycles that they take. */
export interface AssignmentCost {
  readonly steps: number;
  readonly cycles: number;
}

/** Returns the cost of assigning the bins of a pass. */
export function assignmentCost(
  policy: BinAssignmentPolicyName,
  binCount: number,
  chipletCount: number,
): AssignmentCost {
  const steps = BIN_ASSIGNMENT_POLICIES[policy].countSteps(binCount, chipletCount);
  return { steps, cycles: steps * CYCLES_PER_STEP };
}
