/** A checkered floor that extends to the horizon: the scene for texture filtering. */
import type { Frame, SamplerState } from '@tessera/frame';
import { FrameBuilder } from '../build/frame-builder.ts';
import { IDENTITY } from '../math/matrix.ts';
import type { SceneSize } from './cube-frame.ts';
import { checkerTexel, makeTexture } from './made-texture.ts';
import { addMesh, makeFloor } from './mesh.ts';
import { plainDraw, type SceneCamera, TRILINEAR_SAMPLER } from './plain-draw.ts';

/** Size of the image and sampler of the floor. */
export interface TexturedQuadOptions extends SceneSize {
  /** Sampler; trilinear and repeated by default. */
  readonly sampler?: SamplerState;
}

const HALF_EDGE = 20;
const REPEATS = 40;
const CAMERA: SceneCamera = {
  eye: [0.3, 1.2, 6],
  target: [0, 0.4, 0],
  tanHalfFovY: 0.5,
  near: 0.1,
  far: 100,
};

/** Returns a frame with one draw of two triangles. */
export function texturedQuadFrame(options: TexturedQuadOptions): Frame {
  const { widthPx, heightPx, sampler = TRILINEAR_SAMPLER } = options;
  const builder = new FrameBuilder();
  const checks = checkerTexel(16, [240, 240, 235, 255], [40, 60, 90, 255]);
  const hasMipmaps = sampler.mipmapFilter !== 'none';
  const textureIndex = builder.addTexture(makeTexture(64, 'rgba8unorm', hasMipmaps, checks));
  const mesh = addMesh(builder, makeFloor(HALF_EDGE, 1, REPEATS));
  builder.addDraw({
    ...plainDraw(builder, mesh, CAMERA, IDENTITY, textureIndex, { widthPx, heightPx }),
    textures: { u_texture: { textureIndex, sampler } },
  });
  return builder.build(widthPx, heightPx, { color: [0.6, 0.7, 0.8, 1], depth: 1, stencil: 0 });
}
