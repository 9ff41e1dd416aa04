/** Table of the bin-assignment policies. */
import { RenderError } from '@tessera/frame/errors';
import { assignLeastLoaded, assignLongestFirst } from './dynamic-policies.ts';
import type { BinAssignmentPolicy } from './policy.ts';
import {
  assignStaticBlocks,
  assignStaticDiagonal,
  assignStaticInterleaved,
  assignStaticMorton,
} from './static-policies.ts';

/** Entry of the table. */
export interface PolicyEntry {
  /**
   * Source of a bin's predicted cost: none, the estimate of the visibility phase, or earlier
   * frames.
   */
  readonly prediction: 'none' | 'estimate' | 'history';
  /**
   * Assigns all bins before any is rendered. Null for a pull queue, where the chiplet that is free
   * first takes the next bin.
   */
  readonly assign: BinAssignmentPolicy | null;
  /**
   * Returns the number of steps that the assignment takes before bins can start; see
   * assignment-cost.ts.
   */
  readonly countSteps: (binCount: number, chipletCount: number) => number;
  readonly meaning: string;
}

/** Returns the steps of one table lookup per bin. */
const countLookups = (binCount: number) => binCount;
/** Returns the steps of finding the minimum of N loads for each bin. */
const countLeast = (binCount: number, chipletCount: number) => binCount * (chipletCount - 1);
/** Returns the steps of a merge sort. */
const countSort = (binCount: number) => binCount * ceilLog2(binCount);
const countSortAndLeast = (binCount: number, chipletCount: number) =>
  countSort(binCount) + countLeast(binCount, chipletCount);

/** Policies by name. */
export const BIN_ASSIGNMENT_POLICIES = {
  'static-blocks': {
    prediction: 'none',
    assign: assignStaticBlocks,
    countSteps: countLookups,
    meaning: 'runs of consecutive bins (fig. 4)',
  },
  'static-interleaved': {
    prediction: 'none',
    assign: assignStaticInterleaved,
    countSteps: countLookups,
    meaning: 'bin i to chiplet i mod N',
  },
  'static-diagonal': {
    prediction: 'none',
    assign: assignStaticDiagonal,
    countSteps: countLookups,
    meaning: 'bin (column, row) to chiplet (column + row) mod N',
  },
  'static-morton': {
    prediction: 'none',
    assign: assignStaticMorton,
    countSteps: countLookups,
    meaning: 'bins in Z-order, dealt out in turn',
  },
  'dynamic-least-loaded': {
    prediction: 'estimate',
    assign: assignLeastLoaded,
    countSteps: countLeast,
    meaning: 'bins in order, each to the chiplet with the least estimated load (fig. 5)',
  },
  'dynamic-longest-first': {
    prediction: 'estimate',
    assign: assignLongestFirst,
    countSteps: countSortAndLeast,
    meaning: 'the costliest bin first, each to the chiplet with the least estimated load',
  },
  'dynamic-pull': {
    prediction: 'estimate',
    assign: null,
    countSteps: countSort,
    meaning: 'the costliest bin that is left, to the chiplet that is free first in simulated time',
  },
  'dynamic-history': {
    prediction: 'history',
    assign: assignLongestFirst,
    countSteps: countSortAndLeast,
    meaning: 'longest first by the cycles of the same bins in earlier frames of a sequence',
  },
} as const satisfies Record<string, PolicyEntry>;

/** Name of a policy, without the aliases. */
export type BinAssignmentPolicyName = keyof typeof BIN_ASSIGNMENT_POLICIES;

/** Short names of policies. */
export const POLICY_ALIASES: Readonly<Record<string, BinAssignmentPolicyName>> = {
  static: 'static-blocks',
  dynamic: 'dynamic-pull',
};

/** Names that a caller may use, aliases included. */
export const POLICY_NAMES: readonly string[] = [
  ...Object.keys(POLICY_ALIASES),
  ...Object.keys(BIN_ASSIGNMENT_POLICIES),
];

/**
 * Returns the policy of a name or alias.
 *
 * @throws {RenderError} REQUEST_INVALID for an unknown name; the message lists all names.
 */
export function resolvePolicyName(name: string): BinAssignmentPolicyName {
  const resolved = Object.hasOwn(POLICY_ALIASES, name) ? POLICY_ALIASES[name]! : name;
  if (!Object.hasOwn(BIN_ASSIGNMENT_POLICIES, resolved)) {
    throw new RenderError(
      'REQUEST_INVALID',
      `policy: '${name}' is not one of ${POLICY_NAMES.join(', ')}`,
    );
  }
  return resolved as BinAssignmentPolicyName;
}

function ceilLog2(count: number): number {
  let log = 0;
  while (2 ** log < count) log++;
  return log;
}
