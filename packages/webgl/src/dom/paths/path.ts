/**
 * Paths of canvases and SVG images (HTML, section 4.12.5.1.2). A path stores its points under the
 * transform that was current when they were added. Arcs become cubic curves.
 */

import { flattenCurve } from './flatten-curve.ts';
import { IDENTITY, invert, type Matrix, transformPoint } from './matrix.ts';

/** Contour of straight lines: x and y of each point. */
export interface Contour {
  readonly points: readonly number[];
  readonly isClosed: boolean;
}

/** Subpath: a start and its lines and cubic curves. */
interface Subpath {
  /** Points of the start, of each line (1 point) and of each curve (3 points), x before y. */
  readonly points: number[];
  /** Number of points of each segment: 1 or 3. */
  readonly segments: (1 | 3)[];
  isClosed: boolean;
}

const FULL_TURN = 2 * Math.PI;

/** Path that a program builds. */
export class Path {
  /** Transform of the points that are added next. */
  matrix: Matrix = IDENTITY;
  #subpaths: Subpath[] = [];

  clear(): void {
    this.#subpaths = [];
  }

  moveTo(x: number, y: number): void {
    if (!areFinite(x, y)) return;
    const points = [...transformPoint(this.matrix, x, y)];
    this.#subpaths.push({ points, segments: [], isClosed: false });
  }

  lineTo(x: number, y: number): void {
    if (!areFinite(x, y)) return;
    const subpath = this.#subpathAt(x, y);
    subpath.points.push(...transformPoint(this.matrix, x, y));
    subpath.segments.push(1);
  }

  bezierCurveTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    if (!areFinite(x1, y1, x2, y2, x, y)) return;
    const subpath = this.#subpathAt(x1, y1);
    const { matrix } = this;
    subpath.points.push(
      ...transformPoint(matrix, x1, y1),
      ...transformPoint(matrix, x2, y2),
      ...transformPoint(matrix, x, y),
    );
    subpath.segments.push(3);
  }

  quadraticCurveTo(controlX: number, controlY: number, x: number, y: number): void {
    if (!areFinite(controlX, controlY, x, y)) return;
    this.#subpathAt(controlX, controlY);
    const [startX, startY] = this.#lastPoint() ?? [controlX, controlY];
    const raise = (from: number, to: number) => from + ((to - from) * 2) / 3;
    this.bezierCurveTo(
      ...[raise(startX, controlX), raise(startY, controlY)],
      ...([raise(x, controlX), raise(y, controlY)] as const),
      x,
      y,
    );
  }

  /** Closes the last subpath. The next segment starts at its first point. */
  closePath(): void {
    const last = this.#subpaths.at(-1);
    if (last === undefined || last.segments.length === 0) return;
    last.isClosed = true;
    const points = [last.points[0]!, last.points[1]!];
    this.#subpaths.push({ points, segments: [], isClosed: false });
  }

  rect(x: number, y: number, width: number, height: number): void {
    if (!areFinite(x, y, width, height)) return;
    this.moveTo(x, y);
    this.lineTo(x + width, y);
    this.lineTo(x + width, y + height);
    this.lineTo(x, y + height);
    this.closePath();
  }

  /** @throws {DOMException} IndexSizeError if a radius is negative. */
  ellipse(
    x: number,
    y: number,
    radiusX: number,
    radiusY: number,
    rotation: number,
    start: number,
    end: number,
    isCounterClockwise = false,
  ): void {
    if (!areFinite(x, y, radiusX, radiusY, rotation, start, end)) return;
    if (radiusX < 0 || radiusY < 0) {
      const message = `the radius ${Math.min(radiusX, radiusY)} is negative`;
      throw new DOMException(message, 'IndexSizeError');
    }
    const given = isCounterClockwise ? start - end : end - start;
    const turn = given >= FULL_TURN ? FULL_TURN : ((given % FULL_TURN) + FULL_TURN) % FULL_TURN;
    const [cosine, sine] = [Math.cos(rotation), Math.sin(rotation)];
    const place = (u: number, v: number): [number, number] => [
      x + radiusX * u * cosine - radiusY * v * sine,
      y + radiusX * u * sine + radiusY * v * cosine,
    ];
    this.lineTo(...place(Math.cos(start), Math.sin(start)));
    const count = Math.ceil(turn / (Math.PI / 2));
    const step = (isCounterClockwise ? -turn : turn) / count;
    // Length of the tangents of a cubic curve that approximates the arc.
    const tangent = (4 / 3) * Math.tan(step / 4);
    for (let i = 0; i < count; i++) {
      const [from, to] = [start + i * step, start + (i + 1) * step];
      const [fromX, fromY, toX, toY] = [Math.cos(from), Math.sin(from), Math.cos(to), Math.sin(to)];
      this.bezierCurveTo(
        ...place(fromX - tangent * fromY, fromY + tangent * fromX),
        ...place(toX + tangent * toY, toY - tangent * toX),
        ...place(toX, toY),
      );
    }
  }

  /** Adds an arc that touches the lines to and from (x1, y1). */
  arcTo(x1: number, y1: number, x2: number, y2: number, radius: number): void {
    if (!areFinite(x1, y1, x2, y2, radius)) return;
    if (radius < 0) throw new DOMException(`the radius ${radius} is negative`, 'IndexSizeError');
    this.#subpathAt(x1, y1);
    const [x0, y0] = this.#lastPoint() ?? [x1, y1];
    const [inLength, outLength] = [Math.hypot(x0 - x1, y0 - y1), Math.hypot(x2 - x1, y2 - y1)];
    const [inX, inY] = [(x0 - x1) / inLength, (y0 - y1) / inLength];
    const [outX, outY] = [(x2 - x1) / outLength, (y2 - y1) / outLength];
    const cross = inX * outY - inY * outX;
    if (inLength === 0 || outLength === 0 || radius === 0 || Math.abs(cross) < 1e-9) {
      this.lineTo(x1, y1);
      return;
    }
    const cosine = inX * outX + inY * outY;
    const distance = (radius * Math.sqrt(1 - cosine * cosine)) / (1 - cosine);
    const side = cross > 0 ? 1 : -1;
    const [startX, startY] = [x1 + inX * distance, y1 + inY * distance];
    const centerX = startX - inY * radius * side;
    const centerY = startY + inX * radius * side;
    const [endX, endY] = [x1 + outX * distance, y1 + outY * distance];
    const start = Math.atan2(startY - centerY, startX - centerX);
    const end = Math.atan2(endY - centerY, endX - centerX);
    this.ellipse(centerX, centerY, radius, radius, 0, start, end, side > 0);
  }

  /** Adds the subpaths of another path. */
  append(path: Path, matrix: Matrix = IDENTITY): void {
    for (const { points, segments, isClosed } of path.#subpaths) {
      const moved: number[] = [];
      for (let at = 0; at < points.length; at += 2) {
        moved.push(...transformPoint(matrix, points[at]!, points[at + 1]!));
      }
      this.#subpaths.push({ points: moved, segments: [...segments], isClosed });
    }
  }

  /**
   * Returns the contours of straight lines.
   *
   * @param matrix Transform of the path.
   */
  flatten(matrix: Matrix = IDENTITY): Contour[] {
    const contours: Contour[] = [];
    for (const { points, segments, isClosed } of this.#subpaths) {
      if (segments.length === 0) continue;
      const all: number[] = [];
      for (let at = 0; at < points.length; at += 2) {
        all.push(...transformPoint(matrix, points[at]!, points[at + 1]!));
      }
      const lines: number[] = [all[0]!, all[1]!];
      let at = 2;
      for (const count of segments) {
        if (count === 1) lines.push(all[at]!, all[at + 1]!);
        else flattenCurve(all.slice(at - 2, at + 6), lines);
        at += 2 * count;
      }
      contours.push({ points: lines, isClosed });
    }
    return contours;
  }

  /** Returns the last subpath, or a new one at a point under the current transform. */
  #subpathAt(x: number, y: number): Subpath {
    if (this.#subpaths.length === 0) this.moveTo(x, y);
    return this.#subpaths.at(-1)!;
  }

  /** Returns the last point under the current transform; `null` if that has no inverse. */
  #lastPoint(): [number, number] | null {
    const inverse = invert(this.matrix);
    const { points } = this.#subpaths.at(-1)!;
    return inverse === null ? null : transformPoint(inverse, points.at(-2)!, points.at(-1)!);
  }
}

function areFinite(...values: readonly number[]): boolean {
  return values.every(Number.isFinite);
}
