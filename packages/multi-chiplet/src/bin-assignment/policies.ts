/** THE table of bin-assignment policies. */
import { RenderError } from '@tessera/frame';
import { assignLeastLoaded, assignLongestFirst } from './dynamic-policies.ts';
import type { BinAssignmentPolicy } from './policy.ts';
import {
  assignStaticBlocks,
  assignStaticDiagonal,
  assignStaticInterleaved,
  assignStaticMorton,
} from './static-policies.ts';

/** A policy of the table. */
export interface PolicyEntry {
  /** What a bin's cost is predicted from: nothing, the visibility phase's estimate, or earlier frames. */
  readonly prediction: 'none' | 'estimate' | 'history';
  /** Decides for all bins before any is rendered; null: the next bin goes to the chiplet that is free first. */
  readonly assign: BinAssignmentPolicy | null;
  /** Steps that deciding takes before bins can begin: see assignment-cost.ts. */
  readonly countSteps: (binCount: number, chipletCount: number) => number;
  readonly meaning: string;
}

/** A place looked up for every bin. */
const countLookups = (binCount: number) => binCount;
/** The least of N loads for every bin. */
const countLeast = (binCount: number, chipletCount: number) => binCount * (chipletCount - 1);
/** Sorting by merging. */
const countSort = (binCount: number) => binCount * ceilLog2(binCount);
const countSortAndLeast = (binCount: number, chipletCount: number) =>
  countSort(binCount) + countLeast(binCount, chipletCount);

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
    meaning: 'longest first by the cycles that the same bins took in earlier frames of a sequence',
  },
} as const satisfies Record<string, PolicyEntry>;

export type BinAssignmentPolicyName = keyof typeof BIN_ASSIGNMENT_POLICIES;

/** Short names that stand for one of the table. */
export const POLICY_ALIASES: Readonly<Record<string, BinAssignmentPolicyName>> = {
  static: 'static-blocks',
  dynamic: 'dynamic-pull',
};

/** Every name a caller may use, aliases included. */
export const POLICY_NAMES: readonly string[] = [
  ...Object.keys(POLICY_ALIASES),
  ...Object.keys(BIN_ASSIGNMENT_POLICIES),
];

/** @throws {RenderError} REQUEST_INVALID if there is no such policy; the message lists all. */
export function resolvePolicyName(name: string): BinAssignmentPolicyName {
  const resolved = Object.hasOwn(POLICY_ALIASES, name) ? POLICY_ALIASES[name]! : name;
  if (!Object.hasOwn(BIN_ASSIGNMENT_POLICIES, resolved)) {
    throw new RenderError(
      'REQUEST_INVALID',
      `policy: '${name}' is none of ${POLICY_NAMES.join(', ')}`,
    );
  }
  return resolved as BinAssignmentPolicyName;
}

function ceilLog2(count: number): number {
  let log = 0;
  while (2 ** log < count) log++;
  return log;
}
