import { describe, expect, it } from 'vitest';
import { ScopedList } from './scoped-list.ts';

describe('ScopedList', () => {
  it('undoes changes back to the mark, the last one first', () => {
    const list = new ScopedList<string>();
    list.set(3, 'a');
    const outer = list.mark();
    list.set(3, 'b');
    list.set(7, 'c');
    const inner = list.mark();
    list.set(3, undefined);
    list.set(3, 'd');
    expect([list.get(3), list.get(7), list.get(0), list.get(99)]).toEqual([
      'd',
      'c',
      undefined,
      undefined,
    ]);
    list.rewind(inner);
    expect([list.get(3), list.get(7)]).toEqual(['b', 'c']);
    list.rewind(outer);
    expect([list.get(3), list.get(7)]).toEqual(['a', undefined]);
  });
});
