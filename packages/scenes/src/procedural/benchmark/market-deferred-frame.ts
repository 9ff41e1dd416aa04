/**
 * A square at night in the light of many lamps, by deferred lighting: surfaces to three color
 * targets, all lamps for every pixel, glow at a quarter of the size in three passes, tone mapping.
 */
import type { Frame, ProgramSource, TextureBinding } from '@tessera/frame';
import { FrameBuilder, type TargetTexture } from '../../build/frame-builder.ts';
import {
  addCoveringPass,
  type CoveringInputs,
  coveringDraw,
  NEAREST,
  ONE_LEVEL,
} from '../../lighting/covering-pass.ts';
import { composeMatrix, invertMatrix, multiplyMatrices } from '../../math/matrix.ts';
import type { SceneSize } from '../cube-frame.ts';
import { makeTexture, type TexelFunction } from '../made-texture.ts';
import { addMesh } from '../mesh.ts';
import { hashGridPoint, valueNoise } from '../noise.ts';
import { cameraMatrix, opaqueState, type SceneCamera, TRILINEAR_SAMPLER } from '../plain-draw.ts';
import {
  BLUR_PROGRAM,
  BRIGHT_PROGRAM,
  LIGHTING_PROGRAM,
  MAX_LIGHTS,
  SURFACE_PROGRAM,
  TONE_PROGRAM,
} from './deferred-programs.ts';
import { MARKET_MATERIALS, type Market, type MarketMaterial, makeMarket } from './lit-market.ts';

/** Size, seed and number of lamps. */
export interface MarketOptions extends SceneSize {
  readonly seed: number;
  /** Number of lamps, 1 to 96. */
  readonly lights: number;
}

const CAMERA: SceneCamera = {
  eye: [-3.5, 5.2, 24],
  target: [1.5, 0.6, 0],
  tanHalfFovY: 0.52,
  near: 0.3,
  far: 120,
};
const BRIGHTNESS = 10;
const EMPTY = { color: [0, 0, 0, 0], depth: 1, stencil: 0 } as const;

/** Returns a frame of six passes, the last one to the screen. */
export function marketDeferredFrame(options: MarketOptions): Frame {
  const { widthPx, heightPx, seed, lights } = options;
  const builder = new FrameBuilder();
  const market = makeMarket(seed, Math.min(lights, MAX_LIGHTS));
  const target = (format: TargetTexture['format'], divisor = 1) => {
    const size = {
      widthPx: Math.max(1, Math.floor(widthPx / divisor)),
      heightPx: Math.max(1, Math.floor(heightPx / divisor)),
    };
    const texture: TargetTexture = { format, ...size };
    return { texture, textureIndex: builder.addTarget(texture) };
  };
  const albedo = target('rgba8unorm');
  const normal = target('rgba8unorm');
  const emitted = target('rg11b10ufloat');
  const depth = target('depth24unorm-stencil8');
  const viewProjection = cameraMatrix(CAMERA, widthPx, heightPx);
  addSurfacePass(builder, options, market, {
    colors: [albedo, normal, emitted].map(({ textureIndex }) => ({ textureIndex })),
    depthStencil: { textureIndex: depth.textureIndex },
  });
  const cover = (
    { texture, textureIndex }: ReturnType<typeof target>,
    program: ProgramSource,
    inputs: CoveringInputs,
  ) => addCoveringPass(builder, texture, { textureIndex }, program, inputs);

  const lit = target('rgba16float');
  cover(lit, LIGHTING_PROGRAM, {
    uniforms: {
      ...lightUniforms(market),
      u_clipToWorld: Float32Array.from(invertMatrix(viewProjection)),
      u_viewerPosition: Float32Array.from(CAMERA.eye),
    },
    textures: {
      u_albedo: nearest(albedo.textureIndex),
      u_normal: nearest(normal.textureIndex),
      u_emitted: nearest(emitted.textureIndex),
      u_depth: nearest(depth.textureIndex),
    },
  });
  const [bright, blurred, glow] = [1, 2, 3].map(() => target('rgba16float', 4)) as [
    typeof lit,
    typeof lit,
    typeof lit,
  ];
  const { widthPx: glowWidth, heightPx: glowHeight } = bright.texture;
  const blur = (from: typeof lit, step: readonly [number, number]): CoveringInputs => ({
    uniforms: { u_step: step },
    textures: { u_image: linear(from.textureIndex) },
  });
  cover(bright, BRIGHT_PROGRAM, {
    uniforms: { u_texel: [1 / widthPx, 1 / heightPx] },
    textures: { u_image: linear(lit.textureIndex) },
  });
  cover(blurred, BLUR_PROGRAM, blur(bright, [1 / glowWidth, 0]));
  cover(glow, BLUR_PROGRAM, blur(blurred, [0, 1 / glowHeight]));
  const toScreen: CoveringInputs = {
    uniforms: {},
    textures: { u_image: nearest(lit.textureIndex), u_glow: linear(glow.textureIndex) },
  };
  builder.addDraw(coveringDraw(builder, TONE_PROGRAM, toScreen, widthPx, heightPx));
  return builder.build(widthPx, heightPx, { color: [0, 0, 0, 1], depth: 1, stencil: 0 });
}

function nearest(textureIndex: number): TextureBinding {
  return { textureIndex, sampler: NEAREST };
}

function linear(textureIndex: number): TextureBinding {
  return { textureIndex, sampler: ONE_LEVEL };
}

/** Adds the pass that draws all surfaces, by material. */
function addSurfacePass(
  builder: FrameBuilder,
  { widthPx, heightPx, seed }: MarketOptions,
  { bodies }: Market,
  images: {
    readonly colors: readonly { readonly textureIndex: number }[];
    readonly depthStencil: { readonly textureIndex: number };
  },
): void {
  const viewProjection = cameraMatrix(CAMERA, widthPx, heightPx);
  const draws = MARKET_MATERIALS.flatMap((material) => {
    const { texel, metalness, emitted } = materialOf(material, seed);
    const texture: TextureBinding = {
      textureIndex: builder.addTexture(makeTexture(128, 'rgba8unorm-srgb', true, texel)),
      sampler: { ...TRILINEAR_SAMPLER, maxAnisotropy: 4 },
    };
    return bodies
      .filter((body) => body.material === material)
      .map(({ mesh, position, scale, tint }) => {
        const model = composeMatrix(position, [0, 0, 0, 1], [scale, scale, scale]);
        return {
          ...addMesh(builder, mesh),
          programIndex: builder.addProgram(SURFACE_PROGRAM),
          instanceCount: 1,
          uniforms: {
            u_modelViewProjection: Float32Array.from(multiplyMatrices(viewProjection, model)),
            u_model: Float32Array.from(model),
            u_tint: Float32Array.from(tint),
            u_material: [metalness, emitted],
          },
          textures: { u_texture: texture },
          state: opaqueState(widthPx, heightPx),
        };
      });
  });
  builder.addPass({ target: { kind: 'images', ...images }, clear: EMPTY, draws });
}

function lightUniforms({ lights }: Market) {
  const places = new Float32Array(4 * MAX_LIGHTS);
  const colors = new Float32Array(3 * MAX_LIGHTS);
  lights.forEach(({ position, radius, color }, i) => {
    places.set([...position, radius], 4 * i);
    colors.set(
      color.map((channel) => BRIGHTNESS * channel),
      3 * i,
    );
  });
  return {
    u_lightCount: Int32Array.of(lights.length),
    'u_lightPlaces[0]': places,
    'u_lightColors[0]': colors,
  };
}

function materialOf(
  material: MarketMaterial,
  seed: number,
): { readonly texel: TexelFunction; readonly metalness: number; readonly emitted: number } {
  const gray = (level: number, roughness: number) => [level, level, level, roughness] as const;
  const texels: Record<MarketMaterial, TexelFunction> = {
    paving: (x, y) => {
      const isJoint = x % 32 < 2 || (y + (Math.floor(x / 32) % 2) * 16) % 32 < 2;
      const stone = hashGridPoint(
        Math.floor(x / 32),
        Math.floor((y + (Math.floor(x / 32) % 2) * 16) / 32) % 4,
        seed,
      );
      const grain = valueNoise(x / 4, y / 4, seed + 1);
      return isJoint ? gray(60, 230) : gray(105 + 50 * stone + 30 * grain, 90 + 60 * stone);
    },
    stone: (x, y) => {
      const isJoint = y % 32 < 2 || (x + (Math.floor(y / 32) % 2) * 32) % 64 < 2;
      const grain = valueNoise(x / 6, y / 6, seed + 2) + valueNoise(x / 2, y / 2, seed + 3);
      return isJoint ? gray(120, 240) : gray(160 + 35 * grain, 190);
    },
    cloth: (x) => (Math.floor(x / 16) % 2 === 0 ? gray(235, 220) : [250, 190, 170, 220]),
    metal: (x, y) => gray(225, 70 + 70 * valueNoise(x / 8, y / 8, seed + 4)),
    lamp: () => gray(255, 255),
  };
  return {
    texel: texels[material],
    metalness: material === 'metal' ? 1 : 0,
    emitted: material === 'lamp' ? 6 : 0,
  };
}
