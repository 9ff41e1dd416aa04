/** Matrix of bytes between chiplets as a table of numbers, with the color of their share. */
import { costColor, cssColor, textColorOn } from '@tessera/plot/colors';
import { element } from '../ui/dom.ts';
import { formatBytes, formatCompact, NO_FIGURE } from '../ui/format.ts';
import { scrollingTable } from '../ui/page.ts';
import { type ChipletGroup, groupTraffic } from './remote-figures.ts';

/** Creates the table. Rows send, columns receive. */
export function trafficMatrix(bytes: readonly (readonly number[])[]): HTMLElement {
  const matrix = groupTraffic(bytes);
  const heads = matrix.groups.map((group) =>
    element('th', { scope: 'col', class: 'number' }, nameOf(group)),
  );
  const rows = matrix.bytes.map((row, from) =>
    element(
      'tr',
      {},
      element('th', { scope: 'row', class: 'number' }, nameOf(matrix.groups[from]!)),
      ...row.map((count, to) => {
        const ends = `${nameOf(matrix.groups[from]!)} to ${nameOf(matrix.groups[to]!)}`;
        return cell(count, count / matrix.maxBytes, ends);
      }),
    ),
  );
  const table = element(
    'table',
    { class: 'matrix' },
    element('caption', {}, 'Bytes from the chiplet of the row to that of the column'),
    element(
      'thead',
      {},
      element('tr', {}, element('th', { scope: 'col' }, 'from \\ to'), ...heads),
    ),
    element('tbody', {}, ...rows),
  );
  return scrollingTable('Bytes between chiplets', table, 'tall');
}

function nameOf({ first, last }: ChipletGroup): string {
  return first === last ? `${first}` : `${first}–${last}`;
}

function cell(count: number, share: number, ends: string): HTMLElement {
  if (count === 0) return element('td', { class: 'number none' }, NO_FIGURE);
  const made = element(
    'td',
    { class: 'number', title: `${ends}: ${formatBytes(count)}` },
    formatCompact(count),
  );
  const color = costColor(share);
  made.style.backgroundColor = cssColor(color);
  made.style.color = textColorOn(color);
  return made;
}
