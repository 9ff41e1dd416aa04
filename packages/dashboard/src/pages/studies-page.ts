/** All studies, and a form for a new one. */
import { getJson } from '../api/requests.ts';
import { studyForm } from '../study/study-form.ts';
import type { StudyStatus } from '../study/study-types.ts';
import { element, replace } from '../ui/dom.ts';
import { formatMoment, shortId } from '../ui/format.ts';
import {
  documentLinks,
  emptyState,
  type PageContext,
  section,
  showingProblems,
} from '../ui/page.ts';
import { studyHref } from '../ui/routes.ts';

/** Shows all studies. */
export async function studiesPage(context: PageContext): Promise<void> {
  const { root, live, signal } = context;
  const formPlace = element('div', {}, element('p', { class: 'hint' }, 'Form …'));
  const list = element('ul', { class: 'studies' });
  root.append(
    element('h1', {}, 'Studies'),
    element(
      'p',
      { class: 'intro' },
      'A study renders frames once for each specification, number of bins, visibility shader and organization. It derives ' +
        'the results for every number of chiplets and every policy from that.',
    ),
    documentLinks(['Run a study', 'how-to/run-a-study.md'], ['Results', 'studies/README.md']),
    section('New study', formPlace),
    section('All studies', list),
  );
  const load = () =>
    showingProblems(list, async () => {
      const { studies } = await getJson<{ studies: StudyStatus[] }>('/v1/studies', signal);
      const rows = studies.map(studyRow);
      replace(list, ...(rows.length === 0 ? [element('li', {}, noStudies())] : rows));
    });
  live.on('study', load, signal);
  live.on('snapshot', load, signal);
  showingProblems(formPlace, async () => formPlace.replaceChildren(await studyForm(context)));
  await load();
}

function noStudies(): HTMLElement {
  return emptyState(
    'No studies yet. A study needs a rendered frame: run one with the form above, or from a clone of the repository:',
    'npx tessera study --service {service} test/golden/models --size 320x240 --chiplets 1,2,4 --policy static,dynamic',
  );
}

function studyRow({ id, title, status, progress, sweep, submittedAt }: StudyStatus): HTMLElement {
  const swept = `${sweep.policies.join(', ')} on ${sweep.chiplets.join(', ')} chiplets`;
  return element(
    'li',
    {},
    element('a', { href: studyHref(id) }, title === '' ? shortId(id) : title),
    element(
      'span',
      { class: `badge ${status}` },
      status === 'running' ? `${progress.done}/${progress.total}` : status,
    ),
    element('p', { class: 'hint' }, `${swept}; ${formatMoment(submittedAt)}`),
  );
}
