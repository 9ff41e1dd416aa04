/** Path data of SVG (SVG 2, section 9.3), also the argument of `Path2D`. */
import type { Path } from './path.ts';

const NUMBER = /[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?/gi;
const SEGMENT = /([a-z])([^a-z]*(?:e[-+]?\d[^a-z]*)*)/gi;
/** Number of arguments of each command. */
const NUMBERS_OF: Readonly<Record<string, number>> = {
  ...{ m: 2, l: 2, h: 1, v: 1, c: 6, s: 4, q: 4, t: 2, a: 7, z: 0 },
};
const ARC_ARGUMENTS = 7;

/** Returns all numbers in an attribute value. */
export function listNumbers(text: string): number[] {
  return (text.match(NUMBER) ?? []).map(Number);
}

/** Position and last control point while a path is built. */
interface Pen {
  x: number;
  y: number;
  startX: number;
  startY: number;
  /** Command of the last segment, and its last control point. */
  last: string;
  controlX: number;
  controlY: number;
}

/** Adds the segments of path data. Stops at the first error, as SVG requires. */
export function addPathData(path: Path, data: string): void {
  const pen: Pen = { x: 0, y: 0, startX: 0, startY: 0, last: '', controlX: 0, controlY: 0 };
  for (const [, letter, rest] of data.matchAll(SEGMENT)) {
    const kind = letter!.toLowerCase();
    const count = NUMBERS_OF[kind];
    if (count === undefined || (pen.last === '' && kind !== 'm')) return;
    if (kind === 'z') {
      path.closePath();
      Object.assign(pen, { x: pen.startX, y: pen.startY, last: 'z' });
      continue;
    }
    const numbers = kind === 'a' ? listArcNumbers(rest!) : listNumbers(rest!);
    if (numbers.length < count) return;
    for (let at = 0; at + count <= numbers.length; at += count) {
      // Further points of a move are lines.
      const command = kind === 'm' && at > 0 ? 'l' : kind;
      addSegment(path, pen, command, letter === kind, numbers.slice(at, at + count));
    }
  }
}

/** Returns the numbers of arcs, whose flags need no separators. */
function listArcNumbers(text: string): number[] {
  const numbers: number[] = [];
  let rest = text;
  for (;;) {
    const place = numbers.length % ARC_ARGUMENTS;
    const pattern =
      place === 3 || place === 4
        ? /^[\s,]*([01])/
        : /^[\s,]*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)/i;
    const match = pattern.exec(rest);
    if (match === null) return numbers;
    numbers.push(Number(match[1]));
    rest = rest.slice(match[0].length);
  }
}

function addSegment(
  path: Path,
  pen: Pen,
  command: string,
  isRelative: boolean,
  numbers: readonly number[],
): void {
  const [baseX, baseY] = isRelative ? [pen.x, pen.y] : [0, 0];
  const { x: fromX, y: fromY } = pen;
  const at = (i: number): [number, number] => [numbers[i]! + baseX, numbers[i + 1]! + baseY];
  /** Control point of a smooth curve: the reflection of the last one of a curve of its kind. */
  const reflected = (kinds: string): [number, number] =>
    kinds.includes(pen.last)
      ? [2 * fromX - pen.controlX, 2 * fromY - pen.controlY]
      : [fromX, fromY];
  const finish = ([x, y]: [number, number], [controlX, controlY]: [number, number] = [x, y]) =>
    Object.assign(pen, { x, y, controlX, controlY, last: command });
  switch (command) {
    case 'm':
      path.moveTo(...at(0));
      finish(at(0));
      [pen.startX, pen.startY] = at(0);
      break;
    case 'l':
      path.lineTo(...at(0));
      finish(at(0));
      break;
    case 'h':
    case 'v': {
      const end: [number, number] =
        command === 'h' ? [numbers[0]! + baseX, fromY] : [fromX, numbers[0]! + baseY];
      path.lineTo(...end);
      finish(end);
      break;
    }
    case 'c':
    case 's': {
      const first = command === 'c' ? at(0) : reflected('cs');
      const [second, end] = command === 'c' ? [at(2), at(4)] : [at(0), at(2)];
      path.bezierCurveTo(...first, ...second, ...end);
      finish(end, second);
      break;
    }
    case 'q':
    case 't': {
      const control = command === 'q' ? at(0) : reflected('qt');
      const end = command === 'q' ? at(2) : at(0);
      path.quadraticCurveTo(...control, ...end);
      finish(end, control);
      break;
    }
    default: {
      const end = at(5);
      addArc(path, [fromX, fromY], numbers, end);
      finish(end);
    }
  }
}

/** Adds an elliptical arc by its end points (SVG 2, section B.2.4). */
function addArc(
  path: Path,
  [fromX, fromY]: readonly [number, number],
  numbers: readonly number[],
  [toX, toY]: readonly [number, number],
): void {
  let [radiusX, radiusY] = [Math.abs(numbers[0]!), Math.abs(numbers[1]!)];
  const rotation = (numbers[2]! * Math.PI) / 180;
  const [isLarge, isClockwise] = [numbers[3] === 1, numbers[4] === 1];
  if (fromX === toX && fromY === toY) return;
  if (radiusX === 0 || radiusY === 0) {
    path.lineTo(toX, toY);
    return;
  }
  const [cosine, sine] = [Math.cos(rotation), Math.sin(rotation)];
  const [halfX, halfY] = [(fromX - toX) / 2, (fromY - toY) / 2];
  const [x, y] = [cosine * halfX + sine * halfY, cosine * halfY - sine * halfX];
  const excess = (x / radiusX) ** 2 + (y / radiusY) ** 2;
  if (excess > 1) {
    radiusX *= Math.sqrt(excess);
    radiusY *= Math.sqrt(excess);
  }
  const [xx, yy] = [(x / radiusX) ** 2, (y / radiusY) ** 2];
  const length = Math.sqrt(Math.max((1 - xx - yy) / (xx + yy), 0));
  const factor = isLarge === isClockwise ? -length : length;
  const [centerU, centerV] = [(factor * radiusX * y) / radiusY, (-factor * radiusY * x) / radiusX];
  const centerX = cosine * centerU - sine * centerV + (fromX + toX) / 2;
  const centerY = sine * centerU + cosine * centerV + (fromY + toY) / 2;
  const start = Math.atan2((y - centerV) / radiusY, (x - centerU) / radiusX);
  const end = Math.atan2((-y - centerV) / radiusY, (-x - centerU) / radiusX);
  path.ellipse(centerX, centerY, radiusX, radiusY, rotation, start, end, !isClockwise);
}
