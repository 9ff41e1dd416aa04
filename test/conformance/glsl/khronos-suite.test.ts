/**
 * Programs of the Khronos WebGL 1.0.3 suite (npm package `gl-conformance`, installed or in the
 * folder TESSERA_GL_CONFORMANCE): those that must link compile to executable code, those that must
 * fail are rejected. Skipped without the package.
 */
import { checkLink, checkShader, DEFAULT_SHADER_LIMITS, type ShaderStage } from '@tessera/shader';
import { afterAll, describe, expect, it } from 'vitest';
import { refusalOf } from './compile-through.ts';
import { packageFolder } from './corpus-folders.ts';
import { listPages, readPage, type SuiteProgram } from './khronos-pages.ts';

/**
 * Programs that contradict a later decision, by page, with what their sources have: an attribute
 * and a uniform of the fragment shader may share a name; names may have two consecutive
 * underscores in WebGL; the pragma of invariance has no effect on inputs of fragment shaders.
 */
const DECIDED_DIFFERENTLY: Readonly<Record<string, RegExp>> = {
  'glsl_misc_shaders-with-name-conflicts': /main/,
  'glsl_misc_shader-with-reserved-words': /\b\w*__\w*\b/,
  'glsl_misc_shaders-with-invariance': /invariant\(all\)/,
};

const FOLDER = packageFolder('TESSERA_GL_CONFORMANCE', 'gl-conformance');
const PAGES = FOLDER === null ? [] : listPages(FOLDER);

const OPTIONS = {
  isWebGl: true,
  restrictLoops: true,
  allowedVersions: [100],
  extensions: [],
  // WebGL 1.0, section 6.21.
  maxIdentifierLength: 256,
} as const;

const tally = { valid: 0, accepted: 0, invalid: 0, refused: 0 };

describe.skipIf(PAGES.length === 0)('Khronos WebGL 1.0.3 suite', () => {
  it.each(PAGES.length === 0 ? ['none'] : PAGES)('%s', (page) => {
    const isStillExpected = ({ vertexSource, fragmentSource }: SuiteProgram): boolean =>
      !DECIDED_DIFFERENTLY[page]?.test(vertexSource + fragmentSource);
    const programs = readPage(FOLDER!, page, DEFAULT_SHADER_LIMITS).filter(isStillExpected);
    const wrong = programs.flatMap(judge);
    expect(wrong).toEqual([]);
  });

  afterAll(() => {
    const { valid, accepted, invalid, refused } = tally;
    console.info(`valid programs: ${accepted} of ${valid} compile to running code`);
    console.info(`invalid programs: ${refused} of ${invalid} are refused`);
  });
});

/** Returns the errors of the compiler on `program`, one line each. */
function judge(program: SuiteProgram): string[] {
  const { label, mustLink } = program;
  if (mustLink === true) {
    const refusal = refusalOf(program, OPTIONS);
    tally.valid++;
    if (refusal === null) tally.accepted++;
    return refusal === null ? [] : [`${label}: ${refusal}`];
  }
  const vertexErrors = countErrors(program.vertexSource, 'vertex');
  const fragmentErrors = countErrors(program.fragmentSource, 'fragment');
  // If a program has no expected result, the compiler only must not crash.
  if (mustLink === null) return [];
  tally.invalid++;
  const isRefused = vertexErrors + fragmentErrors > 0 || countLinkErrors(program) > 0;
  if (isRefused) tally.refused++;
  return [
    ...(program.isVertexValid && vertexErrors > 0 ? [`${label}: vertex shader refused`] : []),
    ...(program.isFragmentValid && fragmentErrors > 0 ? [`${label}: fragment shader refused`] : []),
    ...(isRefused ? [] : [`${label}: accepted`]),
  ];
}

function countErrors(source: string, stage: ShaderStage): number {
  const { diagnostics } = checkShader(source, { ...OPTIONS, stage });
  return diagnostics.filter((diagnostic) => diagnostic.severity === 'error').length;
}

function countLinkErrors({ vertexSource, fragmentSource }: SuiteProgram): number {
  const vertex = checkShader(vertexSource, { ...OPTIONS, stage: 'vertex' });
  const fragment = checkShader(fragmentSource, { ...OPTIONS, stage: 'fragment' });
  return checkLink(vertex, fragment).length;
}
