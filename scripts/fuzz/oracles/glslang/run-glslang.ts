/** Runs glslangValidator (Debian package glslang-tools) on many shaders at once. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One shader of a pair. */
export interface Shader {
  readonly stage: 'vertex' | 'fragment';
  readonly source: string;
}

const PROGRAM = 'glslangValidator';
const SUFFIXES = { vertex: 'vert', fragment: 'frag' } as const;
/** Exit statuses of success and of shaders with errors. */
const EXPECTED_STATUSES = [0, 2];
const TIMEOUT_MS = 60_000;

/** Whether the program is installed. */
export function hasGlslang(): boolean {
  return spawnSync(PROGRAM, ['--version']).status === 0;
}

/**
 * Returns the first error of each shader, or null for an accepted one.
 *
 * @throws {Error} If the program crashes.
 */
export function runGlslang(shaders: readonly Shader[]): (string | null)[] {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-glslang-'));
  try {
    const paths = shaders.map(({ stage, source }, index) => {
      const path = join(folder, `${index}.${SUFFIXES[stage]}`);
      writeFileSync(path, source);
      return path;
    });
    const { stdout, status } = spawnSync(PROGRAM, paths, {
      encoding: 'utf8',
      timeout: TIMEOUT_MS,
      maxBuffer: 2 ** 26,
    });
    if (!EXPECTED_STATUSES.includes(status ?? -1)) throw new Error(`${PROGRAM}: status ${status}`);
    return splitLogs(stdout, paths);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Finds the first error after the line with the path of each shader. */
function splitLogs(stdout: string, paths: readonly string[]): (string | null)[] {
  const errors = new Map<string, string>();
  let path = '';
  for (const line of stdout.split('\n')) {
    if (paths.includes(line)) path = line;
    else if (line.startsWith('ERROR:') && !errors.has(path)) errors.set(path, line.slice(7).trim());
  }
  return paths.map((one) => errors.get(one) ?? null);
}
