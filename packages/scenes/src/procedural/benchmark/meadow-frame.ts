/**
 * A meadow with trees: cards whose fragments are discarded where their texture is transparent, many
 * behind one another. They are drawn from the nearest to the farthest, or in random order.
 */
import type { Draw, Frame, ProgramSource } from '@tessera/frame';
import { FrameBuilder } from '../../build/frame-builder.ts';
import { composeMatrix, IDENTITY, type Matrix4, multiplyMatrices } from '../../math/matrix.ts';
import { dotVec3, normalizeVec3, subtractVec3, type Vec3 } from '../../math/vector.ts';
import type { SceneSize } from '../cube-frame.ts';
import { makeTexture } from '../made-texture.ts';
import { addMesh, type Mesh, makeGridMesh } from '../mesh.ts';
import { valueNoise } from '../noise.ts';
import { cameraMatrix, opaqueState, type SceneCamera, TRILINEAR_SAMPLER } from '../plain-draw.ts';
import { seededRandom } from '../seeded-random.ts';
import {
  MEADOW_HALF_EDGE,
  makeGrass,
  makeTrees,
  meadowHeight,
  meshOfCards,
  type PlantCard,
} from './meadow-plants.ts';
import { makePlantTexture } from './meadow-textures.ts';
import { makeLathe } from './mesh-writer.ts';
import {
  OUTDOOR_LIGHT_GLSL,
  OUTDOOR_VERTEX_SOURCE,
  type OutdoorLight,
  outdoorUniforms,
  skyDraw,
} from './outdoor-light.ts';

/** Size, seed, contents and order. */
export interface MeadowOptions extends SceneSize {
  readonly seed: number;
  /** Tufts of grass and flowers, three cards each. */
  readonly tufts: number;
  readonly trees: number;
  readonly leavesPerTree: number;
  /** Order of draws, and of the cards in each. */
  readonly order: 'front-to-back' | 'random';
}

/** Patches of grass along each edge of the meadow, each a draw. */
const PATCHES = 16;
const GROUND_CELLS = 96;
const LIGHT: OutdoorLight = {
  toSun: [-0.5, 0.5, -0.45],
  sunColor: [2.2, 1.95, 1.5],
  skyColor: [0.34, 0.42, 0.54],
  groundColor: [0.12, 0.13, 0.07],
  hazeColor: [0.7, 0.74, 0.74],
  zenithColor: [0.16, 0.34, 0.66],
  hazePerUnit: 0.005,
};

const PLANT_PROGRAM: ProgramSource = Object.freeze({
  vertexSource: OUTDOOR_VERTEX_SOURCE,
  fragmentSource: `#version 300 es
precision highp float;
${OUTDOOR_LIGHT_GLSL}
uniform sampler2D u_texture;
uniform float u_threshold; // of alpha

in vec3 v_worldPosition;
in vec3 v_normal;
in vec2 v_texCoord0;
out vec4 o_color;

void main() {
  vec4 texel = texture(u_texture, v_texCoord0);
  if (texel.a < u_threshold) discard;
  vec3 toViewer = u_viewerPosition - v_worldPosition;
  float distance = length(toViewer);
  toViewer /= distance;
  vec3 radiance = lightSurface(texel.rgb, 0.0, normalize(v_normal), toViewer, 1.0);
  // Light shines through plants in front of the sun.
  float behind = max(dot(toViewer, -u_toSun), 0.0);
  radiance += texel.rgb * u_sunColor * (0.8 * behind * behind * behind);
  o_color = vec4(seenFrom(distance, radiance), 1.0);
}
`,
});

/** Draw whose place in the order depends on its distance. */
interface PlacedDraw {
  readonly draw: Draw;
  readonly center: Vec3;
}

/** Returns a frame of one pass. */
export function meadowFrame(options: MeadowOptions): Frame {
  const { widthPx, heightPx, seed, tufts, trees, leavesPerTree } = options;
  const builder = new FrameBuilder();
  const camera = cameraOf(seed);
  const { eye } = camera;
  const viewProjection = cameraMatrix(camera, widthPx, heightPx);
  const bind = (textureIndex: number) => ({ textureIndex, sampler: TRILINEAR_SAMPLER });
  const plants = bind(builder.addTexture(makePlantTexture(seed)));
  const soil = bind(builder.addTexture(makeSoil(seed)));
  const state = opaqueState(widthPx, heightPx);
  const drawOf = (mesh: Mesh, isPlant: boolean, model: Matrix4 = IDENTITY): Draw => ({
    ...addMesh(builder, mesh),
    programIndex: builder.addProgram(PLANT_PROGRAM),
    instanceCount: 1,
    uniforms: {
      ...outdoorUniforms(LIGHT, eye),
      u_modelViewProjection: Float32Array.from(multiplyMatrices(viewProjection, model)),
      u_model: Float32Array.from(model),
      u_threshold: [isPlant ? 0.4 : 0],
    },
    textures: { u_texture: isPlant ? plants : soil },
    state: isPlant ? { ...state, cullMode: 'none' } : state,
  });
  const sort = orderOf(options, eye);
  const made = makeTrees(seed, trees, leavesPerTree, eye);
  const placed: PlacedDraw[] = [
    ...patchesOf(makeGrass(seed, tufts, eye)).map(({ center, cards }) => ({
      center,
      draw: drawOf(meshOfCards(sort(cards, ({ root }) => root)), true),
    })),
    ...made.map(({ root, leaves }) => ({
      center: root,
      draw: drawOf(meshOfCards(sort(leaves, (leaf) => leaf.root)), true),
    })),
  ];
  const trunk = makeLathe(
    [
      [0.06, 0],
      [0.035, 0.12],
      [0.03, 0.5],
      [0.012, 1],
    ],
    12,
  );
  for (const { root, height } of made) {
    const size = height * 1.1;
    builder.addDraw(drawOf(trunk, false, composeMatrix(root, [0, 0, 0, 1], [size, size, size])));
  }
  for (const { draw } of sort(placed, ({ center }) => center)) builder.addDraw(draw);
  builder.addDraw(drawOf(makeGround(seed), false));
  builder.addDraw(skyDraw(builder, LIGHT, eye, viewProjection, options));
  return builder.build(widthPx, heightPx, { color: [0, 0, 0, 1], depth: 1, stencil: 0 });
}

/** Returns a camera at the height of a person, near an edge of the meadow. */
function cameraOf(seed: number): SceneCamera {
  const [x, z] = [4, 30];
  const y = meadowHeight(x, z, seed) + 1.4;
  return {
    eye: [x, y, z],
    target: [x - 3, y - 1.1, z - 10],
    tanHalfFovY: 0.5,
    near: 0.2,
    far: 220,
  };
}

/** Returns the function that brings draws or cards into their order. */
function orderOf({ order, seed }: MeadowOptions, eye: Vec3) {
  const random = seededRandom(seed + 500);
  return <T>(list: readonly T[], placeOf: (entry: T) => Vec3): T[] => {
    const keyed = list.map((entry) => {
      const offset = subtractVec3(placeOf(entry), eye);
      return { entry, key: order === 'random' ? random.next() : dotVec3(offset, offset) };
    });
    return keyed.sort((a, b) => a.key - b.key).map(({ entry }) => entry);
  };
}

/** Returns the cards by square patches of the meadow; patches without cards are left out. */
function patchesOf(cards: readonly PlantCard[]) {
  const edge = (2 * MEADOW_HALF_EDGE) / PATCHES;
  const patches = Array.from({ length: PATCHES * PATCHES }, (_, i) => {
    const x = ((i % PATCHES) + 0.5) * edge - MEADOW_HALF_EDGE;
    const z = (Math.floor(i / PATCHES) + 0.5) * edge - MEADOW_HALF_EDGE;
    return { center: [x, 0, z] as Vec3, cards: [] as PlantCard[] };
  });
  for (const card of cards) {
    const [column, row] = [card.root[0], card.root[2]].map((at) =>
      Math.floor((at + MEADOW_HALF_EDGE) / edge),
    ) as [number, number];
    patches[row * PATCHES + column]!.cards.push(card);
  }
  return patches.filter((patch) => patch.cards.length > 0);
}

function makeGround(seed: number): Mesh {
  const half = 1.6 * MEADOW_HALF_EDGE;
  const step = 0.1;
  return makeGridMesh(GROUND_CELLS, GROUND_CELLS, (u, v) => {
    const [x, z] = [(2 * u - 1) * half, (1 - 2 * v) * half];
    const slopeX = meadowHeight(x + step, z, seed) - meadowHeight(x - step, z, seed);
    const slopeZ = meadowHeight(x, z + step, seed) - meadowHeight(x, z - step, seed);
    return {
      position: [x, meadowHeight(x, z, seed), z],
      normal: normalizeVec3([-slopeX, 2 * step, -slopeZ]),
      texCoord: [u * 80, v * 80],
    };
  });
}

function makeSoil(seed: number) {
  return makeTexture(128, 'rgba8unorm-srgb', true, (x, y) => {
    const patch = valueNoise(x / 16, y / 16, seed + 20);
    const grain = 0.75 + 0.5 * valueNoise(x / 2, y / 2, seed + 21);
    return [(48 + 22 * patch) * grain, (74 + 12 * patch) * grain, (28 + 8 * patch) * grain, 255];
  });
}
