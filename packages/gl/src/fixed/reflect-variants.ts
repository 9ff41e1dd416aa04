/**
 * Reflection of a desktop OpenGL program's inputs, in all forms that draws can give the program.
 * Draws wrap a program in the enabled fixed functions (wrap-source.ts). Some outputs of its vertex
 * shader are read only then: the clip vertex and the colors of back faces. OpenGL links a program
 * before it knows the state, so inputs of these outputs are active too. They have locations and
 * keep their values.
 */
import type {
  ProgramReflection,
  ReflectedProgram,
} from '../objects/programs/program-reflection.ts';
import type { InterfaceKey } from './program-key.ts';
import { declareInterface, discardClipped } from './stage-interface.ts';
import { wrapVertexSource } from './wrap-source.ts';

/** Vertex outputs that are read only by enabled fixed functions. */
const CONDITIONAL_OUTPUT = /\bgl_(ClipVertex|BackColor|BackSecondaryColor)\b/;

/** Fixed functions that read the conditional outputs. */
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

/**
 * Returns a reflection that adds the inputs read under fixed functions to those of the plain
 * program.
 */
export function reflectVariants(reflection: ProgramReflection): ProgramReflection {
  return {
    ...reflection,
    reflect(vertexSource, fragmentSource, ...rest) {
      const plain = reflection.reflect(vertexSource, fragmentSource, ...rest);
      if (!plain.isLinked || !CONDITIONAL_OUTPUT.test(vertexSource)) return plain;
      const wrapped = wrapVertexSource(vertexSource, READING);
      const read = reflection.reflect(wrapped, READING_FRAGMENT_SOURCE, ...rest);
      // A program that does not link with fixed functions is drawn without them or not at all.
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

/**
 * Returns the entries of `more` whose names `given` lacks. Uniforms that the context sets are left
 * out.
 */
function addByName<Entry extends { readonly name: string }>(
  given: readonly Entry[],
  more: readonly Entry[],
): readonly Entry[] {
  const names = new Set(given.map(({ name }) => name));
  const isMissing = ({ name }: Entry) => !names.has(name) && !isFilledByContext(name);
  return [...given, ...more.filter(isMissing)];
}

/**
 * Returns whether a uniform is declared by GLSL or by a generated shader, so that the context sets
 * it.
 */
export function isFilledByContext(name: string): boolean {
  return name.startsWith('gl_') || name.startsWith('tessera_');
}
