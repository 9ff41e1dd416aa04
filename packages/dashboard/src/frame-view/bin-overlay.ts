/** Coarse bins drawn over an image, colored by owner or by cost and reachable by keyboard. */

import { chipletColor, costColor, cssColor } from '@tessera/plot/colors';
import { ARROWS } from '../ui/arrow-keys.ts';
import { svgElement } from '../ui/dom.ts';
import { formatCompact, formatNumber } from '../ui/format.ts';
import { type Bin, costOf, type KeyedBin, neighbor } from './bin-figures.ts';

/** Labels of the ways to color bins. */
export const COLORINGS = { none: 'hidden', owner: 'by owner', cost: 'by cost' } as const;
/** Way to color bins, a key of {@link COLORINGS}. */
export type Coloring = keyof typeof COLORINGS;

/** Size of the image in pixels. */
interface ImageSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Coarse bins drawn over an image. */
export class BinOverlay {
  readonly root: SVGElement;
  readonly #rectByKey = new Map<string, SVGRectElement>();
  /** Key of the bin that the tab key reaches. */
  #reachedKey: string | null;

  /**
   * @param reachedKey Bin that the tab key reaches first; the first bin if null.
   * @param onPoint Called when a bin is pointed at or focused.
   */
  constructor(
    bins: readonly KeyedBin[],
    { widthPx, heightPx }: ImageSize,
    coloring: Exclude<Coloring, 'none'>,
    reachedKey: string | null,
    onPoint: (bin: KeyedBin) => void,
  ) {
    this.#reachedKey = reachedKey ?? bins[0]?.key ?? null;
    this.root = svgElement('svg', {
      viewBox: `0 0 ${widthPx} ${heightPx}`,
      role: 'group',
      'aria-label': 'Coarse bins; arrow keys move from bin to bin',
    });
    const most = Math.max(1, ...bins.map(({ bin }) => costOf(bin)));
    for (const keyed of bins) {
      const { key, bin } = keyed;
      const point = () => {
        this.#reach(key);
        this.mark(key);
        onPoint(keyed);
      };
      const rect = drawRect(bin, key === this.#reachedKey, point, (direction) => {
        const next = neighbor(bins, bin, direction);
        if (next !== null) this.#rectByKey.get(next.key)?.focus();
      });
      const color =
        coloring === 'owner' ? chipletColor(bin.chiplet) : costColor(costOf(bin) / most);
      rect.style.setProperty('--bin-color', cssColor(color));
      this.#rectByKey.set(key, rect);
      this.root.append(rect, drawLabel(bin, coloring));
    }
  }

  /** Key of the bin that the tab key reaches, or null without bins. */
  get reachedKey(): string | null {
    return this.#reachedKey;
  }

  /** Returns whether the overlay shows the bin. */
  has(key: string): boolean {
    return this.#rectByKey.has(key);
  }

  /** Marks a bin; `null` marks none. */
  mark(key: string | null): void {
    for (const [other, rect] of this.#rectByKey) rect.classList.toggle('marked', other === key);
  }

  #reach(key: string): void {
    if (this.#reachedKey !== null) {
      this.#rectByKey.get(this.#reachedKey)?.setAttribute('tabindex', '-1');
    }
    this.#reachedKey = key;
    this.#rectByKey.get(key)?.setAttribute('tabindex', '0');
  }
}

function drawRect(
  bin: Bin,
  isReached: boolean,
  point: () => void,
  step: (direction: readonly [number, number]) => void,
): SVGRectElement {
  return svgElement('rect', {
    class: 'image-bin',
    x: bin.x,
    y: bin.y,
    width: bin.width,
    height: bin.height,
    tabindex: isReached ? 0 : -1,
    role: 'img',
    'aria-label': describeBin(bin),
    onpointerenter: point,
    onfocus: point,
    onkeydown: (event: KeyboardEvent) => {
      const direction = ARROWS[event.key];
      if (direction === undefined) return;
      event.preventDefault();
      step(direction);
    },
  });
}

/**
 * Returns the place of a bin's label, left and in the middle of its height, and its size: in the
 * upper left corner, where it hides little of the image.
 */
export function labelPlace({ x, y, width, height }: Pick<Bin, 'x' | 'y' | 'width' | 'height'>) {
  const sizePx = Math.min(width, height) * 0.19;
  return { x: x + sizePx * 0.4, y: y + sizePx * 0.75, sizePx };
}

function drawLabel(bin: Bin, coloring: Coloring): SVGElement {
  const { x, y, sizePx } = labelPlace(bin);
  return svgElement(
    'text',
    {
      class: 'bin-label',
      x,
      y,
      'font-size': sizePx,
      'stroke-width': sizePx / 6,
      'aria-hidden': 'true',
    },
    coloring === 'owner' ? bin.chiplet : formatCompact(costOf(bin)),
  );
}

function describeBin(bin: Bin): string {
  const cycles =
    bin.startCycle === null ? 'no cycle timing' : `${formatNumber(costOf(bin))} cycles`;
  return `Bin ${bin.id}: chiplet ${bin.chiplet}, ${cycles}, ${bin.primitives} primitives, ${bin.fragments} fragments`;
}
