import { describe, expect, it } from 'vitest';
import { parseNumberList } from './number-list.ts';

describe('parseNumberList', () => {
  it.each([
    ['1, 2,4 8', [1, 2, 4, 8]],
    ['3-5, 4', [3, 4, 5]],
    ['', []],
  ])('reads %j', (text, numbers) => {
    expect(parseNumberList(text)).toEqual(numbers);
  });

  it.each(['x', '1-', '5-3', '1-1000', '-1'])('refuses %j by name', (text) => {
    expect(() => parseNumberList(text)).toThrow(`'${text}'`);
  });
});
