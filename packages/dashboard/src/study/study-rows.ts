/** Rows of a study as a plot and a table. */
import { applyAddress, linkedPlot, plotLink, readChoice } from '../ui/address-state.ts';
import { element, replace } from '../ui/dom.ts';
import { formatNumber, shortId } from '../ui/format.ts';
import { STUDY_MEANINGS } from '../ui/meanings.ts';
import { scrollingTable, section, tableHead } from '../ui/page.ts';
import { plotExport } from '../ui/plot-export.ts';
import { linePlot, lineSample } from './line-plot.ts';
import { axesOf, CHIPLETS_AXIS, makeSeries, PLOTTED, type PlottedFigure } from './study-series.ts';
import type { StudyRow } from './study-types.ts';

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
/** Meanings of the columns, all of which have one. */
const MEANINGS: Readonly<Record<(typeof COLUMNS)[number], string>> = STUDY_MEANINGS;
const TEXT_COLUMNS: ReadonlySet<string> = new Set([
  'policy',
  'visibility',
  'spec',
  'scene',
  'frame',
]);

/** Name of the plot in a link. */
const PLOT_NAME = 'study';

/** Plot and table of a study. The chosen figure stays when rows are added. */
export class StudyRows {
  readonly root = element('div', {});
  readonly #plot = element('div', {});
  readonly #link: ReturnType<typeof plotLink>;
  /** State of a link to the plot, until rows were shown. */
  #linked = linkedPlot(PLOT_NAME);
  #problem: HTMLElement | null = null;
  #figure: PlottedFigure = 'cycles';
  #axis = CHIPLETS_AXIS;

  /** @param announce Announces a text to screen readers. */
  constructor(announce: (text: string) => void) {
    this.#link = plotLink(PLOT_NAME, announce, () => ({ figure: this.#figure, over: this.#axis }));
  }

  /** Shows the rows of a study. */
  show(rows: readonly StudyRow[]): void {
    if (rows.length === 0) {
      replace(
        this.root,
        element(
          'p',
          {},
          'No measurements yet. Rows are added as frames are rendered; the plot follows.',
        ),
      );
      return;
    }
    const linked = this.#linked;
    if (linked !== null) {
      this.#problem = applyAddress(() => this.#apply(linked, rows), 'the plot of cycles is shown');
    }
    const select = element(
      'select',
      {
        onchange: () => {
          this.#figure = select.value as PlottedFigure;
          this.#draw(rows);
        },
      },
      ...Object.entries(PLOTTED).map(([name, meaning]) =>
        element('option', { value: name, selected: name === this.#figure }, meaning),
      ),
    );
    const axes = element(
      'select',
      {
        onchange: () => {
          this.#axis = axes.value;
          this.#draw(rows);
        },
      },
      ...axesOf(rows).map((name) =>
        element('option', { value: name, selected: name === this.#axis }, name),
      ),
    );
    this.#draw(rows);
    replace(
      this.root,
      section(
        'Plot',
        this.#problem ?? '',
        element(
          'div',
          { class: 'toolbar' },
          element('label', {}, 'Figure ', select),
          element('label', {}, 'over ', axes),
        ),
        this.#plot,
      ),
      section('Table', scrollingTable('Rows of the study', rowTable(rows))),
    );
    if (linked !== null) this.root.scrollIntoView();
    this.#linked = null;
  }

  /** @throws {RangeError} If a choice of the link does not exist. */
  #apply(linked: URLSearchParams, rows: readonly StudyRow[]): void {
    const figures = Object.keys(PLOTTED) as PlottedFigure[];
    const figure = readChoice(linked, 'figure', figures, this.#figure);
    this.#axis = readChoice(linked, 'over', axesOf(rows), this.#axis);
    this.#figure = figure;
  }

  #draw(rows: readonly StudyRow[]): void {
    const series = makeSeries(rows, this.#figure, this.#axis);
    const legend = series.map(({ name }, index) => element('li', {}, lineSample(index), name));
    const plot = linePlot(series, PLOTTED[this.#figure], this.#axis);
    const figures = () => [
      ['line', this.#axis, this.#figure],
      ...series.flatMap(({ name, points }) => points.map(({ x, y }) => [name, x, y])),
    ];
    replace(
      this.#plot,
      plot,
      element('ul', { class: 'legend' }, ...legend),
      plotExport(`${this.#figure}-over-${this.#axis}`, () => plot, figures, this.#link),
    );
  }
}

/** Returns the table of the rows, with a column for each swept hardware parameter. */
function rowTable(rows: readonly StudyRow[]): HTMLTableElement {
  const swept = Object.entries(rows[0]!.settings ?? {});
  const numbers = swept.filter(([, value]) => typeof value === 'number').map(([name]) => name);
  const numeric = new Set([...COLUMNS.filter((name) => !TEXT_COLUMNS.has(name)), ...numbers]);
  const names = [...COLUMNS, ...swept.map(([name]) => name)];
  const meaningOfSwept = swept.map(([name]) => [name, 'hardware parameter that the study varies']);
  const meanings = { ...MEANINGS, ...Object.fromEntries(meaningOfSwept) };
  const cellsOf = (row: StudyRow) => [
    ...COLUMNS.map((column) => (column === 'frame' ? shortId(row.frame) : row[column])),
    ...swept.map(([name]) => row.settings?.[name]),
  ];
  const cells = (row: StudyRow) =>
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
