/** Names and tags of frames and sequences, with a form to change them. */
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

/** Frame or sequence. */
interface Labelled {
  readonly name: string;
  readonly tags: readonly string[];
  readonly links: { readonly self: string };
}

/**
 * Shows the name of a frame or sequence as a heading, and creates its tags with a form that changes
 * both.
 */
export function labelBox(
  context: PageContext,
  { links, ...first }: Labelled,
  heading: HTMLElement,
): HTMLElement {
  const box = element('div', {});
  const show = ({ name, tags }: Omit<Labelled, 'links'>) => {
    heading.textContent = name;
    replace(box, tagList(tags), labelForm(context, { name, tags, links }, show));
  };
  show(first);
  return box;
}

function labelForm(
  { announce }: PageContext,
  { name, tags, links }: Labelled,
  onChange: (changed: Labelled) => void,
): HTMLElement {
  const nameField = element('input', { value: name, required: true, maxlength: 255 });
  const tagField = element('input', { value: tags.join(', '), placeholder: 'words, with commas' });
  const problem = element('div', {});
  const save = (event: Event) => {
    event.preventDefault();
    const words = tagField.value.split(',').map((tag) => tag.trim());
    const labels = { name: nameField.value, tags: words.filter((tag) => tag !== '') };
    showingProblems(problem, async () => {
      const changed = await sendPatch<Labelled>(links.self, labels);
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
