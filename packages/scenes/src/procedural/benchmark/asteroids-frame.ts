/**
 * A belt of asteroids in front of a planet: thousands of instances of a few meshes, in one draw for
 * each mesh and level of detail.
 */
import type { AttributeSource, Draw, Frame } from '@tessera/frame';
import { FrameBuilder } from '../../build/frame-builder.ts';
import { coveringDraw } from '../../lighting/covering-pass.ts';
import { cos, PI, sin } from '../../math/deterministic-math.ts';
import { composeMatrix, invertMatrix, multiplyMatrices } from '../../math/matrix.ts';
import {
  dotVec3,
  normalizeQuaternion,
  type Quaternion,
  subtractVec3,
  type Vec3,
} from '../../math/vector.ts';
import type { SceneSize } from '../cube-frame.ts';
import { makeTexture } from '../made-texture.ts';
import { addMesh, makeSphere } from '../mesh.ts';
import { fractalNoise, hashGridPoint } from '../noise.ts';
import { cameraMatrix, opaqueState, type SceneCamera, TRILINEAR_SAMPLER } from '../plain-draw.ts';
import { type SeededRandom, seededRandom } from '../seeded-random.ts';
import { PLANET_PROGRAM, ROCK_PROGRAM, STARS_PROGRAM } from './asteroid-programs.ts';
import { makeRock } from './mesh-writer.ts';
import { type OutdoorLight, outdoorUniforms } from './outdoor-light.ts';

/** Size, seed and number of rocks. */
export interface AsteroidsOptions extends SceneSize {
  readonly seed: number;
  readonly instances: number;
}

const SHAPES = 5;
/** Columns and rows of the meshes, and the size over distance from which each is used. */
const LEVELS = [
  { columns: 56, rows: 36, fromSize: 0.09 },
  { columns: 28, rows: 18, fromSize: 0.03 },
  { columns: 10, rows: 7, fromSize: 0 },
] as const;
const INSTANCE_BYTES = 36;
const PLANET: { readonly center: Vec3; readonly radius: number } = {
  center: [-420, -60, -900],
  radius: 430,
};
const BELT_RADIUS = 1000;
const CAMERA: SceneCamera = {
  eye: [0, 14, 0],
  target: [-46, 4, -120],
  tanHalfFovY: 0.5,
  near: 1,
  far: 3000,
};
const LIGHT: OutdoorLight = {
  toSun: [0.85, 0.35, 0.15],
  sunColor: [1.9, 1.75, 1.5],
  skyColor: [0.03, 0.035, 0.05],
  groundColor: [0.05, 0.035, 0.025],
  hazeColor: [0.05, 0.04, 0.05],
  zenithColor: [0, 0, 0],
  hazePerUnit: 0.0009,
};

/** Instance of a rock. */
interface Asteroid {
  readonly position: Vec3;
  readonly size: number;
  readonly rotation: Quaternion;
  /** Color, and gloss as alpha, of 8 bits. */
  readonly color: readonly [number, number, number, number];
}

/** Returns a frame of one pass. */
export function asteroidsFrame(options: AsteroidsOptions): Frame {
  const { widthPx, heightPx, seed, instances } = options;
  const builder = new FrameBuilder();
  const noise = makeTexture(256, 'rgba8unorm', true, (x, y) => [
    255 * fractalNoise(x / 12, y / 12, seed + 1, 4),
    255 * hashGridPoint(x, y, seed + 2),
    255 * fractalNoise(x / 40, y / 40, seed + 3, 4),
    255,
  ]);
  const textures: Draw['textures'] = {
    // Mirrored, so that noise has no edges.
    u_texture: {
      textureIndex: builder.addTexture(noise),
      sampler: { ...TRILINEAR_SAMPLER, wrapS: 'mirrored-repeat', wrapT: 'mirrored-repeat' },
    },
  };
  const viewProjection = cameraMatrix(CAMERA, widthPx, heightPx);
  const common = outdoorUniforms(LIGHT, CAMERA.eye);
  const state = opaqueState(widthPx, heightPx);
  const groups = groupAsteroids(seed, instances);
  groups.forEach((group, i) => {
    if (group.length === 0) return;
    const { columns, rows } = LEVELS[Math.floor(i / SHAPES)]!;
    const mesh = addMesh(builder, makeRock(columns, rows, seed + 10 * (i % SHAPES), 0.75));
    const bufferIndex = builder.addBuffer(instanceBytes(group));
    builder.addDraw({
      ...mesh,
      attributes: { ...mesh.attributes, ...instanceAttributes(bufferIndex) },
      programIndex: builder.addProgram(ROCK_PROGRAM),
      instanceCount: group.length,
      uniforms: { ...common, u_viewProjection: Float32Array.from(viewProjection) },
      textures,
      state,
    });
  });
  const { center, radius } = PLANET;
  const model = composeMatrix(center, [0.17, 0, 0.05, 0.98], [radius, radius, radius]);
  builder.addDraw({
    ...addMesh(builder, makeSphere(128, 64)),
    programIndex: builder.addProgram(PLANET_PROGRAM),
    instanceCount: 1,
    uniforms: {
      ...common,
      u_modelViewProjection: Float32Array.from(multiplyMatrices(viewProjection, model)),
      u_model: Float32Array.from(model),
    },
    textures,
    state,
  });
  const uniforms = {
    u_viewerPosition: Float32Array.from(CAMERA.eye),
    u_clipToWorld: Float32Array.from(invertMatrix(viewProjection)),
  };
  builder.addDraw({
    ...coveringDraw(builder, STARS_PROGRAM, { uniforms, textures }, widthPx, heightPx),
    state: { ...state, depth: { ...state.depth, isWriteEnabled: false, compare: 'less-equal' } },
  });
  return builder.build(widthPx, heightPx, { color: [0, 0, 0, 1], depth: 1, stencil: 0 });
}

/** Returns the rocks by level of detail, and by shape within a level. */
function groupAsteroids(seed: number, count: number): Asteroid[][] {
  const random = seededRandom(seed);
  const groups: Asteroid[][] = Array.from({ length: SHAPES * LEVELS.length }, () => []);
  for (let i = 0; i < count; i++) {
    const asteroid = makeAsteroid(random);
    const offset = subtractVec3(asteroid.position, CAMERA.eye);
    const distance = Math.sqrt(dotVec3(offset, offset));
    const seen = asteroid.size / Math.max(1, distance);
    const level = LEVELS.findIndex(({ fromSize }) => seen >= fromSize);
    groups[level * SHAPES + random.integer(0, SHAPES - 1)]!.push(asteroid);
  }
  return groups;
}

/** Returns a rock of the belt around the planet; most are small. None encloses the viewer. */
function makeAsteroid(random: SeededRandom): Asteroid {
  const share = random.next() * random.next();
  const size = 0.4 + 7.5 * share * share * share;
  // The belt is a ring; half of it is within a few hundred meters of the viewer.
  const isNear = random.next() < 0.6;
  const angle = isNear ? random.between(-0.35, 0.35) : random.between(-PI, PI);
  const inward = isNear ? 70 : 0;
  const radius = BELT_RADIUS - inward + random.between(-1, 1) * random.between(40, 240);
  const center = PLANET.center;
  const toViewer = [-center[0] / 993, -center[2] / 993] as const;
  const [c, s] = [cos(angle), sin(angle)];
  const position: Vec3 = [
    center[0] + radius * (c * toViewer[0] - s * toViewer[1]),
    random.between(-1, 1) * random.between(6, 60),
    center[2] + radius * (s * toViewer[0] + c * toViewer[1]),
  ];
  const rotation = normalizeQuaternion([
    random.between(-1, 1),
    random.between(-1, 1),
    random.between(-1, 1),
    random.between(-1, 1),
  ]);
  const shade = random.between(60, 150);
  const warmth = random.between(0.75, 1);
  const offset = subtractVec3(position, CAMERA.eye);
  const isAtViewer = dotVec3(offset, offset) < (3 * size + 4) ** 2;
  return {
    position: isAtViewer ? [position[0], position[1] - 60, position[2]] : position,
    size,
    rotation,
    color: [shade, shade * warmth, shade * warmth * warmth, 255 * random.next()],
  };
}

function instanceBytes(group: readonly Asteroid[]): Uint8Array {
  const bytes = new Uint8Array(group.length * INSTANCE_BYTES);
  const view = new DataView(bytes.buffer);
  group.forEach(({ position, size, rotation, color }, i) => {
    const at = i * INSTANCE_BYTES;
    [...position, size, ...rotation].forEach((value, k) => {
      view.setFloat32(at + 4 * k, value, true);
    });
    bytes.set(color, at + 32);
  });
  return bytes;
}

function instanceAttributes(bufferIndex: number): Record<string, AttributeSource> {
  const common = {
    kind: 'buffer',
    bufferIndex,
    strideBytes: INSTANCE_BYTES,
    componentCount: 4,
    instanceDivisor: 1,
  } as const;
  const floats = { ...common, componentType: 'float32', isNormalized: false } as const;
  return {
    a_instancePlace: { ...floats, offsetBytes: 0 },
    a_instanceRotation: { ...floats, offsetBytes: 16 },
    a_instanceColor: {
      ...common,
      componentType: 'uint8',
      isNormalized: true,
      offsetBytes: 32,
    },
  };
}
