/** Lookup of the visibility that `screen-occlusion.ts` computes, in GLSL. */
import { VIEW_Z_GLSL } from '../common/view-position.ts';

/**
 * At edges a pixel has fragments of several surfaces, and visibility of one. The texel of the
 * nearest depth among five is used.
 */
export const SCREEN_VISIBILITY_GLSL = `${VIEW_Z_GLSL}
uniform highp sampler2D u_visibility;

float screenVisibility() {
  ivec2 texel = ivec2(gl_FragCoord.xy);
  ivec2 last = textureSize(u_visibility, 0) - 1;
  float z = viewZ(gl_FragCoord.z);
  vec2 nearest = texelFetch(u_visibility, texel, 0).rg;
  for (int i = 0; i < 4; i++) {
    int side = (i & 1) * 2 - 1;
    ivec2 other = texel + (i < 2 ? ivec2(side, 0) : ivec2(0, side));
    vec2 value = texelFetch(u_visibility, clamp(other, ivec2(0), last), 0).rg;
    // Depth has rounding errors, for which the texel itself must not change.
    if (abs(value.g - z) + 1e-4 * abs(z) < abs(nearest.g - z)) {
      nearest = value;
    }
  }
  return nearest.r;
}
`;
