/** Programs of the gallery: kinds of surfaces, each with its own fragment shader. */
import type { ProgramSource } from '@tessera/frame';
import { OUTDOOR_LIGHT_GLSL, OUTDOOR_VERTEX_SOURCE } from './outdoor-light.ts';

/** Statements that set `radiance` from `texel`, `normal` and `toViewer`, by kind of surface. */
const SURFACES = {
  matte: `
  radiance = lightSurface(texel.rgb * u_tint.rgb, 0.0, normal, toViewer, 1.0);`,
  glossy: `
  radiance = lightSurface(texel.rgb * u_tint.rgb, 0.6, normal, toViewer, 1.0);
  radiance += skyTowards(reflect(-toViewer, normal)) * fresnel(0.04, normal, toViewer);`,
  metal: `
  vec3 metal = texel.rgb * u_tint.rgb;
  float gloss = 0.5 + 0.5 * texel.a;
  radiance = metal * skyTowards(reflect(-toViewer, normal));
  radiance += metal * lightSurface(vec3(0.1), gloss, normal, toViewer, 1.0);`,
  marble: `
  vec3 at = v_worldPosition * 2.2;
  float veins = 0.0;
  for (int octave = 0; octave < 4; octave++) {
    float scale = exp2(float(octave));
    veins += abs(texture(u_texture, (at.xy + at.zx) * 0.11 * scale).g - 0.5) / scale;
  }
  vec3 stone = mix(u_tint.rgb, vec3(0.16, 0.15, 0.17), smoothstep(0.32, 0.05, veins));
  radiance = lightSurface(stone, 0.4, normal, toViewer, 1.0);`,
  bumpy: `
  vec3 alongX = dFdx(v_worldPosition);
  vec3 alongY = dFdy(v_worldPosition);
  vec2 slope = vec2(dFdx(texel.g), dFdy(texel.g)) * 0.12;
  vec3 acrossX = cross(alongY, normal);
  vec3 acrossY = cross(normal, alongX);
  float area = dot(alongX, acrossX);
  vec3 gradient = sign(area) * (slope.x * acrossX + slope.y * acrossY);
  normal = normalize(abs(area) * normal - gradient);
  radiance = lightSurface(texel.rgb * u_tint.rgb, 0.25, normal, toViewer, 1.0);`,
  velvet: `
  float rim = 1.0 - max(dot(normal, toViewer), 0.0);
  radiance = lightSurface(texel.rgb * u_tint.rgb, 0.0, normal, toViewer, 1.0);
  radiance += u_tint.rgb * u_skyColor * (rim * rim * rim);`,
  glass: `
  float edge = fresnel(0.08, normal, toViewer);
  radiance = u_tint.rgb * u_skyColor * 0.4 + skyTowards(reflect(-toViewer, normal)) * edge;
  radiance += lightSurface(vec3(0.0), 1.0, normal, toViewer, 1.0);
  opacity = clamp(u_tint.a + edge, 0.0, 1.0);`,
  stain: `
  radiance = u_tint.rgb;
  vec2 aside = abs(v_texCoord0 - 0.5) * 2.0;
  opacity = u_tint.a * smoothstep(1.0, 0.45, max(max(aside.x, aside.y), length(aside) * 0.85));`,
} as const;

/** Name of a kind of surface. */
export type GallerySurface = keyof typeof SURFACES;

/** Kinds of opaque surfaces, in the order in which they are drawn. */
export const OPAQUE_SURFACES: readonly GallerySurface[] = [
  'matte',
  'glossy',
  'metal',
  'marble',
  'bumpy',
  'velvet',
];

/** Returns the program of a kind of surface. */
export function galleryProgram(surface: GallerySurface): ProgramSource {
  return {
    vertexSource: OUTDOOR_VERTEX_SOURCE,
    fragmentSource: `#version 300 es
precision highp float;
${OUTDOOR_LIGHT_GLSL}
uniform sampler2D u_texture; // alpha is gloss
uniform vec4 u_tint;
uniform vec3 u_zenithColor;

in vec3 v_worldPosition;
in vec3 v_normal;
in vec2 v_texCoord0;
out vec4 o_color;

vec3 skyTowards(vec3 direction) {
  vec3 sky = mix(u_haze.rgb, u_zenithColor, sqrt(max(direction.y, 0.0)));
  return mix(sky, u_groundColor, smoothstep(0.05, -0.2, direction.y));
}

float fresnel(float least, vec3 normal, vec3 toViewer) {
  float grazing = 1.0 - max(dot(normal, toViewer), 0.0);
  float square = grazing * grazing;
  return least + (1.0 - least) * square * square * grazing;
}

void main() {
  vec4 texel = texture(u_texture, v_texCoord0);
  vec3 normal = normalize(v_normal);
  vec3 toViewer = u_viewerPosition - v_worldPosition;
  float distance = length(toViewer);
  toViewer /= distance;
  vec3 radiance;
  float opacity = 1.0;${SURFACES[surface]}
  o_color = vec4(seenFrom(distance, radiance), opacity);
}
`,
  };
}
