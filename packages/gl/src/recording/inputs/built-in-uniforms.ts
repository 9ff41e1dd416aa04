/**
 * Uniforms that the context provides: built-in uniforms (OpenGL Shading Language 1.10, section 7.5)
 * and uniforms of generated shaders.
 */
import type { FixedState } from '../../state/fixed/fixed-state.ts';
import type { Light, LightingValues, Material, Vector4 } from '../../state/fixed/lighting-state.ts';
import {
  invert,
  type Matrix4,
  type MatrixStacks,
  multiply,
  transpose,
} from '../../state/fixed/matrix-stacks.ts';
import { FIXED_UNIT_COUNT } from '../../state/fixed/texture-environment.ts';
import type { RasterState } from '../../state/raster-state.ts';

/** State that built-in uniforms are computed from. */
export interface BuiltInState {
  readonly matrices: MatrixStacks;
  readonly raster: RasterState;
  readonly fixed: FixedState;
}

const MATRIX_NAME = /^gl_(ModelView|Projection|ModelViewProjection)Matrix(Inverse)?(Transpose)?$/;
const TEXTURE_MATRIX_NAME = /^gl_TextureMatrix(Inverse)?(Transpose)?\[0\]$/;
const PLANE_NAME = /^gl_(Eye|Object)Plane([STRQ])\[0\]$/;
const MATERIAL_NAME = /^gl_(Front|Back)Material\.(\w+)$/;
const LIGHT_NAME = /^gl_LightSource\[(\d+)\]\.(\w+)$/;
const PRODUCT_NAME = /^gl_(Front|Back)LightProduct\[(\d+)\]\.(ambient|diffuse|specular)$/;
const LOD_BIAS_NAME = /^tessera_LodBias(\d)$/;

/** Returns the value of a built-in uniform by its reflected name, or `null` for an unknown name. */
export function readBuiltInUniform(name: string, state: BuiltInState): readonly number[] | null {
  return (
    readScalar(name, state) ??
    readMatrix(name, state.matrices) ??
    readLighting(name, state.fixed.lighting.values) ??
    readTexturing(name, state)
  );
}

function readScalar(name: string, { raster, fixed, matrices }: BuiltInState): number[] | null {
  const { fog, points } = fixed;
  const [near, far] = raster.depthRange;
  switch (name) {
    case 'gl_DepthRange.near':
      return [near];
    case 'gl_DepthRange.far':
      return [far];
    case 'gl_DepthRange.diff':
      return [far - near];
    case 'gl_Fog.color':
      return [...fog.color];
    case 'gl_Fog.density':
      return [fog.density];
    case 'gl_Fog.start':
      return [fog.start];
    case 'gl_Fog.end':
      return [fog.end];
    case 'gl_Fog.scale':
      return [1 / (fog.end - fog.start)];
    case 'gl_Point.size':
      return [points.sizePx];
    case 'gl_Point.sizeMin':
      return [points.minPx];
    case 'gl_Point.sizeMax':
      return [points.maxPx];
    case 'gl_Point.fadeThresholdSize':
      return [points.fadeThresholdPx];
    case 'gl_Point.distanceConstantAttenuation':
      return [points.attenuation[0]];
    case 'gl_Point.distanceLinearAttenuation':
      return [points.attenuation[1]];
    case 'gl_Point.distanceQuadraticAttenuation':
      return [points.attenuation[2]];
    case 'gl_ClipPlane[0]':
      return fixed.clipPlanes.flat();
    case 'gl_NormalScale': {
      const inverse = invert(matrices.modelView);
      return [1 / Math.hypot(inverse[2]!, inverse[6]!, inverse[10]!)];
    }
    case 'tessera_LineWidth':
      return [raster.lineWidthPx];
    case 'tessera_LineStipple[0]':
      return Array.from({ length: 16 }, (_, bit) => (raster.lineStipple.pattern >> bit) & 1);
    case 'tessera_LineStippleFactor':
      return [raster.lineStipple.factor];
    case 'tessera_AlphaReference':
      return [fixed.alphaTest.reference];
    default:
      return null;
  }
}

function readMatrix(name: string, matrices: MatrixStacks): readonly number[] | null {
  if (name === 'gl_NormalMatrix') return upperLeft(transpose(invert(matrices.modelView)));
  const [, which, isInverse, isTransposed] = MATRIX_NAME.exec(name) ?? [];
  if (which === undefined) {
    const [found, isTextureInverse, isTextureTransposed] = TEXTURE_MATRIX_NAME.exec(name) ?? [];
    if (found === undefined) return null;
    return Array.from({ length: FIXED_UNIT_COUNT }, (_, unit) =>
      formOf(matrices.texture(unit), isTextureInverse, isTextureTransposed),
    ).flat();
  }
  const { modelView, projection } = matrices;
  let matrix = which === 'ModelView' ? modelView : projection;
  if (which === 'ModelViewProjection') matrix = multiply(projection, modelView);
  return formOf(matrix, isInverse, isTransposed);
}

function formOf(
  matrix: Matrix4,
  isInverse: string | undefined,
  isTransposed: string | undefined,
): Matrix4 {
  const form = isInverse === undefined ? matrix : invert(matrix);
  return isTransposed === undefined ? form : transpose(form);
}

function readLighting(name: string, values: LightingValues): readonly number[] | null {
  const { lights, front, back, modelAmbient } = values;
  if (name === 'gl_LightModel.ambient') return modelAmbient;
  if (name === 'gl_FrontLightModelProduct.sceneColor') return sceneColor(front, modelAmbient);
  if (name === 'gl_BackLightModelProduct.sceneColor') return sceneColor(back, modelAmbient);
  const [, face, color] = MATERIAL_NAME.exec(name) ?? [];
  if (face !== undefined) return readMaterial(face === 'Front' ? front : back, color!);
  const [, number, member] = LIGHT_NAME.exec(name) ?? [];
  if (number !== undefined) return readLight(lights[Number(number)]!, member!);
  const [, side, index, product] = PRODUCT_NAME.exec(name) ?? [];
  if (side === undefined) return null;
  const key = product as 'ambient' | 'diffuse' | 'specular';
  const material = side === 'Front' ? front : back;
  return product4(material[key], lights[Number(index)]![key]);
}

function readMaterial(material: Material, member: string): readonly number[] | null {
  switch (member) {
    case 'shininess':
      return [material.shininess];
    case 'ambient':
    case 'diffuse':
    case 'specular':
    case 'emission':
      return material[member];
    default:
      return null;
  }
}

function readLight(light: Light, member: string): readonly number[] | null {
  switch (member) {
    case 'ambient':
    case 'diffuse':
    case 'specular':
    case 'position':
    case 'spotDirection':
      return light[member];
    case 'spotExponent':
    case 'spotCutoff':
      return [light[member]];
    case 'halfVector': {
      const [x, y, z] = light.position;
      const length = Math.hypot(x, y, z) || 1;
      const half: readonly number[] = [x / length, y / length, z / length + 1];
      const halfLength = Math.hypot(...half) || 1;
      return [...half.map((component) => component / halfLength), 1];
    }
    case 'spotCosCutoff':
      return [Math.cos((light.spotCutoff * Math.PI) / 180)];
    case 'constantAttenuation':
      return [light.attenuation[0]];
    case 'linearAttenuation':
      return [light.attenuation[1]];
    case 'quadraticAttenuation':
      return [light.attenuation[2]];
    default:
      return null;
  }
}

function sceneColor(material: Material, modelAmbient: Vector4): number[] {
  const ambient = product4(material.ambient, modelAmbient);
  return [0, 1, 2, 3].map((i) =>
    i === 3 ? material.diffuse[3] : material.emission[i]! + ambient[i]!,
  );
}

function product4(a: Vector4, b: Vector4): number[] {
  return a.map((component, i) => component * b[i]!);
}

function readTexturing(name: string, { fixed }: BuiltInState): readonly number[] | null {
  const { units } = fixed.environment;
  if (name === 'gl_TextureEnvColor[0]') return units.flatMap(({ color }) => color);
  const [, space, axis] = PLANE_NAME.exec(name) ?? [];
  if (space !== undefined) {
    const index = 'STRQ'.indexOf(axis!);
    return units.flatMap(({ texgen }) => {
      const { eyePlane, objectPlane } = texgen[index]!;
      return space === 'Eye' ? eyePlane : objectPlane;
    });
  }
  const [, unit] = LOD_BIAS_NAME.exec(name) ?? [];
  return unit === undefined ? null : [units[Number(unit)]!.lodBias];
}

function upperLeft(matrix: Matrix4): number[] {
  return [0, 1, 2].flatMap((column) => matrix.slice(column * 4, column * 4 + 3));
}
