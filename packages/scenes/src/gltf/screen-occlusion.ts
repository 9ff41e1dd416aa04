/**
 * Ambient occlusion by what the image shows. A pass draws depth and normals of the opaque surfaces,
 * one computes visibility, and two smooth it.
 */
import type { TextureBinding, UniformValue } from '@tessera/frame';
import type { FrameBuilder } from '../build/frame-builder.ts';
import { addCoveringPass, NEAREST } from '../lighting/covering-pass.ts';
import { coveringProgram } from '../lighting/cube-shaders.ts';
import { BoundingBox } from '../math/bounding-box.ts';
import { normalDraw } from './depth-draw.ts';
import { coveredRect } from './screen-region.ts';
import { depthUniforms, lensUniforms } from './shaders/common/view-position.ts';
import { SMOOTH_VISIBILITY_GLSL, VISIBILITY_GLSL } from './shaders/occlusion-shaders.ts';
import { clipUniforms, type SurfaceDraw } from './surface-draws.ts';
import { rotationOf, type View } from './view.ts';

/** Distance at which surfaces stop to occlude ÷ longest edge of the bounding box. */
const RADIUS_SHARE = 0.25;
/** Distance from a surface's plane at which texels are not part of it ÷ radius. */
const TOLERANCE_SHARE = 0.05;

/** Shader inputs of surfaces that what the image shows occludes. */
export interface ScreenOcclusion {
  readonly uniforms: Readonly<Record<string, UniformValue>>;
  readonly textures: Readonly<Record<string, TextureBinding>>;
}

/** Adds the passes. */
export function addScreenOcclusion(
  builder: FrameBuilder,
  opaque: readonly SurfaceDraw[],
  view: View,
  size: { readonly widthPx: number; readonly heightPx: number },
): ScreenOcclusion {
  const { widthPx, heightPx } = size;
  const edges = { widthPx, heightPx };
  const box = new BoundingBox();
  for (const draw of opaque) box.addBox(draw.box);
  const longest = box.isEmpty() ? 0 : Math.max(...box.max.map((max, i) => max - box.min[i]!));
  const region = coveredRect([box], view.viewProjection, size);
  const radius = Math.max(longest * RADIUS_SHARE, 1e-6);

  // 1. Draw depth and normals.
  const depthIndex = builder.addTarget({ format: 'depth24unorm-stencil8', ...edges });
  const normalIndex = builder.addTarget({ format: 'rgba16float', ...edges });
  const u_worldToView = rotationOf(view.viewMatrix);
  builder.addPass({
    target: {
      kind: 'images',
      colors: [{ textureIndex: normalIndex }],
      depthStencil: { textureIndex: depthIndex },
    },
    clear: { color: [0, 0, 0, 0], depth: 1, stencil: 0 },
    draws: opaque.map((surface) => {
      const draw = normalDraw(builder, surface);
      return {
        ...draw,
        uniforms: {
          ...draw.uniforms,
          ...clipUniforms(view.viewProjection, surface.toWorld),
          u_worldToView,
        },
      };
    }),
  });

  // 2. Compute visibility, and smooth it across and along.
  const map = { format: 'rg32float', ...edges } as const;
  const depth = depthUniforms(view.projectionMatrix);
  const lens = lensUniforms(view.projectionMatrix, widthPx, heightPx);
  const u_normal = { textureIndex: normalIndex, sampler: NEAREST };
  const noisy = builder.addTarget(map);
  const visibilityInputs = {
    uniforms: { ...depth, ...lens, u_radius: [radius] },
    textures: { u_depth: { textureIndex: depthIndex, sampler: NEAREST }, u_normal },
  };
  const image = { textureIndex: noisy };
  addCoveringPass(builder, map, image, coveringProgram(VISIBILITY_GLSL), visibilityInputs, region);
  let textureIndex = noisy;
  for (const step of [
    [1, 0],
    [0, 1],
  ]) {
    const smooth = builder.addTarget(map);
    const program = coveringProgram(SMOOTH_VISIBILITY_GLSL);
    const inputs = {
      uniforms: {
        ...lens,
        u_tolerance: [radius * TOLERANCE_SHARE],
        u_step: Int32Array.from(step),
      },
      textures: { u_visibility: { textureIndex, sampler: NEAREST }, u_normal },
    };
    addCoveringPass(builder, map, { textureIndex: smooth }, program, inputs, region);
    textureIndex = smooth;
  }
  return { uniforms: depth, textures: { u_visibility: { textureIndex, sampler: NEAREST } } };
}
