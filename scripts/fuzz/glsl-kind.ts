/**
 * Shaders: sources whose words are removed, duplicated, swapped and replaced, and sources with
 * damaged bytes.
 */

import type { SeededRandom } from '@tessera/scenes/seeded-random';
import { compileProgram } from '@tessera/shader';
import type { FuzzKind } from './fuzz-kind.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { refusalCode } from './refusals.ts';

const SEEDS: readonly (readonly [vertex: string, fragment: string])[] = [
  [
    `attribute vec4 place; attribute vec2 at; uniform mat4 matrix; uniform vec3 lights[2]; varying vec2 uv;
void main() { uv = at * lights[1].xy; gl_Position = matrix * place; }`,
    `precision mediump float; uniform sampler2D image; varying vec2 uv;
#define TAPS 4
#if TAPS > 2
void main() {
  vec4 sum = vec4(0.0);
  for (int i = 0; i < TAPS; i++) { sum += texture2D(image, uv * float(i)); if (sum.a > 2.5) break; }
  if (uv.x > 0.9) discard;
  gl_FragColor = sum * 0.25;
}
#endif`,
  ],
  [
    `#version 300 es
layout(location = 0) in vec3 position; in uvec2 flags; out highp vec3 normal; flat out int kind;
uniform Camera { mat4 view; vec4 eye[3]; } camera;
struct Light { vec3 direction; float power; }; uniform Light light;
vec3 bend(in vec3 p, inout float k) { k += p.x; return p * k - cross(p, light.direction); }
void main() {
  float k = float(flags.x & 3u); kind = int(flags.y >> 1) % 5;
  switch (kind) { case 0: k = -k; break; default: k *= 2.0; }
  normal = bend(position, k); gl_Position = camera.view * vec4(normal, 1.0) + camera.eye[kind % 3];
}`,
    `#version 300 es
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
  ],
];

const WORDS =
  '( ) { } [ ] ; , . = == + - * / % ++ -- << >>= && || ^^ ! ~ ? : < 0 1 -1 2147483647 4294967295u 1e38 .5 0x 09 1.0e ' +
  'int uint float bool vec2 vec4 ivec3 mat3 mat2x4 sampler2D samplerCube void struct const in out inout uniform varying ' +
  'attribute flat highp precision layout if else for while do switch case default break continue return discard main ' +
  'gl_Position gl_FragColor gl_FragCoord gl_FragData gl_FragDepth texture2D texture dot cross length pow sin mod array ' +
  '#define #if #else #endif #ifdef #extension #version #line #pragma #error \n // /* */ \\ @ $ " é';
const DICTIONARY = WORDS.split(' ');
const SEPARATOR = '\u0000';

/** Makes the kind with its undamaged sources. */
export async function glslKind(): Promise<FuzzKind> {
  const encoder = new TextEncoder();
  const decoder = new TextDecoder();
  const whole = SEEDS.map((pair) => encoder.encode(pair.join(SEPARATOR)));
  return {
    make: (random) => {
      const pair = random.pick(SEEDS);
      if (random.integer(0, 4) === 0) {
        return mutateBytes(encoder.encode(pair.join(SEPARATOR)), random.pick(whole), random);
      }
      const damaged = [...pair];
      const stage = random.integer(0, 1);
      damaged[stage] = mutateWords(damaged[stage]!, random.pick(SEEDS)[stage]!, random);
      return encoder.encode(damaged.join(SEPARATOR));
    },
    follow: (input) => {
      const [vertexSource = '', fragmentSource = ''] = decoder.decode(input).split(SEPARATOR);
      try {
        compileProgram({ vertexSource, fragmentSource });
        return 'compiled';
      } catch (error) {
        return refusalCode(error);
      }
    },
  };
}

function splitWords(source: string): string[] {
  return source.match(/[A-Za-z_]\w*|\d[\w.]*|\s+|[^\w\s]/g) ?? [];
}

function mutateWords(source: string, other: string, random: SeededRandom): string {
  const words = splitWords(source);
  const anywhere = () => random.integer(0, words.length - 1);
  for (let changes = random.integer(1, 5); changes > 0 && words.length > 1; changes--) {
    const [a, b] = [anywhere(), anywhere()];
    switch (random.integer(0, 6)) {
      case 0:
        words.splice(a, random.integer(1, 4));
        break;
      case 1:
        words.splice(a, 0, ...words.slice(b, b + random.integer(1, 12)));
        break;
      case 2:
        [words[a], words[b]] = [words[b]!, words[a]!];
        break;
      case 3: {
        const others = splitWords(other);
        const start = random.integer(0, others.length - 1);
        words.splice(a, random.integer(0, 8), ...others.slice(start, start + 16));
        break;
      }
      case 4:
        // Deep nesting.
        words[a] = random
          .pick(['(', '{', '-', '!', '[', 'if(true)', '?1:'])
          .repeat(random.integer(1, 400));
        break;
      default:
        words[a] = random.pick(DICTIONARY);
    }
  }
  return words.join('');
}
