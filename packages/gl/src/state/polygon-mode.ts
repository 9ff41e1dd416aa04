import type { PolygonMode } from '@tessera/frame';
import { GL } from '../api/constants.ts';
import { FIXED } from '../api/fixed-constants.ts';

/** Ways to draw polygons, by facing. */
export interface PolygonModes {
  readonly front: PolygonMode;
  readonly back: PolygonMode;
}

/** Modes of polygons that are filled. */
export const FILLED: PolygonModes = { front: 'fill', back: 'fill' };

/** Polygon modes by the enumerations of `glPolygonMode`. */
export const POLYGON_MODE_BY_ENUM: ReadonlyMap<number, PolygonMode> = new Map([
  [GL.FILL, 'fill'],
  [GL.LINE, 'line'],
  [FIXED.POINT, 'point'],
]);

/** Returns whether polygons of both facings are filled. */
export function areFilled({ front, back }: PolygonModes): boolean {
  return front === 'fill' && back === 'fill';
}

/** Kind of primitives that rasterization distinguishes. */
export type PrimitiveKind = 'points' | 'lines' | 'polygons';

const KIND_BY_POLYGON_MODE = { fill: 'polygons', line: 'lines', point: 'points' } as const;

/** Returns the kinds of primitives that polygons, or lines or points, are rasterized as. */
export function kindsOf(kind: PrimitiveKind, { front, back }: PolygonModes): Set<PrimitiveKind> {
  if (kind !== 'polygons') return new Set([kind]);
  return new Set([KIND_BY_POLYGON_MODE[front], KIND_BY_POLYGON_MODE[back]]);
}
