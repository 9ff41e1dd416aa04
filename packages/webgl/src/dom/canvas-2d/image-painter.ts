/** Pixels of a 2D canvas, and how shapes change them: clip, shadow and compositing. */
import { type FillRule, fillShape, type Outline } from '../paths/fill-shape.ts';
import type { State2d } from './canvas-state.ts';
import { compositePixel, isUnbounded } from './compositing.ts';
import { makeShadow } from './shadow.ts';

/** Writes the color of a pixel: red, green, blue and alpha, 0 to 255, with straight alpha. */
export type PaintPixel = (x: number, y: number, color: Float64Array) => void;

/** Copies `bytes` bytes of a row between the canvas, at `at`, and an image, at `from`. */
type CopyRow = (own: Uint8ClampedArray, at: number, from: number, bytes: number) => void;

/** Part of the state that decides how a shape is painted. */
type PaintState = Pick<
  State2d,
  | 'clip'
  | 'globalCompositeOperation'
  | 'shadowBlur'
  | 'shadowColor'
  | 'shadowOffsetX'
  | 'shadowOffsetY'
>;

/** Image of a 2D canvas. */
export class ImagePainter {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
  readonly #hasAlpha: boolean;

  /** @param hasAlpha Whether the image can be transparent; it is black otherwise. */
  constructor(widthPx: number, heightPx: number, hasAlpha: boolean) {
    this.widthPx = widthPx;
    this.heightPx = heightPx;
    this.rgba = new Uint8ClampedArray(widthPx * heightPx * 4);
    this.#hasAlpha = hasAlpha;
    this.#makeOpaque();
  }

  /** Paints a shape, and its shadow before it. */
  paint(outlines: readonly Outline[], rule: FillRule, paint: PaintPixel, state: PaintState): void {
    const { clip, globalCompositeOperation: operator, shadowColor } = state;
    const { widthPx, heightPx, rgba } = this;
    const hasShadow =
      shadowColor[3] > 0 &&
      (state.shadowBlur > 0 || state.shadowOffsetX !== 0 || state.shadowOffsetY !== 0);
    const color = new Float64Array(4);
    if (!hasShadow && !isUnbounded(operator)) {
      fillShape(outlines, rule, widthPx, heightPx, (x, y, coverage) => {
        paint(x, y, color);
        const [at, share] = [y * widthPx + x, clip?.[y * widthPx + x] ?? 1];
        const alpha = color[3]! * coverage;
        compositePixel(operator, rgba, at * 4, color[0]!, color[1]!, color[2]!, alpha, share);
      });
      this.#makeOpaque();
      return;
    }
    // Colors of the shape, and transparent black around it.
    const layer = new Float32Array(rgba.length);
    const alpha = new Float32Array(widthPx * heightPx);
    fillShape(outlines, rule, widthPx, heightPx, (x, y, coverage) => {
      paint(x, y, color);
      color[3]! *= coverage;
      layer.set(color, (y * widthPx + x) * 4);
      alpha[y * widthPx + x] = color[3]!;
    });
    if (hasShadow) {
      const shadow = makeShadow(
        { widthPx, heightPx, alpha },
        ...([state.shadowOffsetX, state.shadowOffsetY, state.shadowBlur] as const),
      );
      const [red, green, blue, share] = shadowColor;
      this.#composite(state, (at) => [red, green, blue, (shadow.alpha[at]! * share) / 255]);
    }
    this.#composite(state, (at) => layer.subarray(at * 4, at * 4 + 4));
  }

  /** Makes pixels transparent black, or black if the image is opaque. */
  clear(outlines: readonly Outline[], clip: Float32Array | null): void {
    const { widthPx, heightPx, rgba } = this;
    fillShape(outlines, 'nonzero', widthPx, heightPx, (x, y, coverage) => {
      const at = y * widthPx + x;
      const share = coverage * (clip?.[at] ?? 1);
      compositePixel('destination-out', rgba, at * 4, 0, 0, 0, 255 * share, 1);
      if (rgba[at * 4 + 3] === 0) rgba.fill(0, at * 4, at * 4 + 3);
    });
    this.#makeOpaque();
  }

  /**
   * Calls `copy` for the part of each row of an image, placed at (x, y), that is inside the canvas.
   *
   * @param part Rectangle of the image: x, y, width and height.
   */
  copyRows(
    x: number,
    y: number,
    image: { readonly width: number; readonly height: number },
    part: readonly [number, number, number, number],
    copy: CopyRow,
  ): void {
    const [partX, partY, partWidth, partHeight] = part;
    const [fromX, toX] = [Math.min(partX, partX + partWidth), Math.max(partX, partX + partWidth)];
    const [fromY, toY] = [Math.min(partY, partY + partHeight), Math.max(partY, partY + partHeight)];
    const left = Math.max(x + Math.max(fromX, 0), 0);
    const right = Math.min(x + Math.min(toX, image.width), this.widthPx);
    if (left < right) {
      const bottom = Math.min(y + Math.min(toY, image.height), this.heightPx);
      for (let row = Math.max(y + Math.max(fromY, 0), 0); row < bottom; row++) {
        const at = (row * this.widthPx + left) * 4;
        copy(this.rgba, at, ((row - y) * image.width + left - x) * 4, (right - left) * 4);
      }
    }
    this.#makeOpaque();
  }

  /** Composites a color with every pixel. */
  #composite(
    { clip, globalCompositeOperation: operator }: PaintState,
    colorAt: (at: number) => ArrayLike<number>,
  ): void {
    for (let at = 0; at < this.widthPx * this.heightPx; at++) {
      const share = clip?.[at] ?? 1;
      const color = colorAt(at);
      if (share === 0 || (color[3] === 0 && !isUnbounded(operator))) continue;
      const [red, green, blue, alpha] = [color[0]!, color[1]!, color[2]!, color[3]!];
      compositePixel(operator, this.rgba, at * 4, red, green, blue, alpha, share);
    }
    this.#makeOpaque();
  }

  #makeOpaque(): void {
    if (this.#hasAlpha) return;
    for (let at = 3; at < this.rgba.length; at += 4) this.rgba[at] = 255;
  }
}
