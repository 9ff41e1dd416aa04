/**
 * A city in the light of a low sun: four passes draw the depths of shadow cascades, and the last
 * one lights the city with them.
 */
import type { Draw, Frame, ProgramSource, SamplerState, TextureBinding } from '@tessera/frame';
import { FrameBuilder } from '../../build/frame-builder.ts';
import { NEAREST, ONE_LEVEL } from '../../lighting/covering-pass.ts';
import type { Ball } from '../../math/ball.ts';
import { composeMatrix, type Matrix4, multiplyMatrices } from '../../math/matrix.ts';
import { normalizeVec3, subtractVec3, type Vec3 } from '../../math/vector.ts';
import type { SceneSize } from '../cube-frame.ts';
import { addMesh, type MeshSources, makeFloor } from '../mesh.ts';
import { cameraMatrix, opaqueState, type SceneCamera, TRILINEAR_SAMPLER } from '../plain-draw.ts';
import { BLOCK_PITCH, makeAsphalt, makeCity, makeFacade, makeFurniturePalette } from './city.ts';
import {
  OUTDOOR_LIGHT_GLSL,
  OUTDOOR_VERTEX_SOURCE,
  type OutdoorLight,
  outdoorUniforms,
  skyDraw,
} from './outdoor-light.ts';
import { CASCADES_GLSL, makeCascades, type ShadowCascade } from './shadow-cascades.ts';

/** Size, seed and extent of the city. */
export interface CityOptions extends SceneSize {
  readonly seed: number;
  /** Blocks from left to right; an even number has a street in the middle. */
  readonly columns: number;
  readonly rows: number;
  /** Edge of a shadow map in texels. */
  readonly shadowMapPx: number;
}

const FACADES = 6;
/** Distance at which the last cascade ends. */
const SHADOW_REACH = 480;

const LIGHT: OutdoorLight = {
  toSun: [0.42, 0.55, 0.6],
  sunColor: [2.5, 2.05, 1.5],
  skyColor: [0.34, 0.42, 0.56],
  groundColor: [0.16, 0.14, 0.12],
  hazeColor: [0.62, 0.66, 0.7],
  zenithColor: [0.12, 0.26, 0.56],
  hazePerUnit: 0.0011,
};

const LIT_PROGRAM: ProgramSource = Object.freeze({
  vertexSource: OUTDOOR_VERTEX_SOURCE,
  fragmentSource: `#version 300 es
precision highp float;
${OUTDOOR_LIGHT_GLSL}${CASCADES_GLSL}
uniform sampler2D u_texture; // alpha is gloss
uniform vec3 u_tint;
uniform vec4 u_roof; // color of what faces up, and whether it replaces the texture

in vec3 v_worldPosition;
in vec3 v_normal;
in vec2 v_texCoord0;
out vec4 o_color;

void main() {
  vec3 normal = normalize(v_normal);
  vec3 toViewer = u_viewerPosition - v_worldPosition;
  float distance = length(toViewer);
  vec4 surface = texture(u_texture, v_texCoord0) * vec4(u_tint, 1.0);
  surface = mix(surface, vec4(u_roof.rgb, 0.05), u_roof.a * step(0.5, normal.y));
  float sunlight = 0.0;
  if (dot(normal, u_toSun) > 0.0) sunlight = sunlightAt(v_worldPosition, normal, u_viewerPosition);
  float gloss = 0.5 * surface.a;
  vec3 radiance = lightSurface(surface.rgb, gloss, normal, toViewer / distance, sunlight);
  o_color = vec4(seenFrom(distance, radiance), 1.0);
}
`,
});

const DEPTH_PROGRAM: ProgramSource = Object.freeze({
  vertexSource: `#version 300 es
precision highp float;

uniform mat4 u_modelViewProjection;

in vec3 a_position;

void main() {
  gl_Position = u_modelViewProjection * vec4(a_position, 1.0);
}
`,
  fragmentSource: `#version 300 es
precision highp float;

void main() {}
`,
});

/** Part of the city that one draw of each pass draws. */
interface CityPart {
  readonly mesh: MeshSources;
  readonly model: Matrix4;
  readonly texture: TextureBinding;
  readonly tint: Vec3;
  readonly roof: readonly [number, number, number, number];
  /** Ball around what throws shadows; `null` if nothing does. */
  readonly bounds: Ball | null;
}

/** Returns a frame of five passes, the last one to the screen. */
export function cityCascadesFrame(options: CityOptions): Frame {
  const { widthPx, heightPx, shadowMapPx } = options;
  const builder = new FrameBuilder();
  const camera = cameraOf(options);
  const parts = makeParts(builder, options);
  const toSun = normalizeVec3(LIGHT.toSun);
  const depth = 2 * SHADOW_REACH;
  const cascades = makeCascades(camera, widthPx / heightPx, toSun, SHADOW_REACH, depth);
  const maps = builder.addTarget({
    format: 'depth24unorm-stencil8',
    dimension: '2d-array',
    sliceCount: cascades.length,
    widthPx: shadowMapPx,
    heightPx: shadowMapPx,
  });
  cascades.forEach((cascade, slice) => {
    builder.addPass({
      target: { kind: 'images', colors: [], depthStencil: { textureIndex: maps, slice } },
      clear: { color: [0, 0, 0, 0], depth: 1, stencil: 0 },
      draws: shadowDraws(builder, parts, cascade, shadowMapPx),
    });
  });
  const viewProjection = cameraMatrix(camera, widthPx, heightPx);
  const comparing: SamplerState = { ...ONE_LEVEL, compare: 'less-equal' };
  const common = {
    ...outdoorUniforms(LIGHT, camera.eye),
    ...cascadeUniforms(camera, cascades, shadowMapPx),
  };
  for (const part of parts) {
    builder.addDraw({
      ...part.mesh,
      programIndex: builder.addProgram(LIT_PROGRAM),
      instanceCount: 1,
      uniforms: {
        ...common,
        u_modelViewProjection: Float32Array.from(multiplyMatrices(viewProjection, part.model)),
        u_model: Float32Array.from(part.model),
        u_tint: Float32Array.from(part.tint),
        u_roof: Float32Array.from(part.roof),
      },
      textures: {
        u_texture: part.texture,
        u_shadowMaps: { textureIndex: maps, sampler: comparing },
      },
      state: opaqueState(widthPx, heightPx),
    });
  }
  builder.addDraw(skyDraw(builder, LIGHT, camera.eye, viewProjection, options));
  return builder.build(widthPx, heightPx, { color: [0, 0, 0, 1], depth: 1, stencil: 0 });
}

/** Returns a camera above the avenue in the middle of the city, two rows from its near end. */
function cameraOf({ rows }: CityOptions): SceneCamera {
  const z = (rows / 2 - 1.6) * BLOCK_PITCH;
  return {
    eye: [5, 37, z],
    target: [-8, 14, z - 120],
    tanHalfFovY: 0.5,
    near: 1,
    far: 1200,
  };
}

function makeParts(builder: FrameBuilder, { seed, columns, rows }: CityOptions): CityPart[] {
  const bind = (textureIndex: number): TextureBinding => ({
    textureIndex,
    sampler: { ...TRILINEAR_SAMPLER, maxAnisotropy: 4 },
  });
  const facades = Array.from({ length: FACADES }, (_, i) =>
    bind(builder.addTexture(makeFacade(seed + i))),
  );
  const palette: TextureBinding = {
    textureIndex: builder.addTexture(makeFurniturePalette()),
    sampler: NEAREST,
  };
  const blocks = makeCity(seed, columns, rows, FACADES);
  const models = blocks.map(({ center }) => composeMatrix(center, [0, 0, 0, 1], [1, 1, 1]));
  const buildings = blocks.map(
    ({ buildings: mesh, facade, tint, center, height }, i): CityPart => ({
      mesh: addMesh(builder, mesh),
      model: models[i]!,
      texture: facades[facade]!,
      tint,
      roof: [0.3, 0.29, 0.28, 1],
      bounds: {
        center: [center[0], height / 2, center[2]],
        radius: Math.sqrt((height / 2) ** 2 + 2 * 22 ** 2),
      },
    }),
  );
  const furniture = blocks.map(
    ({ furniture: mesh, center }, i): CityPart => ({
      mesh: addMesh(builder, mesh),
      model: models[i]!,
      texture: palette,
      tint: [1, 1, 1],
      roof: [0, 0, 0, 0],
      bounds: { center, radius: 36 },
    }),
  );
  const halfEdge = (Math.max(columns, rows) / 2 + 1) * BLOCK_PITCH;
  const floor = makeFloor(halfEdge, 48, Math.max(columns, rows) + 2);
  const ground: CityPart = {
    mesh: addMesh(builder, floor),
    model: composeMatrix([0, 0, 0], [0, 0, 0, 1], [1, 1, 1]),
    texture: bind(builder.addTexture(makeAsphalt(seed))),
    tint: [1, 1, 1],
    roof: [0, 0, 0, 0],
    bounds: null,
  };
  // Buildings come by facade, so that the texture of draws seldom changes.
  const byFacade = facades.flatMap((facade) => buildings.filter((each) => each.texture === facade));
  return [...byFacade, ...furniture, ground];
}

function shadowDraws(
  builder: FrameBuilder,
  parts: readonly CityPart[],
  cascade: ShadowCascade,
  mapPx: number,
): Draw[] {
  const state = opaqueState(mapPx, mapPx);
  return parts
    .filter(({ bounds }) => bounds !== null && cascade.reaches(bounds))
    .map(({ mesh, model }) => ({
      ...mesh,
      attributes: { a_position: mesh.attributes.a_position! },
      programIndex: builder.addProgram(DEPTH_PROGRAM),
      instanceCount: 1,
      uniforms: {
        u_modelViewProjection: Float32Array.from(multiplyMatrices(cascade.worldToClip, model)),
      },
      textures: {},
      state: { ...state, polygonOffset: { isEnabled: true, factor: 1.5, units: 4 } },
    }));
}

function cascadeUniforms(
  { eye, target }: SceneCamera,
  cascades: readonly ShadowCascade[],
  mapPx: number,
) {
  return {
    'u_worldToCascade[0]': Float32Array.from(cascades.flatMap(({ worldToClip }) => worldToClip)),
    u_cascadeEnds: Float32Array.from(cascades, ({ end }) => end),
    u_cascadeTexels: Float32Array.from(cascades, ({ edge }) => edge / mapPx),
    u_viewAxis: Float32Array.of(...normalizeVec3(subtractVec3(target, eye)), 1 / mapPx),
  };
}
