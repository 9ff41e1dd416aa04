/**
 * Programs that capture the outputs of a vertex shader. Each vertex is drawn as a point. Its output
 * words become the texels that the point covers, four words in each target. The inputs of the
 * vertex shader are the same as in any other draw.
 */
import { MAX_COLOR_TARGETS, type ProgramSource } from '@tessera/frame';

/** Number of points per row of the targets. A power of two makes their positions exact. */
export const CAPTURE_WIDTH = 1024;
const WORDS_PER_TARGET = 4;
/** Number of words that one draw captures. */
export const WORDS_PER_CAPTURE = WORDS_PER_TARGET * MAX_COLOR_TARGETS;

/**
 * Uniform with the first vertex, the number of vertices per instance, and the number of rows of the
 * targets.
 */
export const CAPTURE_UNIFORM = 'tessera_Capture';

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
 * Returns the sources of a capture program.
 *
 * @param words GLSL expressions for the bits of each word, at most {@link WORDS_PER_CAPTURE}.
 */
export function makeCaptureSource(vertexSource: string, words: readonly string[]): ProgramSource {
  const { head, body } = splitVertexSource(vertexSource);
  const targets = Array.from({ length: Math.ceil(words.length / WORDS_PER_TARGET) }, (_, k) => k);
  const wordsOf = (target: number): string =>
    Array.from(
      { length: WORDS_PER_TARGET },
      (_, i) => words[target * WORDS_PER_TARGET + i] ?? '0u',
    ).join(', ');
  return {
    vertexSource: `${head}#define main tessera_Main
${body}
#undef main
uniform highp ivec3 ${CAPTURE_UNIFORM};
${targets.map((k) => `flat out highp uvec4 tessera_Word${k};`).join('\n')}
void main() {
  tessera_Main();
  ${targets.map((k) => `tessera_Word${k} = uvec4(${wordsOf(k)});`).join('\n  ')}
  highp int at = gl_InstanceID * ${CAPTURE_UNIFORM}.y + gl_VertexID - ${CAPTURE_UNIFORM}.x;
  highp vec2 place = vec2(at % ${CAPTURE_WIDTH}, at / ${CAPTURE_WIDTH}) * 2.0 + 1.0;
  highp vec2 size = vec2(${CAPTURE_WIDTH}, ${CAPTURE_UNIFORM}.z);
  gl_PointSize = 1.0;
  gl_Position = vec4(place / size - 1.0, 0.0, 1.0);
}
`,
    fragmentSource: `#version 300 es
${targets.map((k) => `flat in highp uvec4 tessera_Word${k};`).join('\n')}
${targets.map((k) => `layout(location = ${k}) out highp uvec4 tessera_Target${k};`).join('\n')}
void main() {
  ${targets.map((k) => `tessera_Target${k} = tessera_Word${k};`).join('\n  ')}
}
`,
  };
}
