/** Active attributes and uniforms of a linked program, as WebGL lists them (OpenGL ES 3.0, section 2.12.6). */
import type { ReflectedProgram } from '@tessera/gl';
import { GL } from '../interface/constants.ts';

/** Which `uniform…` calls fit. */
export type UniformKind = 'float' | 'int' | 'uint' | 'bool' | 'sampler';

export interface ActiveUniform {
  /** With `[0]` if it is an array. */
  readonly name: string;
  /** GL's number of the type. */
  readonly type: number;
  readonly kind: UniformKind;
  readonly rows: number;
  readonly columns: number;
  readonly arrayLength: number;
  readonly isArray: boolean;
  /** Number of its block, −1 for the default block. */
  readonly blockIndex: number;
  readonly offsetBytes: number;
  readonly arrayStrideBytes: number;
  readonly matrixStrideBytes: number;
  readonly isRowMajor: boolean;
}

export interface ActiveAttribute {
  readonly name: string;
  readonly type: number;
}

/** All that WebGL tells of a linked program. */
export interface ProgramInterface {
  readonly attributes: readonly ActiveAttribute[];
  readonly uniforms: readonly ActiveUniform[];
  readonly blocks: readonly ActiveBlock[];
  /** An output of the vertex stage, `null` for none. @param name May name an element of an array. */
  findOutput(name: string): { readonly type: number; readonly size: number } | null;
  /** Number of the color that an output of the fragment stage goes to, −1 for none. */
  findFragmentLocation(name: string): number;
}

export function describeProgram(reflected: ReflectedProgram): ProgramInterface {
  const uniforms = listUniforms(reflected);
  return {
    attributes: listAttributes(reflected),
    uniforms,
    blocks: listBlocks(reflected, uniforms),
    findOutput(name) {
      const base = name.replace(/\[\d+\]$/, '');
      const { vertexOutputs = [] } = reflected;
      const found = vertexOutputs.find((output) => output.name.replace(/\[0\]$/, '') === base);
      if (found === undefined) return null;
      const { scalarType, rows, columns, arrayLength, isArray } = found;
      const isWhole = isArray && name === base;
      return { type: typeOf(scalarType, rows, columns), size: isWhole ? arrayLength : 1 };
    },
    findFragmentLocation(name) {
      const [, base = name, element] = /^(.*)\[(\d+)\]$/.exec(name) ?? [];
      const found = reflected.fragmentOutputs?.find(
        (output) => output.name.replace(/\[0\]$/, '') === base,
      );
      if (found === undefined || (element !== undefined && !found.isArray)) return -1;
      const index = Number(element ?? 0);
      return index < found.arrayLength ? found.location + index : -1;
    },
  };
}

/** The uniform of a name and which element of it: `a`, `a[0]` and `a[2]` are of the array `a`. */
export function findUniform(
  { uniforms }: ProgramInterface,
  name: string,
): { readonly uniform: ActiveUniform; readonly element: number } | null {
  for (const uniform of uniforms) {
    if (uniform.blockIndex !== -1) continue;
    if (uniform.name === name) return { uniform, element: 0 };
    if (!uniform.isArray) continue;
    const base = uniform.name.slice(0, -3);
    if (base === name) return { uniform, element: 0 };
    if (!name.startsWith(`${base}[`)) continue;
    const index = /^(0|[1-9]\d*)\]$/.exec(name.slice(base.length + 1))?.[1];
    if (index !== undefined && Number(index) < uniform.arrayLength) {
      return { uniform, element: Number(index) };
    }
  }
  return null;
}

const SCALARS = { float: GL.FLOAT, int: GL.INT, uint: GL.UNSIGNED_INT, bool: GL.BOOL } as const;
const VECTORS = {
  float: [GL.FLOAT_VEC2, GL.FLOAT_VEC3, GL.FLOAT_VEC4],
  int: [GL.INT_VEC2, GL.INT_VEC3, GL.INT_VEC4],
  uint: [GL.UNSIGNED_INT_VEC2, GL.UNSIGNED_INT_VEC3, GL.UNSIGNED_INT_VEC4],
  bool: [GL.BOOL_VEC2, GL.BOOL_VEC3, GL.BOOL_VEC4],
} as const;
/** By columns, then rows, each from 2. */
const MATRICES = [
  [GL.FLOAT_MAT2, GL.FLOAT_MAT2x3, GL.FLOAT_MAT2x4],
  [GL.FLOAT_MAT3x2, GL.FLOAT_MAT3, GL.FLOAT_MAT3x4],
  [GL.FLOAT_MAT4x2, GL.FLOAT_MAT4x3, GL.FLOAT_MAT4],
] as const;

/** By scalar type and whether depths are compared, then dimension. */
const SAMPLERS = {
  float: {
    '2d': GL.SAMPLER_2D,
    cube: GL.SAMPLER_CUBE,
    '3d': GL.SAMPLER_3D,
    '2d-array': GL.SAMPLER_2D_ARRAY,
  },
  shadow: {
    '2d': GL.SAMPLER_2D_SHADOW,
    cube: GL.SAMPLER_CUBE_SHADOW,
    '3d': GL.SAMPLER_3D,
    '2d-array': GL.SAMPLER_2D_ARRAY_SHADOW,
  },
  int: {
    '2d': GL.INT_SAMPLER_2D,
    cube: GL.INT_SAMPLER_CUBE,
    '3d': GL.INT_SAMPLER_3D,
    '2d-array': GL.INT_SAMPLER_2D_ARRAY,
  },
  uint: {
    '2d': GL.UNSIGNED_INT_SAMPLER_2D,
    cube: GL.UNSIGNED_INT_SAMPLER_CUBE,
    '3d': GL.UNSIGNED_INT_SAMPLER_3D,
    '2d-array': GL.UNSIGNED_INT_SAMPLER_2D_ARRAY,
  },
} as const;

/** GL's number of a scalar, vector or matrix type. */
function typeOf(scalar: keyof typeof SCALARS, rows: number, columns: number): number {
  if (columns > 1) return MATRICES[columns - 2]![rows - 2]!;
  return rows === 1 ? SCALARS[scalar] : VECTORS[scalar][rows - 2]!;
}

function listAttributes({
  attributes,
  builtInAttributes = [],
}: ReflectedProgram): readonly ActiveAttribute[] {
  return [
    ...attributes.map(({ name, scalarType, componentCount, locationCount }) => ({
      name,
      type: typeOf(scalarType, componentCount, locationCount),
    })),
    ...builtInAttributes.map((name) => ({ name, type: GL.INT })),
  ];
}

const OF_DEFAULT_BLOCK = {
  blockIndex: -1,
  offsetBytes: -1,
  arrayStrideBytes: -1,
  matrixStrideBytes: -1,
  isRowMajor: false,
} as const;

/** Those of the default block, samplers, and members of blocks. */
function listUniforms(reflected: ReflectedProgram): readonly ActiveUniform[] {
  // Those of the state, such as gl_DepthRange.near, cannot be set, and programs set what is listed.
  const own = reflected.uniforms.filter(({ name }) => !name.startsWith('gl_'));
  const uniforms = own.map((uniform): ActiveUniform => {
    const { name, scalarType, rows, columns, arrayLength, isArray } = uniform;
    const type = typeOf(scalarType, rows, columns);
    const shape = { rows, columns, arrayLength, isArray };
    return { name, type, kind: scalarType, ...shape, ...OF_DEFAULT_BLOCK };
  });
  const samplers = reflected.samplers.map((sampler): ActiveUniform => {
    const { name, dimension, isShadow, arrayLength, scalarType = 'float' } = sampler;
    const type = SAMPLERS[isShadow ? 'shadow' : scalarType][dimension];
    const isArray = name.endsWith('[0]');
    const shape = { rows: 1, columns: 1, arrayLength, isArray };
    return { name, type, kind: 'sampler', ...shape, ...OF_DEFAULT_BLOCK };
  });
  return [...uniforms, ...samplers, ...listBlockMembers(reflected)];
}

/** An active uniform block: each element of an array of blocks is one. */
export interface ActiveBlock {
  readonly name: string;
  readonly sizeBytes: number;
  /** Stages that read something of it. */
  readonly readers: readonly ('vertex' | 'fragment')[];
  /** Numbers of its uniforms. */
  readonly uniformIndices: readonly number[];
}

/** @param uniforms As {@link listUniforms} gives them. */
function listBlocks(
  { blocks = [] }: ReflectedProgram,
  uniforms: readonly ActiveUniform[],
): readonly ActiveBlock[] {
  let firstIndex = 0;
  return blocks.flatMap(({ name, arrayLength, sizeBytes, readers }) => {
    const blockIndex = firstIndex;
    firstIndex += arrayLength ?? 1;
    const uniformIndices = uniforms.flatMap((uniform, i) =>
      uniform.blockIndex === blockIndex ? [i] : [],
    );
    return Array.from({ length: arrayLength ?? 1 }, (_, element) => ({
      name: arrayLength === null ? name : `${name}[${element}]`,
      sizeBytes,
      readers,
      uniformIndices,
    }));
  });
}

function listBlockMembers({ blocks = [] }: ReflectedProgram): ActiveUniform[] {
  let blockIndex = 0;
  return blocks.flatMap(({ name: blockName, arrayLength, hasInstanceName, members }) => {
    const first = blockIndex;
    blockIndex += arrayLength ?? 1;
    return members.map(({ path, scalarType, ...member }): ActiveUniform => {
      const type = typeOf(scalarType, member.rows, member.columns);
      const name = hasInstanceName ? `${blockName}${path}` : path.slice(1);
      return { name, type, kind: scalarType, blockIndex: first, ...member };
    });
  });
}
