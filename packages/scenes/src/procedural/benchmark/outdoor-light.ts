/**
 * Light of outdoor scenes: a sun, a sky that is brighter above than below, haze over distance, and
 * tone mapping (K. Narkowicz, "ACES Filmic Tone Mapping Curve", 2015).
 */
import type { Draw, ProgramSource, UniformValue } from '@tessera/frame';
import type { FrameBuilder } from '../../build/frame-builder.ts';
import { coveringDraw } from '../../lighting/covering-pass.ts';
import { invertMatrix, type Matrix4 } from '../../math/matrix.ts';
import { normalizeVec3, type Vec3 } from '../../math/vector.ts';
import type { SceneSize } from '../cube-frame.ts';
import { opaqueState } from '../plain-draw.ts';

/** Light of a scene. Colors are linear. */
export interface OutdoorLight {
  /** Direction to the sun, of any length. */
  readonly toSun: Vec3;
  readonly sunColor: Vec3;
  /** Light from above and from below. */
  readonly skyColor: Vec3;
  readonly groundColor: Vec3;
  /** Color at the horizon, to which distant surfaces turn. */
  readonly hazeColor: Vec3;
  readonly zenithColor: Vec3;
  /** Share of haze per unit of distance, for short distances. */
  readonly hazePerUnit: number;
}

/** GLSL functions that light a surface and turn radiance into a color of the screen. */
export const OUTDOOR_LIGHT_GLSL = `
uniform vec3 u_viewerPosition;
uniform vec3 u_toSun; // of length 1
uniform vec3 u_sunColor;
uniform vec3 u_skyColor;
uniform vec3 u_groundColor;
uniform vec4 u_haze; // color, share per unit of distance

vec3 lightSurface(vec3 albedo, float gloss, vec3 normal, vec3 toViewer, float sunlight) {
  vec3 halfway = normalize(u_toSun + toViewer);
  float diffuse = max(dot(normal, u_toSun), 0.0) * sunlight;
  float highlight = gloss * pow(max(dot(normal, halfway), 0.0), 8.0 + 120.0 * gloss) * sunlight;
  vec3 ambient = mix(u_groundColor, u_skyColor, 0.5 + 0.5 * normal.y);
  return albedo * (ambient + u_sunColor * diffuse) + u_sunColor * highlight;
}

vec3 toneMap(vec3 radiance) {
  vec3 upper = radiance * (2.51 * radiance + 0.03);
  vec3 lower = radiance * (2.43 * radiance + 0.59) + 0.14;
  return sqrt(clamp(upper / lower, 0.0, 1.0)); // a gamma of 2
}

vec3 seenFrom(float distance, vec3 radiance) {
  return toneMap(mix(u_haze.rgb, radiance, exp(-u_haze.a * distance)));
}
`;

/** Vertex shader that passes world position, normal and texture coordinates on. */
export const OUTDOOR_VERTEX_SOURCE = `#version 300 es
precision highp float;

uniform mat4 u_modelViewProjection;
uniform mat4 u_model; // turns and moves, without uneven scale

in vec3 a_position;
in vec3 a_normal;
in vec2 a_texCoord0;
out vec3 v_worldPosition;
out vec3 v_normal;
out vec2 v_texCoord0;

void main() {
  gl_Position = u_modelViewProjection * vec4(a_position, 1.0);
  v_worldPosition = (u_model * vec4(a_position, 1.0)).xyz;
  v_normal = mat3(u_model) * a_normal;
  v_texCoord0 = a_texCoord0;
}
`;

const SKY_PROGRAM: ProgramSource = Object.freeze({
  vertexSource: `#version 300 es
precision highp float;

uniform mat4 u_clipToWorld;
uniform vec3 u_viewerPosition;
out vec3 v_direction;

void main() {
  vec2 corner = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);
  vec4 far = u_clipToWorld * vec4(corner, 1.0, 1.0);
  v_direction = far.xyz / far.w - u_viewerPosition;
  gl_Position = vec4(corner, 1.0, 1.0);
}
`,
  fragmentSource: `#version 300 es
precision highp float;
${OUTDOOR_LIGHT_GLSL}
uniform vec3 u_zenithColor;

in vec3 v_direction;
out vec4 o_color;

void main() {
  vec3 direction = normalize(v_direction);
  float height = sqrt(clamp(direction.y, 0.0, 1.0));
  float sun = max(dot(direction, u_toSun), 0.0);
  vec3 glow = u_sunColor * (0.15 * pow(sun, 24.0) + 4.0 * smoothstep(0.9994, 0.9998, sun));
  o_color = vec4(toneMap(mix(u_haze.rgb, u_zenithColor, height) + glow), 1.0);
}
`,
});

/** Returns the uniforms of {@link OUTDOOR_LIGHT_GLSL}. */
export function outdoorUniforms(light: OutdoorLight, viewer: Vec3): Record<string, UniformValue> {
  return {
    u_viewerPosition: Float32Array.from(viewer),
    u_toSun: Float32Array.from(normalizeVec3(light.toSun)),
    u_sunColor: Float32Array.from(light.sunColor),
    u_skyColor: Float32Array.from(light.skyColor),
    u_groundColor: Float32Array.from(light.groundColor),
    u_haze: Float32Array.of(...light.hazeColor, light.hazePerUnit),
  };
}

/** Returns the draw of the sky, which fills the pixels that no earlier draw covered. */
export function skyDraw(
  builder: FrameBuilder,
  light: OutdoorLight,
  viewer: Vec3,
  viewProjection: Matrix4,
  { widthPx, heightPx }: SceneSize,
): Draw {
  const inputs = {
    uniforms: {
      ...outdoorUniforms(light, viewer),
      u_zenithColor: Float32Array.from(light.zenithColor),
      u_clipToWorld: Float32Array.from(invertMatrix(viewProjection)),
    },
    textures: {},
  };
  return {
    ...coveringDraw(builder, SKY_PROGRAM, inputs, widthPx, heightPx),
    state: {
      ...opaqueState(widthPx, heightPx),
      cullMode: 'none',
      depth: { isTestEnabled: true, isWriteEnabled: false, compare: 'less-equal' },
    },
  };
}
