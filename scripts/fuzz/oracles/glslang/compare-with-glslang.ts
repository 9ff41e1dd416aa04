/**
 * `npm run fuzz -- glslang --mutations 10000 --seed 1`: compares which damaged shaders of GLSL ES
 * the front end and glslang accept. A finding is a difference that explained-differences.ts does
 * not explain.
 */

import { seededRandom } from '@tessera/scenes/seeded-random';
import { checkShader, formatDiagnostics } from '@tessera/shader';
import { listShaderPairs, SHADER_WORDS } from '../../kinds/glsl-seeds.ts';
import { mutateWords, replaceWord } from '../../mutate/mutate-words.ts';
import { explainDifference } from './explained-differences.ts';
import { hasGlslang, runGlslang, type Shader } from './run-glslang.ts';

/** Shaders of one process. */
const BATCH = 200;
const MAX_PRINTED = 50;

/** Options of the command. */
export interface GlslangOptions {
  readonly mutationCount: number;
  readonly seed: number;
  /** Saves a finding. */
  readonly save: (shader: Shader, reason: string) => void;
}

/** Compares damaged shaders. Returns the number of differences without an explanation. */
export function compareWithGlslang({ mutationCount, seed, save }: GlslangOptions): number {
  if (!hasGlslang()) {
    process.stdout.write('glslang: skipped, because glslangValidator is not installed\n');
    return 0;
  }
  const seeds = listSeeds();
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  let findings = 0;
  for (let first = 0; first < mutationCount; first += BATCH) {
    const shaders: Shader[] = [];
    for (let number = first; number < Math.min(first + BATCH, mutationCount); number++) {
      const random = seededRandom((Math.imul(seed, 0x9e3779b1) + number) >>> 0);
      const shader = random.pick(seeds);
      const other = random.pick(seeds).source;
      const source =
        random.integer(0, 3) > 0
          ? replaceWord(shader.source, SHADER_WORDS, random)
          : mutateWords(shader.source, other, SHADER_WORDS, random);
      shaders.push({ ...shader, source });
    }
    const theirs = runGlslang(shaders);
    shaders.forEach((shader, index) => {
      const ours = firstError(shader);
      const their = theirs[index]!;
      if ((ours === null) === (their === null)) {
        count(ours === null ? 'both accept' : 'both refuse');
        return;
      }
      const name = explainDifference({ shader, ours, theirs: their });
      count(name ?? 'unexplained');
      if (name === null && ++findings <= MAX_PRINTED) {
        save(shader, ours === null ? `only glslang: ${their}` : `only Tessera: ${ours}`);
      }
    });
  }
  process.stdout.write(`glslang: ${mutationCount} shaders of seed ${seed}\n`);
  for (const [what, n] of counts) process.stdout.write(`  ${n} × ${what}\n`);
  return findings;
}

/** Returns the valid shaders of GLSL ES, for which the two have the same rules. */
function listSeeds(): Shader[] {
  return listShaderPairs().flatMap(({ vertex, fragment }) => {
    const pair: Shader[] = [
      { stage: 'vertex', source: vertex },
      { stage: 'fragment', source: fragment },
    ];
    return pair.filter(
      (shader) => /^\s*#version (100|300 es)/.test(shader.source) && firstError(shader) === null,
    );
  });
}

function firstError({ stage, source }: Shader): string | null {
  const { diagnostics } = checkShader(source, { stage, allowedVersions: [100, 300] });
  const error = diagnostics.find(({ severity }) => severity === 'error');
  return error === undefined ? null : formatDiagnostics([error]).trim();
}
