/** The counters of a frame by unit with their meaning, for each chiplet and in total. */
import type { CounterEntry, Report } from '../api/types.ts';
import { chipletMark } from '../ui/chiplet-mark.ts';
import { element, replace } from '../ui/dom.ts';
import { formatNumber } from '../ui/format.ts';
import { scrollingTable } from '../ui/page.ts';
import { countOf, totalOf } from './report-figures.ts';

/** Creates a table of counters with a filter. */
export function counterTable(report: Report, catalogue: readonly CounterEntry[]): HTMLElement {
  const search = element('input', { type: 'search', placeholder: 'cache, quads, stalled …' });
  const hidesZero = element('input', { type: 'checkbox', checked: true });
  const place = element('div', { class: 'counter-units' });

  const draw = () => {
    const words = search.value.trim().toLowerCase();
    const units = new Map<string, CounterEntry[]>();
    for (const entry of catalogue) {
      const isWanted = `${entry.name} ${entry.meaning}`.toLowerCase().includes(words);
      const hasMoved = report.chiplets.some(({ counters }) => countOf(counters, entry.name) !== 0);
      if (!isWanted || (hidesZero.checked && !hasMoved)) continue;
      const unit = units.get(entry.chipletUnit) ?? [];
      unit.push(entry);
      units.set(entry.chipletUnit, unit);
    }
    const parts = [...units].map(([unit, entries]) =>
      unitPart(report, unit, entries, words !== ''),
    );
    replace(place, ...(parts.length === 0 ? [element('p', {}, 'No counter matches.')] : parts));
  };
  search.addEventListener('input', draw);
  hidesZero.addEventListener('change', draw);
  draw();
  return element(
    'div',
    {},
    element(
      'div',
      { class: 'toolbar' },
      element('label', {}, 'Search ', search),
      element('label', { class: 'choice' }, hidesZero, 'only nonzero counters'),
    ),
    place,
  );
}

function unitPart(
  report: Report,
  unit: string,
  entries: readonly CounterEntry[],
  isOpen: boolean,
): HTMLElement {
  const head = element(
    'tr',
    {},
    element('th', { scope: 'col', title: 'counter of the unit' }, 'counter'),
    element('th', { scope: 'col', class: 'number', title: 'sum over all chiplets' }, 'all'),
    ...report.chiplets.map(({ id }) =>
      element('th', { scope: 'col', class: 'number', title: `chiplet ${id}` }, chipletMark(id)),
    ),
    element('th', { scope: 'col', title: 'event that the counter counts' }, 'incremented when'),
  );
  const rows = entries.map(({ name, unit: counted, meaning, isMaximum }) =>
    element(
      'tr',
      { title: `${name}: ${meaning}` },
      element(
        'th',
        { scope: 'row' },
        element('code', {}, name.split('.')[1] ?? name),
        ` ${counted}`,
      ),
      element('td', { class: 'number' }, formatNumber(totalOf(report, name, isMaximum === true))),
      ...report.chiplets.map(({ counters }) =>
        element('td', { class: 'number' }, formatNumber(countOf(counters, name))),
      ),
      element('td', { class: 'meaning' }, meaning),
    ),
  );
  const table = element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows));
  return element(
    'details',
    { open: isOpen },
    element('summary', {}, `${unit} (${entries.length})`),
    scrollingTable(`Counters of ${unit}`, table),
  );
}
