/** Figures of an exact report that an estimate has too, and their differences. */
import type { Report } from '../api/types.ts';
import { element } from '../ui/dom.ts';
import { formatChange, NO_FIGURE } from '../ui/format.ts';
import { scrollingTable, tableHead } from '../ui/page.ts';
import type { EstimateFigures } from './estimate-frame.ts';
import { FIGURE_NAMES, FIGURES } from './estimate-tiles.ts';

const HEADS = ['figure', 'estimate', 'exact', 'exact − estimate', 'change'];
const MEANINGS = {
  figure: 'figure of the frame',
  estimate: 'each bin timed by itself, as with coupling=none',
  exact: 'chiplets that run on from bin to bin, as with coupling=exact',
  'exact − estimate': 'difference of the two',
  change: 'difference ÷ estimate',
} as const;

/** Figures that a report has. */
type ExactFigures = Omit<EstimateFigures, 'speedUp'>;

/** Returns the figures of a report with cycle timing. */
export function figuresOfReport({ totals, chiplets, assignment, link }: Report): ExactFigures {
  const idle = chiplets.reduce((sum, { idleShare }) => sum + idleShare!, 0);
  return {
    cycles: totals.cycles!,
    idleShare: idle / chiplets.length,
    imbalance: assignment.imbalance,
    makespanCycles: assignment.makespanCycles!,
    lowerBoundCycles: assignment.lowerBoundCycles!,
    linkBytes: link.bytes,
  };
}

/** Creates a table of the differences. */
export function differenceTable(estimate: EstimateFigures, exact: ExactFigures): HTMLElement {
  const names = FIGURE_NAMES.filter((name) => name !== 'speedUp');
  const rows = names.map((name) => {
    const { name: title, meaning, format } = FIGURES[name];
    const [from, to] = [estimate[name], exact[name]];
    const difference = to - from;
    const sign = difference > 0 ? '+' : difference < 0 ? '−' : '±';
    const cells = [
      format(from),
      format(to),
      `${sign}${format(Math.abs(difference))}`,
      from === 0 ? NO_FIGURE : formatChange(from, to),
    ];
    return element(
      'tr',
      { title: meaning },
      element('th', { scope: 'row' }, title),
      ...cells.map((text) => element('td', { class: 'number' }, text)),
    );
  });
  const table = element(
    'table',
    { class: 'fitting' },
    tableHead(HEADS, (name) => name !== 'figure', MEANINGS),
    element('tbody', {}, ...rows),
  );
  return scrollingTable('Estimate and exact run', table);
}
