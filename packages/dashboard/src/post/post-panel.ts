/** Where models and captures are dropped or chosen, with the options that they are rendered with. */
import type { FrameStatus } from '../api/types.ts';
import { element, replace } from '../dom.ts';
import { formatShare } from '../format.ts';
import { type PageContext, problemBox, problemOfError, showingProblems } from '../page.ts';
import { type OptionFields, optionFields } from './option-fields.ts';
import {
  type ChosenFile,
  fromFileList,
  makePostings,
  POSTED_ENDINGS,
  readDrop,
} from './posted-files.ts';
import { sendPosting } from './send-posting.ts';

const FIRST_OPTIONS = [
  'width',
  'height',
  'policy',
  'chiplets',
  'bins',
  'timing',
  'visibility',
  'spec',
];

/** @param onPosted Called with each frame that was admitted. */
export function postPanel(
  { signal, announce }: PageContext,
  onPosted: (frame: FrameStatus) => void,
): HTMLElement {
  const picker = element('input', {
    type: 'file',
    id: 'model-file',
    class: 'visually-hidden',
    multiple: true,
    onchange: async () => {
      await post(fromFileList(picker.files!));
      picker.value = '';
    },
  });
  const zone = element(
    'label',
    { class: 'drop-zone', for: 'model-file' },
    element('strong', {}, 'Drop a model or capture here'),
    element('span', {}, 'or choose a file: .glb, .gltf with its files, .trace, a native frame'),
  );
  const optionsPlace = element('div', {}, element('p', { class: 'hint' }, 'Options …'));
  const outcome = element('div', { 'aria-live': 'polite' });
  let fields: OptionFields | null = null;

  zone.addEventListener('dragover', (event) => {
    event.preventDefault();
    zone.classList.add('over');
  });
  zone.addEventListener('dragleave', () => zone.classList.remove('over'));
  zone.addEventListener('drop', async (event) => {
    event.preventDefault();
    zone.classList.remove('over');
    if (event.dataTransfer !== null) await post(await readDrop(event.dataTransfer));
  });

  async function post(files: readonly ChosenFile[]): Promise<void> {
    const postings = makePostings(files);
    if (postings.length === 0) {
      const detail = `${files.map(({ path }) => path).join(', ')}: none of ${POSTED_ENDINGS.join(', ')}`;
      replace(outcome, problemBox({ code: 'NOTHING TO POST', title: '', detail, status: 0 }));
      return;
    }
    for (const posting of postings) {
      const bar = element('progress', {
        max: 1,
        value: 0,
        'aria-label': `Sending ${posting.title}`,
      });
      const text = element('p', {}, `Sending ${posting.title} …`);
      replace(outcome, text, bar);
      try {
        const frame = await sendPosting(
          posting,
          fields?.query() ?? new URLSearchParams(),
          (share) => {
            bar.value = share;
            text.textContent =
              share < 1
                ? `Sending ${posting.title}: ${formatShare(share)}`
                : `${posting.title} is read and checked …`;
          },
        );
        replace(outcome);
        announce(`${posting.title} was posted`);
        onPosted(frame);
      } catch (error) {
        replace(outcome, problemBox(problemOfError(error)));
      }
    }
  }

  showingProblems(optionsPlace, async () => {
    fields = await optionFields({ path: '/v1/frames', first: FIRST_OPTIONS, signal });
    replace(optionsPlace, fields.root);
  });
  return element('div', { class: 'post-panel' }, picker, zone, outcome, optionsPlace);
}
