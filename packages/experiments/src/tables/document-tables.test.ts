import { describe, expect, it } from 'vitest';
import { formatMarkdownTable, readTable, replaceTable } from './document-tables.ts';

const DOCUMENT =
  'before\n<!-- table: a -->\n\nold\n\n<!-- end of table -->\nbetween\n<!-- table: b -->\n<!-- end of table -->\n';

describe('tables of documents', () => {
  it('are Markdown, with columns aligned to the right on request', () => {
    const table = { head: ['scene', 'cycles'], rows: [['cube', 170]] };
    expect(formatMarkdownTable(table)).toBe('| scene | cycles |\n| --- | --- |\n| cube | 170 |\n');
    expect(formatMarkdownTable(table, (column) => column > 0)).toContain('| --- | --: |');
  });

  it('are replaced by name, and read back', () => {
    const first = replaceTable(DOCUMENT, 'a', '| new |\n');
    expect(first).toContain(
      'before\n<!-- table: a -->\n\n| new |\n\n<!-- end of table -->\nbetween',
    );
    const both = replaceTable(first, 'b', '| other |\n');
    expect(readTable(both, 'a')).toBe('| new |\n');
    expect(readTable(both, 'b')).toBe('| other |\n');
  });

  it('are rejected if the document has no place for them', () => {
    expect(() => replaceTable(DOCUMENT, 'c', '')).toThrow('has no lines <!-- table: c -->');
    expect(() => readTable('text\n', '')).toThrow('has no lines <!-- table -->');
  });
});
