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

/** Conditions and constant expressions with every operator and built-in function. */
const CONSTANTS = `#version 300 es
#define A 7
#define B(x, y) x + (y)
#if (A + 1 - 2 * 3 / 2 % 3 << 2 >> 1) > 0 && A >= 3 || A <= 2 ^ 1 | 2 & 3 || !defined(B) && ~A != -A == +1 && 3 < 4
const float PI = 3.14; const vec3 V = vec3(1.0, 2.0, -3.0); const ivec2 I = ivec2(-7, 3); const uvec2 U = uvec2(9u, 4u);
const mat2 M = mat2(1, 2, 3, 4) * mat2(vec2(1), vec2(2)) - 2.0 * matrixCompMult(mat2(1), mat2(2)) / 2.0;
const int N = -I.x + I.y - I.x * I.y / I.y % 3 << 2 >> 1 & 7 | 8 ^ ~I.x; const uint W = -U.x + ~U.y % 3u - uint(2.5);
const bool C = 1 < 2 && 2 > 1 || 1 <= 2 ^^ 2 >= 3 && V == V || V != V && !true; const vec2 P = M * V.xy + V.xy * M + float(true);
const float F = radians(1.0) + degrees(1.0) + sin(1.0) + cos(1.0) + tan(1.0) + asin(0.5) + acos(0.5) + atan(1.0) + atan(1.0, 2.0)
  + sinh(1.0) + cosh(1.0) + tanh(1.0) + asinh(1.0) + acosh(2.0) + atanh(0.5) + pow(2.0, 3.0) + exp(1.0) + log(2.0) + exp2(1.0)
  + log2(4.0) + sqrt(2.0) + inversesqrt(4.0) + abs(-1.0) + sign(-1.0) + floor(1.5) + trunc(-1.5) + round(2.5) + roundEven(2.5)
  + roundEven(3.5) + ceil(1.5) + fract(1.5) + mod(5.0, 3.0) + min(1.0, 2.0) + max(1.0, 2.0) + clamp(1.0, 0.0, 0.5)
  + mix(1.0, 2.0, 0.5) + mix(1.0, 2.0, true) + step(1.0, 2.0) + smoothstep(0.0, 1.0, 0.5) + length(V) + distance(V, V.zyx)
  + dot(V, V) + cross(V, V.zxy).x + normalize(V).y + faceforward(V, V, V).x + reflect(V, V).x + refract(V, V, 0.5).x
  + determinant(M) + transpose(M)[0].x + inverse(M)[1].y + outerProduct(P, P)[0].x + float(any(lessThan(V, V.zyx)))
  + float(all(greaterThanEqual(I, I.yx))) + float(not(equal(U, U.yx)).x) + float(isnan(V.x) || isinf(V.x))
  + float(any(notEqual(V, V))) + float(any(lessThanEqual(V, V))) + float(any(greaterThan(V, V))) + intBitsToFloat(N)
  + float(floatBitsToInt(PI)) + uintBitsToFloat(W) + float(floatBitsToUint(PI)) + unpackSnorm2x16(packSnorm2x16(P)).x
  + unpackUnorm2x16(packUnorm2x16(P)).x + unpackHalf2x16(packHalf2x16(P)).x + float(abs(I.x) + sign(I.y) + min(I.x, 2) + max(I.y, 1)
  + clamp(I.x, 0, 1)) + float(int(PI) + int(W) + int(true) + int(uint(N))) + float(1e30 > PI ? uint(-1) : uint(1e30) + uint(true));
float list[N > 0 ? 3 : 4];
void main() { gl_Position = vec4(F, float(N), PI, float(C)) + list[2] + float(B(A, 1)) + float(__LINE__ * __VERSION__); }
#elif 0 == 1 && (08 + 0x1F + 010 + 1u)
#else
#endif
`;

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
  const constants = alone('vertex', CONSTANTS, 'service');
  return [...PAIRS, constants, ...valid, ...desktop, ...invalid];
}
