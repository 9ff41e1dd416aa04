/**
 * Linear, radial and conic gradients of a 2D context (HTML, section 4.12.5.1.11). Colors between
 * two stops are interpolated with straight alpha.
 */
import { type CssColor, parseCssColor } from '../images/css-color.ts';

interface ColorStop {
  readonly offset: number;
  readonly color: CssColor;
}

const TRANSPARENT: CssColor = [0, 0, 0, 0];

/**
 * Returns the position of a point on a gradient, 0 at its start and 1 at its end; null for a point
 * that it does not paint.
 */
type PlaceOnGradient = (x: number, y: number) => number | null;

/** Gradient with color stops, used as a fill style. */
export class CanvasGradient {
  readonly #place: PlaceOnGradient;
  readonly #stops: ColorStop[] = [];

  /** @throws {TypeError} If a program calls it. */
  constructor(place: PlaceOnGradient) {
    if (place === undefined) throw new TypeError('Illegal constructor');
    this.#place = place;
  }

  /** @throws {DOMException} If the offset is not in 0..1, or the color is unknown. */
  addColorStop(offset: number, color: string): void {
    if (!(offset >= 0 && offset <= 1)) {
      throw new DOMException(`addColorStop: offset ${offset} is not in 0..1`, 'IndexSizeError');
    }
    const parsed = parseCssColor(String(color));
    if (parsed === null) {
      throw new DOMException(`addColorStop: '${color}' is not a color`, 'SyntaxError');
    }
    const after = this.#stops.findIndex((stop) => stop.offset > offset);
    this.#stops.splice(after < 0 ? this.#stops.length : after, 0, { offset, color: parsed });
  }

  /** Returns the color at a point in the coordinates in which the gradient was created. */
  colorAt(x: number, y: number): CssColor {
    const place = this.#place(x, y);
    if (place === null || this.#stops.length === 0) return TRANSPARENT;
    const next = this.#stops.findIndex((stop) => stop.offset > place);
    if (next < 0) return this.#stops.at(-1)!.color;
    const to = this.#stops[next]!;
    const from = this.#stops[next - 1] ?? to;
    const span = to.offset - from.offset;
    const share = span === 0 ? 0 : (place - from.offset) / span;
    const mix = (at: number) => from.color[at]! + (to.color[at]! - from.color[at]!) * share;
    return [mix(0), mix(1), mix(2), mix(3)];
  }
}

/** Creates a gradient along the line from (x0, y0) to (x1, y1). Equal points paint nothing. */
export function createLinearGradient(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
): CanvasGradient {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const lengthSquared = dx * dx + dy * dy;
  return new CanvasGradient((x, y) =>
    lengthSquared === 0 ? null : ((x - x0) * dx + (y - y0) * dy) / lengthSquared,
  );
}

/**
 * Creates a gradient between two circles. A point has the largest position ω whose circle, with
 * center and radius interpolated by ω, has a positive radius and passes through the point.
 *
 * @throws {DOMException} If a radius is negative.
 */
export function createRadialGradient(
  x0: number,
  y0: number,
  r0: number,
  x1: number,
  y1: number,
  r1: number,
): CanvasGradient {
  if (r0 < 0 || r1 < 0) {
    const message = `createRadialGradient: radius ${Math.min(r0, r1)} is negative`;
    throw new DOMException(message, 'IndexSizeError');
  }
  const [dx, dy, dr] = [x1 - x0, y1 - y0, r1 - r0];
  const a = dx * dx + dy * dy - dr * dr;
  return new CanvasGradient((x, y) => {
    const [px, py] = [x - x0, y - y0];
    const half = px * dx + py * dy + r0 * dr;
    const c = px * px + py * py - r0 * r0;
    for (const place of solve(a, half, c)) if (r0 + place * dr > 0) return place;
    return null;
  });
}

/**
 * Creates a gradient around a point. It starts in the direction of an angle, in radians from the x
 * axis, and turns to the y axis.
 */
export function createConicGradient(angle: number, x0: number, y0: number): CanvasGradient {
  const turn = 2 * Math.PI;
  return new CanvasGradient((x, y) => {
    const place = (Math.atan2(y - y0, x - x0) - angle) / turn;
    return place - Math.floor(place);
  });
}

/** Returns the real solutions of a·t² − 2·half·t + c = 0, the largest first. */
function solve(a: number, half: number, c: number): readonly number[] {
  if (a === 0) return half === 0 ? [] : [c / (2 * half)];
  const discriminant = half * half - a * c;
  if (discriminant < 0) return [];
  const root = Math.sqrt(discriminant);
  return [(half + root) / a, (half - root) / a].sort((left, right) => right - left);
}
