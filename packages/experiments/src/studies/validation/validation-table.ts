/** Tables of the validation, for the terminal and for its document. */
import { formatMarkdownTable } from '../../tables/document-tables.ts';
import { formatColumns } from '../../terminal/text-columns.ts';
import { judge, type ValidationRow } from './validation-rows.ts';

const HEAD = ['row', 'preset', 'unit', 'ours', 'expected', 'deviation', 'tolerance', 'inside'];

/** Returns the rows as text with aligned columns, each row that is outside with its reason. */
export function formatRows(rows: readonly ValidationRow[]): string {
  const reasons = rows
    .filter((row) => !judge(row).isInside)
    .map(({ name, reason }) => `${name}: ${reason === '' ? 'no reason is known' : reason}\n`);
  return `${formatColumns([HEAD, ...rows.map(cellsOf)])}\n${reasons.join('')}`;
}

/** Returns the rows as the table of docs/validation.md. */
export function showValidation(rows: readonly ValidationRow[]): string {
  const table = rows.map((row) => [
    ...cellsOf(row),
    row.source,
    judge(row).isInside ? '' : row.reason,
  ]);
  const isNumber = (column: number) => column >= 3 && column <= 6;
  return formatMarkdownTable(
    { head: [...HEAD, 'source', 'why it is outside'], rows: table },
    isNumber,
  );
}

function cellsOf(row: ValidationRow): string[] {
  const { deviation, isInside } = judge(row);
  const bound = row.isLowerBound === true ? '−' : '±';
  return [
    row.name,
    row.spec,
    row.unit,
    formatFigure(row.ours),
    formatFigure(row.expected),
    `${deviation < 0 ? '−' : '+'}${(100 * Math.abs(deviation)).toFixed(1)} %`,
    `${bound}${100 * row.tolerance} %`,
    isInside ? 'yes' : '**no**',
  ];
}

function formatFigure(value: number): string {
  return value.toFixed(value < 10 ? 3 : 1);
}
