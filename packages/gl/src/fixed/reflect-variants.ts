/**
 * Reflection of a desktop OpenGL program's inputs, in all forms that draws can give the program.
 * Draws wrap a program in the enabled fixed functions (wrap-source.ts). Some outputs of its vertex
 * shader are read only then: the clip vertex and the colors of back faces. OpenGL links a program
 * before it knows the state, so inputs of these outputs are active too. They have locations and
 * keep their values.
 */
import type { ProgramReflection } from '../objects/programs/program-reflection.ts';
import { addInputs } from '../objects/programs/reflected-inputs.ts';
import { findColorInterpolation } from './declared-interpolation.ts';
import type { InterfaceKey } from './program-key.ts';
import { declareInterface, discardClipped } from './stage-interface.ts';
import { wrapVertexSource } from './wrap-source.ts';

/** Vertex outputs that are read only by enabled fixed functions. */
const CONDITIONAL_OUTPUT = /\bgl_(ClipVertex|ClipDistance|BackColor|BackSecondaryColor)\b/;

/** Fixed functions that read the conditional outputs. */
const READING: InterfaceKey = {
  isFlat: false,
  isTwoSided: true,
  clipPlanes: [0],
  pointSize: null,
  isPointRounded: false,
  smooth: null,
  isLineStippled: false,
};

/** Returns a fragment shader that reads all conditional outputs. */
function readAll(key: InterfaceKey): string {
  const { primary = null, secondary = null } = key.colors ?? {};
  // GLSL 1.20 has no interpolation qualifiers.
  const version = primary === null && secondary === null ? 120 : 130;
  return `#version ${version}
${declareInterface(key)}
void main() {
  ${discardClipped(key)}
  gl_FragColor = tessera_BackColor + tessera_BackSecondaryColor;
}
`;
}

/** Returns the key of the fixed functions that read everything that a vertex shader writes. */
function readingKey(vertexSource: string, fragmentSource: string): InterfaceKey {
  const colors = findColorInterpolation(vertexSource, fragmentSource);
  const indices = [...vertexSource.matchAll(/\bgl_ClipDistance\s*\[\s*(\d+)\s*\]\s*([;,]?)/g)];
  // In a redeclaration, the number is a size.
  const planes = indices.map(([, number, end]) => Number(number) - (end === '' ? 0 : 1));
  const clipPlanes = planes.length === 0 ? READING.clipPlanes : [...new Set(planes)];
  return { ...READING, clipPlanes, colors };
}

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
      const key = readingKey(vertexSource, fragmentSource);
      const wrapped = wrapVertexSource(vertexSource, key);
      const read = reflection.reflect(wrapped, readAll(key), ...rest);
      // A program that does not link with fixed functions is drawn without them or not at all.
      return read.isLinked ? addInputs(plain, read) : plain;
    },
  };
}
