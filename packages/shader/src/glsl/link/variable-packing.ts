/**
 * Packs varyings or uniforms into four-component vectors by the algorithm of GLSL ES 1.00, appendix
 * A, section 7. Every implementation has to accept what this algorithm can pack.
 */
import { componentCount, typeName } from '../../tree/type-rules.ts';
import type { GlslType } from '../../tree/types.ts';

interface PackedShape {
  readonly rows: number;
  readonly columns: number;
}

/** Returns rows and columns of each member of a type; samplers take no space. */
function shapesOf(type: GlslType): PackedShape[] {
  switch (type.kind) {
    case 'void':
    case 'sampler':
      return [];
    case 'scalar':
      return [{ rows: 1, columns: 1 }];
    case 'vector':
      return [{ rows: 1, columns: type.size }];
    case 'matrix': {
      // A mat2 takes whole rows, with its columns one below the other.
      const columns = typeName(type) === 'mat2' ? 4 : type.rows;
      return [{ rows: type.columns, columns }];
    }
    case 'array':
      return shapesOf(type.element).map(({ rows, columns }) => ({
        rows: rows * type.length,
        columns,
      }));
    case 'struct':
      return type.fields.flatMap((field) => shapesOf(field.type));
  }
}

/** Whether variables of these types fit into `maxVectors` vectors. */
export function fitsIntoVectors(types: readonly GlslType[], maxVectors: number): boolean {
  const shapes = types.flatMap(shapesOf);
  const ofWidth = (columns: number): PackedShape[] =>
    shapes.filter((shape) => shape.columns === columns).sort((a, b) => b.rows - a.rows);
  const rowsOf = (list: readonly PackedShape[]): number =>
    list.reduce((sum, shape) => sum + shape.rows, 0);

  // 1. Place variables of three and four columns in whole rows from the top.
  const fourRows = rowsOf(ofWidth(4));
  const threeRows = rowsOf(ofWidth(3));
  const twoTop = fourRows + threeRows;
  if (twoTop > maxVectors) return false;

  // 2. Place variables of two columns in the left half from the top and in the right half from the
  //    bottom.
  const freeRows = maxVectors - twoTop;
  let leftRows = 0;
  let rightRows = 0;
  for (const { rows } of ofWidth(2)) {
    if (leftRows + rows <= freeRows) leftRows += rows;
    else if (rightRows + rows <= freeRows) rightRows += rows;
    else return false;
  }

  // 3. Place each variable of one column in the column with the least sufficient space.
  const room = [
    freeRows - leftRows,
    freeRows - leftRows,
    freeRows - rightRows,
    freeRows - rightRows,
  ];
  room.push(threeRows);
  for (const { rows } of ofWidth(1)) {
    let best = -1;
    room.forEach((available, index) => {
      if (available >= rows && (best < 0 || available < room[best]!)) best = index;
    });
    if (best < 0) return false;
    room[best]! -= rows;
  }
  return true;
}

/**
 * Whether variables of these types have at most the components of `maxVectors` vectors. Desktop
 * OpenGL counts components, and implementations pack them tightly.
 */
export function fitsIntoComponents(types: readonly GlslType[], maxVectors: number): boolean {
  const isCounted = (type: GlslType): boolean => shapesOf(type).length > 0;
  const count = types.filter(isCounted).reduce((sum, type) => sum + componentCount(type), 0);
  return count <= 4 * maxVectors;
}
