/** THE table of bin-assignment policies. */
import { RenderError } from '@tessera/frame';
import { assignLeastLoaded, assignLongestFirst } from './dynamic-policies.ts';
import type { BinAssignmentPolicy } from './policy.ts';
import {
  assignStaticBlocks,
  assignStaticDiagonal,
  assignStaticInterleaved,
} from './static-policies.ts';

export const BIN_ASSIGNMENT_POLICIES = {
  'static-blocks': { assign: assignStaticBlocks, meaning: 'runs of consecutive bins (fig. 4)' },
  'static-interleaved': { assign: assignStaticInterleaved, meaning: 'bin i to chiplet i mod N' },
  'static-diagonal': {
    assign: assignStaticDiagonal,
    meaning: 'bin (column, row) to chiplet (column + row) mod N',
  },
  'dynamic-least-loaded': {
    assign: assignLeastLoaded,
    meaning: 'bins in order, each to the chiplet with the least estimated load (fig. 5)',
  },
  'dynamic-longest-first': {
    assign: assignLongestFirst,
    meaning: 'the costliest bin first, each to the chiplet with the least estimated load',
  },
} as const satisfies Record<string, { assign: BinAssignmentPolicy; meaning: string }>;

export type BinAssignmentPolicyName = keyof typeof BIN_ASSIGNMENT_POLICIES;

/** Short names that stand for one of the table. */
export const POLICY_ALIASES: Readonly<Record<string, BinAssignmentPolicyName>> = {
  static: 'static-blocks',
  dynamic: 'dynamic-longest-first',
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
