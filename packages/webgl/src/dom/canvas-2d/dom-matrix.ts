/**
 * `DOMMatrix` (Geometry Interfaces, section 6) for affine transforms of the plane, as 2D canvases
 * return and accept them.
 */
import { IDENTITY, invert, type Matrix, multiply, transformPoint } from '../paths/matrix.ts';

/** Fields of a matrix that a program can pass in place of a `DOMMatrix`. */
export type MatrixInit = Partial<
  Record<'a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'm11' | 'm12' | 'm21' | 'm22' | 'm41' | 'm42', number>
>;

/** Affine transform of the plane. Methods ending in `Self` change it. */
export class DOMMatrix {
  readonly is2D = true;
  #matrix: Matrix;

  /** @throws {TypeError} If the argument is neither missing nor six numbers. */
  constructor(init: readonly number[] | undefined = undefined) {
    if (init !== undefined && (typeof init === 'string' || init.length !== 6)) {
      throw new TypeError('DOMMatrix: only matrices of six numbers are supported');
    }
    this.#matrix = init === undefined ? IDENTITY : ([...init] as unknown as Matrix);
  }

  static fromMatrix(init: MatrixInit = {}): DOMMatrix {
    return new DOMMatrix(readMatrix(init));
  }

  /** Numbers a to f. */
  get matrix(): Matrix {
    return this.#matrix;
  }

  get isIdentity(): boolean {
    return this.#matrix.every((each, i) => each === IDENTITY[i]);
  }

  multiplySelf(other: MatrixInit): this {
    this.#matrix = multiply(this.#matrix, readMatrix(other));
    return this;
  }

  preMultiplySelf(other: MatrixInit): this {
    this.#matrix = multiply(readMatrix(other), this.#matrix);
    return this;
  }

  translateSelf(x = 0, y = 0): this {
    return this.#apply([1, 0, 0, 1, x, y]);
  }

  scaleSelf(x = 1, y = x): this {
    return this.#apply([x, 0, 0, y, 0, 0]);
  }

  /** @param degrees Angle from the x axis to the y axis. */
  rotateSelf(degrees = 0): this {
    const angle = (degrees * Math.PI) / 180;
    const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
    return this.#apply([cosine, sine, -sine, cosine, 0, 0]);
  }

  /** Inverts the matrix. One that has no inverse becomes all NaN. */
  invertSelf(): this {
    const { NaN: none } = Number;
    this.#matrix = invert(this.#matrix) ?? [none, none, none, none, none, none];
    return this;
  }

  multiply(other: MatrixInit): DOMMatrix {
    return this.#copy().multiplySelf(other);
  }

  translate(x?: number, y?: number): DOMMatrix {
    return this.#copy().translateSelf(x, y);
  }

  scale(x?: number, y?: number): DOMMatrix {
    return this.#copy().scaleSelf(x, y);
  }

  rotate(degrees?: number): DOMMatrix {
    return this.#copy().rotateSelf(degrees);
  }

  inverse(): DOMMatrix {
    return this.#copy().invertSelf();
  }

  transformPoint({ x = 0, y = 0 }: { readonly x?: number; readonly y?: number } = {}): object {
    const [toX, toY] = transformPoint(this.#matrix, x, y);
    return { x: toX, y: toY, z: 0, w: 1 };
  }

  toFloat64Array(): Float64Array {
    const [a, b, c, d, e, f] = this.#matrix;
    return Float64Array.of(a, b, 0, 0, c, d, 0, 0, 0, 0, 1, 0, e, f, 0, 1);
  }

  toString(): string {
    return `matrix(${this.#matrix.join(', ')})`;
  }

  #apply(matrix: Matrix): this {
    this.#matrix = multiply(this.#matrix, matrix);
    return this;
  }

  #copy(): DOMMatrix {
    return new DOMMatrix(this.#matrix);
  }

  /** Sets one of the six numbers. */
  setAt(index: number, value: number): void {
    this.#matrix = this.#matrix.map((each, i) =>
      i === index ? Number(value) : each,
    ) as unknown as Matrix;
  }
}

/** Names of the six numbers. */
const NAMES = [
  ['a', 'm11'],
  ['b', 'm12'],
  ['c', 'm21'],
  ['d', 'm22'],
  ['e', 'm41'],
  ['f', 'm42'],
] as const;

for (const [index, names] of NAMES.entries()) {
  for (const name of names) {
    Object.defineProperty(DOMMatrix.prototype, name, {
      get(this: DOMMatrix) {
        return this.matrix[index];
      },
      set(this: DOMMatrix, value: number) {
        this.setAt(index, value);
      },
      enumerable: true,
      configurable: true,
    });
  }
}

/** Returns the numbers of a matrix in the form of a `DOMMatrix`. */
export function readMatrix(init: MatrixInit): Matrix {
  return NAMES.map(([short, long], i) =>
    Number(init[short] ?? init[long] ?? IDENTITY[i]),
  ) as unknown as Matrix;
}
