/** Draws of the depth of surfaces, without color. */
import type { Draw, PipelineState } from '@tessera/frame';
import type { FrameBuilder } from '../build/frame-builder.ts';
import type { SurfaceFeatures } from './features/surface-features.ts';
import { surfaceProgram } from './shaders/surface-program.ts';
import type { SurfaceDraw } from './surface-draws.ts';

/** Returns the draw of a surface's depth, without its view. Only masked surfaces read a texture. */
export function depthDraw(
  builder: FrameBuilder,
  { draw, features }: SurfaceDraw,
  state: PipelineState,
): Draw {
  const isMasked = features.alphaMode === 'MASK';
  const { baseColor } = features.textures;
  const depthOnly: SurfaceFeatures = {
    ...features,
    full: null,
    isUnlit: true,
    hasNormals: false,
    hasTangents: false,
    hasColors: isMasked && features.hasColors,
    textures: isMasked && baseColor !== undefined ? { baseColor } : {},
    morphTarget: { ...features.morphTarget, hasNormal: false, hasTangent: false },
  };
  return {
    ...draw,
    programIndex: builder.addProgram(surfaceProgram(depthOnly)),
    textures: depthOnly.textures.baseColor
      ? { u_baseColorTexture: draw.textures.u_baseColorTexture! }
      : {},
    state,
  };
}
