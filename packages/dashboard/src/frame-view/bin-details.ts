/** Figures of one coarse bin. */
import { element } from '../ui/dom.ts';
import { formatNumber } from '../ui/format.ts';
import { BIN_MEANINGS } from '../ui/meanings.ts';
import { type Bin, costOf } from './bin-figures.ts';

/**
 * Returns the heading and the figures of a bin.
 *
 * @param isTimed Whether the frame was simulated with cycle timing.
 */
export function binDetails(bin: Bin, isTimed: boolean): HTMLElement[] {
  const facts: readonly (readonly [name: keyof typeof BIN_MEANINGS, value: string])[] = [
    ['chiplet', String(bin.chiplet)],
    ['position', `${bin.x}, ${bin.y}; ${bin.width} × ${bin.height} px`],
    ['primitives', formatNumber(bin.primitives)],
    ['fragments', formatNumber(bin.fragments)],
    ['start', formatNumber(bin.startCycle)],
    ['end', formatNumber(bin.endCycle)],
    ['cycles', isTimed ? formatNumber(costOf(bin)) : formatNumber(null)],
    ['estimated', formatNumber(bin.estimatedCost)],
  ];
  const early = bin.isEarly ? ' (during the visibility phase)' : '';
  return [
    element('h3', {}, `Bin ${bin.id}${early}`),
    element(
      'dl',
      { class: 'facts' },
      ...facts.flatMap(([name, value]) => {
        const tooltip = { title: BIN_MEANINGS[name] };
        return [element('dt', tooltip, name), element('dd', tooltip, value)];
      }),
    ),
  ];
}
