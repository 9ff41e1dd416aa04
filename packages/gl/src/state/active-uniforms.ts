/** Active uniforms and attributes as queries give them (OpenGL ES 3.0, sections 2.12.4 and 2.12.6). */
import type { ReflectedProgram } from '../program-reflection.ts';
import type { UniformBlocks } from './uniform-blocks.ts';

export interface ActiveUniform {
  /** `a`, `b[0]` for an array, `c[1].d`; members of blocks with an instance name start with the block's. */
  readonly name: string;
  /** Enumeration, such as `GL_FLOAT_VEC3`. */
  readonly type: number;
  /** Elements. */
  readonly size: number;
  /** Of the block, or of the first of an array of blocks; −1 for those of the default block, as the four below. */
  readonly blockIndex: number;
  readonly offsetBytes: number;
  readonly arrayStrideBytes: number;
  readonly matrixStrideBytes: number;
  readonly isRowMajor: boolean;
}

const SCALARS = { float: 0x1406, int: 0x1404, uint: 0x1405, bool: 0x8b56 } as const;
/** Of two components; three and four follow. */
const VECTORS = { float: 0x8b50, int: 0x8b53, uint: 0x8dc6, bool: 0x8b57 } as const;
/** By columns and rows. */
const MATRICES: Readonly<Record<string, number>> = {
  ...{ '2x2': 0x8b5a, '3x3': 0x8b5b, '4x4': 0x8b5c, '2x3': 0x8b65, '2x4': 0x8b66 },
  ...{ '3x2': 0x8b67, '3x4': 0x8b68, '4x2': 0x8b69, '4x3': 0x8b6a },
};
const SAMPLERS = {
  float: { '2d': 0x8b5e, '3d': 0x8b5f, cube: 0x8b60, '2d-array': 0x8dc1 },
  int: { '2d': 0x8dca, '3d': 0x8dcb, cube: 0x8dcc, '2d-array': 0x8dcf },
  uint: { '2d': 0x8dd2, '3d': 0x8dd3, cube: 0x8dd4, '2d-array': 0x8dd7 },
} as const;
const SHADOW_SAMPLERS = { '2d': 0x8b62, '3d': 0, cube: 0x8dc5, '2d-array': 0x8dc4 } as const;

/** The enumeration of a type. @param rows Components of a vector. */
export function typeEnum(
  scalarType: 'float' | 'int' | 'uint' | 'bool',
  rows: number,
  columns: number,
): number {
  if (columns > 1) return MATRICES[`${columns}x${rows}`]!;
  return rows === 1 ? SCALARS[scalarType] : VECTORS[scalarType] + rows - 2;
}

export function samplerEnum({
  dimension,
  isShadow,
  scalarType = 'float',
}: ReflectedProgram['samplers'][number]): number {
  return isShadow ? SHADOW_SAMPLERS[dimension] : SAMPLERS[scalarType][dimension];
}

/** Those of the default block first, then samplers, then members of blocks; an array of blocks counts once. */
export function listActiveUniforms(
  reflected: ReflectedProgram,
  { blocks }: UniformBlocks,
): readonly ActiveUniform[] {
  const ofDefault = {
    ...{ blockIndex: -1, offsetBytes: -1, arrayStrideBytes: -1, matrixStrideBytes: -1 },
    isRowMajor: false,
  };
  return [
    ...reflected.uniforms.map(({ name, scalarType, rows, columns, arrayLength }) => ({
      name,
      type: typeEnum(scalarType, rows, columns),
      size: arrayLength,
      ...ofDefault,
    })),
    ...reflected.samplers.map((sampler) => ({
      name: sampler.name,
      type: samplerEnum(sampler),
      size: sampler.arrayLength,
      ...ofDefault,
    })),
    ...(reflected.blocks ?? []).flatMap((layout) =>
      layout.members.map((member) => ({
        name: layout.hasInstanceName ? `${layout.name}${member.path}` : member.path.slice(1),
        type: typeEnum(member.scalarType, member.rows, member.columns),
        size: member.arrayLength,
        blockIndex: blocks.findIndex((block) => block.layout === layout),
        offsetBytes: member.offsetBytes,
        arrayStrideBytes: member.arrayStrideBytes,
        matrixStrideBytes: member.matrixStrideBytes,
        isRowMajor: member.isRowMajor,
      })),
    ),
  ];
}
