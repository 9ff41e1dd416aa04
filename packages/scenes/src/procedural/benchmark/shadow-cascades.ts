/**
 * Cascades of shadow maps for a sun (F. Zhang et al., "Parallel-Split Shadow Maps for Large-scale
 * Virtual Environments", 2006): each covers a range of distances from the viewer. Its map is a
 * layer of an array of depth textures.
 */
import type { Ball } from '../../math/ball.ts';
import { lookAt, type Matrix4, multiplyMatrices, orthographicMatrix } from '../../math/matrix.ts';
import { addVec3, normalizeVec3, scaleVec3, subtractVec3, type Vec3 } from '../../math/vector.ts';
import type { SceneCamera } from '../plain-draw.ts';

/** Number of cascades. */
export const CASCADE_COUNT = 4;

/** Weight of the logarithmic division of the distances; the rest is that of the equal one. */
const LOGARITHMIC_SHARE = 0.75;

/** View of the sun on the part of the scene between two distances from the viewer. */
export interface ShadowCascade {
  /** Distance along the view at which the cascade ends. */
  readonly end: number;
  readonly worldToClip: Matrix4;
  /** Edge of the square that the map covers, in the world. */
  readonly edge: number;
  /** Returns whether a body within the ball may throw a shadow into the map. */
  readonly reaches: (ball: Ball) => boolean;
}

/** GLSL function that returns the share of the sun's light at a point, from 3×3 lookups. */
export const CASCADES_GLSL = `
uniform highp sampler2DArrayShadow u_shadowMaps;
uniform mat4 u_worldToCascade[${CASCADE_COUNT}];
uniform vec4 u_cascadeEnds;
uniform vec4 u_cascadeTexels; // edges of texels in the world
uniform vec4 u_viewAxis; // axis of the view, and the size of a texel in the map

float sunlightAt(vec3 position, vec3 normal, vec3 viewer) {
  float depth = dot(position - viewer, u_viewAxis.xyz);
  int cascade = int(dot(vec4(greaterThan(vec4(depth), u_cascadeEnds)), vec4(1.0)));
  if (cascade >= ${CASCADE_COUNT}) return 1.0;
  vec3 raised = position + normal * (2.0 * u_cascadeTexels[cascade]);
  vec3 at = (u_worldToCascade[cascade] * vec4(raised, 1.0)).xyz * 0.5 + 0.5;
  float lit = 0.0;
  for (int y = -1; y <= 1; y++) {
    for (int x = -1; x <= 1; x++) {
      vec2 shifted = at.xy + vec2(x, y) * u_viewAxis.w;
      lit += texture(u_shadowMaps, vec4(shifted, float(cascade), at.z));
    }
  }
  return lit / 9.0;
}
`;

/**
 * Returns the cascades of a camera.
 *
 * @param toSun Direction to the sun, of length 1.
 * @param reach Distance at which the last cascade ends.
 * @param depth Distance from the center of a map to everything that throws shadows into it.
 */
export function makeCascades(
  camera: SceneCamera,
  aspect: number,
  toSun: Vec3,
  reach: number,
  depth: number,
): ShadowCascade[] {
  const { eye, target, tanHalfFovY, near } = camera;
  const axis = normalizeVec3(subtractVec3(target, eye));
  const diagonal = tanHalfFovY ** 2 * (1 + aspect ** 2);
  const ends = Array.from({ length: CASCADE_COUNT }, (_, i) => {
    const share = (i + 1) / CASCADE_COUNT;
    // near × (reach ÷ near)^share by square roots, which are the same on every machine
    const logarithmic = near * quarterPower(reach / near, i + 1);
    return (
      LOGARITHMIC_SHARE * logarithmic + (1 - LOGARITHMIC_SHARE) * (near + share * (reach - near))
    );
  });
  return ends.map((end, i) => {
    const start = i === 0 ? near : ends[i - 1]!;
    // The smallest ball around the corners of the part of the view between start and end.
    const middle = Math.min(end, 0.5 * (start + end) * (1 + diagonal));
    const radius = Math.sqrt((end - middle) ** 2 + end * end * diagonal);
    const center = addVec3(eye, scaleVec3(axis, middle));
    const sunEye = addVec3(center, scaleVec3(toSun, depth));
    const view = lookAt(sunEye, center, [0, 1, 0]);
    const projection = orthographicMatrix(radius, radius, 0, 2 * depth);
    return {
      end,
      worldToClip: multiplyMatrices(projection, view),
      edge: 2 * radius,
      reaches: (ball) => {
        const offset = subtractVec3(ball.center, center);
        const along = offset[0] * toSun[0] + offset[1] * toSun[1] + offset[2] * toSun[2];
        const aside = subtractVec3(offset, scaleVec3(toSun, along));
        const distance = Math.sqrt(aside[0] ** 2 + aside[1] ** 2 + aside[2] ** 2);
        // A caster behind the part of the view, as the sun sees it, shades nothing of it.
        return distance < ball.radius + 1.42 * radius && along > -ball.radius - radius;
      },
    };
  });
}

/** Returns x^(quarters ÷ 4). */
function quarterPower(x: number, quarters: number): number {
  const root = Math.sqrt(Math.sqrt(x));
  let power = 1;
  for (let i = 0; i < quarters; i++) power *= root;
  return power;
}
