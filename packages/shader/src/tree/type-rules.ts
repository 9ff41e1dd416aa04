/**
 * GLSL types as unique objects. Two types are equal if and only if they are the same object. A
 * declaration creates a struct type; element type and length identify an array type.
 */
import type { GlslType, ScalarBase } from './types.ts';

/** Number of components of a vector. */
export type VectorSize = 2 | 3 | 4;
type SamplerType = Extract<GlslType, { kind: 'sampler' }>;
type StructType = Extract<GlslType, { kind: 'struct' }>;

const scalar = (base: ScalarBase): GlslType => ({ kind: 'scalar', base });

/** Type `void`. */
export const VOID: GlslType = { kind: 'void' };
/** Type `float`. */
export const FLOAT = scalar('float');
/** Type `int`. */
export const INT = scalar('int');
/** Type `uint`. */
export const UINT = scalar('uint');
/** Type `bool`. */
export const BOOL = scalar('bool');

/** Type of an expression with an error that is already reported. Checks accept it everywhere. */
export const ERROR_TYPE: StructType = { kind: 'struct', name: '<error>', fields: [] };

const SCALARS: Record<ScalarBase, GlslType> = { float: FLOAT, int: INT, uint: UINT, bool: BOOL };
const VECTOR_PREFIXES: Record<ScalarBase, string> = { float: '', int: 'i', uint: 'u', bool: 'b' };
const SIZES: readonly VectorSize[] = [2, 3, 4];

const VECTORS = new Map<string, GlslType>();
const MATRICES = new Map<string, GlslType>();
const SAMPLERS = new Map<string, SamplerType>();
/** Types that have a keyword, by that keyword. `mat2` and `mat2x2` are one type. */
export const TYPES_BY_NAME: ReadonlyMap<string, GlslType> = (() => {
  const types = new Map<string, GlslType>([['void', VOID]]);
  for (const base of Object.keys(SCALARS) as ScalarBase[]) {
    types.set(base, SCALARS[base]);
    for (const size of SIZES) {
      const vector: GlslType = { kind: 'vector', base, size };
      VECTORS.set(`${base}${size}`, vector);
      types.set(`${VECTOR_PREFIXES[base]}vec${size}`, vector);
    }
  }
  for (const columns of SIZES) {
    for (const rows of SIZES) {
      const matrix: GlslType = { kind: 'matrix', columns, rows };
      MATRICES.set(`${columns}x${rows}`, matrix);
      types.set(`mat${columns}x${rows}`, matrix);
      if (columns === rows) types.set(`mat${columns}`, matrix);
    }
  }
  const addSampler = (
    name: string,
    dimension: SamplerType['dimension'],
    base: SamplerType['base'],
    isShadow: boolean,
  ): void => {
    const sampler: SamplerType = { kind: 'sampler', dimension, base, isShadow };
    SAMPLERS.set(name, sampler);
    types.set(name, sampler);
  };
  for (const [prefix, base] of [
    ['', 'float'],
    ['i', 'int'],
    ['u', 'uint'],
  ] as const) {
    addSampler(`${prefix}sampler2D`, '2d', base, false);
    addSampler(`${prefix}sampler3D`, '3d', base, false);
    addSampler(`${prefix}samplerCube`, 'cube', base, false);
    addSampler(`${prefix}sampler2DArray`, '2d-array', base, false);
    addSampler(`${prefix}sampler1D`, '1d', base, false);
    addSampler(`${prefix}sampler1DArray`, '1d-array', base, false);
    addSampler(`${prefix}sampler2DRect`, '2d-rect', base, false);
    addSampler(`${prefix}samplerBuffer`, 'buffer', base, false);
  }
  addSampler('sampler1DShadow', '1d', 'float', true);
  addSampler('sampler1DArrayShadow', '1d-array', 'float', true);
  addSampler('sampler2DShadow', '2d', 'float', true);
  addSampler('sampler2DRectShadow', '2d-rect', 'float', true);
  addSampler('samplerCubeShadow', 'cube', 'float', true);
  addSampler('sampler2DArrayShadow', '2d-array', 'float', true);
  return types;
})();

const NAMES = new Map<GlslType, string>();
for (const [name, type] of TYPES_BY_NAME) {
  // The shorter name of a square matrix is set below and replaces this one.
  NAMES.set(type, name);
}
for (const size of SIZES) NAMES.set(MATRICES.get(`${size}x${size}`)!, `mat${size}`);

/** Returns the type of keyword `name`. */
export function typeNamed(name: string): GlslType {
  const type = TYPES_BY_NAME.get(name);
  if (type === undefined) throw new Error(`type ${name} does not exist`);
  return type;
}

/** Returns a vector type, or the scalar type for size 1. */
export function vectorType(base: ScalarBase, size: number): GlslType {
  return size === 1 ? SCALARS[base] : VECTORS.get(base + size)!;
}

/** Returns the matrix type `matCxR`; both counts are 2 to 4. */
export function matrixType(columns: number, rows: number): GlslType {
  return MATRICES.get(`${columns}x${rows}`)!;
}

const arrayTypes = new WeakMap<GlslType, Map<number, GlslType>>();

/** Returns the array type of `length` elements; length 0 stands for an unknown length. */
export function arrayType(element: GlslType, length: number): GlslType {
  let byLength = arrayTypes.get(element);
  if (byLength === undefined) {
    byLength = new Map();
    arrayTypes.set(element, byLength);
  }
  let type = byLength.get(length);
  if (type === undefined) {
    type = { kind: 'array', element, length };
    byLength.set(length, type);
  }
  return type;
}

/** Returns the name of a type in the language. */
export function typeName(type: GlslType): string {
  if (type.kind === 'array') return `${typeName(type.element)}[${type.length || ''}]`;
  if (type.kind === 'struct') return type.name === '' ? 'struct' : type.name;
  return NAMES.get(type)!;
}

/** Returns the scalar type of the components of a scalar, vector or matrix, else null. */
export function baseOf(type: GlslType): ScalarBase | null {
  switch (type.kind) {
    case 'scalar':
    case 'vector':
      return type.base;
    case 'matrix':
      return 'float';
    default:
      return null;
  }
}

/** Whether `type` is a scalar, vector or matrix. */
export function isNumericShape(type: GlslType): boolean {
  return type.kind === 'scalar' || type.kind === 'vector' || type.kind === 'matrix';
}

/**
 * Returns the number of scalars in a value of the type, aggregates flattened. Samplers count as 1.
 */
export function componentCount(type: GlslType): number {
  switch (type.kind) {
    case 'void':
      return 0;
    case 'scalar':
    case 'sampler':
      return 1;
    case 'vector':
      return type.size;
    case 'matrix':
      return type.columns * type.rows;
    case 'array':
      return type.length * componentCount(type.element);
    case 'struct': {
      let count = 0;
      for (const field of type.fields) count += componentCount(field.type);
      return count;
    }
  }
}

/** Whether `test` holds for `type` or any type inside it. */
export function containsType(type: GlslType, test: (part: GlslType) => boolean): boolean {
  if (test(type)) return true;
  if (type.kind === 'array') return containsType(type.element, test);
  if (type.kind === 'struct') return type.fields.some((field) => containsType(field.type, test));
  return false;
}

/** Whether `type` is a sampler or contains one. */
export function containsSampler(type: GlslType): boolean {
  return containsType(type, (part) => part.kind === 'sampler');
}

/** Whether `type` is an array or contains one. */
export function containsArray(type: GlslType): boolean {
  return containsType(type, (part) => part.kind === 'array');
}

/** Returns the type of the same shape with components of type `base`. */
export function withBase(type: GlslType, base: ScalarBase): GlslType {
  if (type.kind === 'scalar') return SCALARS[base];
  if (type.kind === 'vector') return vectorType(base, type.size);
  return type;
}

/**
 * Whether desktop GLSL converts `from` to `to` implicitly: int to uint, and both to float, of the
 * same size. Versions without integers have no uint, so the second case is theirs.
 */
export function isImplicitlyConvertible(from: GlslType, to: GlslType): boolean {
  const isScalar = from.kind === 'scalar' && to.kind === 'scalar';
  const isVector = from.kind === 'vector' && to.kind === 'vector' && from.size === to.size;
  return (isScalar || isVector) && isWidened(from.base, to.base);
}

/** Whether desktop GLSL converts components of base `from` to base `to` implicitly. */
export function isWidened(from: ScalarBase, to: ScalarBase): boolean {
  if (to === 'float') return from === 'int' || from === 'uint';
  return to === 'uint' && from === 'int';
}

/** Whether types of two shaders are equal; structs are compared by name and members. */
export function areTypesAlike(a: GlslType, b: GlslType): boolean {
  if (a === b) return true;
  if (a.kind === 'array' && b.kind === 'array') {
    return a.length === b.length && areTypesAlike(a.element, b.element);
  }
  if (a.kind === 'struct' && b.kind === 'struct') {
    return (
      a.name === b.name &&
      a.fields.length === b.fields.length &&
      a.fields.every((field, index) => {
        const other = b.fields[index]!;
        return field.name === other.name && areTypesAlike(field.type, other.type);
      })
    );
  }
  return false;
}
