/** Table of the chiplets of an estimate, which holds what the chart shows in text. */
import { idleShareOf } from '@tessera/multi-chiplet/estimate';
import { element, replace } from '../ui/dom.ts';
import { formatNumber, formatShare } from '../ui/format.ts';
import { scrollingTable, tableHead } from '../ui/page.ts';
import type { Estimate } from './estimate-frame.ts';

const HEADS = ['chiplet', 'bins', 'busy cycles', 'idle', 'copy cycles'];
const MEANINGS = {
  chiplet: 'one die of the simulated GPU; it renders coarse bins',
  bins: 'number of bins that it renders, in the estimate',
  'busy cycles': 'estimated cycles in visibility phases and bins',
  idle: 'estimated share of the cycles without work',
  'copy cycles': 'estimated cycles of its copy engine',
} as const;

/** Table that is filled only while it is open. */
export class ChipletEstimates {
  readonly root = element('details', {});
  readonly #body = element('tbody', {});
  #estimate: Estimate | null = null;

  constructor() {
    const head = tableHead(HEADS, (name) => name !== 'chiplet', MEANINGS);
    const table = element('table', { class: 'fitting' }, head, this.#body);
    this.root.append(
      element('summary', {}, 'Estimated chiplets as a table'),
      scrollingTable('Estimated chiplets', table, 'tall'),
    );
    this.root.addEventListener('toggle', () => this.#fill());
  }

  show(estimate: Estimate): void {
    this.#estimate = estimate;
    this.#fill();
  }

  #fill(): void {
    if (!this.root.open || this.#estimate === null) return;
    const { chiplets, figures } = this.#estimate;
    const rows = chiplets.map(({ binCount, busyCycles, copyCycles }, id) => {
      const idle = formatShare(idleShareOf(busyCycles, figures.cycles));
      const cells = [formatNumber(binCount), formatNumber(busyCycles), idle];
      return element(
        'tr',
        {},
        element('th', { scope: 'row' }, id),
        ...[...cells, formatNumber(copyCycles)].map((text) =>
          element('td', { class: 'number' }, text),
        ),
      );
    });
    replace(this.#body, ...rows);
  }
}
