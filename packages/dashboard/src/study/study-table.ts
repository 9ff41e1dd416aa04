/** Pages of the rows of a study as a table. Only the shown page is loaded. */
import { getJson } from '../api/requests.ts';
import { element, replace } from '../ui/dom.ts';
import { formatNumber, shortId } from '../ui/format.ts';
import { STUDY_MEANINGS } from '../ui/meanings.ts';
import { scrollingTable, section, tableHead } from '../ui/page.ts';
import type { RowPage, StudyRow, StudyStatus } from './study-types.ts';

/** Rows of a page. */
const PAGE_ROWS = 100;

const COLUMNS = [
  'policy',
  'chiplets',
  'cycles',
  'speedUp',
  'efficiency',
  'imbalance',
  'visibilityCycles',
  'linkBytes',
  'bins',
  'visibility',
  'spec',
  'scene',
  'frame',
] as const satisfies readonly (keyof StudyRow)[];
/** Columns that a table has if the study sweeps their axis. */
const AXIS_BY_COLUMN = {
  organization: 'organizations',
  visibilityChiplets: 'visibilityChiplets',
  visibilityDelivery: 'visibilityDelivery',
} as const satisfies Partial<Record<keyof StudyRow, keyof StudyStatus['sweep']>>;
/** Columns of a table whose rows have energies. */
const ENERGY_COLUMNS = ['energyTypicalPj', 'powerTypicalMw', 'energyDelayTypicalPjS'] as const;
type Column =
  | (typeof COLUMNS)[number]
  | (typeof ENERGY_COLUMNS)[number]
  | keyof typeof AXIS_BY_COLUMN;
/** Meanings of the columns, all of which have one. */
const MEANINGS: Readonly<Record<Column, string>> = STUDY_MEANINGS;
const TEXT_COLUMNS: ReadonlySet<string> = new Set([
  'policy',
  'visibility',
  'spec',
  'scene',
  'frame',
  'organization',
  'visibilityDelivery',
]);

/** Table of a study with buttons for its pages. */
export class StudyTable {
  readonly root: HTMLElement;
  readonly #signal: AbortSignal;
  readonly #onTurn: () => void;
  readonly #range = element('span', { 'aria-live': 'polite' });
  readonly #previous: HTMLButtonElement;
  readonly #next: HTMLButtonElement;
  readonly #first: HTMLInputElement;
  readonly #table = element('div', {});
  #from = 0;
  #total = 0;

  /** @param onTurn Called when the user wants another page; calls {@link load}. */
  constructor(signal: AbortSignal, onTurn: () => void) {
    this.#signal = signal;
    this.#onTurn = onTurn;
    const button = (label: string, step: number) =>
      element('button', { type: 'button', onclick: () => this.#turn(this.#from + step) }, label);
    this.#previous = button('Previous rows', -PAGE_ROWS);
    this.#next = button('Next rows', PAGE_ROWS);
    this.#first = element('input', { type: 'number', min: 1, value: 1, class: 'row-number' });
    this.#first.addEventListener('change', () => this.#turn(Number(this.#first.value) - 1));
    const first = element('label', {}, 'From row ', this.#first);
    const toolbar = element('div', { class: 'toolbar' }, this.#previous, this.#next, first);
    toolbar.append(this.#range);
    this.root = section('Table', toolbar, this.#table);
  }

  /**
   * Loads the shown page.
   *
   * @throws {ProblemError}
   */
  async load({ links, sweep }: StudyStatus): Promise<void> {
    const path = `${links.rows}?from=${this.#from}&limit=${PAGE_ROWS}`;
    const { from, total, next, rows } = await getJson<RowPage>(path, this.#signal);
    if (from !== this.#from) return; // The user has turned the page meanwhile.
    this.#total = total;
    const last = next ?? total;
    const missing = last - from - rows.length;
    const left = missing > 0 ? `; ${formatNumber(missing)} of them not measured` : '';
    this.#range.textContent = `Rows ${formatNumber(from + 1)} to ${formatNumber(last)} of ${formatNumber(total)}${left}`;
    this.#previous.disabled = from === 0;
    this.#next.disabled = next === null;
    this.#first.max = String(total);
    this.#first.value = String(from + 1);
    const swept = Object.entries(sweep.parameters);
    const energies = sweep.energy ? ENERGY_COLUMNS : [];
    const columns = [...COLUMNS, ...energies, ...sweptColumns(sweep)];
    const table = rowTable(rows, columns, swept);
    replace(this.#table, scrollingTable('Rows of the study', table, 'tall'));
  }

  #turn(from: number): void {
    const last = Math.max(0, this.#total - 1);
    this.#from = Math.min(Math.max(0, Number.isFinite(from) ? Math.floor(from) : 0), last);
    this.#onTurn();
  }
}

type Swept = readonly (readonly [name: string, values: readonly unknown[]])[];

/** Returns the columns of the ways to share a frame that a study sweeps. */
function sweptColumns(sweep: StudyStatus['sweep']): Column[] {
  const names = Object.keys(AXIS_BY_COLUMN) as (keyof typeof AXIS_BY_COLUMN)[];
  return names.filter((name) => sweep[AXIS_BY_COLUMN[name]].length > 0);
}

/** Returns the table of rows, with a column for each swept hardware parameter. */
function rowTable(
  rows: RowPage['rows'],
  columns: readonly Column[],
  swept: Swept,
): HTMLTableElement {
  const numbers = swept.filter(([, [value]]) => typeof value === 'number').map(([name]) => name);
  const numeric = new Set([
    'row',
    ...columns.filter((name) => !TEXT_COLUMNS.has(name)),
    ...numbers,
  ]);
  const names = ['row', ...columns, ...swept.map(([name]) => name)];
  const meaningOfSwept = swept.map(([name]) => [name, 'hardware parameter that the study varies']);
  const meanings = {
    row: 'number of the row in the study',
    ...MEANINGS,
    ...Object.fromEntries(meaningOfSwept),
  };
  const cellsOf = (row: RowPage['rows'][number]) => [
    row.number + 1,
    ...columns.map((column) => (column === 'frame' ? shortId(row.frame) : row[column])),
    ...swept.map(([name]) => row.settings?.[name]),
  ];
  const cells = (row: RowPage['rows'][number]) =>
    cellsOf(row).map((value) =>
      typeof value === 'number'
        ? element('td', { class: 'number' }, formatNumber(value))
        : element('td', {}, String(value ?? '')),
    );
  return element(
    'table',
    {},
    tableHead(names, (name) => numeric.has(name), meanings),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...cells(row)))),
  );
}
