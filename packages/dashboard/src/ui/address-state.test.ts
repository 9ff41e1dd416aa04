import { describe, expect, it } from 'vitest';
import { readChoice, readInteger } from './address-state.ts';

const query = new URLSearchParams('figure=cycles&from=12&to=1.5&empty=');
const RANGE = { min: 0, max: 20 };

describe('the state in an address', () => {
  it('has what the query names, and keeps the rest', () => {
    expect(readChoice(query, 'figure', ['speedUp', 'cycles'], 'speedUp')).toBe('cycles');
    expect(readChoice(query, 'over', ['chiplets', 'smCount'], 'smCount')).toBe('smCount');
    expect(readInteger(query, 'from', RANGE, 0)).toBe(12);
    expect(readInteger(query, 'units', RANGE, 7)).toBe(7);
  });

  it('names a value that is not permitted', () => {
    expect(() => readChoice(query, 'figure', ['speedUp'], 'speedUp')).toThrow(
      "figure: 'cycles' is not one of speedUp",
    );
    expect(() => readInteger(query, 'from', { min: 0, max: 11 }, 0)).toThrow(
      "from: '12' is not an integer from 0 to 11",
    );
    for (const name of ['to', 'empty']) expect(() => readInteger(query, name, RANGE, 0)).toThrow();
  });
});
