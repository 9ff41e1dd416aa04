/** List of lines of code with their costs, from which one is chosen by click or by arrow keys. */
import { element } from '../ui/dom.ts';
import { formatCompact } from '../ui/format.ts';

/** Line of a list. */
export interface CodeRow {
  readonly text: string;
  /** Number in front of the line. */
  readonly number: number | null;
  /** Source line that the row belongs to; 0 for none. Rows of one line are marked together. */
  readonly line: number;
  /** Number of instructions issued; null for a line without instructions. */
  readonly issued: number | null;
  /** Cycles for which warps wait there, if they are known. */
  readonly waited?: number | undefined;
}

/** List of code on the page. */
export class CodeList {
  readonly root: HTMLElement;
  readonly #rows: readonly CodeRow[];
  readonly #elements: readonly HTMLElement[];
  readonly #onChoose: (row: CodeRow) => void;
  #active = -1;

  /**
   * @param name Name of the list for screen readers.
   * @param onChoose Called with the row that a person chooses.
   */
  constructor(name: string, rows: readonly CodeRow[], onChoose: (row: CodeRow) => void) {
    this.#rows = rows;
    this.#onChoose = onChoose;
    const most = Math.max(1, ...rows.map(({ issued }) => issued ?? 0));
    this.#elements = rows.map(({ text, number, issued, waited }, index) => {
      const bar = element('span', { class: 'code-bar' });
      bar.style.setProperty('--share', `${(100 * (issued ?? 0)) / most}%`);
      return element(
        'div',
        {
          class: 'code-row',
          role: 'option',
          id: `${name} ${index}`.replaceAll(' ', '-'),
          'aria-selected': 'false',
          onclick: () => this.#choose(index),
        },
        element('span', { class: 'code-number' }, number ?? '–'),
        element(
          'span',
          { class: 'code-count', title: 'issued' },
          issued === null ? '' : formatCompact(issued),
        ),
        waited === undefined
          ? null
          : element(
              'span',
              { class: 'code-count', title: 'cycles waited' },
              waited ? formatCompact(waited) : '',
            ),
        bar,
        element('span', {}, text === '' ? ' ' : text),
      );
    });
    this.root = element(
      'div',
      {
        class: 'code-list',
        role: 'listbox',
        tabindex: 0,
        'aria-label': name,
        onkeydown: (event: KeyboardEvent) => this.#press(event),
      },
      element('div', { class: 'code-rows', role: 'presentation' }, ...this.#elements),
    );
  }

  /**
   * Marks the rows of a source line, and shows the first of them.
   *
   * @param chosen Row that a person chose, in this list or another.
   */
  mark(line: number, chosen?: CodeRow): void {
    const own = chosen === undefined ? -1 : this.#rows.indexOf(chosen);
    this.#active = own < 0 ? this.#rows.findIndex((row) => row.line === line) : own;
    for (const [index, row] of this.#elements.entries()) {
      row.classList.toggle('marked', this.#rows[index]!.line === line);
      row.setAttribute('aria-selected', String(index === this.#active));
    }
    const active = this.#elements[this.#active];
    this.root.setAttribute('aria-activedescendant', active?.id ?? '');
    if (active === undefined) return;
    // The page must not scroll, so `scrollIntoView` is of no use.
    const { scrollTop, clientHeight } = this.root;
    const [top, bottom] = [active.offsetTop, active.offsetTop + active.offsetHeight];
    if (top >= scrollTop && bottom <= scrollTop + clientHeight) return;
    this.root.scrollTop = top - clientHeight / 3;
  }

  #choose(index: number): void {
    this.#onChoose(this.#rows[index]!);
  }

  #press(event: KeyboardEvent): void {
    const last = this.#rows.length - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: Math.min(last, this.#active + 1),
      ArrowUp: Math.max(0, this.#active - 1),
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    this.#choose(target);
  }
}
