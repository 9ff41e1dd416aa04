import { describe, expect, it } from 'vitest';
import { withContext, withoutContext } from './context-columns.ts';

const TABLE = {
  head: ['scene', 'policy', 'speedUp', 'cycles'],
  keyColumns: 2,
  contextColumns: ['cycles'],
  rows: [
    ['a', 'static', '1.0000', 5],
    ['b', 'static', '2.0000', 6],
  ],
};

describe('context columns', () => {
  it('follow the figures, unless the study has them as figures', () => {
    const { head, rows } = withContext(TABLE, { policy: 'dynamic', spec: 'default', bins: 64 });
    expect(head).toEqual(['scene', 'policy', 'speedUp', 'cycles', 'spec', 'bins']);
    expect(rows[1]).toEqual(['b', 'static', '2.0000', 6, 'default', 64]);
  });

  it('are left out of results, with those of the study', () => {
    const { head, rows } = withoutContext(withContext(TABLE, { spec: 'default' }));
    expect(head).toEqual(['scene', 'policy', 'speedUp']);
    expect(rows).toEqual([
      ['a', 'static', '1.0000'],
      ['b', 'static', '2.0000'],
    ]);
  });
});
