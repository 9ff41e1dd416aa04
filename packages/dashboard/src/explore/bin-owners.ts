/**
 * Image of a pass with its bins in the colors of the chiplets that an estimate gives them. The bins
 * are on a canvas, because elements for each of them take the browser several milliseconds.
 */

import { blendColors, chipletColor, cssColor } from '@tessera/plot/colors';
import type { FrameStatus, Report } from '../api/types.ts';
import { screenPass } from '../frame-view/bin-figures.ts';
import { labelPlace } from '../frame-view/bin-overlay.ts';
import { imageOfPass, passChoice } from '../frame-view/image-with-bins.ts';
import { element, replace } from '../ui/dom.ts';
import { IN_MEMORY, NumberSprites } from './number-sprites.ts';

const FILL_OPACITY = 0.26;
const EDGE_OPACITY = 0.9;

/** Bins on the page. */
export class BinOwners {
  readonly root: HTMLElement;
  readonly #report: Report;
  readonly #status: FrameStatus;
  readonly #figure = element('div', { class: 'image' });
  readonly #canvas = element('canvas', {
    role: 'img',
    'aria-label': 'Coarse bins in the colors of their estimated chiplets',
  });
  readonly #context = this.#canvas.getContext('2d', IN_MEMORY)!;
  readonly #numbers = new NumberSprites();
  #passIndex: number;
  #bins: Report['bins'] = [];
  /** Chiplets by pass and bin, and those before the last change. */
  #owners: readonly (readonly number[])[] = [];
  #before: readonly (readonly number[])[] = [];
  #widthPx = 0;

  /**
   * @param report Report of the measured frame, whose bins have places.
   * @param signal Signal that is aborted when the page is left.
   */
  constructor(status: FrameStatus, report: Report, signal: AbortSignal) {
    this.#report = report;
    this.#status = status;
    this.#passIndex = screenPass(report);
    const choice = passChoice(report, this.#passIndex, (passIndex) => {
      this.#passIndex = passIndex;
      this.#build();
      this.#draw(1);
    });
    this.root = element('div', { class: 'explore-owners' }, choice, this.#figure);
    this.#build();
    const observer = new ResizeObserver(([entry]) => {
      this.#widthPx = entry!.contentRect.width;
      this.#draw(1);
    });
    observer.observe(this.#figure);
    signal.addEventListener('abort', () => observer.disconnect());
  }

  /** @param owners Chiplets by pass and bin. */
  show(owners: readonly (readonly number[])[]): void {
    this.#before = this.#owners;
    this.#owners = owners;
    this.#draw(1);
  }

  /** Colors the bins between their last two owners. */
  blend(share: number): void {
    this.#draw(share);
  }

  #build(): void {
    this.#bins = this.#report.bins.filter(({ passIndex }) => passIndex === this.#passIndex);
    const image = imageOfPass(this.#status, this.#report, this.#passIndex);
    replace(this.#figure, image, this.#canvas);
  }

  #draw(share: number): void {
    const owners = this.#owners[this.#passIndex] ?? [];
    const before = this.#before[this.#passIndex] ?? owners;
    // The owners as a text, for programs that read the page.
    this.#canvas.dataset.owners = owners.join(' ');
    if (this.#widthPx === 0) return; // It is not on the page yet.
    const { widthPx, heightPx } = this.#report.passes[this.#passIndex]!;
    const scale = (this.#widthPx * devicePixelRatio) / widthPx;
    const [width, height] = [widthPx * scale, heightPx * scale].map(Math.round);
    if (this.#canvas.width !== width) this.#canvas.width = width!;
    if (this.#canvas.height !== height) this.#canvas.height = height!;
    const context = this.#context;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, widthPx, heightPx);
    context.lineJoin = 'round';
    for (const [index, bin] of this.#bins.entries()) {
      const owner = owners[index];
      if (owner === undefined) continue;
      const color = blendColors(chipletColor(before[index] ?? owner), chipletColor(owner), share);
      context.fillStyle = cssColor(color);
      context.strokeStyle = context.fillStyle;
      context.lineWidth = (1.5 * devicePixelRatio) / scale;
      context.globalAlpha = FILL_OPACITY;
      context.fillRect(bin.x, bin.y, bin.width, bin.height);
      context.globalAlpha = EDGE_OPACITY;
      context.strokeRect(bin.x, bin.y, bin.width, bin.height);
    }
    context.globalAlpha = 1;
    for (const [index, bin] of this.#bins.entries()) {
      const owner = owners[index];
      if (owner === undefined) continue;
      const { x, y, sizePx } = labelPlace(bin);
      this.#numbers.draw(context, owner, x, y, sizePx, scale);
    }
  }
}
