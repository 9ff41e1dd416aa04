/**
 * 2D context of a canvas (HTML, section 4.12.5.1): paths, images, pixels, and text in one font
 * (pixel-font.ts). Filters and color spaces other than sRGB are missing.
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
import { ImageData } from '../images/image-data.ts';
import { samplePixels, takeDisplayedPixels } from '../images/sample-pixels.ts';
import { type FillRule, fillShape, isInside, type Outline } from '../paths/fill-shape.ts';
import { IDENTITY, invert, scaleOf, transformPoint } from '../paths/matrix.ts';
import type { Path } from '../paths/path.ts';
import { addRoundedRectangle, type Radii } from '../paths/rounded-rectangle.ts';
import { strokeOutlines } from '../paths/stroke-outlines.ts';
import {
  CanvasGradient,
  createConicGradient,
  createLinearGradient,
  createRadialGradient,
} from './canvas-gradient.ts';
import { CanvasPattern } from './canvas-pattern.ts';
import { type FillStyle, isColor } from './canvas-state.ts';
import { ImagePainter, type PaintPixel } from './image-painter.ts';
import { Path2D } from './path-2d.ts';
import { addText, measureText } from './pixel-font.ts';
import { StyledContext } from './styled-context.ts';

/** Canvas of a 2D context. Programs resize it through its properties. */
interface ResizableCanvas extends PixelSource {
  width: number;
  height: number;
}

/** Attributes of a 2D context. */
export interface Attributes2d {
  /** Whether the canvas can be transparent; true by default. */
  readonly alpha?: boolean;
}

/** 2D rendering context of a canvas. */
export class Context2d extends StyledContext {
  readonly canvas: ResizableCanvas;
  readonly #hasAlpha: boolean;
  #image: ImagePainter;
  /** Whether an image of a foreign origin was drawn. */
  #isForeign = false;

  constructor(canvas: ResizableCanvas, attributes: Attributes2d = {}) {
    super();
    this.canvas = canvas;
    this.#hasAlpha = attributes.alpha ?? true;
    this.#image = new ImagePainter(canvas.width, canvas.height, this.#hasAlpha);
  }

  /**
   * Clears the canvas and resets the state.
   *
   * @param widthPx New size; that of the canvas by default.
   */
  reset(widthPx = this.canvas.width, heightPx = this.canvas.height): void {
    this.#image = new ImagePainter(widthPx, heightPx, this.#hasAlpha);
    this.#isForeign = false;
    this.resetState();
  }

  /** Replaces the pixels by cleared ones. The previous ones stay as they are. */
  clearPixels(): void {
    const { widthPx, heightPx } = this.#image;
    this.#image = new ImagePainter(widthPx, heightPx, this.#hasAlpha);
  }

  takePixels(): Pixels {
    const { widthPx, heightPx, rgba } = this.#image;
    const pixels = { widthPx, heightPx, rgba, isPremultiplied: false };
    return this.#isForeign ? { ...pixels, isForeign: true } : pixels;
  }

  getContextAttributes(): object {
    return {
      alpha: this.#hasAlpha,
      ...{ colorSpace: 'srgb', desynchronized: false, willReadFrequently: false },
    };
  }

  isContextLost(): boolean {
    return false;
  }

  readonly createLinearGradient = createLinearGradient;
  readonly createRadialGradient = createRadialGradient;
  readonly createConicGradient = createConicGradient;

  /** Returns `null` for an image that is not loaded. */
  createPattern(source: PixelSource, repetition: string | null): CanvasPattern | null {
    const taken = this.#takeSource('createPattern', source);
    if (taken === null) return null;
    const image = withStraightAlpha(taken);
    return new CanvasPattern({ ...image, rgba: image.rgba.slice() }, repetition ?? '');
  }

  beginPath(): void {
    this.path.clear();
  }

  closePath(): void {
    this.path.closePath();
  }

  moveTo(x: number, y: number): void {
    this.path.moveTo(x, y);
  }

  lineTo(x: number, y: number): void {
    this.path.lineTo(x, y);
  }

  quadraticCurveTo(controlX: number, controlY: number, x: number, y: number): void {
    this.path.quadraticCurveTo(controlX, controlY, x, y);
  }

  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.path.bezierCurveTo(x1, y1, x2, y2, x, y);
  }

  arc(x: number, y: number, radius: number, start: number, end: number, isBack = false): void {
    this.path.ellipse(x, y, radius, radius, 0, start, end, isBack);
  }

  arcTo(x1: number, y1: number, x2: number, y2: number, radius: number): void {
    this.path.arcTo(x1, y1, x2, y2, radius);
  }

  ellipse(...numbers: Parameters<Path['ellipse']>): void {
    this.path.ellipse(...numbers);
  }

  rect(x: number, y: number, width: number, height: number): void {
    this.path.rect(x, y, width, height);
  }

  roundRect(x: number, y: number, width: number, height: number, radii?: Radii): void {
    addRoundedRectangle(this.path, x, y, width, height, radii);
  }

  /** `fill(rule?)` or `fill(path, rule?)`. */
  fill(...given: readonly [(Path2D | FillRule)?, FillRule?]): void {
    const { outlines, rule } = this.#readPath(given);
    this.#paint(outlines, rule, this.state.fill);
  }

  /** `stroke()` or `stroke(path)`. */
  stroke(path?: Path2D): void {
    this.#paint(this.#strokeOf(path), 'nonzero', this.state.stroke);
  }

  /** `clip(rule?)` or `clip(path, rule?)`. */
  clip(...given: readonly [(Path2D | FillRule)?, FillRule?]): void {
    const { outlines, rule } = this.#readPath(given);
    const { widthPx, heightPx } = this.#image;
    const before = this.state.clip;
    const clip = new Float32Array(widthPx * heightPx);
    fillShape(outlines, rule, widthPx, heightPx, (x, y, coverage) => {
      const at = y * widthPx + x;
      clip[at] = coverage * (before?.[at] ?? 1);
    });
    this.state.clip = clip;
  }

  /** `isPointInPath(x, y, rule?)` or `isPointInPath(path, x, y, rule?)`. */
  isPointInPath(...given: readonly unknown[]): boolean {
    const [first, ...rest] = given;
    const [x, y, rule] = (first instanceof Path2D ? rest : given) as [number, number, FillRule?];
    const { outlines } = this.#readPath(first instanceof Path2D ? [first, rule] : [rule]);
    return isInside(outlines, rule ?? 'nonzero', x, y);
  }

  /** `isPointInStroke(x, y)` or `isPointInStroke(path, x, y)`. */
  isPointInStroke(...given: readonly unknown[]): boolean {
    const path = given[0] instanceof Path2D ? given[0] : undefined;
    const [x, y] = given.slice(path === undefined ? 0 : 1) as [number, number];
    return isInside(this.#strokeOf(path), 'nonzero', x, y);
  }

  fillRect(x: number, y: number, width: number, height: number): void {
    this.#paint(this.#rectangle(x, y, width, height), 'nonzero', this.state.fill);
  }

  strokeRect(x: number, y: number, width: number, height: number): void {
    const path = new Path2D();
    path.rect(x, y, width, height);
    this.stroke(path);
  }

  clearRect(x: number, y: number, width: number, height: number): void {
    this.#image.clear(this.#rectangle(x, y, width, height), this.state.clip);
  }

  fillText(text: string, x: number, y: number, maxWidthPx = Number.POSITIVE_INFINITY): void {
    this.fill(this.#textPath(text, x, y, maxWidthPx));
  }

  strokeText(text: string, x: number, y: number, maxWidthPx = Number.POSITIVE_INFINITY): void {
    this.stroke(this.#textPath(text, x, y, maxWidthPx));
  }

  measureText(text: string): ReturnType<typeof measureText> {
    return measureText(String(text), this.state);
  }

  createImageData(width: number | ImageData, height?: number): ImageData {
    return typeof width === 'number'
      ? new ImageData(Math.abs(width), Math.abs(height!))
      : new ImageData(width.width, width.height);
  }

  /** A negative width or height extends the rectangle to the left of x or above y. */
  getImageData(x: number, y: number, width: number, height: number): ImageData {
    requireReadable('getImageData', { isForeign: this.#isForeign });
    const [wide, high] = [Math.trunc(width), Math.trunc(height)];
    const image = new ImageData(Math.abs(wide), Math.abs(high));
    const [left, top] = [Math.trunc(x) + Math.min(wide, 0), Math.trunc(y) + Math.min(high, 0)];
    this.#image.copyRows(
      left,
      top,
      image,
      [0, 0, image.width, image.height],
      (own, at, from, n) => {
        image.data.set(own.subarray(at, at + n), from);
      },
    );
    return image;
  }

  /** @param dirty Rectangle of the image to write: x, y, width and height; the whole by default. */
  putImageData(image: ImageData, x: number, y: number, ...dirty: readonly number[]): void {
    const [left = 0, top = 0, width = image.width, height = image.height] = dirty;
    const part = [left, top, width, height].map(Math.trunc) as [number, number, number, number];
    const place = [Math.trunc(x), Math.trunc(y)] as const;
    this.#image.copyRows(...place, image, part, (own, at, from, n) => {
      own.set(image.data.subarray(from, from + n), at);
    });
  }

  /**
   * `drawImage(source, x, y)`, optionally with a size, or with a source rectangle before position
   * and size.
   */
  drawImage(source: PixelSource, ...numbers: readonly number[]): void {
    const taken = this.#takeSource('drawImage', source);
    if (taken === null || !numbers.every(Number.isFinite)) return;
    // A canvas can draw itself.
    const own = taken.rgba === this.#image.rgba ? { ...taken, rgba: taken.rgba.slice() } : taken;
    const image = withStraightAlpha(own);
    const { widthPx, heightPx } = image;
    const [left, top, width, height, toX, toY, toWidth, toHeight] = (
      numbers.length === 8
        ? numbers
        : [
            ...[0, 0, widthPx, heightPx, numbers[0], numbers[1]],
            ...[numbers[2] ?? widthPx, numbers[3] ?? heightPx],
          ]
    ) as [number, number, number, number, number, number, number, number];
    const inverse = invert(this.state.matrix);
    if (inverse === null || width === 0 || height === 0) return;
    const { globalAlpha, imageSmoothingEnabled } = this.state;
    const [stepX, stepY] = [width / toWidth, height / toHeight];
    const [a, b, c, d] = inverse;
    const isExact = Math.abs(a * stepX) === 1 && Math.abs(d * stepY) === 1 && b === 0 && c === 0;
    const isSmooth = imageSmoothingEnabled && !isExact;
    const paint: PaintPixel = (x, y, color) => {
      const [placeX, placeY] = transformPoint(inverse, x + 0.5, y + 0.5);
      samplePixels(
        image,
        left + (placeX - toX) * stepX,
        top + (placeY - toY) * stepY,
        isSmooth,
        color,
      );
      color[3]! *= globalAlpha;
    };
    this.#image.paint(this.#rectangle(toX, toY, toWidth, toHeight), 'nonzero', paint, this.state);
  }

  #takeSource(caller: string, source: PixelSource): Pixels | null {
    if (!isPixelSource(source))
      throw new TypeError(`${caller}: the source is not a canvas, image or bitmap`);
    const taken = takeDisplayedPixels(source);
    this.#isForeign ||= taken?.isForeign === true;
    return taken;
  }

  #rectangle(x: number, y: number, width: number, height: number): Outline[] {
    if (![x, y, width, height].every(Number.isFinite)) return [];
    const { matrix } = this.state;
    return [
      [
        ...transformPoint(matrix, x, y),
        ...transformPoint(matrix, x + width, y),
        ...transformPoint(matrix, x + width, y + height),
        ...transformPoint(matrix, x, y + height),
      ],
    ];
  }

  #readPath([first, second]: readonly [(Path2D | FillRule)?, FillRule?]): {
    readonly outlines: Outline[];
    readonly rule: FillRule;
  } {
    const isOwn = !(first instanceof Path2D);
    const contours = isOwn ? this.path.flatten() : first.flatten(this.state.matrix);
    const rule = (isOwn ? first : second) ?? 'nonzero';
    if (rule !== 'nonzero' && rule !== 'evenodd') throw new TypeError(`${rule} is not a fill rule`);
    return { outlines: contours.map(({ points }) => points), rule };
  }

  /** Returns the outlines of a stroke in pixels. The pen has the current transform. */
  #strokeOf(path: Path2D | undefined): Outline[] {
    const { matrix, lineWidth: width, lineCap: cap, lineJoin: join, miterLimit } = this.state;
    const inverse = invert(matrix);
    if (inverse === null) return [];
    const scale = scaleOf(matrix);
    // Curves are flattened in pixels, then stroked in the coordinates of the pen.
    const contours = path === undefined ? this.path.flatten() : path.flatten(matrix);
    const back = contours.map(({ points, isClosed }) => ({
      points: mapPoints(points, inverse),
      isClosed,
    }));
    const { lineDash: dash, lineDashOffset: dashOffset } = this.state;
    const style = { width, cap, join, miterLimit, dash, dashOffset };
    return strokeOutlines(back, style, scale).map((outline) => mapPoints(outline, matrix));
  }

  #textPath(text: string, x: number, y: number, maxWidthPx: number): Path2D {
    const path = new Path2D();
    if (maxWidthPx > 0) {
      // White space of all kinds is drawn as spaces.
      addText(path, String(text).replace(/[\t\n\v\f\r]/g, ' '), x, y, this.state, maxWidthPx);
    }
    return path;
  }

  #paint(outlines: Outline[], rule: FillRule, style: FillStyle): void {
    this.#image.paint(outlines, rule, this.#painterOf(style), this.state);
  }

  /** Returns a function that writes the color of a pixel: that at its center. */
  #painterOf(style: FillStyle): PaintPixel {
    const { globalAlpha, imageSmoothingEnabled } = this.state;
    if (isColor(style)) {
      const [red, green, blue, alpha] = style;
      return (_x, _y, color) => {
        color[0] = red;
        color[1] = green;
        color[2] = blue;
        color[3] = alpha * globalAlpha;
      };
    }
    const inverse = invert(this.state.matrix) ?? IDENTITY;
    return (x, y, color) => {
      const [placeX, placeY] = transformPoint(inverse, x + 0.5, y + 0.5);
      if (style instanceof CanvasGradient) color.set(style.colorAt(placeX, placeY));
      else style.colorAt(placeX, placeY, imageSmoothingEnabled, color);
      color[3]! *= globalAlpha;
    };
  }
}

function mapPoints(
  points: readonly number[],
  matrix: Parameters<typeof transformPoint>[0],
): number[] {
  const mapped: number[] = [];
  for (let at = 0; at < points.length; at += 2) {
    mapped.push(...transformPoint(matrix, points[at]!, points[at + 1]!));
  }
  return mapped;
}
