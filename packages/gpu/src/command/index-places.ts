/** Locations of the indices of a draw's primitives. */
import { COMPONENT_TYPES } from '@tessera/frame';
import type { AddressMap } from '../memory-manager/address-map.ts';
import type { BoundDraw } from './bound-draw.ts';

/**
 * Index range of primitive k of an instance: `readBytes` bytes from
 * `baseBytes + k × primitiveBytes`.
 */
export interface IndexPlaces {
  readonly baseBytes: number;
  readonly primitiveBytes: number;
  readonly readBytes: number;
}

/**
 * Returns the index ranges, or `null` for a draw without indices. In strips and fans they start
 * after the indices of the previous primitive.
 */
export function findIndices(
  { draw, corners }: BoundDraw,
  addresses: AddressMap,
): IndexPlaces | null {
  if (draw.indices === null) return null;
  const { bufferIndex, offsetBytes, componentType } = draw.indices;
  const { bytes } = COMPONENT_TYPES[componentType];
  const isList = draw.topology === 'triangles' || draw.topology === 'lines';
  return {
    baseBytes: addresses.user.bufferBase(bufferIndex) + offsetBytes + draw.first * bytes,
    primitiveBytes: isList ? corners * bytes : bytes,
    readBytes: corners * bytes,
  };
}
