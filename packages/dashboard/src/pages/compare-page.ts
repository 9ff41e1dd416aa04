/**
 * Two frames side by side: images and their difference, both timelines on one axis, figures and
 * counters that differ.
 */
import { getJson } from '../api/requests.ts';
import type { CounterEntry, FrameStatus, Report, Timeline } from '../api/types.ts';
import { againForm } from '../frame-view/again-form.ts';
import { differenceFigure } from '../frame-view/difference-figure.ts';
import { followFrame } from '../frame-view/follow-frame.ts';
import { renderProgress } from '../frame-view/render-progress.ts';
import { flattenReport, totalOf } from '../frame-view/report-figures.ts';
import { ganttChart } from '../gantt/gantt-chart.ts';
import { readTimeline } from '../gantt/timeline-rows.ts';
import { describeTiming } from '../ui/describe-timing.ts';
import { element, replace } from '../ui/dom.ts';
import { formatChange, formatNumber, shortId } from '../ui/format.ts';
import { COMPARISON_MEANINGS } from '../ui/meanings.ts';
import {
  type PageContext,
  problemBox,
  scrollingTable,
  section,
  showingProblems,
  tableHead,
} from '../ui/page.ts';
import { frameHref } from '../ui/routes.ts';

type Figure = string | number | boolean | null;

/** One figure of both frames. */
interface FigurePair {
  readonly name: string;
  readonly meaning?: string;
  readonly a: Figure;
  readonly b: Figure;
}

/** Shows the comparison of two frames. */
export async function comparePage(context: PageContext, a: string, b: string): Promise<void> {
  const { root, signal } = context;
  const body = element('div', {});
  root.append(element('h1', {}, 'Compare two frames'), body);
  const places = [element('div', {}), element('div', {})] as const;
  replace(body, element('div', { class: 'side-by-side' }, ...places));
  const [first, second] = await Promise.all([
    showUntilOver(context, places[0], 'A', a),
    showUntilOver(context, places[1], 'B', b),
  ]);
  if (first.error !== null || second.error !== null) return;
  const [reportA, reportB, { counters }] = await Promise.all([
    getJson<Report>(first.links.report, signal),
    getJson<Report>(second.links.report, signal),
    getJson<{ counters: CounterEntry[] }>('/v1/counters', signal),
  ]);
  const difference = element('div', {});
  const ganttPlace = element('div', {});
  const figures = pairsOf(flattenReport(reportA), flattenReport(reportB));
  const counts = counters.map(({ name, isMaximum, unit, meaning }): FigurePair => {
    const total = (report: Report) => totalOf(report, name, isMaximum === true);
    return { name, meaning: `${unit}: ${meaning}`, a: total(reportA), b: total(reportB) };
  });
  body.append(
    section('Difference of the images', difference),
    section('Both timelines', ganttPlace),
    section('Figures', pairTable('Figures', figures)),
    section('Counters over all chiplets', pairTable('Counters', counts)),
    section('Compare with another', againForm(context, first)),
  );
  showingProblems(difference, async () =>
    replace(difference, await differenceFigure(first, second)),
  );
  showingProblems(ganttPlace, () => showGantt(context, ganttPlace, [first, second]));
}

/** Shows the progress of a frame, then its image. Returns its final status. */
async function showUntilOver(
  { live, signal }: PageContext,
  place: HTMLElement,
  letter: string,
  id: string,
): Promise<FrameStatus> {
  let progress: ReturnType<typeof renderProgress> | null = null;
  const status = await followFrame({
    id,
    live,
    signal,
    onStatus: (now) => {
      if (now.progress.phase === 'over') return;
      if (progress === null) {
        progress = renderProgress(now);
        live.on('bin', progress.addBin, signal);
        replace(place, compareHead(letter, now), progress.root);
      }
      progress.showStatus(now);
    },
  });
  const { error, links } = status;
  const image =
    error === null
      ? element('img', { class: 'compared', src: links.image, alt: `Image ${letter}` })
      : problemBox({ code: error.code, title: '', detail: error.message, status: 0 });
  replace(place, compareHead(letter, status), image);
  return status;
}

function compareHead(letter: string, { id, name, options }: FrameStatus): HTMLElement {
  const asked = `${options.policy}, ${options.chiplets ?? 'all'} chiplets, ${options.bins} bins, ${describeTiming(options)}`;
  return element(
    'div',
    {},
    element('h2', {}, `${letter}: `, element('a', { href: frameHref(id) }, name)),
    element('p', { class: 'hint' }, `${asked}, ${shortId(id)}`),
  );
}

async function showGantt(
  { signal, announce }: PageContext,
  place: HTMLElement,
  frames: readonly FrameStatus[],
): Promise<void> {
  const untimed = frames.find(({ options }) => options.timing !== 'cycle');
  if (untimed !== undefined) {
    const text = `Frame ${untimed.name} has timing=functional, so it has no cycles.`;
    replace(place, element('p', {}, text));
    return;
  }
  const timelines = await Promise.all(
    frames.map(({ links }) => getJson<Timeline>(links.timeline, signal)),
  );
  const groups = frames.map(({ options }, index) => {
    const timeline = readTimeline(timelines[index]!);
    const letter = 'AB'[index];
    const title = `${letter}: ${options.policy}, ${formatNumber(timeline.endCycle)} cycles`;
    return { title, timeline };
  });
  replace(place, ganttChart(groups, { announce, signal }).root);
}

function pairsOf(a: ReadonlyMap<string, Figure>, b: ReadonlyMap<string, Figure>): FigurePair[] {
  const names = new Set([...a.keys(), ...b.keys()]);
  return [...names].map((name) => ({ name, a: a.get(name) ?? null, b: b.get(name) ?? null }));
}

function pairTable(label: string, pairs: readonly FigurePair[]): HTMLElement {
  const showsAll = element('input', { type: 'checkbox' });
  const place = element('div', {});
  const draw = () => {
    const shown = pairs.filter(({ a, b }) => showsAll.checked || a !== b);
    if (shown.length === 0) {
      replace(place, element('p', {}, 'All values are equal.'));
      return;
    }
    const heads = ['name', 'A', 'B', 'B against A'];
    const rows = shown.map(({ name, meaning, a, b }) =>
      element(
        'tr',
        { class: a === b ? '' : 'differs', title: meaning },
        element('th', { scope: 'row' }, element('code', {}, name)),
        element('td', { class: 'number' }, formatFigure(a)),
        element('td', { class: 'number' }, formatFigure(b)),
        element('td', { class: 'number' }, formatChange(numberOf(a), numberOf(b))),
      ),
    );
    const table = element(
      'table',
      { class: 'fitting' },
      tableHead(heads, (name) => name !== 'name', COMPARISON_MEANINGS),
      element('tbody', {}, ...rows),
    );
    replace(place, scrollingTable(label, table));
  };
  showsAll.addEventListener('change', draw);
  draw();
  return element(
    'div',
    {},
    element(
      'div',
      { class: 'toolbar' },
      element('label', { class: 'choice' }, showsAll, 'also equal values'),
    ),
    place,
  );
}

function numberOf(figure: Figure): number | null {
  return typeof figure === 'number' ? figure : null;
}

function formatFigure(figure: Figure): string {
  if (typeof figure === 'number' || figure === null) return formatNumber(figure);
  const text = String(figure);
  return text.length > 20 ? `${text.slice(0, 12)}…` : text;
}
