/**
 * Soft shadow of a model on an invisible ground under it, as if light came from all of the sky. A
 * pass draws the depth of the model as seen from below in parallel rays. Where the nearest surface
 * is at height h above the ground, the darkness is 1 − h ÷ reach. A Gaussian filter blurs it.
 *
 * The definition is that of model-viewer and of the example of contact shadows of three.js.
 */
import {
  type Draw,
  defaultPipelineState,
  type PipelineState,
  type ProgramSource,
} from '@tessera/frame';
import type { FrameBuilder } from '../build/frame-builder.ts';
import { addCoveringPass, NEAREST, ONE_LEVEL } from '../lighting/covering-pass.ts';
import { coveringProgram } from '../lighting/cube-shaders.ts';
import { BoundingBox } from '../math/bounding-box.ts';
import { lookAt, multiplyMatrices, orthographicMatrix } from '../math/matrix.ts';
import { depthDraw } from './depth-draw.ts';
import { clipUniforms, OVER_BLEND, type SurfaceDraw } from './surface-draws.ts';
import type { View } from './view.ts';

/** Edge of the map of depth, in texels. */
const DEPTH_PX = 512;
/** Edge of the maps of darkness, in texels. */
const MAP_PX = 128;
/** Texels of depth along the edge of a texel of darkness. */
const REDUCTION = DEPTH_PX / MAP_PX;
/** exp(−1 ÷ (2 × 4²)): base of a Gaussian with a standard deviation of 4 texels. */
const GAUSSIAN_BASE = 0.9692332344763441;
/** Texels of the filter on each side of its center: three standard deviations. */
const RADIUS = 12;
/** Texels around the model that the filter darkens, and one that stays empty. */
const MARGIN = RADIUS + 1;
/** Darkness of the ground where a surface touches it. */
const STRENGTH = 0.8;

/** Shadow on the ground. */
export interface GroundShadow {
  /** Texture of its darkness. */
  readonly textureIndex: number;
  /** Center of the texture in the world, and half of its edge. */
  readonly center: readonly [number, number, number];
  readonly half: number;
}

/**
 * Adds the passes that draw the shadow's texture. Returns `null` if nothing casts a shadow.
 *
 * @param casters Surfaces that cast the shadow.
 * @param lowest Height of the lowest point of the model.
 */
export function addGroundShadow(
  builder: FrameBuilder,
  casters: readonly SurfaceDraw[],
  lowest: number,
): GroundShadow | null {
  const box = new BoundingBox();
  for (const caster of casters) box.addBox(caster.box);
  if (box.isEmpty()) return null;

  // 1. Place the ground. It is a little below the model, whose own floor then hides it.
  const [width, height, depth] = [0, 1, 2].map((axis) => box.max[axis]! - box.min[axis]!);
  const footprint = Math.max(width!, depth!, height! / 4, 1e-6);
  const half = ((footprint / 2) * MAP_PX) / (MAP_PX - 2 * MARGIN);
  const reach = Math.max(height! / 2, footprint / 8);
  const [x, , z] = box.center();
  const y = lowest - Math.max(footprint, height!) / 1000;

  // 2. Draw depth as seen from below: x points right, z up.
  const up = lookAt([x, y, z], [x, y + 1, z], [0, 0, 1]);
  const worldToMap = multiplyMatrices(orthographicMatrix(half, half, 0, reach), up);
  const depthIndex = builder.addTarget({
    format: 'depth24unorm-stencil8',
    widthPx: DEPTH_PX,
    heightPx: DEPTH_PX,
  });
  builder.addPass({
    target: { kind: 'images', colors: [], depthStencil: { textureIndex: depthIndex } },
    clear: { color: [0, 0, 0, 0], depth: 1, stencil: 0 },
    draws: casters.map((caster) => {
      const draw = depthDraw(builder, caster, DEPTH_STATE);
      return {
        ...draw,
        uniforms: { ...draw.uniforms, ...clipUniforms(worldToMap, caster.toWorld) },
      };
    }),
  });

  // 3. Turn depth into darkness and blur it.
  const map = { format: 'r16float', widthPx: MAP_PX, heightPx: MAP_PX } as const;
  const sharp = builder.addTarget(map);
  addCoveringPass(builder, map, { textureIndex: sharp }, coveringProgram(DARKNESS_GLSL), {
    uniforms: {},
    textures: { u_depth: { textureIndex: depthIndex, sampler: NEAREST } },
  });
  const [across, along] = [builder.addTarget(map), builder.addTarget(map)];
  addBlurPass(builder, map, sharp, across, [1, 0]);
  addBlurPass(builder, map, across, along, [0, 1]);
  return { textureIndex: along, center: [x, y, z], half };
}

/** Returns the draw of the ground, which is visible from above only. */
export function groundDraw(
  builder: FrameBuilder,
  { textureIndex, center, half }: GroundShadow,
  view: View,
  output: 'display' | 'radiance',
  { widthPx, heightPx }: { readonly widthPx: number; readonly heightPx: number },
): Draw {
  return {
    programIndex: builder.addProgram(groundProgram(output)),
    topology: 'triangle-strip',
    first: 0,
    count: 4,
    indices: null,
    instanceCount: 1,
    attributes: {},
    uniforms: {
      u_ground: Float32Array.of(...center, half),
      ...clipUniforms(view.viewProjection, null),
    },
    textures: { u_darkness: { textureIndex, sampler: ONE_LEVEL } },
    state: {
      ...defaultPipelineState(widthPx, heightPx),
      cullMode: 'back',
      frontFace: 'clockwise',
      depth: { isTestEnabled: true, isWriteEnabled: false, compare: 'less' },
      // The camera is placed for the model, without the ground around it.
      isDepthClamped: true,
      blend: OVER_BLEND,
    },
  };
}

const DEPTH_STATE: PipelineState = {
  ...defaultPipelineState(DEPTH_PX, DEPTH_PX),
  depth: { isTestEnabled: true, isWriteEnabled: true, compare: 'less' },
};

const DARKNESS_GLSL = `
uniform highp sampler2D u_depth;
out vec4 o_color;

void main() {
  ivec2 first = ivec2(gl_FragCoord.xy) * ${REDUCTION};
  float sum = 0.0;
  for (int y = 0; y < ${REDUCTION}; y++) {
    for (int x = 0; x < ${REDUCTION}; x++) {
      sum += 1.0 - texelFetch(u_depth, first + ivec2(x, y), 0).r;
    }
  }
  o_color = vec4(sum / ${REDUCTION * REDUCTION}.0, 0.0, 0.0, 1.0);
}
`;

function addBlurPass(
  builder: FrameBuilder,
  map: Parameters<typeof addCoveringPass>[1],
  from: number,
  to: number,
  direction: readonly [number, number],
): void {
  const program = coveringProgram(BLUR_GLSL);
  addCoveringPass(builder, map, { textureIndex: to }, program, {
    uniforms: { u_step: direction.map((value) => value / MAP_PX) },
    textures: { u_map: { textureIndex: from, sampler: ONE_LEVEL } },
  });
}

/** Gaussian filter in one direction. Each lookup between two texels weights both. */
const BLUR_GLSL = `
uniform sampler2D u_map;
uniform vec2 u_step; // from a texel to the next one
out vec4 o_color;

void main() {
  vec2 at = gl_FragCoord.xy / ${MAP_PX}.0;
  float sum = textureLod(u_map, at, 0.0).r * ${gaussianWeight(0)};
${listTaps()
  .map(
    ({ offset, weight }) =>
      `  sum += (textureLod(u_map, at + u_step * ${offset}, 0.0).r + textureLod(u_map, at - u_step * ${offset}, 0.0).r) * ${weight};\n`,
  )
  .join('')}  o_color = vec4(sum, 0.0, 0.0, 1.0);
}
`;

function listTaps(): { offset: number; weight: number }[] {
  return Array.from({ length: RADIUS / 2 }, (_, i) => {
    const [near, far] = [gaussianWeight(2 * i + 1), gaussianWeight(2 * i + 2)];
    const weight = near + far;
    return { offset: 2 * i + 1 + far / weight, weight };
  });
}

/** Returns the weight of a texel of the filter; those of all texels sum to 1. */
function gaussianWeight(distance: number): number {
  let sum = 0;
  for (let k = -RADIUS; k <= RADIUS; k++) sum += gaussian(k);
  return gaussian(distance) / sum;
}

/** Computes with products only, whose bits are the same on all machines. */
function gaussian(distance: number): number {
  let product = 1;
  for (let i = 0; i < distance * distance; i++) product *= GAUSSIAN_BASE;
  return product;
}

function groundProgram(output: 'display' | 'radiance'): ProgramSource {
  return {
    vertexSource: `#version 300 es
precision highp float;
uniform mat4 u_viewProjection;
uniform vec4 u_ground; // center, half of the edge
out vec2 v_at;

void main() {
  v_at = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
  vec2 place = u_ground.xz + (v_at * 2.0 - 1.0) * u_ground.w;
  gl_Position = u_viewProjection * vec4(place.x, u_ground.y, place.y, 1.0);
}
`,
    fragmentSource: `#version 300 es
precision highp float;
uniform sampler2D u_darkness;
in vec2 v_at;
out vec4 o_color;

void main() {
  float darkness = textureLod(u_darkness, v_at, 0.0).r * ${STRENGTH};
${
  output === 'display'
    ? ''
    : `  // Blending on the display darkens encoded values, which are about the root of radiance.
  darkness = 1.0 - pow(1.0 - darkness, 2.2);
`
}  o_color = vec4(0.0, 0.0, 0.0, darkness);
}
`,
  };
}
