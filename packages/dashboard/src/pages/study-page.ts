/** One study: progress with the remaining time, plot, pages of the table, CSV, Parquet. */
import { getJson, sendDelete } from '../api/requests.ts';
import { StudyPlot } from '../study/study-plot.ts';
import { studyProgress } from '../study/study-progress.ts';
import { StudyTable } from '../study/study-table.ts';
import type { StudyStatus } from '../study/study-types.ts';
import { element, replace } from '../ui/dom.ts';
import { shortId } from '../ui/format.ts';
import { type PageContext, showingProblems } from '../ui/page.ts';
import { Refresh } from '../ui/refresh.ts';

/** Shows a study and follows it until the page is left. */
export async function studyPage(
  { root, live, signal, announce, isGateway }: PageContext,
  id: string,
): Promise<void> {
  const heading = element('h1', {}, `Study ${shortId(id)}`);
  const progress = element('div', { class: 'study-progress' });
  const problem = element('div', {});
  const results = element('div', {});
  root.append(heading, progress, problem, results);
  const path = `/v1/studies/${encodeURIComponent(id)}?rows=false`;
  let study: StudyStatus | null = null;

  const showing = (load: (shown: StudyStatus) => Promise<void>) => () =>
    showingProblems(problem, async () => {
      if (study !== null) await load(study);
    });
  const plot = new StudyPlot(signal, announce, () => loadPlot());
  const table = new StudyTable(signal, () => loadTable());
  const loadPlot = showing((shown) => plot.load(shown));
  const loadTable = showing((shown) => table.load(shown));
  const refresh = new Refresh(signal, async () => {
    await loadTable();
    await loadPlot();
  });

  const show = (status: StudyStatus) => {
    const doneBefore = study?.progress.done ?? -1;
    const wasRunning = study?.status !== status.status;
    study = status;
    if (status.title !== '') heading.textContent = status.title;
    // A gateway cancels studies, but keeps them.
    const isKept = isGateway && status.status !== 'running';
    replace(progress, ...studyProgress(status, isKept ? null : () => remove(status)));
    if (status.status === 'done' && wasRunning) announce('The study is complete');
    if (status.progress.done === 0) {
      const text = 'No measurements yet. Rows are added as frames are rendered; the plot follows.';
      replace(results, element('p', {}, text));
    } else if (status.progress.done !== doneBefore) {
      if (doneBefore <= 0) replace(results, plot.root, table.root);
      refresh.request();
    }
  };
  const load = () =>
    showingProblems(problem, async () => show(await getJson<StudyStatus>(path, signal)));
  const remove = ({ status, links }: StudyStatus) =>
    showingProblems(problem, async () => {
      await sendDelete(links.self);
      if (status === 'running') await load();
      else location.hash = '#/studies';
    });

  live.on(
    'study',
    (changed) => {
      if ((changed as StudyStatus | null)?.id === id) show(changed as StudyStatus);
    },
    signal,
  );
  live.on('snapshot', load, signal);
  await load();
}
