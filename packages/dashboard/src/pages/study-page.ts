/** One study: progress with the time left, plot, table, CSV. */
import { getJson, sendDelete } from '../api/requests.ts';
import { linePlot, lineSample } from '../study/line-plot.ts';
import { makeSeries, PLOTTED, type PlottedFigure } from '../study/study-series.ts';
import type { Study, StudyRow } from '../study/study-types.ts';
import { element, replace } from '../ui/dom.ts';
import { formatDuration, formatNumber, shortId } from '../ui/format.ts';
import {
  type PageContext,
  problemBox,
  scrollingTable,
  section,
  showingProblems,
  tableHead,
} from '../ui/page.ts';

const COLUMNS = [
  'policy',
  'chiplets',
  'cycles',
  'speedup',
  'efficiency',
  'imbalance',
  'visibilityCycles',
  'linkBytes',
  'bins',
  'visibility',
  'spec',
  'frame',
] as const satisfies readonly (keyof StudyRow)[];
const TEXT_COLUMNS: ReadonlySet<string> = new Set(['policy', 'visibility', 'spec', 'frame']);

export async function studyPage(
  { root, live, signal, announce }: PageContext,
  id: string,
): Promise<void> {
  const heading = element('h1', {}, `Study ${shortId(id)}`);
  const progress = element('div', { class: 'study-progress' });
  const trouble = element('div', {});
  const body = element('div', {});
  root.append(heading, progress, trouble, body);
  const path = `/v1/studies/${encodeURIComponent(id)}`;
  let figure: PlottedFigure = 'cycles';
  let rowCount = -1;

  const load = () =>
    showingProblems(trouble, async () => {
      const study = await getJson<Study>(path, signal);
      if (study.title !== '') heading.textContent = study.title;
      showProgress(study);
      if (study.rows.length !== rowCount) showRows(study);
      rowCount = study.rows.length;
      if (study.status === 'done') announce('the study is done');
    });

  function showProgress({
    status,
    progress: { done, total, secondsLeft },
    error,
    links,
  }: Study): void {
    const isRunning = status === 'running';
    const left =
      secondsLeft === null
        ? 'time left not known yet'
        : `${formatDuration(secondsLeft * 1000)} left`;
    const text = `${done} of ${total} frames rendered${isRunning ? `, ${left}` : ''}`;
    const remove = () =>
      showingProblems(trouble, async () => {
        await sendDelete(links.self);
        if (isRunning) await load();
        else location.hash = '#/studies';
      });
    replace(
      progress,
      element(
        'p',
        { 'aria-live': 'polite' },
        element('span', { class: `badge ${status}` }, status),
        ` ${text}`,
      ),
      isRunning &&
        element('progress', { max: total, value: done, 'aria-label': 'Frames rendered' }),
      error !== null &&
        problemBox({ code: error.code, title: '', detail: error.message, status: 0 }),
      element(
        'div',
        { class: 'toolbar' },
        element(
          'a',
          { class: 'button', href: links.csv, download: `study-${shortId(id)}.csv` },
          'Download CSV',
        ),
        element('button', { type: 'button', onclick: remove }, isRunning ? 'Cancel' : 'Forget'),
      ),
    );
  }

  function showRows({ rows }: Study): void {
    if (rows.length === 0) {
      replace(body, element('p', {}, 'Nothing is measured yet.'));
      return;
    }
    const plotPlace = element('div', {});
    const draw = () => {
      const series = makeSeries(rows, figure);
      const legend = series.map(({ name }, index) => element('li', {}, lineSample(index), name));
      replace(
        plotPlace,
        linePlot(series, PLOTTED[figure]),
        element('ul', { class: 'legend' }, ...legend),
      );
    };
    const select = element(
      'select',
      {
        onchange: () => {
          figure = select.value as PlottedFigure;
          draw();
        },
      },
      ...Object.entries(PLOTTED).map(([name, meaning]) =>
        element('option', { value: name, selected: name === figure }, meaning),
      ),
    );
    draw();
    replace(
      body,
      section(
        'Plot',
        element('div', { class: 'toolbar' }, element('label', {}, 'Figure ', select)),
        plotPlace,
      ),
      section('Table', scrollingTable('Rows of the study', rowTable(rows))),
    );
  }

  live.on('study', load, signal);
  live.on('snapshot', load, signal);
  await load();
}

function rowTable(rows: readonly StudyRow[]): HTMLTableElement {
  const cells = (row: StudyRow) =>
    COLUMNS.map((column) => {
      const value = row[column];
      if (typeof value === 'number') return element('td', { class: 'number' }, formatNumber(value));
      return element('td', {}, column === 'frame' ? shortId(value) : value);
    });
  return element(
    'table',
    {},
    tableHead(COLUMNS, (name) => !TEXT_COLUMNS.has(name)),
    element('tbody', {}, ...rows.map((row) => element('tr', {}, ...cells(row)))),
  );
}
