/**
 * Shadow maps: passes that draw the depth of the scene as punctual lights see it (L. Williams,
 * "Casting Curved Shadows on Curved Surfaces", 1978).
 */
import type { PipelineState, SamplerState, TextureBinding, UniformValue } from '@tessera/frame';
import { defaultPipelineState } from '@tessera/frame';
import type { FrameBuilder } from '../build/frame-builder.ts';
import { ONE_LEVEL } from '../lighting/covering-pass.ts';
import { BoundingBox } from '../math/bounding-box.ts';
import { tan } from '../math/deterministic-math.ts';
import {
  lookAt,
  type Matrix4,
  multiplyMatrices,
  orthographicMatrix,
  perspectiveMatrix,
  transformPoint,
} from '../math/matrix.ts';
import { addVec3, scaleVec3, subtractVec3, type Vec3 } from '../math/vector.ts';
import { depthDraw } from './depth-draw.ts';
import type { PunctualLight } from './punctual-lights.ts';
import { clipUniforms, type SurfaceDraw } from './surface-draws.ts';

/** Number of lights that cast shadows: the first ones of the scene. */
export const MAX_SHADOWS = 4;
/** Edge of a map, or of a face of a cube, in texels. */
const MAP_PX = 1024;
/** Largest angle between the axis and the edge of a spot's map, in radians. */
const MAX_SPOT_ANGLE = 1.4;
/** Far plane ÷ near plane of a map in perspective, at most. */
const DEPTH_RATIO = 500;

const COMPARING: SamplerState = { ...ONE_LEVEL, compare: 'less-equal' };

/** Directions and upward directions of the faces of a cube (OpenGL 4.6, table 8.19). */
const FACES: readonly (readonly [direction: Vec3, up: Vec3])[] = [
  [
    [1, 0, 0],
    [0, -1, 0],
  ],
  [
    [-1, 0, 0],
    [0, -1, 0],
  ],
  [
    [0, 1, 0],
    [0, 0, 1],
  ],
  [
    [0, -1, 0],
    [0, 0, -1],
  ],
  [
    [0, 0, 1],
    [0, -1, 0],
  ],
  [
    [0, 0, -1],
    [0, -1, 0],
  ],
];

/** Shader inputs of shadow maps. */
export interface ShadowInputs {
  readonly uniforms: Readonly<Record<string, UniformValue>>;
  readonly textures: Readonly<Record<string, TextureBinding>>;
}

/** View of a light: world to clip space, and how a shader looks it up. */
interface LightView {
  /** One matrix, or one for each face of a cube. */
  readonly matrices: readonly Matrix4[];
  /** Edge of a texel in the world: everywhere, or at distance 1 in perspective. */
  readonly texel: number;
  /** Near and far plane. */
  readonly near: number;
  readonly far: number;
}

/**
 * Adds a pass for each map, or for each face of one. A light that the scene is behind has an empty
 * map.
 *
 * @param casters Surfaces that cast shadows.
 */
export function addShadowPasses(
  builder: FrameBuilder,
  casters: readonly SurfaceDraw[],
  lights: readonly PunctualLight[],
): ShadowInputs {
  const box = new BoundingBox();
  for (const caster of casters) box.addBox(caster.box);
  // The draws of all maps differ only in the view.
  const depths = casters.map((caster) => ({
    draw: depthDraw(builder, caster, stateOfMap(caster)),
    toWorld: caster.toWorld,
  }));
  const uniforms: Record<string, UniformValue> = {};
  const textures: Record<string, TextureBinding> = {};
  lights.slice(0, MAX_SHADOWS).forEach((light, i) => {
    const view = viewOfLight(light, box);
    const isCube = light.kind === 'point';
    const textureIndex = builder.addTarget({
      format: 'depth24unorm-stencil8',
      widthPx: MAP_PX,
      heightPx: MAP_PX,
      ...(isCube ? { dimension: 'cube' } : {}),
    });
    view.matrices.forEach((matrix, slice) => {
      builder.addPass({
        target: { kind: 'images', colors: [], depthStencil: { textureIndex, slice } },
        clear: { color: [0, 0, 0, 0], depth: 1, stencil: 0 },
        draws: depths.map(({ draw, toWorld }) => ({
          ...draw,
          uniforms: { ...draw.uniforms, ...clipUniforms(matrix, toWorld) },
        })),
      });
    });
    textures[`u_shadowMap${i}`] = { textureIndex, sampler: COMPARING };
    uniforms[`u_shadowShape${i}`] = [view.texel, view.near, view.far];
    if (!isCube) uniforms[`u_worldToShadow${i}`] = Float32Array.from(view.matrices[0]!);
  });
  return { uniforms, textures };
}

function viewOfLight(light: PunctualLight, box: BoundingBox): LightView {
  const { kind, position, back } = light;
  if (kind === 'directional') return viewOfSun(back, box);
  const distances = box.corners().map((corner) => Math.hypot(...subtractVec3(corner, position)));
  const far = Math.max(1e-6, ...distances) * 1.01;
  const near = far / DEPTH_RATIO;
  if (kind === 'point') {
    const projection = perspectiveMatrix(1, 1, near, far);
    const matrices = FACES.map(([direction, up]) =>
      multiplyMatrices(projection, lookAt(position, addVec3(position, direction), up)),
    );
    return { matrices, texel: 2 / MAP_PX, near, far };
  }
  const tanHalf = tan(Math.min(light.outerAngle, MAX_SPOT_ANGLE));
  const view = lookAt(position, addVec3(position, scaleVec3(back, -1)), upFor(back));
  const matrix = multiplyMatrices(perspectiveMatrix(tanHalf, 1, near, far), view);
  return { matrices: [matrix], texel: (2 * tanHalf) / MAP_PX, near, far };
}

/** Returns a view that sees the whole box in parallel rays. */
function viewOfSun(back: Vec3, box: BoundingBox): LightView {
  const center = box.center();
  const turned = lookAt(back, [0, 0, 0], upFor(back));
  let half = 1e-6;
  let depth = 1e-6;
  for (const corner of box.corners()) {
    const [x, y, z] = transformPoint(turned, subtractVec3(corner, center));
    half = Math.max(half, Math.abs(x), Math.abs(y));
    depth = Math.max(depth, Math.abs(z + 1)); // the origin of the view is one unit from the center
  }
  const far = depth * 2.02;
  const eye = addVec3(center, scaleVec3(back, depth * 1.01));
  const view = lookAt(eye, center, upFor(back));
  const matrix = multiplyMatrices(orthographicMatrix(half, half, 0, far), view);
  return { matrices: [matrix], texel: (2 * half) / MAP_PX, near: 0, far };
}

function upFor(back: Vec3): Vec3 {
  return Math.abs(back[1]) < 0.99 ? [0, 1, 0] : [1, 0, 0];
}

function stateOfMap({ draw }: SurfaceDraw): PipelineState {
  return {
    ...defaultPipelineState(MAP_PX, MAP_PX),
    frontFace: draw.state.frontFace,
    depth: { isTestEnabled: true, isWriteEnabled: true, compare: 'less' },
    polygonOffset: { isEnabled: true, factor: 1.5, units: 4 },
  };
}
