/** Lookups of shadow maps in GLSL; see `shadow-passes.ts`. */
import type { LightKind } from '../../features/surface-features.ts';

/** Places of the lookups around a point, in texels: a rotated square. */
const TAPS = [
  [-0.4, -1.1],
  [1.1, -0.4],
  [0.4, 1.1],
  [-1.1, 0.4],
] as const;

/**
 * Returns GLSL with `shadowOf`, the share of a light that reaches a point: the mean of four lookups
 * (percentage-closer filtering, W. Reeves et al. 1987).
 *
 * @param shadows Kinds of the first lights, which have maps.
 */
export function writeShadows(shadows: readonly LightKind[]): string {
  const declarations = shadows.map((kind, i) =>
    kind === 'point'
      ? `uniform highp samplerCubeShadow u_shadowMap${i};\nuniform vec3 u_shadowShape${i};\n`
      : `uniform highp sampler2DShadow u_shadowMap${i};\nuniform vec3 u_shadowShape${i};\nuniform mat4 u_worldToShadow${i};\n`,
  );
  const functions = shadows.map((kind, i) =>
    kind === 'point' ? cubeShadow(i) : flatShadow(i, kind),
  );
  const cases = shadows.map(
    (_kind, i) => `    case ${i}: return shadow${i}(position, normal, toLightPlace);\n`,
  );
  return `
// Shape of a map: edge of a texel in the world, near and far plane.
${declarations.join('')}${functions.join('')}
float shadowOf(int light, vec3 position, vec3 normal, vec3 toLightPlace) {
  switch (light) {
${cases.join('')}    default: return 1.0;
  }
}
`;
}

/** A point is moved along its normal by the size of a texel, so that it does not shadow itself. */
function flatShadow(i: number, kind: LightKind): string {
  const size = kind === 'directional' ? '' : ` * (u_worldToShadow${i} * vec4(position, 1.0)).w`;
  const taps = TAPS.map(
    ([x, y]) => `textureLod(u_shadowMap${i}, vec3(at.xy + vec2(${x}, ${y}) / 1024.0, at.z), 0.0)`,
  );
  return `
float shadow${i}(vec3 position, vec3 normal, vec3 toLightPlace) {
  float texel = u_shadowShape${i}.x${size};
  vec4 clip = u_worldToShadow${i} * vec4(position + normal * (2.0 * texel), 1.0);
  vec3 at = clip.xyz / clip.w * 0.5 + 0.5;
  if (clip.w <= 0.0 || any(lessThan(at, vec3(0.0))) || any(greaterThan(at, vec3(1.0)))) {
    return 1.0;
  }
  return (${taps.join('\n        + ')}) / 4.0;
}
`;
}

function cubeShadow(i: number): string {
  const taps = TAPS.map(
    ([x, y]) => `texture(u_shadowMap${i}, vec4(away + across * ${x} + along * ${y}, depth))`,
  );
  return `
float shadow${i}(vec3 position, vec3 normal, vec3 toLightPlace) {
  vec3 sizes = abs(toLightPlace);
  float texel = u_shadowShape${i}.x * max(max(sizes.x, sizes.y), sizes.z);
  vec3 away = normal * (2.0 * texel) - toLightPlace;
  sizes = abs(away);
  float distance = max(max(sizes.x, sizes.y), sizes.z);
  vec2 planes = u_shadowShape${i}.yz;
  // Depth of the face's projection: 0 at the near plane, 1 at the far plane.
  float depth = planes.y * (distance - planes.x) / ((planes.y - planes.x) * distance);
  vec3 across = normalize(cross(away, sizes.y < distance ? vec3(0.0, 1.0, 0.0) : vec3(1.0, 0.0, 0.0))) * texel;
  vec3 along = normalize(cross(away, across)) * texel;
  return (${taps.join('\n        + ')}) / 4.0;
}
`;
}
