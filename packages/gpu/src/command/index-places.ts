/** Where the indices of a draw's primitives lie. */
import { COMPONENT_TYPES } from '@tessera/frame';
import type { AddressMap } from '../memory-manager/address-map.ts';
import type { BoundDraw } from './bound-draw.ts';

/** Of primitive k of an instance: `readBytes` from `baseBytes + k × primitiveBytes` on. */
export interface IndexPlaces {
  readonly baseBytes: number;
  readonly primitiveBytes: number;
  readonly readBytes: number;
}

/** @returns `null` for a draw without indices. Strips and fans read on from the primitive before. */
export function findIndices(
  { draw, corners }: BoundDraw,
  addresses: AddressMap,
): IndexPlaces | null {
  if (draw.indices === null) return null;
  const { bufferIndex, offsetBytes, componentType } = draw.indices;
  const { bytes } = COMPONENT_TYPES[componentType];
  const isList = draw.topology === 'triangles' || draw.topology === 'lines';
  return {
    baseBytes: addresses.bufferBase(bufferIndex) + offsetBytes + draw.first * bytes,
    primitiveBytes: isList ? corners * bytes : bytes,
    readBytes: corners * bytes,
  };
}
