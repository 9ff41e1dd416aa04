/**
 * All built-in materials of three.js compile: the current release as GLSL ES 3.00 (installed, or
 * the folder TESSERA_THREE), and r162, the last with WebGL 1, as GLSL ES 1.00
 * (TESSERA_THREE_WEBGL1). Skipped without them.
 */
import { type CompileOptions, DEFAULT_SHADER_LIMITS } from '@tessera/shader';
import { describe, expect, it } from 'vitest';
import { refusalOf } from './compile-through.ts';
import { packageFolder } from './corpus-folders.ts';
import { readThreePrograms } from './three-materials.ts';

const CURRENT = packageFolder('TESSERA_THREE', 'three');
const WEBGL1 = packageFolder('TESSERA_THREE_WEBGL1', 'three162');

/** Errors of r162 itself in GLSL ES 1.00: it calls functions that the language does not have. */
const WRONG_IN_R162: readonly RegExp[] = [
  /^MeshToonMaterial, .*: .*'fwidth' : undeclared/,
  /^\w+, skinning: .*'textureSize' : undeclared/,
  /^MeshPhysicalMaterial, physical factors: .*'textureLod' : undeclared/,
];

async function refusals(
  folder: string,
  glVersion: 1 | 2,
  options: CompileOptions,
): Promise<{ programCount: number; refused: string[] }> {
  const { revision, programs } = await readThreePrograms(folder, glVersion, DEFAULT_SHADER_LIMITS);
  const bySource = new Map(
    programs.map((program) => [`${program.vertexSource}\0${program.fragmentSource}`, program]),
  );
  const refused: string[] = [];
  for (const program of bySource.values()) {
    const refusal = refusalOf(program, options);
    if (refusal !== null) refused.push(`${program.title}: ${refusal}`);
  }
  const { size } = bySource;
  console.info(`three.js r${revision}, WebGL ${glVersion}: ${size - refused.length} of ${size}`);
  return { programCount: size, refused };
}

describe('three.js', () => {
  it.skipIf(CURRENT === null)('current release, WebGL 2', { timeout: 120_000 }, async () => {
    const { programCount, refused } = await refusals(CURRENT!, 2, { isWebGl: true });
    expect(refused).toEqual([]);
    expect(programCount).toBeGreaterThan(100);
  });

  it.skipIf(WEBGL1 === null)('r162, WebGL 1', { timeout: 120_000 }, async () => {
    const { programCount, refused } = await refusals(WEBGL1!, 1, {
      isWebGl: true,
      restrictLoops: true,
      allowedVersions: [100],
    });
    expect(refused.filter((line) => !WRONG_IN_R162.some((known) => known.test(line)))).toEqual([]);
    expect(programCount).toBeGreaterThan(100);
  });
});
