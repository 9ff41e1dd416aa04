/**
 * Operands of the texture instructions, in their order: coordinates; a bias, a level or derivatives; the reference
 * of a shadow lookup; offsets in texels. How many there are of each follows from operation and dimension, and
 * whether there are offsets from the number of all.
 */
import type { TextureDimension } from '@tessera/frame';

/** Operations of the shader's texture instructions. */
export type SampleOperation = 'implicit' | 'bias' | 'lod' | 'grad' | 'fetch';

/** Coordinates, layer included. */
export function coordinateCountOf(dimension: TextureDimension): 2 | 3 {
  return dimension === '2d' ? 2 : 3;
}

/** Coordinates that derivatives and offsets have: not the layer. */
export function spatialCountOf(dimension: TextureDimension): 2 | 3 {
  return dimension === '2d-array' ? 2 : coordinateCountOf(dimension);
}

/** Operands of an instruction by their meaning; `Operand` is an expression or a vector of lanes. */
export interface LookupOperands<Operand> {
  readonly coordinates: readonly Operand[];
  /** Bias, level, or derivatives along x and then along y. */
  readonly levelOfDetail: readonly Operand[];
  readonly reference: Operand | null;
  /** Integers; none, or one for each spatial coordinate. */
  readonly offsets: readonly Operand[];
}

/** @throws {Error} If the number of operands fits no lookup. */
export function splitOperands<Operand>(
  operation: SampleOperation,
  dimension: TextureDimension,
  isShadow: boolean,
  operands: readonly Operand[],
): LookupOperands<Operand> {
  const coordinateCount = coordinateCountOf(dimension);
  const spatialCount = spatialCountOf(dimension);
  const lodCount = operation === 'implicit' ? 0 : operation === 'grad' ? 2 * spatialCount : 1;
  const referenceAt = coordinateCount + lodCount;
  const offsetsAt = referenceAt + (isShadow ? 1 : 0);
  const offsets = operands.slice(offsetsAt);
  if (operands.length < offsetsAt || ![0, spatialCount].includes(offsets.length)) {
    throw new Error(`texture ${operation} ${dimension}: ${operands.length} operands`);
  }
  return {
    coordinates: operands.slice(0, coordinateCount),
    levelOfDetail: operands.slice(coordinateCount, referenceAt),
    reference: isShadow ? operands[referenceAt]! : null,
    offsets,
  };
}
