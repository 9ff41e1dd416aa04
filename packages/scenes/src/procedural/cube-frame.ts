/** A textured cube: the smallest scene with perspective, depth, culling and filtering. */
import type { Frame } from '@tessera/frame';
import { FrameBuilder } from '../build/frame-builder.ts';
import { IDENTITY } from '../math/matrix.ts';
import { checkerTexel, makeTexture } from './made-texture.ts';
import { addMesh, makeCube } from './mesh.ts';
import { plainDraw, type SceneCamera } from './plain-draw.ts';

/** Size of the image. */
export interface SceneSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

const CAMERA: SceneCamera = {
  eye: [2.4, 2, 3.4],
  target: [0, 0, 0],
  tanHalfFovY: 0.42,
  near: 0.5,
  far: 20,
};

/** Returns a frame with one draw of 12 triangles; three faces are visible. */
export function cubeFrame({ widthPx, heightPx }: SceneSize): Frame {
  const builder = new FrameBuilder();
  const textureIndex = builder.addTexture(
    makeTexture(64, 'rgba8unorm', false, checkerTexel(8, [230, 120, 60, 255], [70, 90, 160, 255])),
  );
  const mesh = addMesh(builder, makeCube());
  builder.addDraw(plainDraw(builder, mesh, CAMERA, IDENTITY, textureIndex, { widthPx, heightPx }));
  return builder.build(widthPx, heightPx, { color: [0.1, 0.11, 0.13, 1], depth: 1, stencil: 0 });
}
