/** Name and tags of a frame, with a form to change them. */
import { sendPatch } from '../api/requests.ts';
import type { FrameStatus } from '../api/types.ts';
import { element, replace } from '../ui/dom.ts';
import { shortId } from '../ui/format.ts';
import { type PageContext, showingProblems } from '../ui/page.ts';

/** Returns a text for lists of choices: name and start of the id, because names may repeat. */
export function describeFrame({ id, name, options }: FrameStatus): string {
  return `${name} · ${options.policy} · ${shortId(id)}`;
}

/** Creates a list of tags, or null if there are none. */
export function tagList(tags: readonly string[]): HTMLElement | null {
  if (tags.length === 0) return null;
  const items = tags.map((tag) => element('li', {}, tag));
  return element('ul', { class: 'tags', 'aria-label': 'Tags' }, ...items);
}

/**
 * Creates the form that changes the name and tags of a frame.
 *
 * @param onChange Called with the changed frame.
 */
export function labelForm(
  { announce }: PageContext,
  { name, tags, links }: FrameStatus,
  onChange: (frame: FrameStatus) => void,
): HTMLElement {
  const nameField = element('input', { value: name, required: true, maxlength: 255 });
  const tagField = element('input', { value: tags.join(', '), placeholder: 'words, with commas' });
  const problem = element('div', {});
  const save = (event: Event) => {
    event.preventDefault();
    const words = tagField.value.split(',').map((tag) => tag.trim());
    const labels = { name: nameField.value, tags: words.filter((tag) => tag !== '') };
    showingProblems(problem, async () => {
      const changed = await sendPatch<FrameStatus>(links.self, labels);
      replace(problem);
      announce('The name and tags were saved');
      onChange(changed);
    });
  };
  return element(
    'details',
    {},
    element('summary', {}, 'Name and tags'),
    element(
      'form',
      { class: 'toolbar', onsubmit: save },
      element('label', {}, 'Name ', nameField),
      element('label', {}, 'Tags ', tagField),
      element('button', { type: 'submit' }, 'Save'),
    ),
    problem,
  );
}
