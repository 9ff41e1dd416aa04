/**
 * Layout of uniform blocks in buffers: the rules of `std140` (GLSL ES 3.00, section 4.3.8.3; OpenGL
 * ES 3.0, section 2.12.6.4). Blocks with layout `shared` or `packed` get the same layout, which
 * both permit.
 */

import { baseOf, componentCount } from '../operations/type-layout.ts';
import type { UniformBlock } from '../tree/checked-tree.ts';
import type { GlslType, ScalarBase } from '../tree/types.ts';

/** Scalar, vector, matrix, or array of these in a block. */
export interface BlockMember {
  /** Path after the name of the block or its instance: `.a`, `.b[0]` for an array, `.c[1].d`. */
  readonly path: string;
  readonly scalarType: ScalarBase;
  readonly rows: number;
  readonly columns: number;
  readonly arrayLength: number;
  readonly isArray: boolean;
  readonly offsetBytes: number;
  /** Distance between array elements; 0 if the member is not an array. */
  readonly arrayStrideBytes: number;
  /**
   * Distance between columns, or between rows of a row-major matrix; 0 if the member is not a
   * matrix.
   */
  readonly matrixStrideBytes: number;
  readonly isRowMajor: boolean;
}

/** Layout of a uniform block. */
export interface BlockLayout {
  readonly name: string;
  /** Number of blocks in an array of blocks; `null` for a single block. */
  readonly arrayLength: number | null;
  /** Whether OpenGL prefixes the names of members with the name of the block. */
  readonly hasInstanceName: boolean;
  /** Offset of the end of the last member. */
  readonly sizeBytes: number;
  readonly members: readonly BlockMember[];
}

const SCALAR_BYTES = 4;
const VECTOR_BYTES = 16;

/** Returns the std140 layout of `block`. */
export function layoutBlock(block: UniformBlock): BlockLayout {
  const members: BlockMember[] = [];
  let end = 0;
  for (const { name, type, isRowMajor } of block.members) {
    end = place(`.${name}`, type, isRowMajor, roundUp(end, alignmentOf(type)), members);
  }
  return {
    name: block.name,
    arrayLength: block.arrayLength,
    hasInstanceName: block.instanceName !== null,
    sizeBytes: end,
    members,
  };
}

/** Appends the leaves of a part that starts at byte `start`; returns the offset of its end. */
function place(
  path: string,
  type: GlslType,
  isRowMajor: boolean,
  start: number,
  members: BlockMember[],
): number {
  if (type.kind === 'struct') {
    let end = start;
    for (const { name, type: part } of type.fields) {
      const at = roundUp(end, alignmentOf(part));
      end = place(`${path}.${name}`, part, isRowMajor, at, members);
    }
    return roundUp(end, alignmentOf(type));
  }
  if (type.kind === 'array' && type.element.kind === 'struct') {
    let end = start;
    for (let k = 0; k < type.length; k++) {
      end = place(`${path}[${k}]`, type.element, isRowMajor, end, members);
    }
    return end;
  }
  const isArray = type.kind === 'array';
  const element = isArray ? type.element : type;
  const isMatrix = element.kind === 'matrix';
  const size = isArray ? roundUp(sizeOf(element, isRowMajor), VECTOR_BYTES) : 0;
  members.push({
    path: isArray ? `${path}[0]` : path,
    scalarType: baseOf(element),
    rows: isMatrix ? element.rows : componentCount(element),
    columns: isMatrix ? element.columns : 1,
    arrayLength: isArray ? type.length : 1,
    isArray,
    offsetBytes: start,
    arrayStrideBytes: size,
    matrixStrideBytes: isMatrix ? VECTOR_BYTES : 0,
    isRowMajor: isMatrix && isRowMajor,
  });
  return start + (isArray ? size * type.length : sizeOf(element, isRowMajor));
}

/** Returns the size of a scalar, vector or matrix in bytes. */
function sizeOf(type: GlslType, isRowMajor: boolean): number {
  if (type.kind !== 'matrix') return componentCount(type) * SCALAR_BYTES;
  return (isRowMajor ? type.rows : type.columns) * VECTOR_BYTES;
}

function alignmentOf(type: GlslType): number {
  switch (type.kind) {
    case 'scalar':
      return SCALAR_BYTES;
    case 'vector':
      return type.size === 2 ? 2 * SCALAR_BYTES : VECTOR_BYTES;
    default:
      return VECTOR_BYTES;
  }
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step;
}
