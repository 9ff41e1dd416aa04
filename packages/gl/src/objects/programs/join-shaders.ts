/**
 * Several shaders of one stage as one source (OpenGL 2.1, section 2.15.2). The compiler reads the
 * parts of the source as shaders that were compiled alone: each has its own macros, and a global or
 * a structure that several of them declare is one.
 */
import type { DefaultGlslVersion } from '../../rules/api-rules.ts';

/** Pragma before each of several shaders. */
export const NEXT_SHADER = 'tessera_next_shader';
const VERSION = /^[ \t]*#[ \t]*version[ \t]+(\d+)([^\n]*)$/m;
/** Latest version in which `#line` names its own line. */
const LAST_OWN_LINE_VERSION = 150;

/**
 * Returns one source of all shaders. It has the highest of their versions, because later versions
 * of desktop GLSL include the earlier ones. A diagnostic names a shader by its index.
 *
 * @param sources Sources of compiled shaders, at least one.
 */
export function joinShaders(
  sources: readonly string[],
  defaultVersion: DefaultGlslVersion,
): string {
  if (sources.length === 1) return sources[0]!;
  const versions = sources.map((source) => {
    const [, number, profile = ''] = VERSION.exec(source) ?? [];
    return { number: number === undefined ? defaultVersion : Number(number), profile };
  });
  const { number, profile } = versions.reduce((a, b) => (b.number > a.number ? b : a));
  const firstLine = number > LAST_OWN_LINE_VERSION ? 1 : 0;
  const parts = sources.map(
    (source, index) =>
      `#pragma ${NEXT_SHADER}\n#line ${firstLine} ${index}\n${source.replace(VERSION, '')}\n`,
  );
  return `#version ${number}${profile}\n${parts.join('')}`;
}
