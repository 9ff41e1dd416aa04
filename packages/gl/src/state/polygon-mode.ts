import { GL } from '../api/constants.ts';
import { FIXED } from '../api/fixed-constants.ts';

/** Way to draw polygons: filled, as outlines, or as their corners. */
export type PolygonMode = 'fill' | 'line' | 'point';

/** Polygon modes by the enumerations of `glPolygonMode`. */
export const POLYGON_MODE_BY_ENUM: ReadonlyMap<number, PolygonMode> = new Map([
  [GL.FILL, 'fill'],
  [GL.LINE, 'line'],
  [FIXED.POINT, 'point'],
]);
