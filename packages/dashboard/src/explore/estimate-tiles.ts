/** Figures of an estimate, updated in place. */
import { element } from '../ui/dom.ts';
import { formatBytes, formatNumber, formatShare } from '../ui/format.ts';
import { GLOSSARY_MEANINGS } from '../ui/meanings.ts';
import type { EstimateFigures } from './estimate-frame.ts';

/** Name, meaning and form of a figure. */
export interface FigureColumn {
  readonly name: string;
  readonly meaning: string;
  readonly format: (value: number) => string;
}

/** Figures in the order of the page. */
export const FIGURES: Readonly<Record<keyof EstimateFigures, FigureColumn>> = {
  cycles: {
    name: 'cycles',
    meaning: 'simulated cycles from the start of the first frame to the last pixel of the last one',
    format: formatNumber,
  },
  speedUp: {
    name: 'speed-up',
    meaning: 'cycles of one chiplet, which does all work in turn ÷ cycles',
    format: formatNumber,
  },
  idleShare: {
    name: 'idle',
    meaning: 'cycles without work ÷ cycles, mean of all chiplets',
    format: formatShare,
  },
  imbalance: {
    name: 'imbalance',
    meaning: 'largest share of the bins ÷ mean share; 1 is best',
    format: formatNumber,
  },
  makespanCycles: {
    name: 'makespan',
    meaning: `${GLOSSARY_MEANINGS.makespan}, summed over the passes`,
    format: formatNumber,
  },
  lowerBoundCycles: {
    name: 'lower bound',
    meaning: 'cycles; lower bound on the makespan of any assignment',
    format: formatNumber,
  },
  linkBytes: { name: 'link', meaning: 'bytes sent over the link', format: formatBytes },
};

/** Names of the figures in the order of the page. */
export const FIGURE_NAMES = Object.keys(FIGURES) as (keyof EstimateFigures)[];

/** Tiles with the figures of an estimate. */
export class EstimateTiles {
  readonly root: HTMLElement;
  readonly #values = new Map(
    FIGURE_NAMES.map((name) => [name, element('dd', { 'data-figure': name })]),
  );

  constructor() {
    const tiles = FIGURE_NAMES.map((name) =>
      element(
        'div',
        { class: 'tile', title: `estimate: ${FIGURES[name].meaning}` },
        element('dt', {}, `≈ ${FIGURES[name].name}`),
        this.#values.get(name)!,
      ),
    );
    this.root = element('dl', { class: 'tiles' }, ...tiles);
  }

  show(figures: EstimateFigures): void {
    for (const [name, place] of this.#values) {
      place.textContent = FIGURES[name].format(figures[name]);
      // The value with all digits, for programs that read the page.
      place.dataset.value = String(figures[name]);
    }
  }
}
