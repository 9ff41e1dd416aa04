/** Image of a pass with its bins in the colors of the chiplets that an estimate gives them. */

import type { FrameStatus, Report } from '../api/types.ts';
import { screenPass } from '../frame-view/bin-figures.ts';
import { labelPlace } from '../frame-view/bin-overlay.ts';
import { imageOfPass, passChoice } from '../frame-view/image-with-bins.ts';
import { blendColors, chipletColor, cssColor, type Rgb } from '../ui/colors.ts';
import { element, replace, svgElement } from '../ui/dom.ts';

interface ShownBin {
  readonly rect: SVGRectElement;
  readonly label: SVGTextElement;
  /** Chiplet of the bin, and the one before the last change; -1 for none. */
  owner: number;
  from: number;
}

/** Bins on the page that change their owners in place. */
export class BinOwners {
  readonly root: HTMLElement;
  readonly #report: Report;
  readonly #status: FrameStatus;
  readonly #figure = element('div', { class: 'image' });
  #bins: ShownBin[] = [];
  #passIndex: number;
  #owners: readonly (readonly number[])[] = [];

  /** @param report Report of the measured frame, whose bins have places. */
  constructor(status: FrameStatus, report: Report) {
    this.#report = report;
    this.#status = status;
    this.#passIndex = screenPass(report);
    const choice = passChoice(report, this.#passIndex, (passIndex) => {
      this.#passIndex = passIndex;
      this.#build();
      this.show(this.#owners);
    });
    this.root = element('div', { class: 'explore-owners' }, choice, this.#figure);
    this.#build();
  }

  /** @param owners Chiplets by pass and bin. */
  show(owners: readonly (readonly number[])[]): void {
    this.#owners = owners;
    const shown = owners[this.#passIndex] ?? [];
    for (const [index, bin] of this.#bins.entries()) {
      const owner = shown[index];
      bin.from = bin.owner;
      if (owner === undefined || owner === bin.owner) continue;
      bin.owner = owner;
      bin.label.textContent = String(owner);
      colorRect(bin.rect, chipletColor(owner));
    }
  }

  /** Colors the bins between their last two owners. */
  blend(share: number): void {
    for (const { rect, from, owner } of this.#bins) {
      if (from === owner || from < 0) continue;
      const color = blendColors(chipletColor(from), chipletColor(owner), share);
      colorRect(rect, color);
    }
  }

  #build(): void {
    const { widthPx, heightPx } = this.#report.passes[this.#passIndex]!;
    const svg = svgElement('svg', { viewBox: `0 0 ${widthPx} ${heightPx}`, 'aria-hidden': 'true' });
    const bins = this.#report.bins.filter(({ passIndex }) => passIndex === this.#passIndex);
    this.#bins = bins.map(({ x, y, width, height }) => {
      const rect = svgElement('rect', { class: 'image-bin', x, y, width, height });
      const label = svgElement('text', labelPlace({ x, y, width, height }));
      svg.append(rect, label);
      return { rect, label, owner: -1, from: -1 };
    });
    replace(this.#figure, imageOfPass(this.#status, this.#report, this.#passIndex), svg);
  }
}

/** Sets the color directly, because a variable of the style sheet takes the browser longer. */
function colorRect(rect: SVGRectElement, color: Rgb): void {
  rect.style.fill = cssColor(color);
  rect.style.stroke = rect.style.fill;
}
