/** Drop zone and file picker for models and captures, with the options for rendering them. */
import { element, replace } from '../ui/dom.ts';
import { formatShare } from '../ui/format.ts';
import { type PageContext, problemBox, problemOfError, showingProblems } from '../ui/page.ts';
import { type OptionFields, optionFields } from './option-fields.ts';
import { type ChosenFile, fromFileList, makePostings, readDrop } from './posted-files.ts';
import { sendPosting } from './send-posting.ts';

/** Options of {@link postPanel}. */
export interface PostPanelOptions<Admitted> {
  /** Path of the route that files are posted to. */
  readonly path: string;
  /** Options that are visible at once. */
  readonly firstOptions: readonly string[];
  /** Texts of the drop zone. */
  readonly invitation: readonly [what: string, files: string];
  /** File name endings that can be posted. */
  readonly endings: readonly string[];
  /** Called with each answer. */
  readonly onPosted: (admitted: Admitted) => void;
}

/** Creates the panel. */
export function postPanel<Admitted>(
  { signal, announce }: PageContext,
  { path: route, firstOptions, invitation, endings, onPosted }: PostPanelOptions<Admitted>,
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
    element('strong', {}, invitation[0]),
    element('span', {}, invitation[1]),
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
    const postings = makePostings(files, endings);
    if (postings.length === 0) {
      const detail = `${files.map(({ path }) => path).join(', ')}: not one of ${endings.join(', ')}`;
      replace(outcome, problemBox({ code: 'NOTHING_TO_POST', title: '', detail, status: 0 }));
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
        const admitted = await sendPosting<Admitted>(
          route,
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
        onPosted(admitted);
      } catch (error) {
        replace(outcome, problemBox(problemOfError(error)));
      }
    }
  }

  showingProblems(optionsPlace, async () => {
    fields = await optionFields({ path: route, first: firstOptions, signal });
    replace(optionsPlace, fields.root);
  });
  return element('div', { class: 'post-panel' }, picker, zone, outcome, optionsPlace);
}
