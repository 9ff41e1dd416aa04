/**
 * SVG images that consist of filled shapes: rectangles, circles, ellipses, polygons and paths in
 * one color each. An image with anything else (strokes, gradients, text, transforms, styles) is
 * rejected as a whole, never drawn in part.
 */

import type { Pixels } from '../../pixels/pixels.ts';
import { parseCssColor } from './css-color.ts';
import { type FillRule, fillShape, type Outline } from './fill-shape.ts';
import { listNumbers, outlineEllipse, outlinePath } from './svg-outlines.ts';

const MAX_EDGE_PX = 16_384;
const [DEFAULT_WIDTH_PX, DEFAULT_HEIGHT_PX] = [300, 150];
const TAG = /<!--[\s\S]*?-->|<([a-z][\w:-]*)((?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>/gi;
const ATTRIBUTE = /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const PAINT_ATTRIBUTES = ['fill', 'fill-opacity', 'fill-rule', 'opacity', 'id', 'class'];

type Attributes = ReadonlyMap<string, string>;

interface Shape {
  readonly attributes: readonly string[];
  outline(attributes: Attributes): readonly Outline[];
}

const SHAPES: Readonly<Record<string, Shape>> = {
  rect: {
    attributes: ['x', 'y', 'width', 'height'],
    outline: (attributes) => {
      const [x, y] = [lengthOf(attributes, 'x'), lengthOf(attributes, 'y')];
      const right = x + lengthOf(attributes, 'width');
      const bottom = y + lengthOf(attributes, 'height');
      return [[x, y, right, y, right, bottom, x, bottom]];
    },
  },
  circle: {
    attributes: ['cx', 'cy', 'r'],
    outline: (attributes) => {
      const radius = lengthOf(attributes, 'r');
      return [
        outlineEllipse(lengthOf(attributes, 'cx'), lengthOf(attributes, 'cy'), radius, radius),
      ];
    },
  },
  ellipse: {
    attributes: ['cx', 'cy', 'rx', 'ry'],
    outline: (attributes) => {
      const [x, y] = [lengthOf(attributes, 'cx'), lengthOf(attributes, 'cy')];
      return [outlineEllipse(x, y, lengthOf(attributes, 'rx'), lengthOf(attributes, 'ry'))];
    },
  },
  polygon: {
    attributes: ['points'],
    outline: (attributes) => [listNumbers(attributes.get('points') ?? '')],
  },
  path: {
    attributes: ['d'],
    outline: (attributes) => outlinePath(attributes.get('d') ?? ''),
  },
};

/** Returns whether a file is an SVG image, by its first 2,048 bytes. */
export function isSvg(bytes: Uint8Array): boolean {
  const start = new TextDecoder().decode(bytes.subarray(0, 2048));
  return /^\s*</.test(start) && /<svg[\s>]/.test(start);
}

/**
 * Draws an SVG image.
 *
 * @param size Size to draw at; the image's own size by default.
 * @throws {Error} If the image contains anything that is not supported.
 */
export function drawSvg(
  bytes: Uint8Array,
  size?: { readonly widthPx: number; readonly heightPx: number },
): Pixels {
  const [root, ...elements] = listElements(new TextDecoder().decode(bytes));
  if (root?.name !== 'svg') throw new Error('the root element is not svg');
  const box = listNumbers(root.attributes.get('viewBox') ?? '');
  const [boxX, boxY, boxWidth, boxHeight] = box.length === 4 ? box : [];
  const ownWidthPx = edgeOf(root.attributes, 'width', boxWidth ?? DEFAULT_WIDTH_PX);
  const ownHeightPx = edgeOf(root.attributes, 'height', boxHeight ?? DEFAULT_HEIGHT_PX);
  const { widthPx, heightPx } = size ?? { widthPx: ownWidthPx, heightPx: ownHeightPx };
  // A view box is fitted and centered; an image without one is stretched.
  const fit = boxWidth ? Math.min(widthPx / boxWidth, heightPx / boxHeight!) : null;
  const [scaleX, scaleY] = [fit ?? widthPx / ownWidthPx, fit ?? heightPx / ownHeightPx];
  const offsetX = fit === null ? 0 : (widthPx - boxWidth! * fit) / 2 - boxX! * fit;
  const offsetY = fit === null ? 0 : (heightPx - boxHeight! * fit) / 2 - boxY! * fit;
  const rgba = new Uint8ClampedArray(widthPx * heightPx * 4);
  for (const { name, attributes } of elements) {
    if (['g', 'title', 'desc', 'metadata', 'defs'].includes(name)) {
      rejectOthers(name, attributes, ['id', 'class']);
      continue;
    }
    const shape = SHAPES[name];
    if (shape === undefined) throw new Error(`SVG element ${name} is not supported`);
    rejectOthers(name, attributes, [...shape.attributes, ...PAINT_ATTRIBUTES]);
    const outlines = shape
      .outline(attributes)
      .map((outline) =>
        outline.map((at, i) => (i % 2 === 0 ? at * scaleX + offsetX : at * scaleY + offsetY)),
      );
    const color = colorOf(attributes);
    if (color === null) continue;
    const rule = (attributes.get('fill-rule') ?? 'nonzero') as FillRule;
    fillShape(outlines, rule, widthPx, heightPx, (x, y, coverage) => {
      blend(rgba, (y * widthPx + x) * 4, color, coverage);
    });
  }
  return { widthPx, heightPx, rgba, isPremultiplied: false };
}

function listElements(
  markup: string,
): { readonly name: string; readonly attributes: Attributes }[] {
  const elements: { name: string; attributes: Attributes }[] = [];
  for (const [, name, list] of markup.matchAll(TAG)) {
    if (name === undefined) continue; // The match is a comment.
    const attributes = new Map<string, string>();
    for (const [, key, double, single] of list!.matchAll(ATTRIBUTE)) {
      attributes.set(key!, double ?? single ?? '');
    }
    elements.push({ name, attributes });
  }
  return elements;
}

function rejectOthers(name: string, attributes: Attributes, known: readonly string[]): void {
  for (const key of attributes.keys()) {
    if (!known.includes(key)) throw new Error(`SVG attribute ${key} of ${name} is not supported`);
  }
}

function lengthOf(attributes: Attributes, name: string): number {
  const text = attributes.get(name) ?? '0';
  const match = /^\s*([-+]?[\d.]+(?:e[-+]?\d+)?)(?:px)?\s*$/i.exec(text);
  if (match === null) throw new Error(`SVG length ${text} is not supported`);
  return Number(match[1]);
}

function edgeOf(attributes: Attributes, name: string, initial: number): number {
  const isGiven = attributes.has(name) && !attributes.get(name)!.trim().endsWith('%');
  const edgePx = Math.round(isGiven ? lengthOf(attributes, name) : initial);
  if (!(edgePx > 0 && edgePx <= MAX_EDGE_PX))
    throw new Error(`SVG ${name} ${edgePx} is not in 1..${MAX_EDGE_PX}`);
  return edgePx;
}

/** Returns red, green, blue and alpha, 0 to 255, or `null` if the shape is not filled. */
function colorOf(attributes: Attributes): readonly number[] | null {
  const fill = attributes.get('fill') ?? 'black';
  if (fill === 'none') return null;
  const color = parseCssColor(fill);
  if (color === null) throw new Error(`SVG fill ${fill} is not supported`);
  const opacity = ['fill-opacity', 'opacity']
    .map((name) => Number(attributes.get(name) ?? 1))
    .reduce((product, value) => product * Math.min(Math.max(value, 0), 1), 1);
  return [color[0], color[1], color[2], color[3] * opacity];
}

/** Blends a color over a pixel. */
function blend(
  rgba: Uint8ClampedArray,
  at: number,
  color: readonly number[],
  coverage: number,
): void {
  const over = (color[3]! / 255) * coverage;
  const under = (rgba[at + 3]! / 255) * (1 - over);
  const sum = over + under;
  if (sum === 0) return;
  for (let c = 0; c < 3; c++) rgba[at + c] = (color[c]! * over + rgba[at + c]! * under) / sum;
  rgba[at + 3] = sum * 255;
}
