/**
 * Matrix stacks of OpenGL 2.1, section 2.11.2, which shaders read as `gl_ModelViewMatrix` and so
 * on.
 */
import { GL, nameOfEnum } from '../../api/constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';

/** Sixteen numbers, column by column. */
export type Matrix4 = readonly number[];

const IDENTITY: Matrix4 = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
/** Maximum number of matrices on the model-view and projection stacks, as in Mesa. */
export const MAX_MATRIX_DEPTH = 32;
/** Maximum number of matrices on the stack of a texture unit, as in Mesa. */
export const MAX_TEXTURE_MATRIX_DEPTH = 10;
const TEXTURE_STACK_COUNT = 8;

/** Matrix stacks of one context. */
export class MatrixStacks {
  readonly #errors: GlErrors;
  readonly #modelView: Matrix4[] = [IDENTITY];
  readonly #projection: Matrix4[] = [IDENTITY];
  readonly #textures: Matrix4[][] = Array.from({ length: TEXTURE_STACK_COUNT }, () => [IDENTITY]);
  #mode: number = GL.MODELVIEW;
  /** Returns the texture unit that the texture mode applies to. */
  readonly #activeUnit: () => number;

  constructor(errors: GlErrors, activeUnit: () => number) {
    this.#errors = errors;
    this.#activeUnit = activeUnit;
  }

  get modelView(): Matrix4 {
    return this.#modelView.at(-1)!;
  }

  get projection(): Matrix4 {
    return this.#projection.at(-1)!;
  }

  /** All texture matrices, concatenated. */
  get textures(): readonly number[] {
    return this.#textures.flatMap((stack) => stack.at(-1)!);
  }

  /** Returns the matrix of one texture unit. */
  texture(unit: number): Matrix4 {
    return this.#textures[unit]!.at(-1)!;
  }

  isTextureIdentity(unit: number): boolean {
    return this.texture(unit).every((value, i) => value === IDENTITY[i]);
  }

  get mode(): number {
    return this.#mode;
  }

  /**
   * Returns the number of matrices on the stack of a mode. The texture mode refers to the active
   * unit.
   */
  depth(mode: number): number {
    return this.#stackOf(mode).length;
  }

  setMode(mode: number): void {
    if (mode !== GL.MODELVIEW && mode !== GL.PROJECTION && mode !== GL.TEXTURE) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `matrixMode: ${nameOfEnum(mode)} is not GL_MODELVIEW, GL_PROJECTION or GL_TEXTURE`,
      );
      return;
    }
    this.#mode = mode;
  }

  loadIdentity(): void {
    this.load(IDENTITY);
  }

  load(matrix: Matrix4): void {
    const stack = this.#stack();
    stack[stack.length - 1] = matrix;
  }

  multiply(matrix: Matrix4): void {
    this.load(multiply(this.#stack().at(-1)!, matrix));
  }

  push(): void {
    const stack = this.#stack();
    const most = this.#mode === GL.TEXTURE ? MAX_TEXTURE_MATRIX_DEPTH : MAX_MATRIX_DEPTH;
    if (stack.length < most) stack.push(stack.at(-1)!);
    else this.#errors.raise(GL.STACK_OVERFLOW, 'pushMatrix: the stack is full');
  }

  pop(): void {
    const stack = this.#stack();
    if (stack.length > 1) stack.pop();
    else this.#errors.raise(GL.STACK_UNDERFLOW, 'popMatrix: the stack has only one matrix');
  }

  translate(x: number, y: number, z: number): void {
    this.multiply([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1]);
  }

  scale(x: number, y: number, z: number): void {
    this.multiply([x, 0, 0, 0, 0, y, 0, 0, 0, 0, z, 0, 0, 0, 0, 1]);
  }

  /**
   * Multiplies by a rotation. An axis of length 0 has no effect.
   *
   * @param angle Angle in degrees, counterclockwise about the axis.
   */
  rotate(angle: number, axisX: number, axisY: number, axisZ: number): void {
    const length = Math.hypot(axisX, axisY, axisZ);
    if (length === 0) return;
    const [x, y, z] = [axisX / length, axisY / length, axisZ / length];
    // Rounded, as Mesa has it: large angles depend on it.
    const radians = Math.fround((Math.fround(angle) * Math.PI) / 180);
    const s = Math.sin(radians);
    const c = Math.cos(radians);
    const t = 1 - c;
    this.multiply([
      ...[x * x * t + c, y * x * t + z * s, x * z * t - y * s, 0],
      ...[x * y * t - z * s, y * y * t + c, y * z * t + x * s, 0],
      ...[x * z * t + y * s, y * z * t - x * s, z * z * t + c, 0],
      ...[0, 0, 0, 1],
    ]);
  }

  ortho(left: number, right: number, bottom: number, top: number, near: number, far: number): void {
    const [width, height, depth] = [right - left, top - bottom, far - near];
    if (width === 0 || height === 0 || depth === 0) {
      this.#errors.raise(GL.INVALID_VALUE, 'ortho: the view volume is empty');
      return;
    }
    this.multiply([
      ...[2 / width, 0, 0, 0],
      ...[0, 2 / height, 0, 0],
      ...[0, 0, -2 / depth, 0],
      ...[-(right + left) / width, -(top + bottom) / height, -(far + near) / depth, 1],
    ]);
  }

  frustum(
    left: number,
    right: number,
    bottom: number,
    top: number,
    near: number,
    far: number,
  ): void {
    const [width, height, depth] = [right - left, top - bottom, far - near];
    if (width === 0 || height === 0 || depth === 0 || near <= 0 || far <= 0) {
      this.#errors.raise(
        GL.INVALID_VALUE,
        'frustum: the view volume is empty, or a clip plane is not in front of the eye',
      );
      return;
    }
    this.multiply([
      ...[(2 * near) / width, 0, 0, 0],
      ...[0, (2 * near) / height, 0, 0],
      ...[(right + left) / width, (top + bottom) / height, -(far + near) / depth, -1],
      ...[0, 0, (-2 * far * near) / depth, 0],
    ]);
  }

  #stack(): Matrix4[] {
    return this.#stackOf(this.#mode);
  }

  #stackOf(mode: number): Matrix4[] {
    if (mode === GL.MODELVIEW) return this.#modelView;
    if (mode === GL.PROJECTION) return this.#projection;
    return this.#textures[Math.min(this.#activeUnit(), TEXTURE_STACK_COUNT - 1)]!;
  }
}

/** Returns `a` × `b`. */
export function multiply(a: Matrix4, b: Matrix4): Matrix4 {
  return Array.from({ length: 16 }, (_, i) => {
    const row = i % 4;
    const column = i - row;
    let sum = 0;
    for (let k = 0; k < 4; k++) sum += a[k * 4 + row]! * b[column + k]!;
    return sum;
  });
}

/** Returns the transposed matrix. */
export function transpose(matrix: Matrix4): Matrix4 {
  return matrix.map((_, i) => matrix[(i % 4) * 4 + Math.floor(i / 4)]!);
}

/**
 * Returns the inverse by Gauss-Jordan elimination. A singular matrix gives numbers that are not
 * finite.
 */
export function invert(matrix: Matrix4): Matrix4 {
  // Eight columns per row: the matrix, and the part that becomes its inverse.
  const rows = Array.from({ length: 4 }, (_, row) => [
    ...Array.from({ length: 4 }, (_column, column) => matrix[column * 4 + row]!),
    ...Array.from({ length: 4 }, (_column, column) => Number(column === row)),
  ]);
  for (let column = 0; column < 4; column++) {
    let pivot = column;
    for (let row = column + 1; row < 4; row++) {
      if (Math.abs(rows[row]![column]!) > Math.abs(rows[pivot]![column]!)) pivot = row;
    }
    [rows[column], rows[pivot]] = [rows[pivot]!, rows[column]!];
    const scale = 1 / rows[column]![column]!;
    rows[column] = rows[column]!.map((value) => value * scale);
    for (let row = 0; row < 4; row++) {
      if (row === column) continue;
      const factor = rows[row]![column]!;
      rows[row] = rows[row]!.map((value, k) => value - factor * rows[column]![k]!);
    }
  }
  return Array.from({ length: 16 }, (_, i) => rows[i % 4]![4 + Math.floor(i / 4)]!);
}
