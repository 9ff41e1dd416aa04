/** Environments that are computed instead of read from a file. */
import type { EnvironmentSource } from './environment-frame.ts';

/** Names of the environments; the first is the default. */
export const ENVIRONMENTS = ['studio', 'day', 'dusk'] as const;
/** Name of an environment of {@link ENVIRONMENTS}. */
export type EnvironmentName = (typeof ENVIRONMENTS)[number];

/** Neutral studio: gray walls, a bright ceiling panel, two side panels, a back light. */
const STUDIO_GLSL = `
out vec4 o_radiance;

// Share of a soft panel in a direction: center, half sizes along two axes, width of the edge.
float panel(vec3 d, vec3 center, vec3 right, vec3 up, vec2 halfSize, float edge) {
  float depth = dot(d, center);
  if (depth <= 0.0) {
    return 0.0;
  }
  vec2 at = abs(vec2(dot(d, right), dot(d, up))) / depth;
  vec2 inside = 1.0 - smoothstep(halfSize - edge, halfSize + edge, at);
  return inside.x * inside.y;
}

void main() {
  vec3 d = normalize(faceDirection(gl_FragCoord.xy));
  float wall = mix(0.45, 0.85, smoothstep(-0.6, 0.9, d.y));
  float light = 4.5 * panel(d, vec3(0.0, 1.0, 0.0), vec3(1.0, 0.0, 0.0), vec3(0.0, 0.0, 1.0), vec2(0.75, 0.5), 0.08)
              + 4.0 * panel(d, normalize(vec3(1.0, 0.35, 0.55)), normalize(vec3(0.55, 0.0, -1.0)), normalize(vec3(-0.29, 1.14, -0.16)), vec2(0.28, 0.5), 0.06)
              + 2.5 * panel(d, normalize(vec3(-1.0, 0.25, 0.7)), normalize(vec3(0.7, 0.0, 1.0)), normalize(vec3(0.2, 1.22, -0.14)), vec2(0.35, 0.6), 0.08)
              + 3.0 * panel(d, normalize(vec3(-0.2, 0.3, -1.0)), normalize(vec3(-1.0, 0.0, 0.2)), normalize(vec3(0.06, 1.04, 0.3)), vec2(0.6, 0.2), 0.06);
  o_radiance = vec4(vec3(0.55 * (wall + light)), 1.0);
}
`;

/**
 * Sky of a clear day by single scattering (T. Nishita et al., "Display of the Earth Taking into
 * Account Atmospheric Scattering", 1993) over a gray ground.
 */
const SKY_GLSL = `
out vec4 o_radiance;

const float GROUND_RADIUS = 6371e3; // in m
const float AIR_RADIUS = 6471e3;
const vec3 RAYLEIGH = vec3(5.5e-6, 13.0e-6, 22.4e-6); // scattering at sea level, per m
const float MIE = 21e-6;
const vec2 SCALE_HEIGHTS = vec2(8000.0, 1200.0);
const float SUN_STRENGTH = 10.0;
const float SUN_COSINE = 0.9990; // of its radius, wider than the real sun so that texels catch it

float pathOut(vec3 from, vec3 direction) {
  float b = dot(from, direction);
  return -b + sqrt(max(b * b - dot(from, from) + AIR_RADIUS * AIR_RADIUS, 0.0));
}

// Amounts of air and of dust along a path through the atmosphere.
vec2 amounts(vec3 from, vec3 direction) {
  float step = pathOut(from, direction) / 8.0;
  vec2 sum = vec2(0.0);
  for (int i = 0; i < 8; i++) {
    vec3 at = from + direction * (step * (float(i) + 0.5));
    sum += exp(-max(length(at) - GROUND_RADIUS, 0.0) / SCALE_HEIGHTS) * step;
  }
  return sum;
}

vec3 left(vec2 passed) {
  return exp(-(RAYLEIGH * passed.x + MIE * 1.1 * passed.y));
}

vec3 skyRadiance(vec3 direction, vec3 toSun) {
  vec3 eye = vec3(0.0, GROUND_RADIUS + 2.0, 0.0);
  float step = pathOut(eye, direction) / 16.0;
  float cosSun = dot(direction, toSun);
  float rayleighPhase = 0.0596831 * (1.0 + cosSun * cosSun);
  const float G = 0.758;
  float miePhase = 0.119366 * (1.0 - G * G) * (1.0 + cosSun * cosSun)
                 / ((2.0 + G * G) * pow(1.0 + G * G - 2.0 * G * cosSun, 1.5));
  vec2 passed = vec2(0.0);
  vec3 air = vec3(0.0);
  vec3 dust = vec3(0.0);
  for (int i = 0; i < 16; i++) {
    vec3 at = eye + direction * (step * (float(i) + 0.5));
    vec2 here = exp(-max(length(at) - GROUND_RADIUS, 0.0) / SCALE_HEIGHTS) * step;
    passed += here;
    vec3 lit = left(passed + amounts(at, toSun));
    air += lit * here.x;
    dust += lit * here.y;
  }
  vec3 sky = SUN_STRENGTH * (air * RAYLEIGH * rayleighPhase + dust * MIE * miePhase);
  float disk = smoothstep(SUN_COSINE - 0.0004, SUN_COSINE + 0.0004, cosSun);
  return sky + disk * 60.0 * SUN_STRENGTH * left(passed);
}

void main() {
  vec3 d = normalize(faceDirection(gl_FragCoord.xy));
  vec3 sky = skyRadiance(normalize(vec3(d.x, max(d.y, 0.001), d.z)), TO_SUN);
  vec3 eye = vec3(0.0, GROUND_RADIUS + 2.0, 0.0);
  vec3 sun = SUN_STRENGTH * left(amounts(eye, TO_SUN)) * max(TO_SUN.y, 0.0);
  vec3 ground = 0.25 * (0.2 * sun + 0.3 * skyRadiance(vec3(0.0, 1.0, 0.0), TO_SUN));
  o_radiance = vec4(mix(ground, sky, smoothstep(-0.02, 0.01, d.y)), 1.0);
}
`;

function skyWithSun(elevationDegrees: number): string {
  const angle = (elevationDegrees * Math.PI) / 180;
  const x = (Math.cos(angle) * 0.6).toFixed(6);
  const z = (Math.cos(angle) * 0.8).toFixed(6);
  return `const vec3 TO_SUN = vec3(${x}, ${Math.sin(angle).toFixed(6)}, ${z});\n${SKY_GLSL}`;
}

const FRAGMENTS: Readonly<Record<EnvironmentName, string>> = {
  studio: STUDIO_GLSL,
  day: skyWithSun(50),
  dusk: skyWithSun(4),
};

/** Returns the source of a named environment. */
export function builtInEnvironment(name: EnvironmentName) {
  return { kind: 'computed', fragment: FRAGMENTS[name] } as const satisfies EnvironmentSource;
}

/** Whether a name is that of an environment of {@link ENVIRONMENTS}. */
export function isEnvironmentName(name: string): name is EnvironmentName {
  return (ENVIRONMENTS as readonly string[]).includes(name);
}
