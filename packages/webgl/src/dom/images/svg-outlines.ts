/**
 * Conversion of SVG shapes to polygons (SVG 1.1, chapters 8 and 9). A curve becomes 16 line
 * segments.
 */
import type { Outline } from './fill-shape.ts';

const LINES_PER_CURVE = 16;
const LINES_PER_ELLIPSE = 64;

const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;
const SEGMENT = /([a-z])([^a-z]*(?:e[-+]?\d[^a-z]*)*)/gi;
/** Number of arguments of each path command. */
const NUMBERS_OF: Readonly<Record<string, number>> = { m: 2, l: 2, h: 1, v: 1, c: 6, q: 4, z: 0 };

/** Returns all numbers in an attribute value. */
export function listNumbers(text: string): number[] {
  return (text.match(NUMBER) ?? []).map(Number);
}

/** Converts an ellipse to a polygon of 64 lines. */
export function outlineEllipse(x: number, y: number, radiusX: number, radiusY: number): Outline {
  const corners: number[] = [];
  for (let i = 0; i < LINES_PER_ELLIPSE; i++) {
    const angle = (2 * Math.PI * i) / LINES_PER_ELLIPSE;
    corners.push(x + radiusX * Math.cos(angle), y + radiusY * Math.sin(angle));
  }
  return corners;
}

/**
 * Converts a path of lines and Bézier curves.
 *
 * @throws {Error} For other commands: arcs and smooth curves.
 */
export function outlinePath(commands: string): Outline[] {
  const outlines: number[][] = [];
  let outline: number[] = [];
  let [x, y, startX, startY] = [0, 0, 0, 0];
  const goTo = (toX: number, toY: number): void => {
    [x, y] = [toX, toY];
    outline.push(x, y);
  };
  const begin = (toX: number, toY: number): void => {
    outline = [];
    outlines.push(outline);
    [startX, startY] = [toX, toY];
    goTo(toX, toY);
  };
  for (const [, letter, rest] of commands.matchAll(SEGMENT)) {
    const kind = letter!.toLowerCase();
    const count = NUMBERS_OF[kind];
    if (count === undefined) throw new Error(`SVG path command ${letter} is not supported`);
    const isRelative = letter === kind;
    if (kind === 'z') {
      [x, y] = [startX, startY];
      continue;
    }
    const numbers = listNumbers(rest!);
    for (let at = 0; at + count <= numbers.length; at += count) {
      const [baseX, baseY] = isRelative ? [x, y] : [0, 0];
      const points = numbers.slice(at, at + count);
      if (kind === 'h') goTo(baseX + points[0]!, y);
      else if (kind === 'v') goTo(x, baseY + points[0]!);
      else {
        const places = points.map((value, i) => value + (i % 2 === 0 ? baseX : baseY));
        if (kind === 'm' && at === 0) begin(places[0]!, places[1]!);
        else if (kind === 'm' || kind === 'l') goTo(places[0]!, places[1]!);
        else for (const [toX, toY] of splitCurve([x, y, ...places])) goTo(toX, toY);
      }
    }
  }
  return outlines;
}

/**
 * Returns points on a Bézier curve with three or four control points, the first of which is the
 * current point.
 */
function splitCurve(points: readonly number[]): [number, number][] {
  return Array.from({ length: LINES_PER_CURVE }, (_, i) => {
    const share = (i + 1) / LINES_PER_CURVE;
    let rest = [...points];
    // De Casteljau: interpolates neighboring points until one is left.
    while (rest.length > 2) {
      rest = rest.slice(2).map((value, at) => rest[at]! + (value - rest[at]!) * share);
    }
    return [rest[0]!, rest[1]!];
  });
}
