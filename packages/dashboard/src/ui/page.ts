/** What pages have in common. */
import type { LiveService } from '../api/live-service.ts';
import { isAbort, ProblemError } from '../api/requests.ts';
import type { Problem } from '../api/types.ts';
import { element } from './dom.ts';

export interface PageContext {
  /** Empty at first. */
  readonly root: HTMLElement;
  readonly live: LiveService;
  /** Aborted when the page is left. */
  readonly signal: AbortSignal;
  /** Says something to who cannot see the page. */
  readonly announce: (text: string) => void;
}

/** Shows a page. */
export type Page = (context: PageContext) => void | Promise<void>;

/** A problem with its code and place. */
export function problemBox({ code, title, detail }: Problem): HTMLElement {
  const head = element('p', {}, element('code', {}, code), title === '' ? null : ` ${title}`);
  return element('div', { class: 'problem', role: 'alert' }, head, element('p', {}, detail));
}

/** The problem of an error, whatever it is. */
export function problemOfError(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  const detail = error instanceof Error ? error.message : String(error);
  return { code: 'DASHBOARD', title: 'a fault of this page', detail, status: 0 };
}

/** Runs what may fail; shows a failure in `place` unless the page was left. */
export async function showingProblems(place: Element, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!isAbort(error)) place.replaceChildren(problemBox(problemOfError(error)));
  }
}

/** A part of a page with its heading. */
export function section(heading: string, ...children: readonly (Node | string)[]): HTMLElement {
  return element('section', {}, element('h2', {}, heading), ...children);
}

/** A table that scrolls by itself where it is too wide. */
export function scrollingTable(label: string, table: HTMLTableElement): HTMLElement {
  return element(
    'div',
    { class: 'scrolling', role: 'region', 'aria-label': label, tabindex: 0 },
    table,
  );
}

/** The head of a table. @param isNumber Whether a column's cells are numbers, which end at the right. */
export function tableHead(
  names: readonly string[],
  isNumber: (name: string) => boolean,
): HTMLElement {
  const cells = names.map((name) =>
    element('th', { scope: 'col', class: isNumber(name) ? 'number' : null }, name),
  );
  return element('thead', {}, element('tr', {}, ...cells));
}
