/**
 * 2D context of a canvas, with the calls that WebGL programs use to draw textures: filled and
 * cleared rectangles, paths of lines and arcs, images, pixels, and text in one font
 * (pixel-font.ts), in colors or gradients. Edges are not antialiased. Strokes, curves and
 * transforms other than scale and translation are missing; calling them throws the usual
 * `TypeError`.
 *
 * Pixels are stored with straight alpha, so `getImageData` returns exactly what `putImageData`
 * wrote.
 */

import {
  isPixelSource,
  type PixelSource,
  type Pixels,
  requireReadable,
  withStraightAlpha,
} from '../../pixels/pixels.ts';
import { type CssColor, parseCssColor } from '../images/css-color.ts';
import { ImageData } from '../images/image-data.ts';
import { samplePixels } from '../images/sample-pixels.ts';
import { CanvasGradient, createLinearGradient, createRadialGradient } from './canvas-gradient.ts';
import { arcPoints, CanvasPath } from './canvas-path.ts';
import {
  layText,
  measureTextPx,
  parseFontSizePx,
  TEXT_ALIGNMENTS,
  TEXT_BASELINES,
} from './pixel-font.ts';

/** Canvas of a 2D context. Programs resize it through its properties. */
interface ResizableCanvas extends PixelSource {
  width: number;
  height: number;
}

interface State2d {
  /** Color, or gradient in the coordinates of the current transform. */
  fill: CssColor | CanvasGradient;
  fillStyle: string | CanvasGradient;
  globalAlpha: number;
  globalCompositeOperation: 'source-over' | 'copy';
  scaleX: number;
  scaleY: number;
  originX: number;
  originY: number;
  imageSmoothingEnabled: boolean;
  font: string;
  fontSizePx: number;
  textAlign: string;
  textBaseline: string;
}

const INITIAL_STATE: State2d = {
  fill: [0, 0, 0, 255],
  fillStyle: '#000000',
  globalAlpha: 1,
  globalCompositeOperation: 'source-over',
  scaleX: 1,
  scaleY: 1,
  originX: 0,
  originY: 0,
  imageSmoothingEnabled: true,
  font: '10px sans-serif',
  fontSizePx: 10,
  textAlign: 'start',
  textBaseline: 'alphabetic',
};

/** 2D rendering context of a canvas. */
export class Context2d {
  readonly canvas: ResizableCanvas;
  #rgba: Uint8ClampedArray;
  #widthPx: number;
  #heightPx: number;
  /** Whether an image of a foreign origin was drawn. */
  #isForeign = false;
  #state: State2d = { ...INITIAL_STATE };
  readonly #saved: State2d[] = [];
  readonly #path = new CanvasPath();

  constructor(canvas: ResizableCanvas) {
    this.canvas = canvas;
    this.#widthPx = canvas.width;
    this.#heightPx = canvas.height;
    this.#rgba = new Uint8ClampedArray(this.#widthPx * this.#heightPx * 4);
  }

  /** Resizes the canvas, clears it to transparent black and resets the state. */
  reset(widthPx: number, heightPx: number): void {
    this.#widthPx = widthPx;
    this.#heightPx = heightPx;
    this.#rgba = new Uint8ClampedArray(widthPx * heightPx * 4);
    this.#isForeign = false;
    this.#state = { ...INITIAL_STATE };
    this.#saved.length = 0;
    this.#path.clear();
  }

  /** Replaces the pixels by transparent black ones. The previous ones stay as they are. */
  clearPixels(): void {
    this.#rgba = new Uint8ClampedArray(this.#rgba.length);
  }

  takePixels(): Pixels {
    return {
      widthPx: this.#widthPx,
      heightPx: this.#heightPx,
      rgba: this.#rgba,
      isPremultiplied: false,
      ...(this.#isForeign ? { isForeign: true } : {}),
    };
  }

  get fillStyle(): string | CanvasGradient {
    return this.#state.fillStyle;
  }

  set fillStyle(style: string | CanvasGradient) {
    const fill = style instanceof CanvasGradient ? style : parseCssColor(String(style));
    if (fill === null) return;
    this.#state.fill = fill;
    this.#state.fillStyle = style;
  }

  readonly createLinearGradient = createLinearGradient;
  readonly createRadialGradient = createRadialGradient;

  get globalAlpha(): number {
    return this.#state.globalAlpha;
  }

  set globalAlpha(alpha: number) {
    if (alpha >= 0 && alpha <= 1) this.#state.globalAlpha = alpha;
  }

  get globalCompositeOperation(): string {
    return this.#state.globalCompositeOperation;
  }

  set globalCompositeOperation(operation: string) {
    if (operation === 'source-over' || operation === 'copy') {
      this.#state.globalCompositeOperation = operation;
    }
  }

  get imageSmoothingEnabled(): boolean {
    return this.#state.imageSmoothingEnabled;
  }

  set imageSmoothingEnabled(isEnabled: boolean) {
    this.#state.imageSmoothingEnabled = Boolean(isEnabled);
  }

  get font(): string {
    return this.#state.font;
  }

  set font(font: string) {
    const fontSizePx = parseFontSizePx(String(font));
    if (fontSizePx === null) return;
    this.#state.font = font;
    this.#state.fontSizePx = fontSizePx;
  }

  get textAlign(): string {
    return this.#state.textAlign;
  }

  set textAlign(align: string) {
    if (TEXT_ALIGNMENTS.includes(align)) this.#state.textAlign = align;
  }

  get textBaseline(): string {
    return this.#state.textBaseline;
  }

  set textBaseline(baseline: string) {
    if (TEXT_BASELINES.includes(baseline)) this.#state.textBaseline = baseline;
  }

  save(): void {
    this.#saved.push({ ...this.#state });
  }

  restore(): void {
    this.#state = this.#saved.pop() ?? this.#state;
  }

  scale(x: number, y: number): void {
    this.#state.scaleX *= x;
    this.#state.scaleY *= y;
  }

  translate(x: number, y: number): void {
    this.#state.originX += x * this.#state.scaleX;
    this.#state.originY += y * this.#state.scaleY;
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.#cover(x, y, width, height, (_rgba, at, pixelX, pixelY) => {
      this.#fillPixel(at, pixelX, pixelY);
    });
  }

  beginPath(): void {
    this.#path.clear();
  }

  closePath(): void {
    this.#path.close();
  }

  moveTo(x: number, y: number): void {
    this.#path.moveTo(...this.#place(x, y));
  }

  lineTo(x: number, y: number): void {
    this.#path.lineTo(...this.#place(x, y));
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.moveTo(x, y);
    this.lineTo(x + width, y);
    this.lineTo(x + width, y + height);
    this.lineTo(x, y + height);
    this.closePath();
  }

  arc(
    x: number,
    y: number,
    radius: number,
    start: number,
    end: number,
    isCounterClockwise = false,
  ): void {
    if (radius < 0) throw new DOMException(`arc: radius ${radius} is negative`, 'IndexSizeError');
    const { scaleX, scaleY } = this.#state;
    const radiusPx = radius * Math.max(Math.abs(scaleX), Math.abs(scaleY));
    for (const [cosine, sine] of arcPoints(start, end, isCounterClockwise, radiusPx)) {
      this.lineTo(x + radius * cosine, y + radius * sine);
    }
  }

  /** Fills all pixels whose centers are inside the path. */
  fill(): void {
    if (this.#path.isEmpty) return;
    const { left, top, right, bottom } = this.#path.bounds();
    const lastRow = Math.min(Math.ceil(bottom), this.#heightPx);
    const lastColumn = Math.min(Math.ceil(right), this.#widthPx);
    for (let row = Math.max(Math.floor(top), 0); row < lastRow; row++) {
      for (let column = Math.max(Math.floor(left), 0); column < lastColumn; column++) {
        if (!this.#path.contains(column + 0.5, row + 0.5)) continue;
        this.#fillPixel((row * this.#widthPx + column) * 4, column, row);
      }
    }
  }

  /** Fills a pixel with the color at its center. */
  #fillPixel(at: number, pixelX: number, pixelY: number): void {
    const { fill, scaleX, scaleY, originX, originY, globalAlpha } = this.#state;
    const [red, green, blue, alpha] =
      fill instanceof CanvasGradient
        ? fill.colorAt((pixelX + 0.5 - originX) / scaleX, (pixelY + 0.5 - originY) / scaleY)
        : fill;
    this.#blend(this.#rgba, at, red, green, blue, alpha * globalAlpha);
  }

  #place(x: number, y: number): [number, number] {
    const { scaleX, scaleY, originX, originY } = this.#state;
    return [originX + x * scaleX, originY + y * scaleY];
  }

  fillText(text: string, x: number, y: number, maxWidthPx = Number.POSITIVE_INFINITY): void {
    layText(String(text), x, y, this.#state, maxWidthPx, (...cell) => this.fillRect(...cell));
  }

  measureText(text: string): { readonly width: number } {
    return { width: measureTextPx(String(text), this.#state.fontSizePx) };
  }

  clearRect(x: number, y: number, width: number, height: number): void {
    this.#cover(x, y, width, height, (rgba, at) => rgba.fill(0, at, at + 4));
  }

  createImageData(width: number | ImageData, height?: number): ImageData {
    return typeof width === 'number'
      ? new ImageData(Math.abs(width), Math.abs(height!))
      : new ImageData(width.width, width.height);
  }

  getImageData(x: number, y: number, width: number, height: number): ImageData {
    requireReadable('getImageData', { isForeign: this.#isForeign });
    const image = new ImageData(width, height);
    this.#copyRows(x, y, image, (own, at, from, bytes) => {
      image.data.set(own.subarray(at, at + bytes), from);
    });
    return image;
  }

  putImageData(image: ImageData, x: number, y: number): void {
    this.#copyRows(x, y, image, (own, at, from, bytes) => {
      own.set(image.data.subarray(from, from + bytes), at);
    });
  }

  /**
   * `drawImage(source, x, y)`, optionally with a size, or with a source rectangle before position
   * and size.
   */
  drawImage(source: PixelSource, ...numbers: readonly number[]): void {
    if (!isPixelSource(source))
      throw new TypeError('drawImage: the source is not a canvas, image or bitmap');
    const taken = source.takePixels();
    if (taken === null) return;
    this.#isForeign ||= taken.isForeign === true;
    const image = withStraightAlpha(taken);
    const { widthPx, heightPx } = image;
    const [left, top, width, height, toX, toY, toWidth, toHeight] =
      numbers.length === 8
        ? numbers
        : [
            0,
            0,
            widthPx,
            heightPx,
            numbers[0],
            numbers[1],
            numbers[2] ?? widthPx,
            numbers[3] ?? heightPx,
          ];
    const { scaleX, scaleY, originX, originY, globalAlpha, imageSmoothingEnabled } = this.#state;
    const stepX = width! / (toWidth! * scaleX);
    const stepY = height! / (toHeight! * scaleY);
    const isSmooth = imageSmoothingEnabled && (Math.abs(stepX) !== 1 || Math.abs(stepY) !== 1);
    const texel = new Float64Array(4);
    this.#cover(toX!, toY!, toWidth!, toHeight!, (rgba, at, pixelX, pixelY) => {
      const u = left! + (pixelX + 0.5 - (toX! * scaleX + originX)) * stepX;
      const v = top! + (pixelY + 0.5 - (toY! * scaleY + originY)) * stepY;
      samplePixels(image, u, v, isSmooth, texel);
      this.#blend(rgba, at, texel[0]!, texel[1]!, texel[2]!, texel[3]! * globalAlpha);
    });
  }

  /**
   * Calls `paint` for each pixel whose center is inside a rectangle, after scale and translation.
   */
  #cover(
    x: number,
    y: number,
    width: number,
    height: number,
    paint: (rgba: Uint8ClampedArray, at: number, pixelX: number, pixelY: number) => void,
  ): void {
    const { scaleX, scaleY, originX, originY } = this.#state;
    const edgesX = [originX + x * scaleX, originX + (x + width) * scaleX].sort((a, b) => a - b);
    const edgesY = [originY + y * scaleY, originY + (y + height) * scaleY].sort((a, b) => a - b);
    const right = Math.min(Math.round(edgesX[1]!), this.#widthPx);
    const bottom = Math.min(Math.round(edgesY[1]!), this.#heightPx);
    for (let row = Math.max(Math.round(edgesY[0]!), 0); row < bottom; row++) {
      for (let column = Math.max(Math.round(edgesX[0]!), 0); column < right; column++) {
        paint(this.#rgba, (row * this.#widthPx + column) * 4, column, row);
      }
    }
  }

  #blend(
    rgba: Uint8ClampedArray,
    at: number,
    red: number,
    green: number,
    blue: number,
    alpha: number,
  ): void {
    const under = this.#state.globalCompositeOperation === 'copy' ? 0 : rgba[at + 3]!;
    const kept = under * (1 - alpha / 255);
    const sum = alpha + kept;
    const mix = (over: number, below: number): number =>
      sum === 0 ? 0 : (over * alpha + below * kept) / sum;
    rgba[at] = mix(red, rgba[at]!);
    rgba[at + 1] = mix(green, rgba[at + 1]!);
    rgba[at + 2] = mix(blue, rgba[at + 2]!);
    rgba[at + 3] = sum;
  }

  /**
   * Calls `copy` for the part of each row of `image`, placed at (x, y), that is inside the canvas.
   */
  #copyRows(
    x: number,
    y: number,
    image: ImageData,
    copy: (own: Uint8ClampedArray, at: number, from: number, bytes: number) => void,
  ): void {
    const left = Math.max(x, 0);
    const right = Math.min(x + image.width, this.#widthPx);
    if (left >= right) return;
    const bottom = Math.min(y + image.height, this.#heightPx);
    for (let row = Math.max(y, 0); row < bottom; row++) {
      const at = (row * this.#widthPx + left) * 4;
      copy(this.#rgba, at, ((row - y) * image.width + left - x) * 4, (right - left) * 4);
    }
  }
}
