/**
 * Colors of a schedule on a canvas, which cannot use the variables of the style sheet. Swatches of
 * the legend have them.
 */
import { element } from '../ui/dom.ts';

/** Colors by use, in CSS syntax. */
export interface ScheduleColors {
  readonly text: string;
  readonly line: string;
  readonly visibility: string;
  readonly transfer: string;
  readonly idle: string;
}

const SWATCHES = {
  visibility: 'visibility phase',
  transfer: 'transfer over the link',
  idle: 'idle, except for copies',
} as const;

/** Legend whose swatches have the colors of the current theme. */
export class ScheduleLegend {
  readonly root: HTMLElement;
  readonly #swatchByUse = new Map<keyof typeof SWATCHES, HTMLElement>();
  readonly #line = element('span', { class: 'explore-line', hidden: true });
  #colors: ScheduleColors | null = null;

  /**
   * @param onChange Called when the theme changes.
   * @param signal Signal that is aborted when the page is left.
   */
  constructor(onChange: () => void, signal: AbortSignal) {
    const entries = (Object.keys(SWATCHES) as (keyof typeof SWATCHES)[]).map((use) => {
      const swatch = element('span', { class: `swatch ${use}`, 'aria-hidden': 'true' });
      this.#swatchByUse.set(use, swatch);
      return element('li', {}, swatch, SWATCHES[use]);
    });
    const bins = element(
      'li',
      {},
      'coarse bins have the color of their chiplet, or of their frame',
    );
    this.root = element('ul', { class: 'legend' }, bins, ...entries, this.#line);
    const forget = () => {
      this.#colors = null;
      onChange();
    };
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', forget, { signal });
    const observer = new MutationObserver(forget);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    signal.addEventListener('abort', () => observer.disconnect());
  }

  /** Colors of the current theme. */
  get colors(): ScheduleColors {
    this.#colors ??= {
      text: getComputedStyle(this.root).color,
      line: getComputedStyle(this.#line).color,
      visibility: this.#colorOf('visibility'),
      transfer: this.#colorOf('transfer'),
      idle: this.#colorOf('idle'),
    };
    return this.#colors;
  }

  #colorOf(use: keyof typeof SWATCHES): string {
    return getComputedStyle(this.#swatchByUse.get(use)!).backgroundColor;
  }
}
