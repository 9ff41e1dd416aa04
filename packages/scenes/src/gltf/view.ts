/** Cameras of models, as options and as matrices. */
import type { Matrix4 } from '../math/matrix.ts';
import type { Vec3 } from '../math/vector.ts';

/** View and projection of a camera. */
export interface View {
  readonly viewMatrix: Matrix4;
  readonly projectionMatrix: Matrix4;
  readonly viewProjection: Matrix4;
  /** Position of the viewer and 1, or direction toward a viewer at infinity and 0. */
  readonly viewer: readonly [number, number, number, number];
}

/** Place of a camera around a model. */
export interface Orbit {
  /** Angle around +y from +z toward +x, in degrees. */
  readonly azimuthDegrees: number;
  /** Angle above the horizon, −89 to 89 degrees. */
  readonly elevationDegrees: number;
  /** Distance as a factor of the one from which the camera sees the whole model. */
  readonly distanceFactor: number;
}

/** Place of the camera in full quality, that of model-viewer. */
export const FULL_ORBIT: Orbit = { azimuthDegrees: 0, elevationDegrees: 15, distanceFactor: 1 };

/** Changes to the camera that frames a model. */
export interface Framing {
  readonly orbit?: Orbit | null | undefined;
  /** Point that the camera looks at; by default the center of the model. */
  readonly target?: Vec3 | null | undefined;
}

/** Returns the rotation of a view matrix, in column-major order. */
export function rotationOf(m: Matrix4): Float32Array {
  return Float32Array.of(m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]);
}
