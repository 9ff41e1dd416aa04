/** Cameras that show a whole model. */
import type { BoundingBox } from '../math/bounding-box.ts';
import { cos, sin, tan } from '../math/deterministic-math.ts';
import { lookAt, multiplyMatrices, perspectiveMatrix, transformPoint } from '../math/matrix.ts';
import { addVec3, normalizeVec3, scaleVec3, type Vec3 } from '../math/vector.ts';
import { type Framing, FULL_ORBIT, type Orbit, type View } from './view.ts';

/** Free space around the model, as a factor of the distance. */
const MARGIN = 1.05;

/** Camera of simple quality: from the front, slightly right and above, 45° high. */
const SIMPLE_DIRECTION: Vec3 = normalizeVec3([0.4, 0.3, 1]);
const SIMPLE_TAN_HALF_FOV = Math.SQRT2 - 1;

/**
 * Returns a camera that sees the whole box with a vertical angle of view of 45°.
 *
 * @param aspect Width ÷ height of the image.
 */
export function frameBox(box: BoundingBox, aspect: number, framing: Framing = {}): View {
  const center = framing.target ?? box.center();
  const direction = framing.orbit ? directionOf(framing.orbit) : SIMPLE_DIRECTION;
  const offsets = box.corners().map((corner) => addVec3(corner, scaleVec3(center, -1)));
  return framePoints(offsets, center, direction, SIMPLE_TAN_HALF_FOV, aspect, framing);
}

/** Angle of view of full quality, that of model-viewer. */
const FULL_TAN_HALF_FOV = tan(Math.PI / 12);
/** Number of points of a circle that stand for it. */
const RIM_POINTS = 32;

/** Extents of a model from an axis through a point. */
export interface Reach {
  /** Largest distance from the vertical axis. */
  readonly radius: number;
  /** Lowest and highest point relative to the point. */
  readonly bottom: number;
  readonly top: number;
}

/**
 * Returns a camera that sees the upright cylinder around a model with a vertical angle of view of
 * 30°. The model keeps its size when the camera moves around it.
 *
 * @param center Point that the camera looks at.
 * @param aspect Width ÷ height of the image.
 */
export function frameCylinder(
  { radius, bottom, top }: Reach,
  center: Vec3,
  aspect: number,
  framing: Framing = {},
): View {
  const direction = directionOf(framing.orbit ?? FULL_ORBIT);
  const [x, , z] = direction;
  const outside = radius / cos(Math.PI / RIM_POINTS) / Math.hypot(x, z);
  const rim = Array.from({ length: RIM_POINTS }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * i) / RIM_POINTS;
    const [along, across] = [cos(angle) * outside, sin(angle) * outside];
    return [x * along + z * across, z * along - x * across];
  });
  const offsets = [bottom, top].flatMap((y) => rim.map(([dx, dz]): Vec3 => [dx, y, dz]));
  return framePoints(offsets, center, direction, FULL_TAN_HALF_FOV, aspect, framing);
}

/** Returns a camera in a direction from a point that sees all offsets from that point. */
function framePoints(
  offsets: readonly Vec3[],
  center: Vec3,
  direction: Vec3,
  tanHalfFov: number,
  aspect: number,
  { orbit }: Framing,
): View {
  const turned = lookAt(direction, [0, 0, 0], [0, 1, 0]);
  const tanX = tanHalfFov * aspect;
  let distance = 0;
  let nearest = Number.NEGATIVE_INFINITY;
  let farthest = Number.POSITIVE_INFINITY;
  for (const offset of offsets) {
    // Here +z points toward the viewer, and the origin is one unit from the center.
    const [x, y, z] = transformPoint(turned, offset);
    const height = z + 1;
    distance = Math.max(distance, height + Math.abs(x) / tanX, height + Math.abs(y) / tanHalfFov);
    nearest = Math.max(nearest, height);
    farthest = Math.min(farthest, height);
  }
  distance *= MARGIN * (orbit?.distanceFactor ?? 1);
  if (!(distance > 0)) distance = 1; // the model is a single point
  const eye = addVec3(center, scaleVec3(direction, distance));
  // Half the free distance keeps the near plane away from the model; the depth buffer has at least
  // 24 bits.
  const near = Math.max((distance - nearest) / 2, distance / 1000);
  const far = Math.max((distance - farthest) * 1.1, near * 2);
  const viewMatrix = lookAt(eye, center, [0, 1, 0]);
  const projectionMatrix = perspectiveMatrix(tanHalfFov, aspect, near, far);
  return {
    viewMatrix,
    projectionMatrix,
    viewProjection: multiplyMatrices(projectionMatrix, viewMatrix),
    viewer: [...eye, 1],
  };
}

function directionOf({ azimuthDegrees, elevationDegrees }: Orbit): Vec3 {
  const azimuth = (azimuthDegrees * Math.PI) / 180;
  const elevation = (elevationDegrees * Math.PI) / 180;
  return [cos(elevation) * sin(azimuth), sin(elevation), cos(elevation) * cos(azimuth)];
}
