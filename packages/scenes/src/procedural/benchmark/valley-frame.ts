/**
 * A valley in one pass of many triangles: terrain in square tiles, groves and boulders. Triangles
 * of the terrain are of equal size on the ground, so distant ones are smaller than a pixel.
 */
import { type Frame, type ProgramSource, RenderError } from '@tessera/frame';
import { FrameBuilder } from '../../build/frame-builder.ts';
import { PI } from '../../math/deterministic-math.ts';
import { IDENTITY, type Matrix4, multiplyMatrices } from '../../math/matrix.ts';
import type { Vec3 } from '../../math/vector.ts';
import type { SceneSize } from '../cube-frame.ts';
import { makeTexture } from '../made-texture.ts';
import { addMesh, type Mesh, type MeshSources } from '../mesh.ts';
import { valueNoise } from '../noise.ts';
import { cameraMatrix, opaqueState, type SceneCamera, TRILINEAR_SAMPLER } from '../plain-draw.ts';
import { type SeededRandom, seededRandom } from '../seeded-random.ts';
import { MeshWriter, makeLathe, makeRock } from './mesh-writer.ts';
import {
  OUTDOOR_LIGHT_GLSL,
  OUTDOOR_VERTEX_SOURCE,
  type OutdoorLight,
  outdoorUniforms,
  skyDraw,
} from './outdoor-light.ts';
import { addTerrainTiles, groundHeight } from './valley-terrain.ts';

/** Size, seed and detail. */
export interface ValleyOptions extends SceneSize {
  readonly seed: number;
  /** Number of tiles along each edge of the terrain, each a draw. */
  readonly tiles: number;
  /** Cells along each edge of a tile, 1 to 254. */
  readonly tileCells: number;
  /** Number of groves and boulders, each a draw. */
  readonly objects: number;
  /** Columns of the meshes of trees and boulders; their triangles grow with its square. */
  readonly objectColumns: number;
}

const LIGHT: OutdoorLight = {
  toSun: [0.72, 0.5, 0.2],
  sunColor: [2.3, 2, 1.55],
  skyColor: [0.24, 0.32, 0.46],
  groundColor: [0.1, 0.1, 0.08],
  hazeColor: [0.6, 0.68, 0.78],
  zenithColor: [0.09, 0.24, 0.58],
  hazePerUnit: 0.00055,
};

/** Ground by slope and height: grass, rock, scree and snow. */
const TERRAIN_PROGRAM: ProgramSource = Object.freeze({
  vertexSource: OUTDOOR_VERTEX_SOURCE.replace('in vec2 a_texCoord0;\n', '').replace(
    'v_texCoord0 = a_texCoord0',
    'v_texCoord0 = a_position.xz / 24.0',
  ),
  fragmentSource: `#version 300 es
precision highp float;
${OUTDOOR_LIGHT_GLSL}
uniform sampler2D u_texture; // noise of four sizes

in vec3 v_worldPosition;
in vec3 v_normal;
in vec2 v_texCoord0;
out vec4 o_color;

void main() {
  vec3 normal = normalize(v_normal);
  vec4 near = texture(u_texture, v_texCoord0);
  vec4 far = texture(u_texture, v_texCoord0 * 0.13);
  float height = v_worldPosition.y + 40.0 * (far.g - 0.5);
  vec3 grass = mix(vec3(0.10, 0.17, 0.035), vec3(0.25, 0.25, 0.07), far.r) * (0.6 + 0.8 * near.r);
  vec3 rock = mix(vec3(0.22, 0.20, 0.18), vec3(0.36, 0.33, 0.30), near.g) * (0.7 + 0.6 * far.b);
  vec3 snow = vec3(0.80, 0.84, 0.90);
  float steep = smoothstep(0.86, 0.70, normal.y + 0.16 * (near.b - 0.5));
  vec3 ground = mix(grass, rock, max(steep, smoothstep(110.0, 190.0, height)));
  ground = mix(ground, snow, smoothstep(185.0, 225.0, height) * (1.0 - 0.8 * steep));
  vec3 toViewer = u_viewerPosition - v_worldPosition;
  float distance = length(toViewer);
  vec3 radiance = lightSurface(ground, 0.0, normal, toViewer / distance, 1.0);
  o_color = vec4(seenFrom(distance, radiance), 1.0);
}
`,
});

const OBJECT_PROGRAM: ProgramSource = Object.freeze({
  vertexSource: OUTDOOR_VERTEX_SOURCE,
  fragmentSource: `#version 300 es
precision highp float;
${OUTDOOR_LIGHT_GLSL}
uniform sampler2D u_texture;
uniform vec3 u_tint;

in vec3 v_worldPosition;
in vec3 v_normal;
in vec2 v_texCoord0;
out vec4 o_color;

void main() {
  vec3 color = u_tint * (0.5 + texture(u_texture, v_texCoord0).g);
  vec3 toViewer = u_viewerPosition - v_worldPosition;
  float distance = length(toViewer);
  vec3 radiance = lightSurface(color, 0.0, normalize(v_normal), toViewer / distance, 1.0);
  o_color = vec4(seenFrom(distance, radiance), 1.0);
}
`,
});

/**
 * Returns a frame of one pass.
 *
 * @throws {RenderError} REQUEST_INVALID if a tile has more vertices than 16-bit indices reach.
 */
export function valleyFrame(options: ValleyOptions): Frame {
  const { widthPx, heightPx, seed, tiles, tileCells } = options;
  if (!(tileCells >= 1 && tileCells <= 254)) {
    throw new RenderError('REQUEST_INVALID', `tileCells: ${tileCells} is not from 1 to 254`);
  }
  const builder = new FrameBuilder();
  const camera = cameraOf(seed);
  const viewProjection = cameraMatrix(camera, widthPx, heightPx);
  const noise = makeTexture(256, 'rgba8unorm', true, (x, y) => [
    255 * valueNoise(x / 4, y / 4, seed + 1),
    255 * valueNoise(x / 8, y / 8, seed + 2),
    255 * valueNoise(x / 16, y / 16, seed + 3),
    255 * valueNoise(x / 32, y / 32, seed + 4),
  ]);
  const u_texture = {
    textureIndex: builder.addTexture(noise),
    sampler: { ...TRILINEAR_SAMPLER, maxAnisotropy: 4 },
  };
  const addPart = (mesh: MeshSources, program: ProgramSource, model: Matrix4, tint: Vec3): void => {
    builder.addDraw({
      ...mesh,
      programIndex: builder.addProgram(program),
      instanceCount: 1,
      uniforms: {
        ...outdoorUniforms(LIGHT, camera.eye),
        u_modelViewProjection: Float32Array.from(multiplyMatrices(viewProjection, model)),
        u_model: Float32Array.from(model),
        u_tint: Float32Array.from(tint),
      },
      textures: { u_texture },
      state: opaqueState(widthPx, heightPx),
    });
  };
  for (const { mesh, tint } of makeObjects(options)) {
    addPart(addMesh(builder, mesh), OBJECT_PROGRAM, IDENTITY, tint);
  }
  for (const tile of addTerrainTiles(builder, seed, tiles, tileCells)) {
    addPart(tile, TERRAIN_PROGRAM, IDENTITY, [1, 1, 1]);
  }
  builder.addDraw(skyDraw(builder, LIGHT, camera.eye, viewProjection, options));
  return builder.build(widthPx, heightPx, { color: [0, 0, 0, 1], depth: 1, stencil: 0 });
}

/** Returns a camera above the near end of the valley, with a part of the terrain behind it. */
function cameraOf(seed: number): SceneCamera {
  const [x, z] = [-10, 560];
  const y = groundHeight(x, z, seed) + 42;
  return {
    eye: [x, y, z],
    target: [x + 24, y - 34, z - 160],
    tanHalfFovY: 0.5,
    near: 2,
    far: 2600,
  };
}

/** Returns groves, and a boulder for every fourth object, nearer to the camera than the far end. */
function makeObjects({ seed, objects, objectColumns }: ValleyOptions) {
  const random = seededRandom(seed + 1000);
  const tree = makeTree(objectColumns);
  const boulders = [0, 1, 2].map((i) =>
    makeRock(2 * objectColumns, Math.round(1.4 * objectColumns), seed + i, 0.6),
  );
  return Array.from({ length: objects }, (_, i) => {
    const writer = new MeshWriter();
    const [x, z] = [random.between(-260, 260), 640 - 1100 * random.next()];
    if (i % 4 === 0) {
      const size = random.between(2, 7);
      writer.addMesh(random.pick(boulders), {
        position: [x, groundHeight(x, z, seed) + 0.2 * size, z],
        scale: [size, 0.8 * size, 1.1 * size],
        turn: random.between(0, 2 * PI),
      });
      return { mesh: writer.build(), tint: [0.3, 0.28, 0.26] as Vec3 };
    }
    addGrove(writer, random, tree, x, z, seed);
    const shade = random.between(0.7, 1.1);
    return { mesh: writer.build(), tint: [0.05 * shade, 0.105 * shade, 0.04 * shade] as Vec3 };
  });
}

function addGrove(
  writer: MeshWriter,
  random: SeededRandom,
  tree: Mesh,
  x: number,
  z: number,
  seed: number,
): void {
  for (let count = 6; count > 0; count--) {
    const [treeX, treeZ] = [x + random.between(-22, 22), z + random.between(-22, 22)];
    const size = random.between(0.8, 1.5);
    writer.addMesh(tree, {
      position: [treeX, groundHeight(treeX, treeZ, seed) - 0.5, treeZ],
      scale: [size, size * random.between(0.9, 1.3), size],
      turn: random.between(0, 2 * PI),
    });
  }
}

/** Returns a conifer of about 12 m. */
function makeTree(columns: number): Mesh {
  const profile: (readonly [number, number])[] = [
    [0.3, 0],
    [0.3, 1.6],
  ];
  const rows = Math.max(2, Math.round(columns * 0.8));
  for (let i = 0; i < rows; i++) {
    const share = i / (rows - 1);
    const saw = (share * 4) % 1;
    profile.push([(1 - share) * (3.1 - 1.3 * saw) + 0.02, 1.6 + 10.5 * share]);
  }
  return makeLathe(profile, columns);
}
