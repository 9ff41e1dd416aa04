/**
 * Operands of texture instructions, in order: coordinates; a bias, a level or derivatives; the
 * reference of a shadow lookup; offsets in texels. Operation and dimension determine the number of
 * each. The total number tells whether there are offsets.
 */
import type { TextureDimension } from '@tessera/frame';

/** Operation of a shader's texture instruction. */
export type SampleOperation = 'implicit' | 'bias' | 'lod' | 'grad' | 'fetch';

/** Returns the number of coordinates, including the layer. */
export function coordinateCountOf(dimension: TextureDimension): 2 | 3 {
  return dimension === '2d' ? 2 : 3;
}

/**
 * Returns the number of coordinates that derivatives and offsets have, which excludes the layer.
 */
export function spatialCountOf(dimension: TextureDimension): 2 | 3 {
  return dimension === '2d-array' ? 2 : coordinateCountOf(dimension);
}

/** Operands of an instruction by meaning. `Operand` is an expression or a vector of lanes. */
export interface LookupOperands<Operand> {
  readonly coordinates: readonly Operand[];
  /** Bias, level, or derivatives along x and then along y. */
  readonly levelOfDetail: readonly Operand[];
  readonly reference: Operand | null;
  /** Integer offsets: none, or one per spatial coordinate. */
  readonly offsets: readonly Operand[];
}

/**
 * Splits the operands of an instruction.
 *
 * @throws {Error} If the number of operands fits no lookup.
 */
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
