/**
 * ARB assembly programs: translated to GLSL, and compiled. A translation that does not compile is
 * refused like the program itself.
 */
import type { ProgramSource } from '@tessera/frame';
import { compileProgram } from '@tessera/shader';
import { translateAssembly } from '../../../packages/gl/src/assembly/translate-assembly.ts';
import { mutateBytes } from '../mutate/mutate-bytes.ts';
import { mutateWords } from '../mutate/mutate-words.ts';
import { ASSEMBLY_SEEDS, ASSEMBLY_WORDS } from './assembly-seeds.ts';
import type { FuzzKind } from './fuzz-kind.ts';
import { refusalCode } from './refusals.ts';

const FRAGMENT_HEADER = '!!ARBfp';

/** Makes the kind with its undamaged programs. */
export async function assemblyKind(): Promise<FuzzKind> {
  const [encoder, decoder] = [new TextEncoder(), new TextDecoder()];
  return {
    seeds: ASSEMBLY_SEEDS.map((text) => encoder.encode(text)),
    mutate: (input, other, random) => {
      if (random.integer(0, 7) === 0) return mutateBytes(input, other, random);
      const texts = [input, other].map((one) => decoder.decode(one));
      return encoder.encode(mutateWords(texts[0]!, texts[1]!, ASSEMBLY_WORDS, random));
    },
    follow: (input) => {
      try {
        const text = decoder.decode(input);
        const stage = text.startsWith(FRAGMENT_HEADER) ? 'fragment' : 'vertex';
        const { source } = translateAssembly(text, stage);
        compileProgram(withOtherStage(stage, source), { defaultVersion: 110 });
        return 'compiled';
      } catch (error) {
        return refusalCode(error);
      }
    },
  };
}

function withOtherStage(stage: 'vertex' | 'fragment', source: string): ProgramSource {
  const other = '#version 120\nvoid main() {}';
  return stage === 'vertex'
    ? { vertexSource: source, fragmentSource: other }
    : { vertexSource: other, fragmentSource: source };
}
