/** Legend of colored bins: the chiplets with their totals, or the scale of costs. */

import { costColor, cssColor } from '@tessera/plot/colors';
import { chipletMark } from '../ui/chiplet-mark.ts';
import { element } from '../ui/dom.ts';
import { formatCompact, formatNumber } from '../ui/format.ts';
import { costOf, type KeyedBin } from './bin-figures.ts';
import type { Coloring } from './bin-overlay.ts';

/**
 * Returns the elements of the legend.
 *
 * @param isTimed Whether costs are simulated cycles instead of estimates.
 */
export function binLegend(
  bins: readonly KeyedBin[],
  coloring: Coloring,
  isTimed: boolean,
): HTMLElement[] {
  if (coloring === 'none') return [];
  return coloring === 'owner' ? [ownerLegend(bins, isTimed)] : costLegend(bins, isTimed);
}

function ownerLegend(bins: readonly KeyedBin[], isTimed: boolean): HTMLElement {
  const chiplets = [...new Set(bins.map(({ bin }) => bin.chiplet))].sort((a, b) => a - b);
  const entries = chiplets.map((chiplet) => {
    const own = bins.filter(({ bin }) => bin.chiplet === chiplet);
    const cost = own.reduce((sum, { bin }) => sum + costOf(bin), 0);
    const unit = isTimed ? 'cycles' : 'estimated cycles';
    const figures = `${own.length} bins, ${formatCompact(cost)} ${unit}`;
    return element('li', {}, chipletMark(chiplet), `chiplet ${chiplet}: ${figures}`);
  });
  return element('ul', { class: 'legend column' }, ...entries);
}

function costLegend(bins: readonly KeyedBin[], isTimed: boolean): HTMLElement[] {
  const costs = bins.map(({ bin }) => costOf(bin));
  const unit = isTimed ? 'simulated cycles' : 'estimated cycles';
  const least = formatNumber(Math.min(...costs));
  const most = formatNumber(Math.max(...costs));
  return [...costScale(most), element('p', {}, `From ${least} to ${most} ${unit} per bin.`)];
}

/**
 * Returns the scale of cost colors and its ends.
 *
 * @param most Text of the end with the highest cost.
 */
export function costScale(most: string): HTMLElement[] {
  const scale = element('div', { class: 'cost-scale', 'aria-hidden': 'true' });
  const stops = [0, 0.25, 0.5, 0.75, 1].map((share) => cssColor(costColor(share)));
  scale.style.backgroundImage = `linear-gradient(to right, ${stops.join(', ')})`;
  const ends = [element('span', {}, '0'), element('span', {}, most)];
  return [scale, element('p', { class: 'scale-ends' }, ...ends)];
}
