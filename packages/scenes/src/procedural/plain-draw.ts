/** Draws of the plain scenes: a mesh with {@link BLINN_PHONG_PROGRAM}. */
import {
  type BlendState,
  type Draw,
  defaultPipelineState,
  type PipelineState,
  type SamplerState,
} from '@tessera/frame';
import type { FrameBuilder } from '../build/frame-builder.ts';
import { lookAt, type Matrix4, multiplyMatrices, perspectiveMatrix } from '../math/matrix.ts';
import { normalizeVec3, type Vec3 } from '../math/vector.ts';
import { BLINN_PHONG_PROGRAM } from './blinn-phong-program.ts';
import type { MeshSources } from './mesh.ts';

/** Sampler that filters bilinearly, repeats and uses no mipmaps. */
export const BILINEAR_SAMPLER: SamplerState = Object.freeze({
  wrapS: 'repeat',
  wrapT: 'repeat',
  magFilter: 'linear',
  minFilter: 'linear',
  mipmapFilter: 'none',
});

/** Sampler that filters trilinearly and repeats. */
export const TRILINEAR_SAMPLER: SamplerState = Object.freeze({
  ...BILINEAR_SAMPLER,
  mipmapFilter: 'linear',
});

/** Blending of the source over the destination by the source's alpha. */
export const ALPHA_BLEND: BlendState = Object.freeze<BlendState>({
  isEnabled: true,
  color: { equation: 'add', source: 'src-alpha', destination: 'one-minus-src-alpha' },
  alpha: { equation: 'add', source: 'one', destination: 'one-minus-src-alpha' },
  constant: [0, 0, 0, 0],
});

/** Camera of a scene. */
export interface SceneCamera {
  readonly eye: Vec3;
  readonly target: Vec3;
  readonly tanHalfFovY: number;
  readonly near: number;
  readonly far: number;
}

/** Returns projection × view for an image of this size. */
export function cameraMatrix(camera: SceneCamera, widthPx: number, heightPx: number): Matrix4 {
  const { eye, target, tanHalfFovY, near, far } = camera;
  const projection = perspectiveMatrix(tanHalfFovY, widthPx / heightPx, near, far);
  return multiplyMatrices(projection, lookAt(eye, target, [0, 1, 0]));
}

/** Returns a state with depth test and depth writes; back faces are culled. */
export function opaqueState(widthPx: number, heightPx: number): PipelineState {
  return {
    ...defaultPipelineState(widthPx, heightPx),
    cullMode: 'back',
    depth: { isTestEnabled: true, isWriteEnabled: true, compare: 'less' },
  };
}

/** Returns an opaque draw with light from the upper right. */
export function plainDraw(
  builder: FrameBuilder,
  mesh: MeshSources,
  camera: SceneCamera,
  model: Matrix4,
  textureIndex: number,
  size: { readonly widthPx: number; readonly heightPx: number },
): Draw {
  return {
    ...mesh,
    programIndex: builder.addProgram(BLINN_PHONG_PROGRAM),
    instanceCount: 1,
    uniforms: {
      u_modelViewProjection: Float32Array.from(
        multiplyMatrices(cameraMatrix(camera, size.widthPx, size.heightPx), model),
      ),
      u_model: Float32Array.from(model),
      u_viewerPosition: Float32Array.from(camera.eye),
      u_toLight: Float32Array.from(normalizeVec3([0.5, 0.8, 0.3])),
      u_color: [1, 1, 1, 1],
    },
    textures: { u_texture: { textureIndex, sampler: BILINEAR_SAMPLER } },
    state: opaqueState(size.widthPx, size.heightPx),
  };
}
