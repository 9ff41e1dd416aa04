/** Tiles that show figures. */
import { element } from '../ui/dom.ts';
import { formatBytes, formatNumber, formatShare } from '../ui/format.ts';
import type { Fact } from './report-figures.ts';

/** Creates a list of tiles. */
export function factTiles(facts: readonly Fact[]): HTMLElement {
  const tiles = facts.map((fact) =>
    element(
      'div',
      { class: 'tile', title: fact.meaning },
      element('dt', {}, fact.name),
      element('dd', {}, formatFact(fact)),
    ),
  );
  return element('dl', { class: 'tiles' }, ...tiles);
}

function formatFact({ value, form }: Fact): string {
  if (form === 'share') return formatShare(value);
  if (form === 'bytes' && value !== null) return formatBytes(value);
  return formatNumber(value);
}
