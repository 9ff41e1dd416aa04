/**
 * Active attributes, uniforms and uniform blocks of a linked program, as WebGL lists them (OpenGL
 * ES 3.0, section 2.12.6).
 */
import type { ReflectedProgram } from '@tessera/gl';
import { GL } from '../interface/constants.ts';

/** Kind of scalar, which decides the `uniform…` calls that can set a uniform. */
export type UniformKind = 'float' | 'int' | 'uint' | 'bool' | 'sampler';

/** Active uniform of a linked program, in the default block or in a uniform block. */
export interface ActiveUniform {
  /** Name, with `[0]` appended if the uniform is an array. */
  readonly name: string;
  /** GL enumeration of the type. */
  readonly type: number;
  readonly kind: UniformKind;
  readonly rows: number;
  readonly columns: number;
  readonly arrayLength: number;
  readonly isArray: boolean;
  /** Index of the uniform's block, −1 for the default block. */
  readonly blockIndex: number;
  readonly offsetBytes: number;
  readonly arrayStrideBytes: number;
  readonly matrixStrideBytes: number;
  readonly isRowMajor: boolean;
}

/** Active attribute of a linked program. */
export interface ActiveAttribute {
  readonly name: string;
  readonly type: number;
}

/** Everything that WebGL can query about a linked program. */
export interface ProgramInterface {
  readonly attributes: readonly ActiveAttribute[];
  readonly uniforms: readonly ActiveUniform[];
  readonly blocks: readonly ActiveBlock[];
  /**
   * Finds an output of the vertex stage; returns `null` if there is none.
   *
   * @param name Output name, or the name of one element of an array.
   */
  findOutput(name: string): { readonly type: number; readonly size: number } | null;
  /**
   * Returns the index of the color buffer that a fragment output writes, or −1 if there is no such
   * output.
   */
  findFragmentLocation(name: string): number;
}

/** Converts the compiler's reflection of a program into WebGL's description. */
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
      if (name.startsWith('gl_')) return -1;
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

/**
 * Finds the uniform and the array element that a name selects: `a`, `a[0]` and `a[2]` belong to the
 * array `a`.
 */
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
/** Matrix types, indexed by columns − 2, then rows − 2. */
const MATRICES = [
  [GL.FLOAT_MAT2, GL.FLOAT_MAT2x3, GL.FLOAT_MAT2x4],
  [GL.FLOAT_MAT3x2, GL.FLOAT_MAT3, GL.FLOAT_MAT3x4],
  [GL.FLOAT_MAT4x2, GL.FLOAT_MAT4x3, GL.FLOAT_MAT4],
] as const;

/** Sampler types by scalar type (`shadow` for depth comparison), then by dimension. */
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

/** Returns the GL enumeration of a scalar, vector or matrix type. */
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

const SCALAR_OF_LANGUAGE = {
  ...{ rows: 1, columns: 1, arrayLength: 1, isArray: false },
  ...OF_DEFAULT_BLOCK,
} as const;

/**
 * Lists uniforms of the default block, then samplers, then members of uniform blocks. Those of the
 * language, such as gl_DepthRange.near, are listed too, but have no location.
 */
function listUniforms(reflected: ReflectedProgram): readonly ActiveUniform[] {
  const uniforms = reflected.uniforms.map((uniform): ActiveUniform => {
    const { name, scalarType, rows, columns, arrayLength, isArray } = uniform;
    const type = typeOf(scalarType, rows, columns);
    const shape = { rows, columns, arrayLength, isArray };
    return { name, type, kind: scalarType, ...shape, ...OF_DEFAULT_BLOCK };
  });
  const constants = (reflected.drawConstants ?? [])
    .filter((name) => name === 'gl_NumSamples')
    .map((name): ActiveUniform => ({ name, type: GL.INT, kind: 'int', ...SCALAR_OF_LANGUAGE }));
  const samplers = reflected.samplers.map((sampler): ActiveUniform => {
    const { name, dimension, isShadow, arrayLength, scalarType = 'float' } = sampler;
    const type = SAMPLERS[isShadow ? 'shadow' : scalarType][dimension];
    const isArray = name.endsWith('[0]');
    const shape = { rows: 1, columns: 1, arrayLength, isArray };
    return { name, type, kind: 'sampler', ...shape, ...OF_DEFAULT_BLOCK };
  });
  return [...uniforms, ...constants, ...samplers, ...listBlockMembers(reflected)];
}

/** Active uniform block. Each element of an array of blocks is a separate block. */
export interface ActiveBlock {
  readonly name: string;
  readonly sizeBytes: number;
  /** Stages that read a member of the block. */
  readonly readers: readonly ('vertex' | 'fragment')[];
  /** Indices of the block's uniforms. */
  readonly uniformIndices: readonly number[];
}

/** @param uniforms Result of {@link listUniforms}. */
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
