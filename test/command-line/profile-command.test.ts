import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import type { ProgramSummary, ShaderProfile } from '@tessera/frame';
import { describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
const MODEL = resolve(ROOT, 'test/golden/models/BoxVertexColors.glb');
const SIZE = ['--width', '160', '--height', '120'];

function run(...args: string[]) {
  const cli = resolve(ROOT, 'packages/experiments/src/cli.ts');
  return spawnSync(process.execPath, [cli, 'profile', MODEL, ...SIZE, ...args], {
    encoding: 'utf8',
  });
}

describe('tessera profile', { timeout: 60_000 }, () => {
  it('lists the costliest lines with their source', () => {
    const { stdout, status } = run('--stage', 'fragment', '--lines', '3');
    expect(status).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^warps issued [\d,]+ instructions/);
    const first = lines.findIndex((line) => line.startsWith('line '));
    const rows = lines.slice(first + 1, first + 4);
    const issued = rows.map((row) => {
      const [, count] =
        /^0 fragment:\d+ +([\d,]+) +[\d.]+% +[\d,]+ +[\d.]+ +[\d,]+ +\S/.exec(row) ?? [];
      return Number(count?.replaceAll(',', ''));
    });
    expect(issued).toEqual(issued.toSorted((a, b) => b - a));
    expect(issued[2]).toBeGreaterThan(0);
    expect(stdout).toMatch(/and \d+ more lines/);
  });

  it('prints programs and profiles as JSON, with equal sums', () => {
    const { stdout } = run('--json');
    const { issued, programs, profiles } = JSON.parse(stdout) as {
      issued: number;
      programs: ProgramSummary[];
      profiles: ShaderProfile[];
    };
    expect(profiles.map(({ program }) => program)).toEqual(programs.map(({ program }) => program));
    const lines = profiles.flatMap(({ stages }) => stages.flatMap((stage) => stage.lines));
    expect(lines.reduce((sum, line) => sum + line.issued, 0)).toBe(issued);
  });

  it('prints the waits of warps, whose lines add up to the stages', () => {
    const { stdout, status } = run('--waits', '--json');
    expect(status).toBe(0);
    const { programs, profiles } = JSON.parse(stdout) as {
      programs: ProgramSummary[];
      profiles: ShaderProfile[];
    };
    const stages = programs.flatMap((program) => program.stages);
    const operands = stages.reduce((sum, { warpCycles }) => sum + warpCycles!.operands, 0);
    const lines = profiles.flatMap(({ stages }) => stages.flatMap((stage) => stage.lines));
    expect(operands).toBeGreaterThan(0);
    expect(lines.reduce((sum, { waits }) => sum + waits!.operands, 0)).toBe(operands);

    const text = run('--waits', '--lines', '3').stdout;
    expect(text).toMatch(/^warp cycles +share +0 vertex/m);
    expect(text).toMatch(/^issue +[\d.]+% +[\d,]+/m);
    expect(text).toMatch(/^line +issued +share +cycles +lanes +lookups +texels +operands +source/m);
  });

  it.each([
    [['--draw', '1'], "draw: '1' is not PASS/DRAW"],
    [['--draw', '0/9'], 'there is no draw 9 of pass 0'],
    [['--program', '4'], 'there is no program 4'],
    [['--stage', 'geometry'], "stage: 'geometry' is none of vertex, positionOnly, fragment"],
  ])('refuses %j', (args, message) => {
    const { stderr, status } = run(...args);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});
