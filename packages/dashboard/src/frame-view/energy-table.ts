/** Energy of a frame by unit and chiplet, as ranges from published figures. */
import type { EnergyByKind, EnergyReport } from '@tessera/frame';
import { element } from '../ui/dom.ts';
import { formatNumber } from '../ui/format.ts';
import { scrollingTable, tableHead } from '../ui/page.ts';

const MEANINGS = {
  µJ: 'energy with leakage and refreshes',
  low: 'lowest figures',
  typical: 'between these; bar: share of the total',
  high: 'highest figures',
};

/** Creates the table. Units and links, or chiplets and links, add up to the last row. */
export function energyTable({ units, chiplets, link, total }: EnergyReport): HTMLElement {
  const row = (
    name: string,
    { total: { lowPj, typicalPj, highPj } }: Pick<EnergyByKind, 'total'>,
  ) => {
    const bar = element('span', { class: 'share-bar' });
    bar.style.width = `${(100 * typicalPj) / total.total.typicalPj}%`;
    return element(
      'tr',
      {},
      element('th', { scope: 'row' }, name),
      ...[lowPj, typicalPj, highPj].map((pj) =>
        element('td', { class: 'number' }, formatNumber(pj / 1e6)),
      ),
      element('td', { class: 'share' }, bar),
    );
  };
  const rows = [
    ...units.filter((each) => each.total.highPj > 0).map((each) => row(each.unit, each)),
    ...chiplets.map((each) => row(`chiplet ${each.id}`, each)),
    row('link', { total: link.dynamic }),
    row('total', total),
  ];
  const heads = [...Object.keys(MEANINGS), ''];
  return scrollingTable(
    'Energy',
    element(
      'table',
      { class: 'fitting' },
      tableHead(heads, (name) => name !== 'µJ', MEANINGS),
      element('tbody', {}, ...rows),
    ),
    'tall',
  );
}
