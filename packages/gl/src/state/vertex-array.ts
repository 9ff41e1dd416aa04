/** Vertex attribute arrays (OpenGL ES 2.0, section 2.8) and the index binding; one object holds one set. */
import { GL, nameOfEnum } from '../constants.ts';
import type { BufferObject, ElementBinding } from './buffer-objects.ts';
import type { GlErrors } from './gl-errors.ts';
import { ObjectTable } from './object-table.ts';

export const ATTRIBUTE_COUNT = 16;

/** Bytes of one component of each type that `vertexAttribPointer` takes. */
export const ATTRIBUTE_TYPE_BYTES: ReadonlyMap<number, number> = new Map([
  [GL.BYTE, 1],
  [GL.UNSIGNED_BYTE, 1],
  [GL.SHORT, 2],
  [GL.UNSIGNED_SHORT, 2],
  [GL.INT, 4],
  [GL.UNSIGNED_INT, 4],
  [GL.FLOAT, 4],
  [GL.HALF_FLOAT, 2],
  [GL.HALF_FLOAT_OES, 2],
  [GL.FIXED, 4],
  [GL.DOUBLE, 8],
]);

/** Where an array's elements lie: in a buffer, or in the client's memory as it was when it was given. */
export type AttributeStorage =
  | { readonly kind: 'buffer'; readonly buffer: BufferObject; readonly offsetBytes: number }
  | { readonly kind: 'client'; readonly bytes: Uint8Array };

export interface AttributeArray {
  isEnabled: boolean;
  componentCount: number;
  type: number;
  isNormalized: boolean;
  /** As given: 0 means tightly packed. */
  strideBytes: number;
  storage: AttributeStorage | null;
  divisor: number;
}

export class VertexArray implements ElementBinding {
  readonly attributes: AttributeArray[] = Array.from({ length: ATTRIBUTE_COUNT }, () => ({
    isEnabled: false,
    componentCount: 4,
    type: GL.FLOAT,
    isNormalized: false,
    strideBytes: 0,
    storage: null,
    divisor: 0,
  }));
  elementBuffer: BufferObject | null = null;
}

/** What an attribute reads while its array is off. */
export type CurrentValue = readonly [number, number, number, number];

export class VertexArrayState {
  readonly #errors: GlErrors;
  readonly #table = new ObjectTable<VertexArray>();
  readonly #nameless = new VertexArray();
  readonly #currentValues: CurrentValue[] = Array.from({ length: ATTRIBUTE_COUNT }, () => [
    0, 0, 0, 1,
  ]);
  #current = this.#nameless;

  constructor(errors: GlErrors) {
    this.#errors = errors;
  }

  get current(): VertexArray {
    return this.#current;
  }

  generate(count: number): number[] {
    return this.#table.reserve(count);
  }

  isVertexArray(name: number): boolean {
    return this.#table.get(name) !== null;
  }

  bind(name: number): void {
    this.#current = name === 0 ? this.#nameless : this.#table.obtain(name, () => new VertexArray());
  }

  remove(names: readonly number[]): void {
    for (const name of names) {
      if (this.#table.remove(name) === this.#current) this.#current = this.#nameless;
    }
  }

  /** Takes a deleted buffer off the current vertex array. */
  detachBuffer(buffer: BufferObject): void {
    for (const array of this.#current.attributes) {
      if (array.storage?.kind === 'buffer' && array.storage.buffer === buffer) array.storage = null;
    }
  }

  setEnabled(index: number, isEnabled: boolean): void {
    const array = this.#array('enableVertexAttribArray', index);
    if (array !== null) array.isEnabled = isEnabled;
  }

  setDivisor(index: number, divisor: number): void {
    const array = this.#array('vertexAttribDivisor', index);
    if (array !== null) array.divisor = divisor;
  }

  setPointer(
    index: number,
    componentCount: number,
    type: number,
    isNormalized: boolean,
    strideBytes: number,
    storage: AttributeStorage | null,
  ): void {
    const where = 'vertexAttribPointer';
    const array = this.#array(where, index);
    if (array === null) return;
    if (!ATTRIBUTE_TYPE_BYTES.has(type)) {
      this.#errors.raise(GL.INVALID_ENUM, `${where}: type ${nameOfEnum(type)}`);
      return;
    }
    if (!(componentCount >= 1 && componentCount <= 4)) {
      this.#errors.raise(GL.INVALID_VALUE, `${where}: ${componentCount} components`);
      return;
    }
    if (strideBytes < 0 || (storage?.kind === 'buffer' && storage.offsetBytes < 0)) {
      this.#errors.raise(GL.INVALID_VALUE, `${where}: a negative stride or offset`);
      return;
    }
    Object.assign(array, { componentCount, type, isNormalized, strideBytes, storage });
  }

  setCurrentValue(index: number, value: readonly number[]): void {
    if (this.#array('vertexAttrib', index) === null) return;
    const [x = 0, y = 0, z = 0, w = 1] = value;
    this.#currentValues[index] = [x, y, z, w];
  }

  currentValue(index: number): CurrentValue {
    return this.#currentValues[index] ?? [0, 0, 0, 1];
  }

  #array(where: string, index: number): AttributeArray | null {
    const array = this.#current.attributes[index];
    if (array === undefined) this.#errors.raise(GL.INVALID_VALUE, `${where}: attribute ${index}`);
    return array ?? null;
  }
}
