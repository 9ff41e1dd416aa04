/**
 * Decomposition of GLSL types into scalars: vectors by component, matrices by column, arrays and
 * structs in order. Samplers contain no scalars; they are counted separately in the same order.
 */

import type { IrType } from '../ir/ir.ts';
import type { GlslType, ScalarBase } from '../tree/types.ts';

/** Returns the number of scalars in a value of `type`. */
export function componentCount(type: GlslType): number {
  switch (type.kind) {
    case 'void':
    case 'sampler':
      return 0;
    case 'scalar':
      return 1;
    case 'vector':
      return type.size;
    case 'matrix':
      return type.columns * type.rows;
    case 'array':
      return type.length * componentCount(type.element);
    case 'struct':
      return type.fields.reduce((sum, field) => sum + componentCount(field.type), 0);
  }
}

/** Returns the number of samplers in `type`. */
export function samplerCount(type: GlslType): number {
  switch (type.kind) {
    case 'sampler':
      return 1;
    case 'array':
      return type.length * samplerCount(type.element);
    case 'struct':
      return type.fields.reduce((sum, field) => sum + samplerCount(field.type), 0);
    default:
      return 0;
  }
}

/** Returns the base of each scalar of `type`, in order. */
export function scalarBases(type: GlslType): ScalarBase[] {
  switch (type.kind) {
    case 'void':
    case 'sampler':
      return [];
    case 'scalar':
      return [type.base];
    case 'vector':
      return new Array<ScalarBase>(type.size).fill(type.base);
    case 'matrix':
      return new Array<ScalarBase>(type.columns * type.rows).fill('float');
    case 'array': {
      const element = scalarBases(type.element);
      return new Array(type.length).fill(element).flat();
    }
    case 'struct':
      return type.fields.flatMap((field) => scalarBases(field.type));
  }
}

/**
 * Returns the base of the scalars of a scalar, vector or matrix type.
 *
 * @throws {Error} For other types.
 */
export function baseOf(type: GlslType): ScalarBase {
  switch (type.kind) {
    case 'scalar':
    case 'vector':
      return type.base;
    case 'matrix':
      return 'float';
    default:
      throw new Error(`type ${type.kind} has no scalar base`);
  }
}

/** Returns the IR type for a scalar of `base`. */
export function irTypeOf(base: ScalarBase): IrType {
  return base === 'float' ? 'f32' : base === 'bool' ? 'bool' : 'i32';
}

/**
 * Returns the type and number of the elements, columns or components that an index into `type`
 * selects.
 */
export function elementsOf(type: GlslType): { readonly element: GlslType; readonly count: number } {
  switch (type.kind) {
    case 'array':
      return { element: type.element, count: type.length };
    case 'matrix':
      return {
        element: { kind: 'vector', base: 'float', size: type.rows },
        count: type.columns,
      };
    case 'vector':
      return { element: { kind: 'scalar', base: type.base }, count: type.size };
    default:
      throw new Error(`type ${type.kind} has no elements`);
  }
}

/** Scalar, vector, matrix, or array of these, inside a declared variable. */
export interface TypeLeaf {
  /** Name in OpenGL's reflection: `a`, `b[0]` for an array, `c.d`, `e[1].f`. */
  readonly name: string;
  readonly type: GlslType;
  readonly firstComponent: number;
  readonly firstSampler: number;
}

/** Returns the leaves of `type` under `name`, in order. An array of a basic type is one leaf. */
export function leavesOf(name: string, type: GlslType): TypeLeaf[] {
  const leaves: TypeLeaf[] = [];
  let component = 0;
  let sampler = 0;
  const visit = (path: string, part: GlslType): void => {
    const isLeafArray =
      part.kind === 'array' && part.element.kind !== 'struct' && part.element.kind !== 'array';
    if (part.kind === 'struct') {
      for (const field of part.fields) visit(`${path}.${field.name}`, field.type);
    } else if (part.kind === 'array' && !isLeafArray) {
      for (let k = 0; k < part.length; k++) visit(`${path}[${k}]`, part.element);
    } else {
      leaves.push({
        name: isLeafArray ? `${path}[0]` : path,
        type: part,
        firstComponent: component,
        firstSampler: sampler,
      });
      component += componentCount(part);
      sampler += samplerCount(part);
    }
  };
  visit(name, type);
  return leaves;
}

/**
 * Returns the dimension of a sampler in frames. There, 1D, rectangle and buffer textures are 2D
 * ones, and arrays of 1D textures are arrays of 2D ones.
 */
export function frameDimension(
  dimension: Extract<GlslType, { kind: 'sampler' }>['dimension'],
): '2d' | '3d' | 'cube' | '2d-array' {
  if (dimension === '1d' || dimension === '2d-rect' || dimension === 'buffer') return '2d';
  return dimension === '1d-array' ? '2d-array' : dimension;
}
