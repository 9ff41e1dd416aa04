import { describe, expect, it } from 'vitest';
import { writeCsv } from './plot-export.ts';

describe('writeCsv', () => {
  it('quotes cells with commas, quotes and line ends', () => {
    const rows = [
      ['line', 'x'],
      ['dynamic, 8 bins', 1.5],
      ['a "b"', 2],
      ['c\nd', 3],
    ];
    expect(writeCsv(rows)).toBe('line,x\n"dynamic, 8 bins",1.5\n"a ""b""",2\n"c\nd",3\n');
  });
});
