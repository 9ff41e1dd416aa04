/**
 * An open-air gallery in one pass of many draws: opaque bodies by program and texture, then the
 * sky, then what is blended: stains on the floor, and glass from the farthest to the nearest.
 */
import type { Draw, Frame, TextureBinding } from '@tessera/frame';
import { FrameBuilder } from '../../build/frame-builder.ts';
import { cos, sin } from '../../math/deterministic-math.ts';
import { composeMatrix, multiplyMatrices } from '../../math/matrix.ts';
import { dotVec3, subtractVec3 } from '../../math/vector.ts';
import type { SceneSize } from '../cube-frame.ts';
import { checkerTexel, makeTexture, type TexelFunction } from '../made-texture.ts';
import { addMesh, makeFloor } from '../mesh.ts';
import { fractalNoise, hashGridPoint, valueNoise } from '../noise.ts';
import {
  ALPHA_BLEND,
  cameraMatrix,
  opaqueState,
  type SceneCamera,
  TRILINEAR_SAMPLER,
} from '../plain-draw.ts';
import {
  GALLERY_TEXTURES,
  type GalleryBody,
  type GalleryMaterial,
  makeGallery,
} from './gallery.ts';
import { galleryProgram, OPAQUE_SURFACES } from './gallery-programs.ts';
import { type OutdoorLight, outdoorUniforms, skyDraw } from './outdoor-light.ts';

/** Size, seed and contents. */
export interface GalleryOptions extends SceneSize {
  readonly seed: number;
  /** Number of pedestals; there are two opaque draws and a blended one for each. */
  readonly exhibits: number;
  /** Number of cases of glass, each a blended draw; at most the number of exhibits. */
  readonly cases: number;
  /** Factor on the number of triangles of sculptures, about. */
  readonly detail: number;
}

const CAMERA: SceneCamera = {
  eye: [1.4, 4.6, 19],
  target: [0.6, 0, 6],
  tanHalfFovY: 0.55,
  near: 0.2,
  far: 200,
};
const LIGHT: OutdoorLight = {
  toSun: [-0.5, 0.62, 0.45],
  sunColor: [1.8, 1.62, 1.35],
  skyColor: [0.3, 0.38, 0.5],
  groundColor: [0.16, 0.14, 0.11],
  hazeColor: [0.6, 0.66, 0.72],
  zenithColor: [0.07, 0.2, 0.5],
  hazePerUnit: 0.006,
};

/** Returns a frame of one pass. */
export function galleryDrawsFrame(options: GalleryOptions): Frame {
  const { widthPx, heightPx, seed, exhibits, cases, detail } = options;
  const builder = new FrameBuilder();
  const textures = makeTextures(seed).map(
    (texel): TextureBinding => ({
      textureIndex: builder.addTexture(makeTexture(128, 'rgba8unorm-srgb', true, texel)),
      sampler: { ...TRILINEAR_SAMPLER, maxAnisotropy: 2 },
    }),
  );
  const viewProjection = cameraMatrix(CAMERA, widthPx, heightPx);
  const common = {
    ...outdoorUniforms(LIGHT, CAMERA.eye),
    u_zenithColor: Float32Array.from(LIGHT.zenithColor),
  };
  const state = opaqueState(widthPx, heightPx);
  const drawOf = ({ mesh, material, position, scale, turn }: GalleryBody): Draw => {
    const rotation = [0, sin(turn / 2), 0, cos(turn / 2)] as const;
    const model = composeMatrix(position, rotation, [scale, scale, scale]);
    return {
      ...addMesh(builder, mesh),
      programIndex: builder.addProgram(galleryProgram(material.surface)),
      instanceCount: 1,
      uniforms: {
        ...common,
        u_modelViewProjection: Float32Array.from(multiplyMatrices(viewProjection, model)),
        u_model: Float32Array.from(model),
        u_tint: Float32Array.from(material.tint),
      },
      textures: { u_texture: textures[material.texture]! },
      state: isBlended(material)
        ? { ...state, blend: ALPHA_BLEND, depth: { ...state.depth, isWriteEnabled: false } }
        : state,
    };
  };
  const bodies = makeGallery(seed, exhibits, cases, detail);
  const opaque = bodies.filter(({ material }) => !isBlended(material));
  const floor: GalleryBody = {
    mesh: makeFloor(90, 30, 60),
    material: { surface: 'matte', texture: 0, tint: [0.5, 0.48, 0.44, 1] },
    position: [0, 0, 0],
    scale: 1,
    turn: 0,
  };
  const rank = ({ surface, texture }: GalleryMaterial): number =>
    OPAQUE_SURFACES.indexOf(surface) * GALLERY_TEXTURES + texture;
  const byMaterial = [floor, ...opaque].sort((a, b) => rank(a.material) - rank(b.material));
  const blended = bodies
    .filter(({ material }) => isBlended(material))
    .sort((a, b) => squaredDistance(b) - squaredDistance(a));
  const order = (['stain', 'glass'] as const).flatMap((surface) =>
    blended.filter(({ material }) => material.surface === surface),
  );
  for (const body of byMaterial) builder.addDraw(drawOf(body));
  builder.addDraw(skyDraw(builder, LIGHT, CAMERA.eye, viewProjection, options));
  for (const body of order) builder.addDraw(drawOf(body));
  return builder.build(widthPx, heightPx, { color: [0, 0, 0, 1], depth: 1, stencil: 0 });
}

function isBlended({ surface }: GalleryMaterial): boolean {
  return !OPAQUE_SURFACES.includes(surface);
}

function squaredDistance({ position }: GalleryBody): number {
  const offset = subtractVec3(position, CAMERA.eye);
  return dotVec3(offset, offset);
}

/** Returns the textures; alpha is gloss. The first one is that of the floor. */
function makeTextures(seed: number): TexelFunction[] {
  const gray = (level: number, gloss: number) => [level, level, level, gloss] as const;
  const patterns: ((own: number) => TexelFunction)[] = [
    () => (x, y) => {
      const isJoint = x % 32 < 1 || y % 32 < 1;
      const slab = hashGridPoint(Math.floor(x / 32), Math.floor(y / 32), seed);
      return isJoint
        ? gray(130, 20)
        : [170 + 40 * slab, 164 + 38 * slab, 152 + 34 * slab + 10 * valueNoise(x, y, seed), 60];
    },
    (own) => (x, y) => gray(120 + 130 * fractalNoise(x / 12, y / 12, own, 4), 180),
    () => checkerTexel(16, [245, 240, 228, 200], [120, 120, 128, 120]),
    (own) => (x, y) => {
      const ring = 0.5 + 0.5 * sin(x / 3 + 8 * valueNoise(x / 20, y / 6, own));
      return [150 + 90 * ring, 118 + 70 * ring, 84 + 50 * ring, 90];
    },
    (own) => (_x, y) => gray(Math.floor(y / 8) % 2 === 0 ? 240 : 120 + 60 * (own % 3), 230),
    (own) => (x, y) => {
      const cell = hashGridPoint(Math.floor(x / 8), Math.floor(y / 8), own);
      return gray(100 + 150 * cell, 255 * cell);
    },
  ];
  return Array.from({ length: GALLERY_TEXTURES }, (_, i) =>
    patterns[i % patterns.length]!(seed * 31 + i),
  );
}
