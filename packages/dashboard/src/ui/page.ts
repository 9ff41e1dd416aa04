/** Parts shared by all pages. */
import type { LiveService } from '../api/live-service.ts';
import { isAbort, ProblemError } from '../api/requests.ts';
import type { Problem } from '../api/types.ts';
import { element } from './dom.ts';
import { documentHref } from './routes.ts';

/** Environment of a page. */
export interface PageContext {
  /** Element of the page's contents, initially empty. */
  readonly root: HTMLElement;
  readonly live: LiveService;
  /** Whether the service is the gateway of a cluster, which lacks some routes. */
  readonly isGateway: boolean;
  /** Signal that is aborted when the page is left. */
  readonly signal: AbortSignal;
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void;
}

/** Function that shows a page. */
export type Page = (context: PageContext) => void | Promise<void>;

/** Creates a box with a problem, its code and place. */
export function problemBox({ code, title, detail }: Problem): HTMLElement {
  const head = element('p', {}, element('code', {}, code), title === '' ? null : ` ${title}`);
  return element('div', { class: 'problem', role: 'alert' }, head, element('p', {}, detail));
}

/** Returns the problem of any error. */
export function problemOfError(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  const detail = error instanceof Error ? error.message : String(error);
  return { code: 'DASHBOARD', title: 'an error in this page', detail, status: 0 };
}

/** Runs an action and shows a failure in `place`, unless the page was left. */
export async function showingProblems(place: Element, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isAbort(error)) place.replaceChildren(problemBox(problemOfError(error)));
  }
}

/** Creates a section with a heading. */
export function section(heading: string, ...children: readonly (Node | string)[]): HTMLElement {
  return element('section', {}, element('h2', {}, heading), ...children);
}

/**
 * Creates a section whose contents are made when a button is pressed, because the service renders
 * for them.
 *
 * @param links Line below the contents.
 */
export function sectionOnRequest(
  heading: string,
  hint: string,
  label: string,
  make: () => Node,
  links: Node,
): HTMLElement {
  const place = element('div', {}, element('p', {}, hint));
  const open = () => place.replaceChildren(make());
  place.append(element('button', { type: 'button', onclick: open }, label));
  return section(heading, place, links);
}

/** Creates a line of links to documents. */
export function documentLinks(
  ...links: readonly (readonly [text: string, path: string, anchor?: string])[]
): HTMLElement {
  const anchors = links.flatMap(([text, path, anchor], index) => [
    index === 0 ? '' : ' · ',
    element('a', { href: documentHref(path, anchor) }, text),
  ]);
  return element('p', { class: 'hint' }, ...anchors);
}

/**
 * Creates the text of a page without data: the way to get some, with a command to copy.
 *
 * @param command Command line, in which `{service}` is the address of this service.
 */
export function emptyState(text: string, command: string, ...links: Node[]): HTMLElement {
  const code = element('code', {}, command.replace('{service}', location.origin));
  return element(
    'div',
    { class: 'empty' },
    element('p', {}, text),
    element('pre', { tabindex: 0, role: 'group', 'aria-label': 'Command' }, code),
    ...links,
  );
}

/** Creates a container in which a wide table scrolls, and a `tall` one below its heads. */
export function scrollingTable(
  label: string,
  table: HTMLTableElement,
  height: 'any' | 'tall' = 'any',
): HTMLElement {
  return element(
    'div',
    {
      class: height === 'tall' ? 'scrolling tall' : 'scrolling',
      role: 'region',
      'aria-label': label,
      tabindex: 0,
    },
    table,
  );
}

/**
 * Creates the head of a table.
 *
 * @param names Heads of the columns; empty for a column without one.
 * @param isNumber Returns whether a column contains numbers, which are right-aligned.
 * @param meanings Tooltips by name.
 */
export function tableHead(
  names: readonly string[],
  isNumber: (name: string) => boolean,
  meanings: Readonly<Record<string, string>>,
): HTMLElement {
  const cells = names.map((name) => {
    // A column of bars repeats the one before it, so it has no head.
    if (name === '') return element('td', {});
    const attributes = { class: isNumber(name) ? 'number' : null, title: meanings[name] };
    return element('th', { scope: 'col', ...attributes }, name);
  });
  return element('thead', {}, element('tr', {}, ...cells));
}
