/** Vertex attributes (WebGL 1.0, section 5.14.10; WebGL 2.0, section 3.7.8). */

import { toFloat, toLongLong } from '../../context/arguments.ts';
import { type CallTable, CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { ATTRIBUTE_COUNT } from '../../objects/webgl-vertex-array.ts';

const INTEGER_TYPES: readonly number[] = [
  GL.BYTE,
  GL.UNSIGNED_BYTE,
  GL.SHORT,
  GL.UNSIGNED_SHORT,
  GL.INT,
  GL.UNSIGNED_INT,
];
const UNSIGNED_TYPES: readonly number[] = [GL.UNSIGNED_BYTE, GL.UNSIGNED_SHORT, GL.UNSIGNED_INT];
const MAX_STRIDE_BYTES = 255;

/** Returns whether an attribute index is in range. Raises the error otherwise. */
function isAttribute(core: ContextCore, caller: string, index: number): boolean {
  if (index < ATTRIBUTE_COUNT) return true;
  core.raise(GL.INVALID_VALUE, caller, `attribute ${index} is not in 0..${ATTRIBUTE_COUNT - 1}`);
  return false;
}

function setCurrentValue(
  core: ContextCore,
  caller: string,
  index: number,
  value: readonly number[],
  type: number,
): void {
  const attribute = index >>> 0;
  if (!isAttribute(core, caller, attribute)) return;
  core.currentValueTypes[attribute] = type;
  core.gl.fixedFunctions.attribute(attribute, value);
}

/** Returns the first `count` elements of an array as floats, or `null` after an error. */
function listFloats(
  core: ContextCore,
  caller: string,
  list: ArrayLike<number>,
  count: number,
): number[] | null {
  if (list === null || typeof list !== 'object')
    throw new TypeError(`${caller}: the values are not an array`);
  if (list.length < count) {
    core.raise(
      GL.INVALID_VALUE,
      caller,
      `the array has ${list.length} elements, but ${count} are needed`,
    );
    return null;
  }
  return Array.from({ length: count }, (_, i) => toFloat(list[i]));
}

/** Sets the array of an attribute both in this package's state and in the state machine. */
export function setAttributeArray(
  core: ContextCore,
  caller: string,
  [attribute, size, type, strideBytes, offsetBytes]: readonly [
    number,
    number,
    number,
    number,
    number,
  ],
  { isNormalized, isInteger }: { readonly isNormalized: boolean; readonly isInteger: boolean },
): void {
  const typeBytes = core.rules.attributeTypeBytes.get(type);
  if (typeBytes === undefined || (isInteger && !INTEGER_TYPES.includes(type))) {
    core.rejectEnum(caller, 'type', type);
    return;
  }
  if (!isAttribute(core, caller, attribute)) return;
  const isSize = size >= 1 && size <= 4;
  if (!isSize || strideBytes < 0 || strideBytes > MAX_STRIDE_BYTES || offsetBytes < 0) {
    core.raise(
      GL.INVALID_VALUE,
      caller,
      `size ${size} is not in 1..4, stride ${strideBytes} not in 0..${MAX_STRIDE_BYTES}, or offset ${offsetBytes} negative`,
    );
    return;
  }
  const isPacked = type === GL.INT_2_10_10_10_REV || type === GL.UNSIGNED_INT_2_10_10_10_REV;
  if (isPacked && size !== 4) {
    core.raise(
      GL.INVALID_OPERATION,
      caller,
      `type ${enumName(type)} needs 4 components, not ${size}`,
    );
    return;
  }
  if (strideBytes % typeBytes !== 0 || offsetBytes % typeBytes !== 0) {
    core.raise(
      GL.INVALID_OPERATION,
      caller,
      `stride ${strideBytes} or offset ${offsetBytes} is not a multiple of ${typeBytes} bytes`,
    );
    return;
  }
  const buffer = core.boundBuffers.get(GL.ARRAY_BUFFER) ?? null;
  if (buffer === null && offsetBytes !== 0) {
    core.raise(GL.INVALID_OPERATION, caller, 'no buffer is bound to ARRAY_BUFFER');
    return;
  }
  const { vertexArray } = core;
  Object.assign(vertexArray.arrays[attribute]!, {
    buffer,
    size,
    type,
    isNormalized,
    isInteger,
    strideBytes,
    offsetBytes,
    scalar: isInteger ? (UNSIGNED_TYPES.includes(type) ? GL.UNSIGNED_INT : GL.INT) : GL.FLOAT,
  });
  const bit = 1 << attribute;
  vertexArray.bufferMask =
    buffer === null ? vertexArray.bufferMask & ~bit : vertexArray.bufferMask | bit;
  core.gl.vertexArrays.setPointer(attribute, size, type, isNormalized, strideBytes, offsetBytes);
}

/** Returns `vertexAttrib{1234}f` and `vertexAttrib{1234}fv`. */
function makeFloatCalls(): CallTable {
  const calls: Record<string, CallTable[string]> = {};
  for (const size of [1, 2, 3, 4]) {
    const name = `vertexAttrib${size}f`;
    calls[name] = function (index: number, ...components: number[]): void {
      const value = components.slice(0, size).map(toFloat);
      setCurrentValue(this[CORE], name, index, value, GL.FLOAT);
    };
    calls[`${name}v`] = function (index: number, values: ArrayLike<number>): void {
      const value = listFloats(this[CORE], `${name}v`, values, size);
      if (value !== null) setCurrentValue(this[CORE], `${name}v`, index, value, GL.FLOAT);
    };
  }
  return calls;
}

/** WebGL calls for vertex attributes. */
export const attributeCalls = {
  ...makeFloatCalls(),
  enableVertexAttribArray(this: ContextObject, index: number): void {
    const core = this[CORE];
    const attribute = index >>> 0;
    if (!isAttribute(core, 'enableVertexAttribArray', attribute)) return;
    core.vertexArray.enabledMask |= 1 << attribute;
    core.gl.vertexArrays.enable(attribute);
  },

  disableVertexAttribArray(this: ContextObject, index: number): void {
    const core = this[CORE];
    const attribute = index >>> 0;
    if (!isAttribute(core, 'disableVertexAttribArray', attribute)) return;
    core.vertexArray.enabledMask &= ~(1 << attribute);
    core.gl.vertexArrays.disable(attribute);
  },

  vertexAttribPointer(
    this: ContextObject,
    index: number,
    size: number,
    type: number,
    normalized: boolean,
    stride: number,
    offset: number,
  ): void {
    const place = [index >>> 0, size | 0, type >>> 0, stride | 0, toLongLong(offset)] as const;
    const kind = { isNormalized: Boolean(normalized), isInteger: false };
    setAttributeArray(this[CORE], 'vertexAttribPointer', place, kind);
  },

  getVertexAttrib(this: ContextObject, index: number, parameter: number): unknown {
    const core = this[CORE];
    const caller = 'getVertexAttrib';
    const attribute = index >>> 0;
    if (!isAttribute(core, caller, attribute)) return null;
    const array = core.vertexArray.arrays[attribute]!;
    switch (parameter) {
      case GL.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING:
        return array.buffer;
      case GL.VERTEX_ATTRIB_ARRAY_ENABLED:
        return (core.vertexArray.enabledMask & (1 << attribute)) !== 0;
      case GL.VERTEX_ATTRIB_ARRAY_SIZE:
        return array.size;
      case GL.VERTEX_ATTRIB_ARRAY_STRIDE:
        return array.strideBytes;
      case GL.VERTEX_ATTRIB_ARRAY_TYPE:
        return array.type;
      case GL.VERTEX_ATTRIB_ARRAY_NORMALIZED:
        return array.isNormalized;
      case GL.CURRENT_VERTEX_ATTRIB: {
        const value = core.gl.vertexArrays.currentValue(attribute);
        const type = core.currentValueTypes[attribute];
        if (type === GL.INT) return Int32Array.from(value);
        return type === GL.UNSIGNED_INT ? Uint32Array.from(value) : Float32Array.from(value);
      }
      case GL.VERTEX_ATTRIB_ARRAY_INTEGER:
        if (core.rules.hasIntegerAttributes) return array.isInteger;
        break;
      case GL.VERTEX_ATTRIB_ARRAY_DIVISOR:
        if (core.hasFeature('attributeDivisors')) {
          return array.divisor;
        }
        break;
      default:
    }
    core.rejectEnum(caller, 'parameter', parameter);
    return null;
  },

  getVertexAttribOffset(this: ContextObject, index: number, parameter: number): number {
    const core = this[CORE];
    const caller = 'getVertexAttribOffset';
    const attribute = index >>> 0;
    if (!isAttribute(core, caller, attribute)) return 0;
    if (parameter === GL.VERTEX_ATTRIB_ARRAY_POINTER) {
      return core.vertexArray.arrays[attribute]!.offsetBytes;
    }
    core.rejectEnum(caller, 'parameter', parameter);
    return 0;
  },

  vertexAttribDivisor(this: ContextObject, index: number, divisor: number): void {
    setDivisor(this[CORE], 'vertexAttribDivisor', index, divisor);
  },

  vertexAttribIPointer(
    this: ContextObject,
    index: number,
    size: number,
    type: number,
    stride: number,
    offset: number,
  ): void {
    const place = [index >>> 0, size | 0, type >>> 0, stride | 0, toLongLong(offset)] as const;
    setAttributeArray(this[CORE], 'vertexAttribIPointer', place, {
      isNormalized: false,
      isInteger: true,
    });
  },

  vertexAttribI4i(
    this: ContextObject,
    index: number,
    x: number,
    y: number,
    z: number,
    w: number,
  ): void {
    setCurrentValue(this[CORE], 'vertexAttribI4i', index, [x | 0, y | 0, z | 0, w | 0], GL.INT);
  },
  vertexAttribI4ui(
    this: ContextObject,
    index: number,
    x: number,
    y: number,
    z: number,
    w: number,
  ): void {
    const value = [x >>> 0, y >>> 0, z >>> 0, w >>> 0];
    setCurrentValue(this[CORE], 'vertexAttribI4ui', index, value, GL.UNSIGNED_INT);
  },
  vertexAttribI4iv(this: ContextObject, index: number, values: ArrayLike<number>): void {
    const value = listFloats(this[CORE], 'vertexAttribI4iv', values, 4);
    if (value === null) return;
    const integers = value.map((_, i) => values[i]! | 0);
    setCurrentValue(this[CORE], 'vertexAttribI4iv', index, integers, GL.INT);
  },
  vertexAttribI4uiv(this: ContextObject, index: number, values: ArrayLike<number>): void {
    const value = listFloats(this[CORE], 'vertexAttribI4uiv', values, 4);
    if (value === null) return;
    const integers = value.map((_, i) => values[i]! >>> 0);
    setCurrentValue(this[CORE], 'vertexAttribI4uiv', index, integers, GL.UNSIGNED_INT);
  },
};

/** Implements `vertexAttribDivisor` of WebGL 2 and `vertexAttribDivisorANGLE`. */
export function setDivisor(
  core: ContextCore,
  caller: string,
  index: number,
  divisor: number,
): void {
  const attribute = index >>> 0;
  if (!isAttribute(core, caller, attribute)) return;
  const { vertexArray } = core;
  const bit = 1 << attribute;
  vertexArray.arrays[attribute]!.divisor = divisor >>> 0;
  vertexArray.instancedMask =
    divisor >>> 0 === 0 ? vertexArray.instancedMask & ~bit : vertexArray.instancedMask | bit;
  core.gl.vertexArrays.setDivisor(attribute, divisor >>> 0);
}
