/**
 * Current raster position (OpenGL 2.1, section 2.13), at which bitmaps and pixel rectangles are
 * drawn.
 */
import { FIXED, LIGHT_COUNT } from '../../api/fixed-constants.ts';
import type { VertexArrayState } from '../../objects/vertex-arrays/vertex-array.ts';
import type { Capabilities } from '../capabilities.ts';
import { clampColor, clampUnit } from '../clamp-values.ts';
import type { RasterState } from '../raster-state.ts';
import type { FixedState } from './fixed-state.ts';
import { type Material, transform, type Vector3, type Vector4 } from './lighting-state.ts';
import { invert, type MatrixStacks } from './matrix-stacks.ts';
import { type LitColors, lightVertex, normalize } from './raster-lighting.ts';
import { FIXED_UNIT_COUNT } from './texture-environment.ts';

/** Position of bitmaps and pixel rectangles, with the data of their fragments. */
export interface RasterPosition {
  /** Window coordinates from the lower left, with a depth of 0 to 1. */
  readonly window: readonly [x: number, y: number, depth: number];
  /** Whether the position is inside the view volume. If not, nothing is drawn. */
  readonly isValid: boolean;
  readonly color: Vector4;
  readonly secondaryColor: Vector4;
  /** Texture coordinates by unit; `null` if they were generated, which is not simulated. */
  readonly coordinates: readonly (Vector4 | null)[];
}

/** State that the data of a raster position is computed from. */
export interface RasterPositionState {
  readonly matrices: MatrixStacks;
  readonly raster: RasterState;
  readonly fixed: FixedState;
  readonly capabilities: Capabilities;
  readonly vertexArrays: VertexArrayState;
}

/** Raster position of a new context. */
export const INITIAL_RASTER_POSITION: RasterPosition = {
  window: [0, 0, 0],
  isValid: true,
  color: [1, 1, 1, 1],
  secondaryColor: [0, 0, 0, 1],
  coordinates: new Array<Vector4>(FIXED_UNIT_COUNT).fill([0, 0, 0, 1]),
};

/** Projects a position in object coordinates to the window. */
export function projectRasterPosition(
  position: Vector4,
  state: RasterPositionState,
): RasterPosition {
  const { matrices, raster } = state;
  const eye = transform(matrices.modelView, position);
  const [x, y, z, w] = transform(matrices.projection, eye);
  const clipped = raster.isDepthClipped ? [x, y, z] : [x, y];
  const isValid = w > 0 && clipped.every((component) => Math.abs(component) <= w);
  if (!isValid) return { ...INITIAL_RASTER_POSITION, isValid };
  const { viewport, depthRange } = raster;
  const [near, far] = depthRange;
  const eye3: Vector3 = [eye[0] / eye[3], eye[1] / eye[3], eye[2] / eye[3]];
  const { primary, secondary } = colorsOf(eye3, state);
  return {
    window: [
      viewport.x + ((x / w + 1) / 2) * viewport.width,
      viewport.y + ((y / w + 1) / 2) * viewport.height,
      near + clampUnit((z / w + 1) / 2) * (far - near),
    ],
    isValid,
    color: primary,
    secondaryColor: secondary,
    coordinates: coordinatesOf(state),
  };
}

/** Returns a raster position in window coordinates, which lighting and matrices do not change. */
export function placeRasterPosition(
  window: RasterPosition['window'],
  { vertexArrays }: RasterPositionState,
): RasterPosition {
  return {
    window,
    isValid: true,
    color: clampColor(vertexArrays.currentValue('gl_Color')),
    secondaryColor: clampColor(vertexArrays.currentValue('gl_SecondaryColor')),
    coordinates: Array.from({ length: FIXED_UNIT_COUNT }, (_, unit) =>
      vertexArrays.currentValue(`gl_MultiTexCoord${unit}`),
    ),
  };
}

function colorsOf(eye: Vector3, state: RasterPositionState): LitColors {
  const { capabilities, fixed, matrices, vertexArrays } = state;
  const color = vertexArrays.currentValue('gl_Color');
  if (!capabilities.has(FIXED.LIGHTING)) {
    const secondary = clampColor(vertexArrays.currentValue('gl_SecondaryColor'));
    return { primary: clampColor(color), secondary };
  }
  const { values } = fixed.lighting;
  const isOn = (light: number) => capabilities.has(FIXED.LIGHT0 + light);
  const lights = values.lights.filter((_, light) => light < LIGHT_COUNT && isOn(light));
  const isTracked = capabilities.has(FIXED.COLOR_MATERIAL) && values.colorMaterialFace !== 'back';
  const material = isTracked ? withColor(values.front, values.colorMaterial, color) : values.front;
  return lightVertex({ eye, normal: normalOf(state, matrices), lights, material }, values);
}

function withColor(material: Material, tracked: string, color: Vector4): Material {
  return tracked === 'ambient-and-diffuse'
    ? { ...material, ambient: color, diffuse: color }
    : { ...material, [tracked]: color };
}

/** Returns the current normal in eye coordinates. */
function normalOf(
  { capabilities, vertexArrays }: RasterPositionState,
  { modelView }: MatrixStacks,
): Vector3 {
  const [x, y, z] = vertexArrays.currentValue('gl_Normal');
  const inverse = invert(modelView);
  const along = (column: number) =>
    x * inverse[column * 4]! + y * inverse[column * 4 + 1]! + z * inverse[column * 4 + 2]!;
  const normal: Vector3 = [along(0), along(1), along(2)];
  if (capabilities.has(FIXED.NORMALIZE)) return normalize(normal);
  if (!capabilities.has(FIXED.RESCALE_NORMAL)) return normal;
  const scale = 1 / Math.hypot(inverse[2]!, inverse[6]!, inverse[10]!);
  return [normal[0] * scale, normal[1] * scale, normal[2] * scale];
}

function coordinatesOf({
  capabilities,
  matrices,
  vertexArrays,
}: RasterPositionState): RasterPosition['coordinates'] {
  return Array.from({ length: FIXED_UNIT_COUNT }, (_, unit) => {
    const isGenerated = [0, 1, 2, 3].some((i) =>
      capabilities.hasUnit(FIXED.TEXTURE_GEN_S + i, unit),
    );
    if (isGenerated) return null;
    return transform(matrices.texture(unit), vertexArrays.currentValue(`gl_MultiTexCoord${unit}`));
  });
}
