/** View of a model: one of its own cameras, or one that frames its bounding box. */
import { RenderError } from '@tessera/frame';
import type { BoundingBox } from '../math/bounding-box.ts';
import { cos, sin, tan } from '../math/deterministic-math.ts';
import {
  lookAt,
  multiplyMatrices,
  orthographicMatrix,
  perspectiveMatrix,
  transformPoint,
  viewFromCameraMatrix,
} from '../math/matrix.ts';
import { addVec3, normalizeVec3, scaleVec3, type Vec3 } from '../math/vector.ts';
import type { Pose } from './pose.ts';
import type { Model } from './read-model.ts';
import type { Framing, Orbit, View } from './view.ts';

/** Direction from the model to the framing camera: from the front, slightly right and above. */
const FRAMING_DIRECTION: Vec3 = normalizeVec3([0.4, 0.3, 1]);
/** tan(45° / 2). */
const FRAMING_TAN_HALF_FOV = Math.SQRT2 - 1;
/** Free space around the model, as a factor of the distance. */
const FRAMING_MARGIN = 1.05;

/**
 * Returns a camera that sees the whole box with a vertical angle of view of 45°.
 *
 * @param aspect Width ÷ height of the image.
 */
export function frameBox(box: BoundingBox, aspect: number, framing: Framing = {}): View {
  const center = framing.target ?? box.center();
  const direction = framing.orbit ? directionOf(framing.orbit) : FRAMING_DIRECTION;
  const turned = lookAt(direction, [0, 0, 0], [0, 1, 0]);
  const tanX = FRAMING_TAN_HALF_FOV * aspect;
  let distance = 0;
  let nearest = Number.NEGATIVE_INFINITY;
  let farthest = Number.POSITIVE_INFINITY;
  for (const corner of box.corners()) {
    // Here +z points toward the viewer, and the origin is one unit from the center.
    const [x, y, z] = transformPoint(turned, addVec3(corner, scaleVec3(center, -1)));
    const height = z + 1;
    distance = Math.max(
      distance,
      height + Math.abs(x) / tanX,
      height + Math.abs(y) / FRAMING_TAN_HALF_FOV,
    );
    nearest = Math.max(nearest, height);
    farthest = Math.min(farthest, height);
  }
  distance *= FRAMING_MARGIN * (framing.orbit?.distanceFactor ?? 1);
  if (!(distance > 0)) distance = 1; // the model is a single point
  const eye = addVec3(center, scaleVec3(direction, distance));
  // Half the free distance keeps the near plane away from the model; the depth buffer has at least
  // 24 bits.
  const near = Math.max((distance - nearest) / 2, distance / 1000);
  const far = (distance - farthest) * 1.1;
  const viewMatrix = lookAt(eye, center, [0, 1, 0]);
  const projectionMatrix = perspectiveMatrix(
    FRAMING_TAN_HALF_FOV,
    aspect,
    near,
    Math.max(far, near * 2),
  );
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

/**
 * Returns the view of the model's camera `cameraIndex`. Its vertical extent is kept; the horizontal
 * one follows the image.
 *
 * @throws {RenderError} REQUEST_INVALID if the scene has no such camera.
 */
export function viewOfCamera(model: Model, pose: Pose, cameraIndex: number, aspect: number): View {
  const cameras = model.root.listCameras();
  const camera = cameras[cameraIndex];
  if (camera === undefined) {
    throw new RenderError(
      'REQUEST_INVALID',
      `camera: ${cameraIndex} does not exist; the model has ${cameras.length} cameras`,
    );
  }
  const [, world] = [...pose.worldMatrices].find(([node]) => node.getCamera() === camera) ?? [];
  if (world === undefined) {
    throw new RenderError(
      'REQUEST_INVALID',
      `camera: ${cameraIndex} is not attached to a node of the scene`,
    );
  }
  const viewMatrix = viewFromCameraMatrix(world);
  const near = camera.getZNear();
  const far = camera.getZFar();
  if (camera.getType() === 'perspective') {
    const limit = far === Number.POSITIVE_INFINITY ? null : far;
    const projectionMatrix = perspectiveMatrix(tan(camera.getYFov() / 2), aspect, near, limit);
    return {
      viewMatrix,
      projectionMatrix,
      viewProjection: multiplyMatrices(projectionMatrix, viewMatrix),
      viewer: [world[12], world[13], world[14], 1],
    };
  }
  const ymag = camera.getYMag();
  const projectionMatrix = orthographicMatrix(ymag * aspect, ymag, near, far);
  const towardsViewer = normalizeVec3([world[8], world[9], world[10]]);
  return {
    viewMatrix,
    projectionMatrix,
    viewProjection: multiplyMatrices(projectionMatrix, viewMatrix),
    viewer: [...towardsViewer, 0],
  };
}
