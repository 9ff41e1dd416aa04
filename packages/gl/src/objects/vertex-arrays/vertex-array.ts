/**
 * Vertex attribute arrays (OpenGL ES 2.0, section 2.8) with the index binding. One object holds one
 * set.
 */
import type { AttributeSource } from '@tessera/frame';
import { GL, nameOfEnum } from '../../api/constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import type { ApiRules } from '../../rules/api-rules.ts';
import type { BufferObject, ElementBinding } from '../buffers/buffer-objects.ts';
import { ObjectTable } from '../object-table.ts';

/** Number of numbered attributes. */
export const ATTRIBUTE_COUNT = 16;

/**
 * Largest divisor of a frame. No draw has more instances, so with any larger divisor all instances
 * read the same element too.
 */
const MAX_DIVISOR = 0xffffff;

/** Size of a component in bytes, by the types that `vertexAttribPointer` accepts. */
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
  // Four components are packed in one word.
  [GL.INT_2_10_10_10_REV, 1],
  [GL.UNSIGNED_INT_2_10_10_10_REV, 1],
]);

/** Component types of arrays whose first component is blue (ARB_vertex_array_bgra). */
const BGRA_TYPES: ReadonlySet<number> = new Set([
  GL.UNSIGNED_BYTE,
  GL.INT_2_10_10_10_REV,
  GL.UNSIGNED_INT_2_10_10_10_REV,
]);

/** Storage of an array's elements: a buffer, or a copy of client memory made at the call. */
export type AttributeStorage =
  | { readonly kind: 'buffer'; readonly buffer: BufferObject; readonly offsetBytes: number }
  | { readonly kind: 'client'; readonly bytes: Uint8Array };

/** Attribute source that the last draw derived from an array in a buffer. */
export interface KnownSource {
  readonly type: number;
  readonly givenStrideBytes: number;
  readonly elementBytes: number;
  readonly source: Extract<AttributeSource, { kind: 'buffer' }>;
}

/** Array of one attribute. */
export interface AttributeArray {
  isEnabled: boolean;
  componentCount: number;
  /** Whether the elements are stored as blue, green, red, alpha. Default: false. */
  isBgra?: boolean;
  type: number;
  isNormalized: boolean;
  /** Stride as given; 0 means tightly packed. */
  strideBytes: number;
  storage: AttributeStorage | null;
  divisor: number;
  /** Source derived by the last draw. Draws compare it with the other fields before they use it. */
  known: KnownSource | null;
}

/** Value of an attribute while its array is disabled. */
export type CurrentValue = readonly [number, number, number, number];

function makeArray(): AttributeArray {
  return {
    isEnabled: false,
    componentCount: 4,
    type: GL.FLOAT,
    isNormalized: false,
    strideBytes: 0,
    storage: null,
    divisor: 0,
    known: null,
  };
}

/**
 * Attributes that GLSL 1.10 declares itself, with their initial values (OpenGL 2.1, section 2.7).
 * They have their own arrays in addition to the numbered ones.
 */
const CONVENTIONAL_VALUES: ReadonlyMap<string, CurrentValue> = new Map<string, CurrentValue>([
  ['gl_Vertex', [0, 0, 0, 1]],
  ['gl_Normal', [0, 0, 1, 1]],
  ['gl_Color', [1, 1, 1, 1]],
  ['gl_SecondaryColor', [0, 0, 0, 1]],
  ['gl_FogCoord', [0, 0, 0, 1]],
  // Not an attribute of GLSL: edges of outlines that start at the vertex.
  ['gl_EdgeFlag', [1, 0, 0, 1]],
  ...Array.from({ length: 8 }, (_, unit): [string, CurrentValue] => [
    `gl_MultiTexCoord${unit}`,
    [0, 0, 0, 1],
  ]),
]);

/** Location of vertices or indices: an offset into the bound buffer, or client memory. */
export type ArrayLocation = number | Uint8Array;

/** Key of an attribute: its number, or the name of a conventional one. */
export type AttributeKey = number | string;

/** Keys of all attributes. */
export const ATTRIBUTE_KEYS: readonly AttributeKey[] = [
  ...Array.from({ length: ATTRIBUTE_COUNT }, (_, index) => index),
  ...CONVENTIONAL_VALUES.keys(),
];

/** Source of a draw's attributes. */
export interface AttributeInputs {
  /**
   * Returns the array of an attribute; `null` if the attribute does not exist. A disabled array has
   * the current value.
   */
  array(key: AttributeKey): AttributeArray | null;
  currentValue(key: AttributeKey): CurrentValue;
}

/** Vertex array object. */
export class VertexArray implements ElementBinding {
  readonly #numbered = Array.from({ length: ATTRIBUTE_COUNT }, makeArray);
  readonly #conventional = new Map(
    Array.from(CONVENTIONAL_VALUES.keys(), (name) => [name, makeArray()] as const),
  );

  array(key: AttributeKey): AttributeArray | null {
    const found = typeof key === 'number' ? this.#numbered[key] : this.#conventional.get(key);
    return found ?? null;
  }

  arrays(): readonly AttributeArray[] {
    return [...this.#numbered, ...this.#conventional.values()];
  }

  elementBuffer: BufferObject | null = null;
}

/** Vertex array objects of one context, with the current values. */
export class VertexArrayState implements AttributeInputs {
  readonly #errors: GlErrors;
  /** Whether arrays may be in the order blue, green, red, alpha, as on the desktop. */
  readonly #hasBgra: boolean;
  readonly #arrayBuffer: () => BufferObject | null;
  readonly #table = new ObjectTable<VertexArray>();
  readonly #nameless = new VertexArray();
  readonly #currentValues = new Map<AttributeKey, CurrentValue>(CONVENTIONAL_VALUES);
  #current = this.#nameless;

  /** @param arrayBuffer Returns the buffer bound to `GL_ARRAY_BUFFER`. */
  constructor(
    errors: GlErrors,
    { hasFixedFunctions }: Pick<ApiRules, 'hasFixedFunctions'>,
    arrayBuffer: () => BufferObject | null,
  ) {
    this.#errors = errors;
    this.#hasBgra = hasFixedFunctions;
    this.#arrayBuffer = arrayBuffer;
  }

  get current(): VertexArray {
    return this.#current;
  }

  /** Makes a former current object current again. */
  restore(vertexArray: VertexArray): void {
    this.#current = vertexArray;
  }

  /**
   * Returns the array of the current object. Attribute 0 and the vertex are the same (OpenGL 2.1,
   * section 2.7).
   */
  array(key: AttributeKey): AttributeArray | null {
    const found = this.#current.array(key);
    if (found?.isEnabled !== false) return found;
    const other = key === 0 ? 'gl_Vertex' : key === 'gl_Vertex' ? 0 : null;
    const alias = other === null ? null : this.#current.array(other);
    return alias?.isEnabled === true ? alias : found;
  }

  /**
   * Returns a copy of the attributes that later changes to arrays and buffers do not affect.
   * Current values still change.
   */
  pin(): AttributeInputs {
    const pinned = new Map<AttributeKey, AttributeArray | null>();
    for (const key of ATTRIBUTE_KEYS) {
      const array = this.array(key);
      const { storage } = array ?? { storage: null };
      pinned.set(
        key,
        array === null
          ? null
          : {
              ...array,
              storage:
                storage?.kind === 'buffer'
                  ? { kind: 'client', bytes: storage.buffer.share().subarray(storage.offsetBytes) }
                  : storage,
            },
      );
    }
    return {
      array: (key) => pinned.get(key) ?? null,
      currentValue: (key) => this.currentValue(key),
    };
  }

  /**
   * Saves the arrays of the current object or the current values. Returns a function that restores
   * them.
   */
  save(what: 'arrays' | 'values'): () => void {
    if (what === 'values') {
      const values = new Map(this.#currentValues);
      return () => {
        for (const [key, value] of values) this.#currentValues.set(key, value);
      };
    }
    const object = this.#current;
    const arrays = object.arrays().map((array) => ({ ...array }));
    const { elementBuffer } = object;
    return () => {
      this.#current = object;
      object.arrays().forEach((array, i) => {
        Object.assign(array, arrays[i]);
      });
      object.elementBuffer = elementBuffer;
    };
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

  /** Detaches a deleted buffer from the current vertex array. */
  detachBuffer(buffer: BufferObject): void {
    for (const array of this.#current.arrays()) {
      if (array.storage?.kind === 'buffer' && array.storage.buffer === buffer) array.storage = null;
    }
  }

  enable(key: AttributeKey): void {
    const array = this.#array('enableVertexAttribArray', key);
    if (array !== null) array.isEnabled = true;
  }

  disable(key: AttributeKey): void {
    const array = this.#array('disableVertexAttribArray', key);
    if (array !== null) array.isEnabled = false;
  }

  setDivisor(index: number, divisor: number): void {
    const array = this.#array('vertexAttribDivisor', index);
    if (array !== null) array.divisor = Math.min(divisor, MAX_DIVISOR);
  }

  /**
   * Sets the location and format of an array.
   *
   * @param size Number of components, 1 to 4, or `GL_BGRA` for four normalized components in that
   *   order.
   * @param location Offset into the buffer bound to `GL_ARRAY_BUFFER`, or client memory. An offset
   *   without a bound buffer leaves the array without storage.
   */
  setPointer(
    key: AttributeKey,
    size: number,
    type: number,
    isNormalized: boolean,
    strideBytes: number,
    location: ArrayLocation,
  ): void {
    const caller = 'vertexAttribPointer';
    const buffer = this.#arrayBuffer();
    let storage: AttributeStorage | null = null;
    if (typeof location !== 'number') storage = { kind: 'client', bytes: location };
    else if (buffer !== null) storage = { kind: 'buffer', buffer, offsetBytes: location };
    const array = this.#array(caller, key);
    if (array === null) return;
    if (!ATTRIBUTE_TYPE_BYTES.has(type)) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `${caller}: type ${nameOfEnum(type)} is not a component type`,
      );
      return;
    }
    const isBgra = size === GL.BGRA && this.#hasBgra;
    if (isBgra && !(isNormalized && BGRA_TYPES.has(type))) {
      const found = `type ${nameOfEnum(type)}, normalized ${isNormalized}`;
      this.#errors.raise(GL.INVALID_OPERATION, `${caller}: GL_BGRA does not accept ${found}`);
      return;
    }
    const componentCount = isBgra ? 4 : size;
    if (!(componentCount >= 1 && componentCount <= 4)) {
      this.#errors.raise(
        GL.INVALID_VALUE,
        `${caller}: component count ${componentCount} is not in 1..4`,
      );
      return;
    }
    if (strideBytes < 0 || (storage?.kind === 'buffer' && storage.offsetBytes < 0)) {
      this.#errors.raise(GL.INVALID_VALUE, `${caller}: the stride or the offset is negative`);
      return;
    }
    Object.assign(array, { componentCount, isBgra, type, isNormalized, strideBytes, storage });
  }

  setCurrentValue(key: AttributeKey, value: readonly number[]): void {
    if (this.#array('vertexAttrib', key) === null) return;
    const [x = 0, y = 0, z = 0, w = 1] = value;
    this.#currentValues.set(key, [x, y, z, w]);
  }

  currentValue(key: AttributeKey): CurrentValue {
    return this.#currentValues.get(key) ?? [0, 0, 0, 1];
  }

  #array(caller: string, key: AttributeKey): AttributeArray | null {
    const array = this.#current.array(key);
    if (array === null)
      this.#errors.raise(GL.INVALID_VALUE, `${caller}: vertex attribute ${key} does not exist`);
    return array;
  }
}
