/**
 * Evaluators: polynomials in one or two variables that generate vertices and their attributes
 * (OpenGL 2.1, section 5.1). Polynomials are in the Bernstein basis.
 */
import { GL, nameOfEnum } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import type { AttributeKey } from '../../objects/vertex-arrays/vertex-array.ts';
import type { Capabilities } from '../capabilities.ts';

/** GL_MAP1_COLOR_4; the other maps of one variable follow, maps of two variables from 0x0db0. */
const FIRST_MAP1 = 0x0d90;
const FIRST_MAP2 = 0x0db0;
const AUTO_NORMAL = 0x0d80;
/** Greatest number of coefficients per variable (`GL_MAX_EVAL_ORDER`). */
const MAX_ORDER = 30;

/** Components and attribute of each map; `null` for vertices and for color indices. */
const MAPS: readonly (readonly [components: number, key: AttributeKey | null])[] = [
  [4, 'gl_Color'],
  [1, null],
  [3, 'gl_Normal'],
  [1, 'gl_MultiTexCoord0'],
  [2, 'gl_MultiTexCoord0'],
  [3, 'gl_MultiTexCoord0'],
  [4, 'gl_MultiTexCoord0'],
  [3, null],
  [4, null],
];
const VERTEX_3 = 7;
const VERTEX_4 = 8;
/** Maps of one attribute, the one that applies if several are enabled first. */
const ORDER_OF_USE: readonly number[] = [0, 2, 6, 5, 4, 3];

/** Control points along one variable. */
export interface MapAxis {
  readonly from: number;
  readonly to: number;
  /** Distance between control points, in numbers. */
  readonly stride: number;
  readonly order: number;
}

interface EvaluatorMap {
  readonly axes: readonly MapAxis[];
  readonly points: readonly number[];
}

/** Grid of `glMapGrid`: number of intervals, first and last value. */
interface GridAxis {
  readonly count: number;
  readonly from: number;
  readonly to: number;
}

/** Functions that receive what evaluators generate. */
export interface EvaluatorOutput {
  begin(mode: number): void;
  end(): void;
  /** Emits a vertex whose attributes do not become current. */
  evaluated(
    position: readonly number[],
    attributes: ReadonlyMap<AttributeKey, readonly number[]>,
  ): void;
}

/** Evaluators of one context. */
export class Evaluators {
  readonly #errors: GlErrors;
  readonly #capabilities: Capabilities;
  readonly #output: EvaluatorOutput;
  readonly #maps = new Map<number, EvaluatorMap>();
  #grid: readonly GridAxis[] = [];

  constructor(errors: GlErrors, capabilities: Capabilities, output: EvaluatorOutput) {
    this.#errors = errors;
    this.#capabilities = capabilities;
    this.#output = output;
  }

  /**
   * Defines a map (`glMap1`, `glMap2`).
   *
   * @param axes One axis for each variable.
   */
  define(target: number, axes: readonly MapAxis[], points: readonly number[]): void {
    const index = target - (axes.length === 1 ? FIRST_MAP1 : FIRST_MAP2);
    const kind = MAPS[index];
    if (kind === undefined) {
      this.#errors.raise(GL.INVALID_ENUM, `map: ${nameOfEnum(target)} is not a map`);
      return;
    }
    const isValid = axes.every(
      ({ from, to, stride, order }) =>
        from !== to && stride >= kind[0] && order >= 1 && order <= MAX_ORDER,
    );
    const last = axes.reduce((at, { stride, order }) => at + stride * (order - 1), kind[0]);
    if (!isValid || points.length < last) {
      this.#errors.raise(GL.INVALID_VALUE, `map: domain, stride or order is out of range`);
      return;
    }
    this.#maps.set(target, { axes, points });
  }

  /** Defines the grid of meshes (`glMapGrid1`, `glMapGrid2`). */
  setGrid(axes: readonly GridAxis[]): void {
    if (axes.some(({ count }) => count < 1)) {
      this.#errors.raise(GL.INVALID_VALUE, 'mapGrid: the number of intervals is not positive');
      return;
    }
    this.#grid = axes;
  }

  /** Emits the vertex at a place (`glEvalCoord`). Does nothing without an enabled vertex map. */
  evaluate(...at: readonly number[]): void {
    const first = at.length === 1 ? FIRST_MAP1 : FIRST_MAP2;
    const vertex = this.#enabled(first + VERTEX_4) ?? this.#enabled(first + VERTEX_3);
    if (vertex === null) return;
    const components = this.#capabilities.has(first + VERTEX_4) ? 4 : 3;
    const attributes = new Map<AttributeKey, readonly number[]>();
    for (const index of ORDER_OF_USE) {
      const [size, key] = MAPS[index]!;
      const map = this.#enabled(first + index);
      if (map !== null && !attributes.has(key!)) attributes.set(key!, valueAt(map, at, size));
    }
    if (at.length === 2 && this.#capabilities.has(AUTO_NORMAL)) {
      attributes.set('gl_Normal', normalOf(vertex, at, components));
    }
    this.#output.evaluated(valueAt(vertex, at, components), attributes);
  }

  /** Emits the vertex of a point of the grid (`glEvalPoint`). */
  evaluatePoint(...indices: readonly number[]): void {
    this.evaluate(...indices.map((index, i) => this.#place(i, index)));
  }

  /** Draws a row of the grid as points or lines (`glEvalMesh1`). */
  mesh1(mode: number, first: number, last: number): void {
    if (!this.#isMode(mode, [FIXED.POINT, GL.LINE])) return;
    this.#output.begin(mode === FIXED.POINT ? GL.POINTS : GL.LINE_STRIP);
    for (let i = first; i <= last; i++) this.evaluatePoint(i);
    this.#output.end();
  }

  /** Draws a part of the grid as points, lines or quad strips (`glEvalMesh2`). */
  mesh2(
    mode: number,
    ...[firstI, lastI, firstJ, lastJ]: readonly [number, number, number, number]
  ): void {
    if (!this.#isMode(mode, [FIXED.POINT, GL.LINE, GL.FILL])) return;
    const strip = (topology: number, emit: () => void): void => {
      this.#output.begin(topology);
      emit();
      this.#output.end();
    };
    const row = (j: number) => () => {
      for (let i = firstI; i <= lastI; i++) this.evaluatePoint(i, j);
    };
    const column = (i: number) => () => {
      for (let j = firstJ; j <= lastJ; j++) this.evaluatePoint(i, j);
    };
    if (mode === GL.FILL) {
      for (let j = firstJ; j < lastJ; j++) {
        strip(GL.QUAD_STRIP, () => {
          for (let i = firstI; i <= lastI; i++) {
            this.evaluatePoint(i, j);
            this.evaluatePoint(i, j + 1);
          }
        });
      }
      return;
    }
    for (let j = firstJ; j <= lastJ; j++) {
      strip(mode === FIXED.POINT ? GL.POINTS : GL.LINE_STRIP, row(j));
    }
    if (mode === FIXED.POINT) return;
    for (let i = firstI; i <= lastI; i++) strip(GL.LINE_STRIP, column(i));
  }

  #isMode(mode: number, modes: readonly number[]): boolean {
    if (modes.includes(mode)) return true;
    this.#errors.raise(GL.INVALID_ENUM, `evalMesh: ${nameOfEnum(mode)} is not a polygon mode`);
    return false;
  }

  #place(axis: number, index: number): number {
    const { count, from, to } = this.#grid[axis] ?? { count: 1, from: 0, to: 1 };
    // The last point is exact (OpenGL 2.1, section 5.1).
    return index === count ? to : from + (index * (to - from)) / count;
  }

  #enabled(target: number): EvaluatorMap | null {
    return this.#capabilities.has(target) ? (this.#maps.get(target) ?? null) : null;
  }
}

/** Returns the Bernstein polynomials of an order at a place, or their derivatives. */
function weightsOf({ from, to, order }: MapAxis, at: number, isDerivative: boolean): number[] {
  const t = (at - from) / (to - from);
  const basis = (count: number): number[] => {
    let row = [1];
    for (let n = 1; n < count; n++) {
      row = Array.from(
        { length: n + 1 },
        (_, i) => (1 - t) * (row[i] ?? 0) + t * (row[i - 1] ?? 0),
      );
    }
    return row;
  };
  if (!isDerivative) return basis(order);
  if (order === 1) return [0];
  const lower = basis(order - 1);
  return Array.from(
    { length: order },
    (_, i) => (order - 1) * ((lower[i - 1] ?? 0) - (lower[i] ?? 0)),
  );
}

/**
 * Returns the value of a map at a place.
 *
 * @param derived Axis of the variable to derive by; by default none.
 */
function valueAt(
  { axes, points }: EvaluatorMap,
  at: readonly number[],
  components: number,
  derived = -1,
): number[] {
  const weights = axes.map((axis, i) => weightsOf(axis, at[i]!, i === derived));
  const value = new Array<number>(components).fill(0);
  const add = (weight: number, start: number): void => {
    for (let c = 0; c < components; c++) value[c]! += weight * points[start + c]!;
  };
  weights[0]!.forEach((first, i) => {
    const start = i * axes[0]!.stride;
    if (axes.length === 1) add(first, start);
    weights[1]?.forEach((second, j) => {
      add(first * second, start + j * axes[1]!.stride);
    });
  });
  return value;
}

/** Returns the normal of a surface: the cross product of its derivatives, of length 1. */
function normalOf(map: EvaluatorMap, at: readonly number[], components: number): number[] {
  const position = valueAt(map, at, components);
  const [alongU, alongV] = [0, 1].map((axis) => {
    const derivative = valueAt(map, at, components, axis);
    if (components === 3) return derivative;
    const w = position[3]!;
    return [0, 1, 2].map((c) => (derivative[c]! * w - position[c]! * derivative[3]!) / (w * w));
  });
  const [ux, uy, uz] = alongU!;
  const [vx, vy, vz] = alongV!;
  const normal = [uy! * vz! - uz! * vy!, uz! * vx! - ux! * vz!, ux! * vy! - uy! * vx!];
  const length = Math.hypot(...normal);
  return length === 0 ? normal : normal.map((component) => component / length);
}
