/** Positions in the space of the camera, from window depth, in GLSL. */
import type { UniformValue } from '@tessera/frame';
import type { Matrix4 } from '../../../math/matrix.ts';

/** Returns z in the space of the camera; it is negative before the camera. */
export const VIEW_Z_GLSL = `
uniform vec4 u_depthToZ;

float viewZ(float depth) {
  return (u_depthToZ.x * depth + u_depthToZ.y) / (u_depthToZ.z * depth + u_depthToZ.w);
}
`;

/** Returns the position of a texel whose z is known. */
export const VIEW_POSITION_GLSL = `
uniform vec4 u_lens; // half of the view at w = 1, and the factor and the constant of w
uniform vec2 u_sizePx;

float viewW(float z) {
  return u_lens.z * z + u_lens.w;
}

vec3 viewPosition(ivec2 texel, float z) {
  vec2 at = (vec2(texel) + 0.5) / u_sizePx * 2.0 - 1.0;
  return vec3(at * u_lens.xy * viewW(z), z);
}
`;

/** Returns the uniform of `viewZ`, which inverts the depth of a projection. */
export function depthUniforms(projection: Matrix4): Record<string, UniformValue> {
  const [, , , , , , , , , , a, wFactor, , , b, wConstant] = projection;
  // With n = 2 × depth − 1: n × (wFactor × z + wConstant) = a × z + b.
  return {
    u_depthToZ: Float32Array.of(2 * wConstant!, -wConstant! - b!, -2 * wFactor!, a! + wFactor!),
  };
}

/** Returns the uniforms of `viewPosition` for a projection without an offset of its center. */
export function lensUniforms(
  projection: Matrix4,
  widthPx: number,
  heightPx: number,
): Record<string, UniformValue> {
  return {
    u_lens: Float32Array.of(
      1 / projection[0]!,
      1 / projection[5]!,
      projection[11]!,
      projection[15]!,
    ),
    u_sizePx: [widthPx, heightPx],
  };
}
