/**
 * Pairs of shaders with the rules of the service, WebGL 1, WebGL 2 and desktop OpenGL. A share of
 * the programs that compile runs on all executors, which must agree.
 */

import { RenderError, type ShaderProgram } from '@tessera/frame';
import {
  checkWebGlShader,
  compileChecked,
  compileProgram,
  formatDiagnostics,
  linkWebGlShaders,
} from '@tessera/shader';
import { mutateBytes, withFirstByte } from '../mutate/mutate-bytes.ts';
import { mutateWords, replaceWord } from '../mutate/mutate-words.ts';
import { compareExecutors } from '../oracles/compare-executors.ts';
import type { FuzzKind } from './fuzz-kind.ts';
import { listShaderPairs, PROFILES, SHADER_WORDS, type ShaderPair } from './glsl-seeds.ts';
import { refusalCode } from './refusals.ts';

const SEPARATOR = '\u0000';
/** Number of inputs per program that runs on all executors, chosen by length. */
const COMPARED_OF = 4;

/** Makes the kind with its undamaged sources. */
export async function glslKind(): Promise<FuzzKind> {
  return {
    seeds: listShaderPairs().map(encodePair),
    mutate: (input, other, random) => {
      if (random.integer(0, 7) === 0) return mutateBytes(input, other, random);
      const pair = decodePair(input);
      const others = decodePair(other);
      const stage = random.integer(0, 1) === 0 ? 'vertex' : 'fragment';
      const damaged =
        random.integer(0, 1) === 0
          ? replaceWord(pair[stage], SHADER_WORDS, random)
          : mutateWords(pair[stage], others[stage], SHADER_WORDS, random);
      const profile = random.integer(0, 19) === 0 ? random.pick(PROFILES) : pair.profile;
      return encodePair({ ...pair, [stage]: damaged, profile });
    },
    follow: (input) => {
      try {
        const program = compilePair(decodePair(input));
        if (input.length % COMPARED_OF !== 0) return 'compiled';
        return compareExecutors(program) ? 'compared' : 'compiled';
      } catch (error) {
        return refusalCode(error);
      }
    },
  };
}

/** Returns the bytes of a pair: its rules, the vertex shader, zero, the fragment shader. */
export function encodePair({ profile, vertex, fragment }: ShaderPair): Uint8Array {
  const text = new TextEncoder().encode(`${vertex}${SEPARATOR}${fragment}`);
  return withFirstByte(PROFILES.indexOf(profile), text);
}

/** Returns the pair in an input. */
export function decodePair(input: Uint8Array): ShaderPair {
  const text = new TextDecoder().decode(input.subarray(1));
  const [vertex = '', fragment = ''] = text.split(SEPARATOR);
  return { profile: PROFILES[(input[0] ?? 0) % PROFILES.length]!, vertex, fragment };
}

/** @throws {RenderError} SHADER_COMPILE_FAILED. */
function compilePair({ profile, vertex, fragment }: ShaderPair): ShaderProgram {
  const source = { vertexSource: vertex, fragmentSource: fragment };
  if (profile === 'service') return compileProgram(source);
  if (profile === 'desktop') return compileProgram(source, { defaultVersion: 110 });
  const version = profile === 'webgl1' ? 1 : 2;
  const checked = {
    vertex: checkWebGlShader(vertex, 'vertex', { version }),
    fragment: checkWebGlShader(fragment, 'fragment', { version }),
  };
  for (const { diagnostics } of [checked.vertex, checked.fragment]) {
    const errors = diagnostics.filter(({ severity }) => severity === 'error');
    if (errors.length > 0) fail(formatDiagnostics(errors));
  }
  const linked = linkWebGlShaders(checked.vertex, checked.fragment);
  return linked.interface === null ? fail(linked.log) : compileChecked(checked);
}

function fail(log: string): never {
  throw new RenderError('SHADER_COMPILE_FAILED', log);
}
