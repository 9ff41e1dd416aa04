/** A sequence of frames that were rendered: nothing is rendered again, only their overlap is worked out. */
import { getJson, postJson } from '../api/requests.ts';
import type { FrameStatus } from '../api/types.ts';
import { optionFields } from '../post/option-fields.ts';
import { checkBoxes } from '../ui/check-boxes.ts';
import { element } from '../ui/dom.ts';
import { shortId } from '../ui/format.ts';
import { type PageContext, showingProblems } from '../ui/page.ts';
import { sequenceHref } from '../ui/routes.ts';
import type { SequenceStatus } from './sequence-types.ts';

const LISTED_FRAMES = 50;
const FIRST_OPTIONS = ['policy', 'chiplets', 'overlap', 'inFlight'];
/** All that is not about the pictures, which are there already. */
const OPTIONS = [...FIRST_OPTIONS, 'linkTopology', 'linkBytesPerCycle', 'linkLatencyCycles'];

/** @throws {ProblemError} */
export async function framesForm({ signal }: PageContext): Promise<HTMLElement> {
  const [{ frames }, fields] = await Promise.all([
    getJson<{ frames: FrameStatus[] }>(`/v1/frames?status=done&limit=${LISTED_FRAMES}`, signal),
    optionFields({ path: '/v1/sequences', first: FIRST_OPTIONS, only: OPTIONS, signal }),
  ]);
  if (frames.length === 0) return element('p', {}, 'No frame was rendered yet.');
  const boxes = checkBoxes(
    'Frames, in the order in which they were posted',
    frames
      .toReversed()
      .map(({ id, model, options }) => [id, `${shortId(id)}: ${model}, ${options.policy}`]),
    [],
  );
  const button = element('button', { class: 'primary' }, 'Work out their overlap');
  const trouble = element('div', {});
  const form = element('form', {}, boxes.root, fields.root, button, trouble);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    button.disabled = true;
    showingProblems(trouble, async () => {
      const path = `/v1/sequences?${fields.query()}`;
      const { id } = await postJson<SequenceStatus>(path, { frames: boxes.chosen() });
      location.hash = sequenceHref(id);
    }).finally(() => {
      button.disabled = false;
    });
  });
  return form;
}
