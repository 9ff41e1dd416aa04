/** Passes that draw every texel of one image of a texture. */
import {
  type Draw,
  defaultPipelineState,
  levelSizeOf,
  type Pass,
  type ProgramSource,
  type RectPx,
  type SamplerState,
  type TextureBinding,
  type TextureImage,
} from '@tessera/frame';
import type { FrameBuilder, TargetTexture } from '../build/frame-builder.ts';

/** Sampler that filters a single level linearly. */
export const ONE_LEVEL: SamplerState = {
  wrapS: 'clamp-to-edge',
  wrapT: 'clamp-to-edge',
  magFilter: 'linear',
  minFilter: 'linear',
  mipmapFilter: 'none',
};

/** Sampler of the nearest texel of a single level. */
export const NEAREST: SamplerState = {
  ...ONE_LEVEL,
  magFilter: 'nearest',
  minFilter: 'nearest',
};

/** Sampler that filters within and between levels. */
export const ALL_LEVELS: SamplerState = { ...ONE_LEVEL, mipmapFilter: 'linear' };

/** Returns the binding of one level of a texture, which lookups treat as level 0. */
export function oneLevelOf(textureIndex: number, level: number): TextureBinding {
  return { textureIndex, sampler: { ...ONE_LEVEL, baseLevel: level, maxLevel: level } };
}

/** Shader inputs of a covering pass. */
export type CoveringInputs = Pick<Draw, 'uniforms' | 'textures'>;

/** Returns the draw with pixels only in a rectangle. */
export function within(draw: Draw, scissor: RectPx): Draw {
  return { ...draw, state: { ...draw.state, scissor } };
}

/**
 * Adds a pass over an image of a target of the builder.
 *
 * @param part Part of the image that is drawn; by default all of it. The rest is 0.
 */
export function addCoveringPass(
  builder: FrameBuilder,
  target: TargetTexture,
  image: TextureImage,
  program: ProgramSource,
  inputs: CoveringInputs,
  part: RectPx | null = null,
): void {
  const { widthPx, heightPx } = levelSizeOf(target, image.level ?? 0);
  const draw = coveringDraw(builder, program, inputs, widthPx, heightPx);
  builder.addPass({
    target: { kind: 'images', colors: [image], depthStencil: null },
    clear: { color: [0, 0, 0, 0], depth: 1, stencil: 0 },
    draws: [part === null ? draw : within(draw, part)],
  } satisfies Pass);
}

/** Returns a draw of one triangle that covers a target of this size, without depth. */
export function coveringDraw(
  builder: FrameBuilder,
  program: ProgramSource,
  { uniforms, textures }: CoveringInputs,
  widthPx: number,
  heightPx: number,
): Draw {
  const state = defaultPipelineState(widthPx, heightPx);
  return {
    programIndex: builder.addProgram(program),
    topology: 'triangles',
    first: 0,
    count: 3,
    indices: null,
    instanceCount: 1,
    attributes: {},
    uniforms,
    textures,
    state: {
      ...state,
      cullMode: 'none',
      depth: { isTestEnabled: false, isWriteEnabled: false, compare: 'always' },
    },
  };
}
