/** View of one of a model's own cameras. */
import { RenderError } from '@tessera/frame';
import { tan } from '../math/deterministic-math.ts';
import {
  multiplyMatrices,
  orthographicMatrix,
  perspectiveMatrix,
  viewFromCameraMatrix,
} from '../math/matrix.ts';
import { normalizeVec3 } from '../math/vector.ts';
import type { Pose } from './pose.ts';
import type { Model } from './read-model.ts';
import type { View } from './view.ts';

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
