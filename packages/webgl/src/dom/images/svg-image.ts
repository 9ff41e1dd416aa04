/**
 * SVG images that consist of filled shapes: rectangles, circles, ellipses, polygons and paths in
 * one color each. An image with anything else (strokes, gradients, text, transforms, styles) is
 * rejected as a whole, never drawn in part.
 */

import type { Pixels } from '../../pixels/pixels.ts';
import { type FillRule, fillShape } from '../paths/fill-shape.ts';
import type { Matrix } from '../paths/matrix.ts';
import { Path } from '../paths/path.ts';
import { addPathData, listNumbers } from '../paths/svg-path-data.ts';
import { parseCssColor } from './css-color.ts';

const MAX_EDGE_PX = 16_384;
const TAG = /<!--[\s\S]*?-->|<([a-z][\w:-]*)((?:\s+[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>/gi;
const ATTRIBUTE = /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;
const PAINT_ATTRIBUTES = ['fill', 'fill-opacity', 'fill-rule', 'opacity', 'id', 'class'];

type Attributes = ReadonlyMap<string, string>;

interface Shape {
  readonly attributes: readonly string[];
  add(path: Path, attributes: Attributes): void;
}

const SHAPES: Readonly<Record<string, Shape>> = {
  rect: {
    attributes: ['x', 'y', 'width', 'height'],
    add: (path, attributes) => {
      const [x, y] = [lengthOf(attributes, 'x'), lengthOf(attributes, 'y')];
      path.rect(x, y, lengthOf(attributes, 'width'), lengthOf(attributes, 'height'));
    },
  },
  circle: {
    attributes: ['cx', 'cy', 'r'],
    add: (path, attributes) => {
      const radius = lengthOf(attributes, 'r');
      addEllipse(path, attributes, radius, radius);
    },
  },
  ellipse: {
    attributes: ['cx', 'cy', 'rx', 'ry'],
    add: (path, attributes) =>
      addEllipse(path, attributes, lengthOf(attributes, 'rx'), lengthOf(attributes, 'ry')),
  },
  polygon: {
    attributes: ['points'],
    add: (path, attributes) => {
      const points = listNumbers(attributes.get('points') ?? '');
      for (let at = 0; at + 1 < points.length; at += 2) path.lineTo(points[at]!, points[at + 1]!);
      path.closePath();
    },
  },
  path: {
    attributes: ['d'],
    add: (path, attributes) => addPathData(path, attributes.get('d') ?? ''),
  },
};

function addEllipse(path: Path, attributes: Attributes, radiusX: number, radiusY: number): void {
  const [x, y] = [lengthOf(attributes, 'cx'), lengthOf(attributes, 'cy')];
  path.ellipse(x, y, radiusX, radiusY, 0, 0, 2 * Math.PI);
}

/** Returns whether a file is an SVG image, by its first 2,048 bytes. */
export function isSvg(bytes: Uint8Array): boolean {
  const start = new TextDecoder().decode(bytes.subarray(0, 2048));
  return /^\s*</.test(start) && /<svg[\s>]/.test(start);
}

/**
 * Draws an SVG image.
 *
 * @param size Size to draw at; the image's own size by default. An image without a width and a
 *   height has no pixels then.
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
  const own = ownSizeOf(root.attributes, boxWidth, boxHeight);
  const { widthPx, heightPx } = size ?? own;
  // A view box is fitted and centered; an image without one is stretched.
  const fit = boxWidth ? Math.min(widthPx / boxWidth, heightPx / boxHeight!) : null;
  const scaleX = fit ?? (own.widthPx > 0 ? widthPx / own.widthPx : 1);
  const scaleY = fit ?? (own.heightPx > 0 ? heightPx / own.heightPx : 1);
  const offsetX = fit === null ? 0 : (widthPx - boxWidth! * fit) / 2 - boxX! * fit;
  const offsetY = fit === null ? 0 : (heightPx - boxHeight! * fit) / 2 - boxY! * fit;
  const matrix: Matrix = [scaleX, 0, 0, scaleY, offsetX, offsetY];
  const rgba = new Uint8ClampedArray(widthPx * heightPx * 4);
  for (const { name, attributes } of elements) {
    if (['g', 'title', 'desc', 'metadata', 'defs'].includes(name)) {
      rejectOthers(name, attributes, ['id', 'class']);
      continue;
    }
    const shape = SHAPES[name];
    if (shape === undefined) throw new Error(`SVG element ${name} is not supported`);
    rejectOthers(name, attributes, [...shape.attributes, ...PAINT_ATTRIBUTES]);
    const path = new Path();
    shape.add(path, attributes);
    const outlines = path.flatten(matrix).map(({ points }) => points);
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

/**
 * Returns the natural size of an image. One edge follows from the other by the ratio of the view
 * box.
 */
function ownSizeOf(
  attributes: Attributes,
  boxWidth: number | undefined,
  boxHeight: number | undefined,
): { readonly widthPx: number; readonly heightPx: number } {
  const [width, height] = [edgeOf(attributes, 'width'), edgeOf(attributes, 'height')];
  const ratio = boxWidth && boxHeight ? boxWidth / boxHeight : 0;
  return {
    widthPx: width ?? Math.round((height ?? 0) * ratio),
    heightPx: height ?? (ratio === 0 ? 0 : Math.round((width ?? 0) / ratio)),
  };
}

/** Returns an edge in pixels, or `null` if it is not given. */
function edgeOf(attributes: Attributes, name: string): number | null {
  if (!attributes.has(name) || attributes.get(name)!.trim().endsWith('%')) return null;
  const edgePx = Math.round(lengthOf(attributes, name));
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
