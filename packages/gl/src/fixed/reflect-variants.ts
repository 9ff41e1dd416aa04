/**
 * Inputs of a program of desktop OpenGL in all the forms that it may be drawn in. Draws wrap a program in the fixed
 * functions that are on (wrap-source.ts), and some outputs of its vertex shader are read only then: the clip vertex and
 * the colors of back faces. OpenGL links a program before it knows, so what these outputs need is active as well: it
 * has locations, and keeps the values that it gets.
 */
import type {
  ProgramReflection,
  ReflectedProgram,
} from '../objects/programs/program-reflection.ts';
import type { InterfaceKey } from './program-key.ts';
import { declareInterface, discardClipped } from './stage-interface.ts';
import { wrapVertexSource } from './wrap-source.ts';

/** Outputs that a program has no reader for as long as it is drawn as it is. */
const CONDITIONAL_OUTPUT = /\bgl_(ClipVertex|BackColor|BackSecondaryColor)\b/;

/** The fixed functions that read those outputs. */
const READING: InterfaceKey = {
  isFlat: false,
  isTwoSided: true,
  clipPlanes: [0],
  pointSize: null,
  isPointRounded: false,
};
const READING_FRAGMENT_SOURCE = `#version 120
${declareInterface(READING)}
void main() {
  ${discardClipped(READING)}
  gl_FragColor = tessera_BackColor + tessera_BackSecondaryColor;
}
`;

/** Returns a reflection that lists what a program reads as it is, and what fixed functions would have it read besides. */
export function reflectVariants(reflection: ProgramReflection): ProgramReflection {
  return {
    ...reflection,
    reflect(vertexSource, fragmentSource, ...rest) {
      const plain = reflection.reflect(vertexSource, fragmentSource, ...rest);
      if (!plain.isLinked || !CONDITIONAL_OUTPUT.test(vertexSource)) return plain;
      const wrapped = wrapVertexSource(vertexSource, READING);
      const read = reflection.reflect(wrapped, READING_FRAGMENT_SOURCE, ...rest);
      // A program that fixed functions cannot be put around is drawn as it is, or not at all.
      return read.isLinked ? addInputs(plain, read) : plain;
    },
  };
}

function addInputs(plain: ReflectedProgram, more: ReflectedProgram): ReflectedProgram {
  return {
    ...plain,
    attributes: addByName(plain.attributes, more.attributes),
    uniforms: addByName(plain.uniforms, more.uniforms),
    samplers: addByName(plain.samplers, more.samplers),
  };
}

/** Entries of `more` that `given` lacks behind it; those that the context fills for each draw are left out. */
function addByName<Entry extends { readonly name: string }>(
  given: readonly Entry[],
  more: readonly Entry[],
): readonly Entry[] {
  const names = new Set(given.map(({ name }) => name));
  const isMissing = ({ name }: Entry) => !names.has(name) && !isFilledByContext(name);
  return [...given, ...more.filter(isMissing)];
}

/** Whether a uniform is declared by GLSL or by a generated shader. */
export function isFilledByContext(name: string): boolean {
  return name.startsWith('gl_') || name.startsWith('tessera_');
}
