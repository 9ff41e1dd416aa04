/**
 * Programs that capture the outputs of a vertex shader. Each output word is a varying, which a pass
 * of transform feedback writes to memory. The inputs of the vertex shader are the same as in any
 * other draw.
 */
import type { ProgramSource } from '@tessera/frame';

const VERSION = /^#version[ \t]+(\d+)[^\n]*\n/;

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

/** Converts a vertex shader to GLSL ES 3.00 and splits it into its leading lines and the rest. */
function splitVertexSource(source: string): { readonly head: string; readonly body: string } {
  const [line = '', version] = VERSION.exec(source) ?? [];
  const body = source.slice(line.length);
  if (version === '300') return { head: line, body };
  const defines = WORDS_OF_100.map(([word, later]) => `#define ${word} ${later}\n`);
  return { head: `#version 300 es\n${defines.join('')}`, body };
}

/**
 * Returns the sources of a capture program. Its fragment shader never runs. It reads all words,
 * because a linked program has only the varyings that its fragment shader reads.
 *
 * @param words GLSL expressions for the bits of each word.
 */
export function makeCaptureSource(vertexSource: string, words: readonly string[]): ProgramSource {
  const { head, body } = splitVertexSource(vertexSource);
  const declare = (qualifier: string) =>
    words.map((_, i) => `flat ${qualifier} highp uint tessera_Word${i};`).join('\n');
  return {
    vertexSource: `${head}#define main tessera_Main
${body}
#undef main
${declare('out')}
void main() {
  tessera_Main();
  ${words.map((word, i) => `tessera_Word${i} = ${word};`).join('\n  ')}
}
`,
    fragmentSource: `#version 300 es
${declare('in')}
out highp uint tessera_Sum;
void main() {
  tessera_Sum = ${words.map((_, i) => `tessera_Word${i}`).join(' + ')};
}
`,
  };
}
