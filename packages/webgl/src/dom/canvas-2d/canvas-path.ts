/**
 * Current path of a 2D canvas: lines, rectangles and arcs, in canvas pixels with y down. The
 * nonzero winding rule decides which points are inside. Arcs are approximated by polygons.
 */

const FULL_TURN = 2 * Math.PI;

/** Corners of a contour, x before y. */
type Contour = number[];

/** Path of a 2D canvas. */
export class CanvasPath {
  #contours: Contour[] = [];

  get isEmpty(): boolean {
    return this.#contours.every((contour) => contour.length <= 2);
  }

  clear(): void {
    this.#contours = [];
  }

  moveTo(x: number, y: number): void {
    this.#contours.push([x, y]);
  }

  lineTo(x: number, y: number): void {
    const last = this.#contours.at(-1);
    if (last === undefined) this.moveTo(x, y);
    else last.push(x, y);
  }

  /** Closes the contour. The next segment starts at its first point. */
  close(): void {
    const last = this.#contours.at(-1);
    if (last !== undefined && last.length > 2) this.moveTo(last[0]!, last[1]!);
  }

  /** Returns the bounding rectangle of the path. */
  bounds(): { left: number; top: number; right: number; bottom: number } {
    const bounds = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
    for (const contour of this.#contours) {
      for (let at = 0; at < contour.length; at += 2) {
        bounds.left = Math.min(bounds.left, contour[at]!);
        bounds.right = Math.max(bounds.right, contour[at]!);
        bounds.top = Math.min(bounds.top, contour[at + 1]!);
        bounds.bottom = Math.max(bounds.bottom, contour[at + 1]!);
      }
    }
    return bounds;
  }

  /** Returns whether a point is inside the path, with each contour closed. */
  contains(x: number, y: number): boolean {
    let winding = 0;
    for (const contour of this.#contours) {
      for (let at = 0; at < contour.length; at += 2) {
        const next = at + 2 < contour.length ? at + 2 : 0;
        const [fromX, fromY] = [contour[at]!, contour[at + 1]!];
        const [toX, toY] = [contour[next]!, contour[next + 1]!];
        if (fromY <= y === toY <= y) continue;
        const crossing = fromX + ((y - fromY) / (toY - fromY)) * (toX - fromX);
        if (crossing > x) winding += fromY <= y ? 1 : -1;
      }
    }
    return winding !== 0;
  }
}

/**
 * Returns points of an arc of radius 1 around the origin, from start to end.
 *
 * @param radiusPx Radius at which the arc is drawn. Larger arcs get more points.
 */
export function arcPoints(
  start: number,
  end: number,
  isCounterClockwise: boolean,
  radiusPx: number,
): (readonly [number, number])[] {
  const given = isCounterClockwise ? start - end : end - start;
  const turn = given >= FULL_TURN ? FULL_TURN : ((given % FULL_TURN) + FULL_TURN) % FULL_TURN;
  const sweep = isCounterClockwise ? -turn : turn;
  const count = Math.max(8, Math.ceil(turn * 2 * Math.sqrt(radiusPx)));
  return Array.from({ length: count + 1 }, (_, step) => {
    const angle = start + (sweep * step) / count;
    return [Math.cos(angle), Math.sin(angle)] as const;
  });
}
