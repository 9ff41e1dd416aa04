import { describe, expect, it } from 'vitest';
import { writeCsv } from './plot-export.ts';

describe('writeCsv', () => {
  it('lets no spreadsheet evaluate a name', () => {
    expect(writeCsv([['=1+1', -1]])).toBe("'=1+1,-1\n");
  });

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
