/** Undamaged shaders of all languages, and the words of these shaders. */
import { DESKTOP_SHADERS } from '../../../packages/shader/src/testing/desktop-shaders.ts';
import {
  buildCase,
  INVALID_SHADERS,
} from '../../../packages/shader/src/testing/invalid-shaders.ts';
import { VALID_SHADERS } from '../../../packages/shader/src/testing/valid-shaders.ts';
import { splitWords } from '../mutate/mutate-words.ts';

/** Rules that a pair of shaders is checked with; the first byte of an input is their index. */
export const PROFILES = ['service', 'webgl1', 'webgl2', 'desktop'] as const;

/** Pair of shaders with its rules. */
export interface ShaderPair {
  readonly profile: (typeof PROFILES)[number];
  readonly vertex: string;
  readonly fragment: string;
}

const PAIRS: readonly ShaderPair[] = [
  {
    profile: 'webgl1',
    vertex: `attribute vec4 place; attribute vec2 at; uniform mat4 matrix; uniform vec3 lights[2]; varying vec2 uv;
void main() { uv = at * lights[1].xy; gl_Position = matrix * place; }`,
    fragment: `precision mediump float; uniform sampler2D image; varying vec2 uv;
#define TAPS 4
#if TAPS > 2
void main() {
  vec4 sum = vec4(0.0);
  for (int i = 0; i < TAPS; i++) { sum += texture2D(image, uv * float(i)); if (sum.a > 2.5) break; }
  if (uv.x > 0.9) discard;
  gl_FragColor = sum * 0.25;
}
#endif`,
  },
  {
    profile: 'service',
    vertex: `#version 300 es
layout(location = 0) in vec3 position; in uvec2 flags; out highp vec3 normal; flat out int kind;
uniform Camera { mat4 view; vec4 eye[3]; } camera;
struct Light { vec3 direction; float power; }; uniform Light light;
vec3 bend(in vec3 p, inout float k) { k += p.x; return p * k - cross(p, light.direction); }
void main() {
  float k = float(flags.x & 3u); kind = int(flags.y >> 1) % 5;
  switch (kind) { case 0: k = -k; break; default: k *= 2.0; }
  normal = bend(position, k); gl_Position = camera.view * vec4(normal, 1.0) + camera.eye[kind % 3];
}`,
    fragment: `#version 300 es
precision highp float; precision highp int;
in vec3 normal; flat in int kind; layout(location = 0) out vec4 color; uniform highp isampler2D table; uniform samplerCube sky;
const float WEIGHTS[3] = float[3](0.25, 0.5, 0.25);
void main() {
  vec3 n = normalize(normal); float sum = 0.0; int i = 0;
  do { sum += WEIGHTS[i] * abs(dFdx(n.x)); } while (++i < 3);
  ivec4 t = texelFetch(table, ivec2(gl_FragCoord.xy), 0);
  while (sum < 1.0 && t.x > 0) { sum *= 1.5; t.x >>= 1; if (t.y == 7) continue; sum += 0.01; }
  color = mix(texture(sky, reflect(n, vec3(0, 0, 1))), vec4(n.zyx, sum), kind == 2 ? 1.0 : smoothstep(0.0, 1.0, sum));
}`,
  },
];

const WORDS =
  '( ) { } [ ] ; , . = == + - * / % ++ -- << >>= && || ^^ ! ~ ? : < 0 1 -1 2147483647 4294967295u 1e38 .5 0x 09 1.0e ' +
  '#define #undef #if #elif #else #endif #ifdef #ifndef #extension #version #line #pragma #error defined __LINE__ __FILE__ ' +
  '## # // /* */ \\ @ $ " é 1..2 1.5f 0xffffffffu 99999999999';

/** Words that replace others in shaders. */
export const SHADER_WORDS: readonly string[] = [
  ...new Set([
    ...WORDS.split(' '),
    '\n',
    '\\\n',
    '\n#if 1\n',
    '\n#endif\n',
    '\n#extension all : warn\n',
    ...[...VALID_SHADERS, ...DESKTOP_SHADERS].flatMap(({ source }) => splitWords(source)),
    ...INVALID_SHADERS.flatMap(({ cases }) => splitWords(cases)),
  ]),
];

/** Returns the pairs that the corpus starts with. The other stage of a single shader is trivial. */
export function listShaderPairs(): ShaderPair[] {
  const alone = (stage: 'vertex' | 'fragment', source: string, profile: ShaderPair['profile']) => {
    const version = /^\s*#version[^\n]*\n/.exec(source)?.[0] ?? '';
    const other = `${version}void main() {}`;
    return stage === 'vertex'
      ? { profile, vertex: source, fragment: other }
      : { profile, vertex: other, fragment: source };
  };
  const valid = VALID_SHADERS.map(({ stage, source, restrictLoops }) =>
    alone(stage, source, restrictLoops === true ? 'webgl1' : 'service'),
  );
  const desktop = DESKTOP_SHADERS.map(({ stage, source }) => alone(stage, source, 'desktop'));
  const invalid = INVALID_SHADERS.flatMap((group) => {
    const ofWebGl = group.version === 100 ? 'webgl1' : 'webgl2';
    const ofAny = group.version === 110 || group.version === 120 ? 'desktop' : 'service';
    const isWebGl = group.isWebGl === true || group.restrictLoops === true;
    return group.cases
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
      .map((text) => alone(group.stage, buildCase(group, text).source, isWebGl ? ofWebGl : ofAny));
  });
  return [...PAIRS, ...valid, ...desktop, ...invalid];
}
