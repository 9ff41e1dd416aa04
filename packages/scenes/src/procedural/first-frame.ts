/**
 * Demonstration scene: metals and plastics from smooth to rough around a gilded knot on a checkered
 * floor, and a glass ball in front. The materials use the surface shaders of the glTF import.
 */
import type { Draw, Frame, TextureBinding } from '@tessera/frame';
import { FrameBuilder } from '../build/frame-builder.ts';
import type { SurfaceFeatures } from '../gltf/features/surface-features.ts';
import { surfaceProgram } from '../gltf/shaders/surface-program.ts';
import { cos, PI, sin } from '../math/deterministic-math.ts';
import { composeMatrix, multiplyMatrices, normalMatrix3 } from '../math/matrix.ts';
import type { Vec3 } from '../math/vector.ts';
import type { SceneSize } from './cube-frame.ts';
import { checkerTexel, makeTexture } from './made-texture.ts';
import { addMesh, type MeshSources, makeFloor, makeSphere, makeTorusKnot } from './mesh.ts';
import { fractalNoise } from './noise.ts';
import {
  ALPHA_BLEND,
  cameraMatrix,
  opaqueState,
  type SceneCamera,
  TRILINEAR_SAMPLER,
} from './plain-draw.ts';

/** Body of the scene: its mesh, placement and material. */
interface Body {
  readonly mesh: MeshSources;
  readonly position: Vec3;
  readonly scale: number;
  /** Linear red, green, blue, alpha. */
  readonly color: readonly [number, number, number, number];
  readonly metallic: number;
  readonly roughness: number;
  readonly colorTexture?: TextureBinding;
  readonly roughnessTexture?: TextureBinding;
}

const CAMERA: SceneCamera = {
  eye: [0.6, 3.4, 8.2],
  target: [0, 0.75, 0],
  tanHalfFovY: 0.36,
  near: 1,
  far: 60,
};
const RING_BODIES = 12;
const RING_RADIUS = 3.4;
const BALL_RADIUS = 0.5;

/** Returns a frame of about 40,000 triangles in 15 draws, the last one blended. */
export function firstFrame({ widthPx, heightPx }: SceneSize): Frame {
  const builder = new FrameBuilder();
  const bodies = makeBodies(builder);
  const viewProjection = cameraMatrix(CAMERA, widthPx, heightPx);
  const viewer = Float32Array.of(...CAMERA.eye, 1);
  for (const body of bodies) {
    const world = composeMatrix(body.position, [0, 0, 0, 1], [body.scale, body.scale, body.scale]);
    const isBlended = body.color[3] < 1;
    const textures: Record<string, TextureBinding> = {};
    if (body.colorTexture) textures.u_baseColorTexture = body.colorTexture;
    if (body.roughnessTexture) textures.u_metallicRoughnessTexture = body.roughnessTexture;
    const state = opaqueState(widthPx, heightPx);
    const draw: Draw = {
      ...body.mesh,
      programIndex: builder.addProgram(surfaceProgram(featuresOf(body))),
      instanceCount: 1,
      uniforms: {
        u_modelViewProjection: Float32Array.from(multiplyMatrices(viewProjection, world)),
        u_viewer: viewer,
        u_model: Float32Array.from(world),
        u_normalMatrix: Float32Array.from(normalMatrix3(world)),
        u_baseColorFactor: body.color,
        u_metallicFactor: [body.metallic],
        u_roughnessFactor: [body.roughness],
      },
      textures,
      state: isBlended
        ? { ...state, blend: ALPHA_BLEND, depth: { ...state.depth, isWriteEnabled: false } }
        : state,
    };
    builder.addDraw(draw);
  }
  return builder.build(widthPx, heightPx, { color: [0.56, 0.65, 0.76, 1], depth: 1, stencil: 0 });
}

function featuresOf(body: Body): SurfaceFeatures {
  const untransformed = { texCoord: 0, isTransformed: false } as const;
  return {
    full: null,
    isUnlit: false,
    alphaMode: body.color[3] < 1 ? 'BLEND' : 'OPAQUE',
    hasNormals: true,
    hasTangents: false,
    hasColors: false,
    textures: {
      ...(body.colorTexture ? { baseColor: untransformed } : {}),
      ...(body.roughnessTexture ? { metallicRoughness: untransformed } : {}),
    },
    jointCapacity: 0,
    morphTargetCount: 0,
    morphTarget: { hasPosition: false, hasNormal: false, hasTangent: false },
    isInstanced: false,
  };
}

function makeBodies(builder: FrameBuilder): Body[] {
  const bind = (textureIndex: number): TextureBinding => ({
    textureIndex,
    sampler: TRILINEAR_SAMPLER,
  });
  const checks = checkerTexel(32, [236, 232, 222, 255], [86, 98, 112, 255]);
  const floorTexture = bind(builder.addTexture(makeTexture(64, 'rgba8unorm-srgb', true, checks)));
  const wear = bind(
    builder.addTexture(
      makeTexture(128, 'rgba8unorm', true, (x, y) => {
        const roughness = 60 + 195 * fractalNoise(x / 16, y / 16, 7, 4);
        return [255, Math.floor(roughness), 255, 255]; // green is roughness, blue is metalness
      }),
    ),
  );
  const floor = addMesh(builder, makeFloor(28, 24, 28));
  const knot = addMesh(builder, makeTorusKnot(2, 3, 0.26, 320, 24));
  const ball = addMesh(builder, makeSphere(32, 20));

  const bodies: Body[] = [
    {
      mesh: floor,
      position: [0, 0, 0],
      scale: 1,
      color: [1, 1, 1, 1],
      metallic: 0,
      roughness: 0.35,
      colorTexture: floorTexture,
    },
    {
      mesh: knot,
      position: [0, 1.55, 0],
      scale: 1,
      color: [1, 0.72, 0.3, 1],
      metallic: 1,
      roughness: 0.5,
      roughnessTexture: wear,
    },
  ];
  for (let i = 0; i < RING_BODIES; i++) {
    const share = i / RING_BODIES;
    const angle = 2 * PI * share;
    const isMetal = i % 2 === 0;
    bodies.push({
      mesh: ball,
      position: [RING_RADIUS * sin(angle), BALL_RADIUS, RING_RADIUS * cos(angle)],
      scale: BALL_RADIUS,
      color: isMetal ? [0.95, 0.93, 0.88, 1] : hue(share),
      metallic: isMetal ? 1 : 0,
      roughness: 0.08 + 0.84 * share,
    });
  }
  bodies.push({
    mesh: ball,
    position: [0.85, 0.6, 1.95],
    scale: 0.6,
    color: [0.35, 0.75, 0.9, 0.35],
    metallic: 0,
    roughness: 0.05,
  });
  return bodies;
}

/** Returns the color at `share` (0 to 1) of the color wheel. */
function hue(share: number): [number, number, number, number] {
  const channel = (shift: number): number => {
    const wave = 0.5 + 0.5 * cos(2 * PI * (share - shift));
    return 0.06 + 0.74 * wave * wave;
  };
  return [channel(0), channel(1 / 3), channel(2 / 3), 1];
}
