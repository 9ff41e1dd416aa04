/**
 * Programs that capture the outputs of a vertex shader. Each output word is a varying, which a pass
 * of transform feedback writes to memory. The inputs of the vertex shader are the same as in any
 * other draw.
 */
import type { ProgramSource } from '@tessera/frame';
import { NEXT_SHADER } from './join-shaders.ts';

const VERSION = /^[ \t]*#[ \t]*version[ \t]+(\d+)[^\n]*\n/m;

/**
 * GLSL ES 3.00 replacements for keywords and functions of GLSL ES 1.00, because captures use GLSL
 * ES 3.00.
 */
const WORDS_OF_100: readonly (readonly [word: string, later: string])[] = [
  ['attribute', 'in'],
  ['varying', 'out'],
  ['texture2D', 'texture'],
  ['texture2DLod', 'textureLod'],
  ['texture2DProj', 'textureProj'],
  ['texture2DProjLod', 'textureProjLod'],
  ['textureCube', 'texture'],
  ['textureCubeLod', 'textureLod'],
];

/** Extensions with the integers and the bits of floats that early desktop versions lack. */
const DESKTOP_EXTENSIONS = `#extension GL_EXT_gpu_shader4 : enable
#extension GL_ARB_shader_bit_encoding : enable
`;

/** Vertex shader of a capture program in two parts. */
interface SplitSource {
  readonly isDesktop: boolean;
  /** Leading lines, also of the fragment shader. */
  readonly head: string;
  readonly body: string;
}

/** Splits a vertex shader. GLSL ES becomes version 3.00; desktop GLSL keeps its version. */
function splitVertexSource(source: string): SplitSource {
  const found = VERSION.exec(source);
  const [line = '', version] = found ?? [];
  // Comments may precede the version.
  const at = found?.index ?? 0;
  const body = source.slice(0, at) + source.slice(at + line.length);
  if (version === '300') return { isDesktop: false, head: line, body };
  if (version === undefined || version === '100') {
    const defines = WORDS_OF_100.map(([word, later]) => `#define ${word} ${later}\n`);
    return { isDesktop: false, head: `#version 300 es\n${defines.join('')}`, body };
  }
  return { isDesktop: true, head: `${line}${DESKTOP_EXTENSIONS}`, body };
}

/**
 * Returns the sources of a capture program. Its fragment shader never runs. It reads all words,
 * because a linked program has only the varyings that its fragment shader reads.
 *
 * @param words GLSL expressions for the bits of each word.
 */
export function makeCaptureSource(vertexSource: string, words: readonly string[]): ProgramSource {
  const { isDesktop, head, body } = splitVertexSource(vertexSource);
  const word = isDesktop ? 'uint' : 'highp uint';
  const declare = (qualifier: string) =>
    words.map((_, i) => `flat ${qualifier} ${word} tessera_Word${i};`).join('\n');
  // The last one of several shaders sees functions of the others by prototype.
  const prototype = body.includes(NEXT_SHADER) ? 'void tessera_Main();\n' : '';
  return {
    vertexSource: `${head}#define main tessera_Main
${body}
#undef main
${declare('out')}
${prototype}void main() {
  tessera_Main();
  ${words.map((word, i) => `tessera_Word${i} = ${word};`).join('\n  ')}
}
`,
    fragmentSource: `${isDesktop ? head : '#version 300 es\n'}${declare('in')}
out ${word} tessera_Sum;
void main() {
  tessera_Sum = ${words.map((_, i) => `tessera_Word${i}`).join(' + ')};
}
`,
  };
}
