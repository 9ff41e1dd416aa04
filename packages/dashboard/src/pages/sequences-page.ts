/**
 * All sequences, and forms for a new one: from a model over time, a capture, or rendered frames.
 */
import { getJson } from '../api/requests.ts';
import { tagList } from '../frame-view/frame-labels.ts';
import { postPanel } from '../post/post-panel.ts';
import { MOVING_ENDINGS } from '../post/posted-files.ts';
import { framesForm } from '../sequence/frames-form.ts';
import type { SequenceStatus } from '../sequence/sequence-types.ts';
import { element, replace } from '../ui/dom.ts';
import { formatMoment } from '../ui/format.ts';
import {
  documentLinks,
  emptyState,
  type PageContext,
  section,
  showingProblems,
} from '../ui/page.ts';
import { sequenceHref } from '../ui/routes.ts';

const FIRST_OPTIONS = [
  'frames',
  'from',
  'to',
  'width',
  'height',
  'policy',
  'chiplets',
  'organization',
  'bins',
  'timing',
  'coupling',
  'overlap',
  'inFlight',
];

/** Shows all sequences. */
export async function sequencesPage(context: PageContext): Promise<void> {
  const { root, live, signal } = context;
  const list = element('ul', { class: 'studies' });
  const formPlace = element('div', {}, element('p', { class: 'hint' }, 'Form …'));
  const panel = postPanel<SequenceStatus>(context, {
    path: '/v1/sequences',
    firstOptions: FIRST_OPTIONS,
    invitation: [
      'Drop a model or capture here',
      'or choose a file: .glb, .gltf with its files, .trace',
    ],
    endings: MOVING_ENDINGS,
    onPosted: ({ id }) => {
      location.hash = sequenceHref(id);
    },
  });
  root.append(
    element('h1', {}, 'Sequences'),
    element(
      'p',
      { class: 'intro' },
      'The frames of a sequence overlap in simulated time: chiplet 0 computes the visibility of the next frame while the others ' +
        'render bins. A model is animated over an interval in seconds; a capture provides consecutive frames.',
    ),
    element(
      'div',
      { class: 'side-by-side' },
      section('Render a sequence', panel),
      section('From rendered frames', formPlace),
    ),
    section('All sequences', list),
  );
  const load = () =>
    showingProblems(list, async () => {
      const path = '/v1/sequences';
      const { sequences } = await getJson<{ sequences: SequenceStatus[] }>(path, signal);
      if (sequences.length === 0) replace(list, element('li', {}, noSequences()));
      else replace(list, ...sequences.map(sequenceRow));
    });
  // Sequences have no events, but their frames do.
  live.on('frame', load, signal);
  live.on('snapshot', load, signal);
  showingProblems(formPlace, async () => formPlace.replaceChildren(await framesForm(context)));
  await load();
}

function noSequences(): HTMLElement {
  return emptyState(
    'No sequences yet. Drop an animated model or a capture above, or post one from a clone of the repository:',
    "curl -H 'content-type: model/gltf-binary' --data-binary @test/golden/models/AnimatedMorphCube.glb '{service}/v1/sequences?frames=4&to=1&width=480&height=270'",
    documentLinks(['What overlap gains', 'studies/overlap.md']),
  );
}

function sequenceRow(sequence: SequenceStatus): HTMLElement {
  const { id, name, tags, status, frameCount, submittedAt } = sequence;
  return element(
    'li',
    {},
    element('a', { href: sequenceHref(id) }, name),
    element('span', { class: `badge ${status}` }, status),
    element('p', { class: 'hint' }, `${frameCount} frames; ${formatMoment(submittedAt)}`),
    tagList(tags),
  );
}
