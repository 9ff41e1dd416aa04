import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCsv, parseCsv, readRecords } from './csv.ts';

const HEAD = ['scene', 'chiplets', 'cycles'];

describe('CSV of results', () => {
  it('quotes only cells with commas, quotes and line breaks', () => {
    const rows = [
      ['terrain, 20000 triangles', 2, 17],
      ['a "b"', 4, 18],
      ['two\nlines', 8, 19],
    ];
    expect(formatCsv({ head: HEAD, rows, keyColumns: 2 })).toBe(
      'scene,chiplets,cycles\n"terrain, 20000 triangles",2,17\n"a ""b""",4,18\n"two\nlines",8,19\n',
    );
  });

  it('reads what it writes, whatever the cells hold', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', ' ', ',', '"', '\n', '\r', '×') });
    const table = fc.array(fc.tuple(cell, cell), { minLength: 1 });
    fc.assert(
      fc.property(table, (cells) => {
        const rows = cells.map((row, i) => [String(i), ...row]);
        const text = formatCsv({ head: HEAD, rows, keyColumns: 1 });
        expect(parseCsv(text)).toEqual({ head: HEAD, rows });
      }),
    );
  });

  it('reads CRLF, and a last line without an end', () => {
    expect(parseCsv('a,b\r\n1,\r\n"2,5",3')).toEqual({
      head: ['a', 'b'],
      rows: [
        ['1', ''],
        ['2,5', '3'],
      ],
    });
    expect(readRecords(parseCsv('a,b\n1,2\n'))).toEqual([{ a: '1', b: '2' }]);
  });

  it('refuses to write a row of another width than the header', () => {
    const write = (row: string[]) => formatCsv({ head: HEAD, rows: [row], keyColumns: 1 });
    expect(() => write(['a', '1'])).toThrow('has 2 cells; the header has 3');
    expect(() => write(['a', '1', '2', '3'])).toThrow('has 4 cells; the header has 3');
    expect(write(['a', '1', '2'])).toContain('a,1,2');
  });

  it('refuses to write two rows with one key', () => {
    const write = (...names: string[]) =>
      formatCsv({ head: HEAD, rows: names.map((name) => [name, 8, 1]), keyColumns: 2 });
    expect(() => write('es2', 'es2')).toThrow('has the key of an earlier row: es2,8');
    expect(write('es2', 'es1')).toContain('es1,8,1');
  });

  it('refuses to write a number that is not finite', () => {
    const write = (cycles: number) =>
      formatCsv({ head: HEAD, rows: [['a', 1, cycles]], keyColumns: 1 });
    expect(() => write(Number.NaN)).toThrow('contains NaN; numbers must be finite');
    expect(() => write(1 / 0)).toThrow('contains Infinity; numbers must be finite');
  });

  it('refuses to read a record of another width than the header, naming it', () => {
    const text = 'setUp,case,cycles\nframe,terrain, 20000 triangles,147723\n';
    expect(() => parseCsv(text)).toThrow(
      'csv: record 2 (frame, terrain,  20000 triangles, 147723) has 4 fields; the header has 3',
    );
    expect(() => parseCsv('a,b\n1\n')).toThrow('has 1 fields');
    expect(() => parseCsv('')).toThrow('there is no header row');
  });

  it('refuses to read a misplaced quote', () => {
    expect(() => parseCsv('a\n1"2\n')).toThrow('record 2 has a misplaced quote');
    expect(() => parseCsv('a\n"1"2\n')).toThrow('record 2 has a misplaced quote');
    expect(() => parseCsv('a\n"1\n')).toThrow('record 2 has a misplaced quote');
  });
});
