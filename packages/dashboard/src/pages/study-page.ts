/** One study: progress with the remaining time, plot, table, CSV. */
import { getJson, sendDelete } from '../api/requests.ts';
import { studyProgress } from '../study/study-progress.ts';
import { StudyRows } from '../study/study-rows.ts';
import type { Study } from '../study/study-types.ts';
import { element, replace } from '../ui/dom.ts';
import { shortId } from '../ui/format.ts';
import { type PageContext, showingProblems } from '../ui/page.ts';

/** Shows a study and follows it until the page is left. */
export async function studyPage(
  { root, live, signal, announce }: PageContext,
  id: string,
): Promise<void> {
  const heading = element('h1', {}, `Study ${shortId(id)}`);
  const progress = element('div', { class: 'study-progress' });
  const problem = element('div', {});
  const rows = new StudyRows(announce);
  root.append(heading, progress, problem, rows.root);
  const path = `/v1/studies/${encodeURIComponent(id)}`;
  let rowCount = -1;

  const load = () =>
    showingProblems(problem, async () => {
      const study = await getJson<Study>(path, signal);
      if (study.title !== '') heading.textContent = study.title;
      replace(progress, ...studyProgress(study, () => remove(study)));
      if (study.rows.length !== rowCount) rows.show(study.rows);
      rowCount = study.rows.length;
      if (study.status === 'done') announce('The study is complete');
    });
  const remove = ({ status, links }: Study) =>
    showingProblems(problem, async () => {
      await sendDelete(links.self);
      if (status === 'running') await load();
      else location.hash = '#/studies';
    });

  live.on('study', load, signal);
  live.on('snapshot', load, signal);
  await load();
}
