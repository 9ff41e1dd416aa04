/** Values of accessors in the form of the library: contiguous elements. */
import { type Accessor, MathUtils, type TypedArray } from '@gltf-transform/core';
import type { ComponentType } from '@tessera/frame';

/** Component type of glTF 2.0. */
export type GltfComponentType = Exclude<ComponentType, 'int32'>;

/** Component types by their codes in the JSON. */
export const COMPONENT_TYPE_BY_CODE: ReadonlyMap<number, GltfComponentType> = new Map([
  [5120, 'int8'],
  [5121, 'uint8'],
  [5122, 'int16'],
  [5123, 'uint16'],
  [5125, 'uint32'],
  [5126, 'float32'],
]);

/** Returns the component type of a checked accessor. */
export function componentTypeOf(accessor: Accessor): GltfComponentType {
  const code = accessor.getComponentType();
  const type = COMPONENT_TYPE_BY_CODE.get(code);
  if (type === undefined)
    throw new Error(`the checks accepted an accessor of component type ${code}`);
  return type;
}

/** Returns the components in their own type, shared with the accessor. */
export function rawValues(accessor: Accessor): TypedArray {
  const array = accessor.getArray();
  if (array === null) throw new Error(`accessor "${accessor.getName()}" has no values`);
  return array;
}

/**
 * Returns the components as numbers; normalized integers are converted. Floats are shared with the
 * accessor.
 */
export function floatValues(accessor: Accessor): Float32Array {
  const array = rawValues(accessor);
  if (array instanceof Float32Array) return array;
  if (!accessor.getNormalized()) return Float32Array.from(array);
  const code = accessor.getComponentType();
  return Float32Array.from(array, (value) => MathUtils.decodeNormalizedInt(value, code));
}
