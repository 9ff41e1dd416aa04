/**
 * Outlines of stroked paths (HTML, section 4.12.5.1.2, tracing a path). Each segment, join and cap
 * is a polygon. All have the same orientation, so the nonzero rule fills their union.
 */
import type { Outline } from './fill-shape.ts';
import type { Contour } from './path.ts';

/** Style of a stroke, in the units of the path. */
export interface StrokeStyle {
  readonly width: number;
  readonly cap: 'butt' | 'round' | 'square';
  readonly join: 'bevel' | 'miter' | 'round';
  readonly miterLimit: number;
  /** Lengths of dashes and gaps in turns; empty for a solid stroke. */
  readonly dash: readonly number[];
  readonly dashOffset: number;
}

/** Segment with its direction, a unit vector. */
interface Segment {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly dx: number;
  readonly dy: number;
  readonly length: number;
}

/**
 * Returns the outlines of a stroke.
 *
 * @param scale Pixels per unit of the path. Round caps and joins get more corners.
 */
export function strokeOutlines(
  contours: readonly Contour[],
  style: StrokeStyle,
  scale: number,
): Outline[] {
  const outlines: Outline[] = [];
  for (const contour of contours) {
    const segments = listSegments(contour);
    if (segments.length === 0) continue;
    const isDashed = style.dash.some((length) => length > 0);
    const runs = isDashed ? splitDashes(segments, style) : [segments];
    const isClosed = contour.isClosed && !isDashed;
    for (const run of runs) strokeRun(run, isClosed, style, scale, outlines);
  }
  return outlines;
}

function listSegments({ points, isClosed }: Contour): Segment[] {
  const segments: Segment[] = [];
  const add = (x0: number, y0: number, x1: number, y1: number): void => {
    const length = Math.hypot(x1 - x0, y1 - y0);
    if (length === 0) return;
    segments.push({ x0, y0, x1, y1, dx: (x1 - x0) / length, dy: (y1 - y0) / length, length });
  };
  for (let at = 2; at < points.length; at += 2) {
    add(points[at - 2]!, points[at - 1]!, points[at]!, points[at + 1]!);
  }
  if (isClosed) add(points.at(-2)!, points.at(-1)!, points[0]!, points[1]!);
  return segments;
}

/** Returns the dashes of a line. */
function splitDashes(segments: readonly Segment[], { dash, dashOffset }: StrokeStyle): Segment[][] {
  const total = dash.reduce((sum, length) => sum + length, 0);
  let place = ((dashOffset % total) + total) % total;
  let index = 0;
  while (place >= dash[index]!) {
    place -= dash[index]!;
    index = (index + 1) % dash.length;
  }
  let left = dash[index]! - place;
  const runs: Segment[][] = [];
  let run: Segment[] = [];
  for (const { x0, y0, dx, dy, length } of segments) {
    let from = 0;
    while (from < length) {
      const to = Math.min(from + left, length);
      if (index % 2 === 0 && to > from) {
        run.push({
          ...{ x0: x0 + dx * from, y0: y0 + dy * from, x1: x0 + dx * to, y1: y0 + dy * to },
          ...{ dx, dy, length: to - from },
        });
      }
      left -= to - from;
      from = to;
      if (left > 0) continue;
      if (run.length > 0) runs.push(run);
      run = [];
      index = (index + 1) % dash.length;
      left = dash[index]!;
    }
  }
  if (run.length > 0) runs.push(run);
  return runs;
}

function strokeRun(
  segments: readonly Segment[],
  isClosed: boolean,
  style: StrokeStyle,
  scale: number,
  outlines: Outline[],
): void {
  const half = style.width / 2;
  const add = (...polygon: number[]): void => void outlines.push(orient(polygon));
  const addDisc = (x: number, y: number): void => {
    const count = Math.max(8, Math.ceil(4 * Math.sqrt(half * scale)));
    const disc: number[] = [];
    for (let i = 0; i < count; i++) {
      const angle = (2 * Math.PI * i) / count;
      disc.push(x + half * Math.cos(angle), y + half * Math.sin(angle));
    }
    add(...disc);
  };
  const addCap = (x: number, y: number, dx: number, dy: number): void => {
    if (style.cap === 'round') addDisc(x, y);
    if (style.cap !== 'square') return;
    const [sideX, sideY, endX, endY] = [-dy * half, dx * half, dx * half, dy * half];
    add(
      ...[x + sideX, y + sideY, x + sideX + endX, y + sideY + endY],
      ...[x - sideX + endX, y - sideY + endY, x - sideX, y - sideY],
    );
  };
  const addJoin = (before: Segment, after: Segment): void => {
    const cross = before.dx * after.dy - before.dy * after.dx;
    const cosine = before.dx * after.dx + before.dy * after.dy;
    if (Math.abs(cross) < 1e-9 && cosine > 0) return;
    const { x0: x, y0: y } = after;
    if (style.join === 'round') {
      addDisc(x, y);
      return;
    }
    const side = cross > 0 ? -half : half; // The outer side of the corner.
    const [ax, ay] = [x - before.dy * side, y + before.dx * side];
    const [bx, by] = [x - after.dy * side, y + after.dx * side];
    // Ratio of the miter's length to the width: 1 / sin of half the angle between the segments.
    const ratio = Math.sqrt(2 / Math.max(1 + cosine, 1e-12));
    if (style.join === 'miter' && ratio <= style.miterLimit) {
      const [sumX, sumY] = [ax - x + (bx - x), ay - y + (by - y)];
      const stretch = (half * ratio) / Math.max(Math.hypot(sumX, sumY), 1e-12);
      add(x, y, ax, ay, x + sumX * stretch, y + sumY * stretch, bx, by);
    } else add(x, y, ax, ay, bx, by);
  };
  segments.forEach((segment, i) => {
    const { x0, y0, x1, y1, dx, dy } = segment;
    const [sideX, sideY] = [-dy * half, dx * half];
    add(
      x0 + sideX,
      y0 + sideY,
      x1 + sideX,
      y1 + sideY,
      x1 - sideX,
      y1 - sideY,
      x0 - sideX,
      y0 - sideY,
    );
    const before = segments[i - 1] ?? (isClosed ? segments.at(-1) : undefined);
    if (before !== undefined) addJoin(before, segment);
  });
  if (isClosed) return;
  const [first, last] = [segments[0]!, segments.at(-1)!];
  addCap(first.x0, first.y0, -first.dx, -first.dy);
  addCap(last.x1, last.y1, last.dx, last.dy);
}

/** Returns a polygon whose corners go around it in one direction. */
function orient(polygon: number[]): number[] {
  let area = 0;
  for (let at = 0; at < polygon.length; at += 2) {
    const next = (at + 2) % polygon.length;
    area += polygon[at]! * polygon[next + 1]! - polygon[next]! * polygon[at + 1]!;
  }
  if (area >= 0) return polygon;
  const turned: number[] = [];
  for (let at = polygon.length - 2; at >= 0; at -= 2) turned.push(polygon[at]!, polygon[at + 1]!);
  return turned;
}
