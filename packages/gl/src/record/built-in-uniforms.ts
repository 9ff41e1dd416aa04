/** Uniforms that GLSL declares by itself and the context fills (OpenGL Shading Language 1.10, section 7.5). */
import {
  invert,
  type Matrix4,
  type MatrixStacks,
  multiply,
  transpose,
} from '../state/matrix-stacks.ts';
import type { RasterState } from '../state/raster-state.ts';

const MATRIX_NAME = /^gl_(ModelView|Projection|ModelViewProjection)Matrix(Inverse)?(Transpose)?$/;

/** The value of a built-in uniform by its reflected name; `null` for those that this context does not keep. */
export function readBuiltInUniform(
  name: string,
  matrices: MatrixStacks,
  raster: RasterState,
): readonly number[] | null {
  const [near, far] = raster.depthRange;
  switch (name) {
    case 'gl_DepthRange.near':
      return [near];
    case 'gl_DepthRange.far':
      return [far];
    case 'gl_DepthRange.diff':
      return [far - near];
    case 'gl_NormalMatrix':
      return upperLeft(transpose(invert(matrices.modelView)));
    case 'gl_TextureMatrix[0]':
      return matrices.textures;
    default:
      return readMatrix(name, matrices);
  }
}

function readMatrix(name: string, { modelView, projection }: MatrixStacks): Matrix4 | null {
  const [, which, isInverse, isTransposed] = MATRIX_NAME.exec(name) ?? [];
  if (which === undefined) return null;
  let matrix = which === 'ModelView' ? modelView : projection;
  if (which === 'ModelViewProjection') matrix = multiply(projection, modelView);
  if (isInverse !== undefined) matrix = invert(matrix);
  return isTransposed === undefined ? matrix : transpose(matrix);
}

function upperLeft(matrix: Matrix4): number[] {
  return [0, 1, 2].flatMap((column) => matrix.slice(column * 4, column * 4 + 3));
}
