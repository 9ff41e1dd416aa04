/**
 * Fixed-function state returned by `getParameter` on the desktop (OpenGL 2.1, tables 6.5 to 6.18).
 */
import { GL } from '../api/constants.ts';
import { CLIP_PLANE_COUNT, FIXED, LIGHT_COUNT } from '../api/fixed-constants.ts';
import { RASTER_ENUMS } from '../api/raster-enums.ts';
import {
  MAX_MATRIX_DEPTH,
  MAX_TEXTURE_MATRIX_DEPTH,
  transpose,
} from '../state/fixed/matrix-stacks.ts';
import { FIXED_UNIT_COUNT } from '../state/fixed/texture-environment.ts';
import type { ParameterReader } from './parameter-state.ts';

const FOG_MODES = { linear: GL.LINEAR, exp: FIXED.EXP, exp2: FIXED.EXP2 };
const FOG_DISTANCES = {
  radial: FIXED.EYE_RADIAL,
  plane: FIXED.EYE_PLANE,
  'absolute-plane': FIXED.EYE_PLANE_ABSOLUTE,
};
const POLYGON_MODES = { fill: GL.FILL, line: GL.LINE, point: FIXED.POINT };

const current =
  (name: string, count: number): ParameterReader =>
  ({ vertexArrays }) =>
    vertexArrays.currentValue(name).slice(0, count);

/** Readers of fixed-function state, by enumeration. */
export const FIXED_READERS: readonly (readonly [number, ParameterReader])[] = [
  // Current values.
  [0x0b00, current('gl_Color', 4)],
  [0x0b02, current('gl_Normal', 3)],
  [
    0x0b03,
    ({ vertexArrays, textures }) =>
      vertexArrays.currentValue(`gl_MultiTexCoord${textures.activeUnit}`),
  ],
  [0x8453, ({ vertexArrays }) => vertexArrays.currentValue('gl_FogCoord')[0]],
  [0x8459, current('gl_SecondaryColor', 4)],
  // Matrices.
  [0x0ba0, ({ matrices }) => matrices.mode],
  [0x0ba3, ({ matrices }) => matrices.depth(GL.MODELVIEW)],
  [0x0ba4, ({ matrices }) => matrices.depth(GL.PROJECTION)],
  [0x0ba5, ({ matrices }) => matrices.depth(GL.TEXTURE)],
  [0x0ba6, ({ matrices }) => matrices.modelView],
  [0x0ba7, ({ matrices }) => matrices.projection],
  [0x0ba8, ({ matrices, textures }) => matrices.texture(textures.activeUnit)],
  [0x84e3, ({ matrices }) => transpose(matrices.modelView)],
  [0x84e4, ({ matrices }) => transpose(matrices.projection)],
  [0x84e5, ({ matrices, textures }) => transpose(matrices.texture(textures.activeUnit))],
  // Lighting, fog, points, polygons.
  [FIXED.LIGHT_MODEL_AMBIENT, ({ fixed }) => fixed.lighting.values.modelAmbient],
  [FIXED.LIGHT_MODEL_LOCAL_VIEWER, ({ fixed }) => fixed.lighting.values.isLocalViewer],
  [FIXED.LIGHT_MODEL_TWO_SIDE, ({ fixed }) => fixed.lighting.values.isTwoSided],
  [
    FIXED.LIGHT_MODEL_COLOR_CONTROL,
    ({ fixed }) =>
      fixed.lighting.values.isSpecularSeparate ? FIXED.SEPARATE_SPECULAR_COLOR : FIXED.SINGLE_COLOR,
  ],
  [FIXED.SHADE_MODEL, ({ fixed }) => (fixed.lighting.values.isFlat ? FIXED.FLAT : FIXED.SMOOTH)],
  [FIXED.FOG_DENSITY, ({ fixed }) => fixed.fog.density],
  [FIXED.FOG_START, ({ fixed }) => fixed.fog.start],
  [FIXED.FOG_END, ({ fixed }) => fixed.fog.end],
  [FIXED.FOG_MODE, ({ fixed }) => FOG_MODES[fixed.fog.mode]],
  [FIXED.FOG_COLOR, ({ fixed }) => fixed.fog.color],
  [FIXED.FOG_DISTANCE_MODE, ({ fixed }) => FOG_DISTANCES[fixed.fog.distance]],
  [0x0b11, ({ fixed }) => fixed.points.sizePx],
  [FIXED.POINT_SIZE_MIN, ({ fixed }) => fixed.points.minPx],
  [FIXED.POINT_SIZE_MAX, ({ fixed }) => fixed.points.maxPx],
  [FIXED.POINT_DISTANCE_ATTENUATION, ({ fixed }) => fixed.points.attenuation],
  [
    0x0b40,
    ({ raster }) => [
      POLYGON_MODES[raster.polygonModes.front],
      POLYGON_MODES[raster.polygonModes.back],
    ],
  ],
  // Fragments.
  [0x0bc1, ({ fixed }) => RASTER_ENUMS.compare.enumOf(fixed.alphaTest.compare)],
  [0x0bc2, ({ fixed }) => fixed.alphaTest.reference],
  [0x0bf0, ({ raster }) => raster.logicOperation],
  [0x0b32, ({ fixedFunctions }) => fixedFunctions.lists.base],
  // Limits.
  [0x0d31, () => LIGHT_COUNT],
  [0x0d32, () => CLIP_PLANE_COUNT],
  [0x0d36, () => MAX_MATRIX_DEPTH],
  [0x0d38, () => MAX_MATRIX_DEPTH],
  [0x0d39, () => MAX_TEXTURE_MATRIX_DEPTH],
  [0x84e2, () => FIXED_UNIT_COUNT],
  [0x8871, () => FIXED_UNIT_COUNT],
];
