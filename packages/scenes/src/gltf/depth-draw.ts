/** Draws of the depth of surfaces without their color, and with their normals in its place. */
import type { Draw, PipelineState, ProgramSource } from '@tessera/frame';
import type { FrameBuilder } from '../build/frame-builder.ts';
import type { SurfaceFeatures } from './features/surface-features.ts';
import { normalProgram, surfaceProgram } from './shaders/surface-program.ts';
import type { SurfaceDraw } from './surface-draws.ts';

/** Returns the draw of a surface's depth, without its view. Only masked surfaces read a texture. */
export function depthDraw(builder: FrameBuilder, surface: SurfaceDraw, state: PipelineState): Draw {
  const features = { ...plainFeatures(surface), isUnlit: true };
  return replaceProgram(builder, surface, surfaceProgram(features), state);
}

/**
 * Returns the draw of a surface's depth and of the normals of its triangles in the space of the
 * camera, without its view.
 */
export function normalDraw(builder: FrameBuilder, surface: SurfaceDraw): Draw {
  const features = { ...plainFeatures(surface), isUnlit: false };
  return replaceProgram(builder, surface, normalProgram(features), surface.draw.state);
}

/** Returns the features that determine which texels a surface covers. */
function plainFeatures({ features }: SurfaceDraw): SurfaceFeatures {
  const isMasked = features.alphaMode === 'MASK';
  const { baseColor } = features.textures;
  return {
    ...features,
    full: null,
    hasNormals: false,
    hasTangents: false,
    hasColors: isMasked && features.hasColors,
    textures: isMasked && baseColor !== undefined ? { baseColor } : {},
    morphTarget: { ...features.morphTarget, hasNormal: false, hasTangent: false },
  };
}

function replaceProgram(
  builder: FrameBuilder,
  { draw, features }: SurfaceDraw,
  program: ProgramSource,
  state: PipelineState,
): Draw {
  const { u_baseColorTexture } = draw.textures;
  return {
    ...draw,
    programIndex: builder.addProgram(program),
    textures: features.alphaMode === 'MASK' && u_baseColorTexture ? { u_baseColorTexture } : {},
    state,
  };
}
