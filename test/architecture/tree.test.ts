/** The tree keeps its rules of structure and wording: `npm run rules` prints the same faults. */
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTree } from '../../scripts/source-rules/source-tree.ts';
import { TREE_RULES } from '../../scripts/source-rules/tree-rules.ts';

const TREE = readTree(resolve(import.meta.dirname, '../..'));

describe('the tree', () => {
  it.each(Object.entries(TREE_RULES))('%s', (_statement, findFaults) => {
    expect(findFaults(TREE)).toEqual([]);
  });
});
