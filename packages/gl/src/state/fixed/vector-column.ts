import { GL } from '../../api/constants.ts';

/** Vectors of a column in the narrowest type that holds their values. */
export interface PackedVectors {
  /** `GL_FLOAT`, or an integer type if all values are integers and a float does not hold one. */
  readonly type: number;
  readonly bytes: Uint8Array;
}

/** Growing array of vectors of four numbers: 32-bit floats or 32-bit integers. */
export class VectorColumn {
  #values = new Float64Array(64);
  #length = 0;

  get count(): number {
    return this.#length >> 2;
  }

  push([x, y, z, w]: readonly [number, number, number, number]): void {
    if (this.#length === this.#values.length) {
      const grown = new Float64Array(this.#length * 2);
      grown.set(this.#values);
      this.#values = grown;
    }
    this.#values[this.#length++] = x;
    this.#values[this.#length++] = y;
    this.#values[this.#length++] = z;
    this.#values[this.#length++] = w;
  }

  /** Returns whether the last component of every vector is 1. */
  isLastOne(): boolean {
    for (let at = 3; at < this.#length; at += 4) if (this.#values[at] !== 1) return false;
    return true;
  }

  /** Returns the vectors so far. Vectors pushed later do not affect them. */
  pack(): PackedVectors {
    const values = this.#values.subarray(0, this.#length);
    const type = findType(values);
    if (type === GL.FLOAT) return { type, bytes: new Uint8Array(new Float32Array(values).buffer) };
    // The conversion is modulo 2^32, for both types.
    return { type, bytes: new Uint8Array(Int32Array.from(values).buffer) };
  }
}

function findType(values: Float64Array): number {
  const isExact = values.every((value) => Math.fround(value) === value || Number.isNaN(value));
  if (isExact) return GL.FLOAT;
  const areIntegers = values.every(
    (value) => Number.isInteger(value) && value >= -(2 ** 31) && value < 2 ** 32,
  );
  if (!areIntegers) return GL.FLOAT;
  const isUnsigned =
    values.every((value) => value >= 0) && values.some((value) => value >= 2 ** 31);
  return isUnsigned ? GL.UNSIGNED_INT : GL.INT;
}
