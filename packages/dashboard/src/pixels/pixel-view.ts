/**
 * An image with a heat map over it and a cursor. The pointer and the arrow keys move the cursor, a
 * click and the enter key choose its pixel.
 */

import { costColor } from '@tessera/plot/colors';
import { costScale } from '../frame-view/bin-legend.ts';
import { ARROWS } from '../ui/arrow-keys.ts';
import { element, replace } from '../ui/dom.ts';
import { formatNumber } from '../ui/format.ts';
import type { DescribedHeatMap } from './pixel-types.ts';

/** Listeners of a {@link PixelView}. */
export interface PixelViewOptions {
  /** Called when the cursor is at another pixel. */
  readonly onPoint: (x: number, y: number) => void;
  readonly onChoose: (x: number, y: number) => void;
}

/** Pixels that an arrow key moves the cursor with the shift key. */
const LARGE_STEP_PX = 16;
/** Opacity of a heat map, 0 to 255. */
const HEAT_ALPHA = 215;

/** Image with a heat map and a cursor. */
export class PixelView {
  readonly root: HTMLElement;
  readonly #options: PixelViewOptions;
  readonly #image = element('img', {});
  readonly #heat = element('canvas', { class: 'heat', hidden: true, 'aria-hidden': 'true' });
  readonly #cursor = element('span', { class: 'pixel-cursor', 'aria-hidden': 'true' });
  #width = 1;
  #height = 1;
  #x = 0;
  #y = 0;

  constructor(options: PixelViewOptions) {
    this.#options = options;
    this.root = element(
      'div',
      {
        class: 'image pixel-view',
        tabindex: 0,
        role: 'application',
        'aria-label':
          'Pixels of the image. Arrow keys move by a pixel, with shift by 16, enter shows the history',
        onpointermove: (event: PointerEvent) => this.#point(event),
        onclick: (event: MouseEvent) => {
          this.#point(event);
          options.onChoose(this.#x, this.#y);
        },
        onkeydown: (event: KeyboardEvent) => this.#press(event),
      },
      this.#image,
      this.#heat,
      this.#cursor,
    );
  }

  /** Shows an image of a pass. */
  showImage(src: string, alt: string, widthPx: number, heightPx: number): void {
    if (widthPx !== this.#width || heightPx !== this.#height) {
      [this.#width, this.#height] = [widthPx, heightPx];
      this.#moveTo(Math.floor(widthPx / 2), Math.floor(heightPx / 2));
    }
    Object.assign(this.#image, { src, alt, width: widthPx, height: heightPx });
  }

  /** Draws a heat map over the image; `null` removes it. */
  showHeat(map: DescribedHeatMap | null): void {
    const canvas = this.#heat;
    canvas.hidden = map === null;
    if (map === null) return;
    const { columns, rows, values, max, blockPx } = map;
    Object.assign(canvas, { width: columns, height: rows });
    canvas.style.width = `${(100 * columns * blockPx) / this.#width}%`;
    canvas.style.height = `${(100 * rows * blockPx) / this.#height}%`;
    const pixels = new ImageData(columns, rows);
    for (let at = 0; at < values.length; at++) {
      const value = values[at]!;
      if (value > 0) pixels.data.set([...costColor(value / max), HEAT_ALPHA], at * 4);
    }
    canvas.getContext('2d')!.putImageData(pixels, 0, 0);
  }

  #press(event: KeyboardEvent): void {
    if (event.key === 'Enter') this.#options.onChoose(this.#x, this.#y);
    const direction = ARROWS[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    const step = event.shiftKey ? LARGE_STEP_PX : 1;
    this.#moveTo(this.#x + step * direction[0], this.#y + step * direction[1]);
  }

  #point(event: MouseEvent): void {
    const { left, top, width, height } = this.#image.getBoundingClientRect();
    if (width === 0 || height === 0) return;
    const x = Math.floor(((event.clientX - left) / width) * this.#width);
    this.#moveTo(x, Math.floor(((event.clientY - top) / height) * this.#height));
  }

  #moveTo(x: number, y: number): void {
    this.#x = Math.min(this.#width - 1, Math.max(0, x));
    this.#y = Math.min(this.#height - 1, Math.max(0, y));
    this.#cursor.style.left = `${(100 * (this.#x + 0.5)) / this.#width}%`;
    this.#cursor.style.top = `${(100 * (this.#y + 0.5)) / this.#height}%`;
    this.#options.onPoint(this.#x, this.#y);
  }
}

/**
 * Shows the scale of a heat map with its sum.
 *
 * @param counted Value of the map's counter in the report; null if there is none.
 */
export function showHeatLegend(
  place: HTMLElement,
  map: DescribedHeatMap | null,
  counted: number | null,
): void {
  if (map === null) {
    replace(place);
    return;
  }
  const per = map.blockPx === 1 ? 'pixel' : `${map.blockPx}×${map.blockPx} block`;
  const scale = costScale(`${formatNumber(map.max)} ${map.unit} per ${per}`);
  const sum = element('p', {}, `Total: ${formatNumber(map.total)} ${map.unit}`);
  const equals =
    counted !== null &&
    element(
      'p',
      { class: 'hint' },
      element('code', {}, map.counter),
      ` of all passes: ${formatNumber(counted)}`,
    );
  replace(place, element('p', {}, map.meaning), ...scale, sum, equals);
}
