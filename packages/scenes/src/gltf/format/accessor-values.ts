/** The numbers of accessors as the library holds them: one element after the other, without gaps. */
import { type Accessor, MathUtils, type TypedArray } from '@gltf-transform/core';
import type { ComponentType } from '@tessera/frame';

/** Component types of glTF 2.0. */
export type GltfComponentType = Exclude<ComponentType, 'int32'>;

export const COMPONENT_TYPE_BY_CODE: ReadonlyMap<number, GltfComponentType> = new Map([
  [5120, 'int8'],
  [5121, 'uint8'],
  [5122, 'int16'],
  [5123, 'uint16'],
  [5125, 'uint32'],
  [5126, 'float32'],
]);

/** The component type of an accessor that was checked. */
export function componentTypeOf(accessor: Accessor): GltfComponentType {
  const code = accessor.getComponentType();
  const type = COMPONENT_TYPE_BY_CODE.get(code);
  if (type === undefined) throw new Error(`accessor of component type ${code} was let through`);
  return type;
}

/** The components in their own type, shared with the accessor. */
export function rawValues(accessor: Accessor): TypedArray {
  const array = accessor.getArray();
  if (array === null) throw new Error(`accessor "${accessor.getName()}" has no array`);
  return array;
}

/** The components as numbers, integers normalised if the accessor says so; floats are shared with it. */
export function floatValues(accessor: Accessor): Float32Array {
  const array = rawValues(accessor);
  if (array instanceof Float32Array) return array;
  if (!accessor.getNormalized()) return Float32Array.from(array);
  const code = accessor.getComponentType();
  return Float32Array.from(array, (value) => MathUtils.decodeNormalizedInt(value, code));
}
