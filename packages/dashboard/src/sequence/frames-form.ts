/**
 * Form for a sequence of rendered frames. Nothing is rendered again; only the overlap of the frames
 * is simulated.
 */
import { getJson, postJson } from '../api/requests.ts';
import type { FrameStatus } from '../api/types.ts';
import { describeFrame } from '../frame-view/frame-labels.ts';
import { optionFields } from '../post/option-fields.ts';
import { checkBoxes } from '../ui/check-boxes.ts';
import { element } from '../ui/dom.ts';
import { type PageContext, showingProblems } from '../ui/page.ts';
import { sequenceHref } from '../ui/routes.ts';
import type { SequenceStatus } from './sequence-types.ts';

const LISTED_FRAMES = 50;
const FIRST_OPTIONS = ['name', 'tags', 'policy', 'chiplets', 'overlap', 'inFlight'];
/** Options that do not change the images, which exist already. */
const OPTIONS = [...FIRST_OPTIONS, 'linkTopology', 'linkBytesPerCycle', 'linkLatencyCycles'];

/**
 * Creates the form.
 *
 * @throws {ProblemError}
 */
export async function framesForm({ signal }: PageContext): Promise<HTMLElement> {
  const [{ frames }, fields] = await Promise.all([
    getJson<{ frames: FrameStatus[] }>(`/v1/frames?status=done&limit=${LISTED_FRAMES}`, signal),
    optionFields({ path: '/v1/sequences', first: FIRST_OPTIONS, only: OPTIONS, signal }),
  ]);
  if (frames.length === 0) {
    const link = element('a', { class: 'button', href: '#/' }, 'Render a frame');
    return element('p', {}, 'No frames have been rendered yet. ', link);
  }
  const boxes = checkBoxes(
    'Frames in posting order',
    frames.toReversed().map((frame) => [frame.id, describeFrame(frame)]),
    [],
  );
  const button = element('button', { class: 'primary' }, 'Simulate their overlap');
  const problem = element('div', {});
  const form = element('form', {}, boxes.root, fields.root, button, problem);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    button.disabled = true;
    showingProblems(problem, async () => {
      const path = `/v1/sequences?${fields.query()}`;
      const { id } = await postJson<SequenceStatus>(path, { frames: boxes.chosen() });
      location.hash = sequenceHref(id);
    }).finally(() => {
      button.disabled = false;
    });
  });
  return form;
}
