/** `tessera energy` lists the energy of a report, also with other technologies. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { LINK_CLASS_NAMES, MEMORY_TECHNOLOGY_NAMES } from '@tessera/energy';
import type { EnergyReport, Report } from '@tessera/frame';
import { createContext, type SimulatedGpuChoice } from '@tessera/webgl';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'tessera-energy-'));
afterAll(() => rmSync(folder, { recursive: true }));

function render(gpu: SimulatedGpuChoice): Report {
  const gl = createContext(64, 64, { gpu, antialias: false });
  gl.clear(gl.COLOR_BUFFER_BIT);
  return gl.frame().report!;
}

const timed = render({ timing: 'cycle', chipletCount: 2 });
for (const [name, report] of Object.entries({ timed, untimed: render({ timing: 'functional' }) }))
  writeFileSync(join(folder, `${name}.json`), JSON.stringify(report));

function runEnergy(...args: string[]) {
  const cli = resolve(import.meta.dirname, '../../packages/experiments/src/cli.ts');
  return spawnSync(process.execPath, [cli, 'energy', ...args], { encoding: 'utf8', cwd: folder });
}

function energyWith(...args: string[]): EnergyReport {
  return JSON.parse(runEnergy('timed.json', '--json', ...args).stdout);
}

function memoryOf({ units }: EnergyReport) {
  return units.find(({ unit }) => unit === 'dram')!.dynamic.lowPj;
}

describe('energy', { timeout: 240_000 }, () => {
  it('names all technologies in its usage', () => {
    const { stdout } = runEnergy('--help');
    expect(stdout).toContain(`memory chips: ${MEMORY_TECHNOLOGY_NAMES.join(', ')} (`);
    expect(stdout).toContain(`links between chiplets: ${LINK_CLASS_NAMES.join(', ')}\n`);
  });

  it('lists units, chiplets and channels of the link', () => {
    const { status, stdout, stderr } = runEnergy('timed.json');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^7 nm, gddr6, links standard-package, between packages board\n/);
    expect(stdout).toMatch(/^µJ +dynamic +leakage +refresh +low +typical +high$/m);
    for (const name of ['shaderCore', 'dram', 'chiplet 1', 'bus \\(standard-package\\)', 'total'])
      expect(stdout).toMatch(new RegExp(`^${name} +[\\d.–]`, 'm'));
  });

  it('prints what the report has, and changes memory and links alone', () => {
    const asReported = energyWith();
    expect(asReported).toEqual(timed.energy);
    const other = energyWith('--memory', 'lpddr5', '--link', 'system');
    expect(memoryOf(other)).toBeGreaterThan(memoryOf(asReported));
    expect(other.link.dynamic.lowPj).toBeGreaterThan(100 * asReported.link.dynamic.lowPj);
    const cores = ({ units }: EnergyReport) => units.find(({ unit }) => unit === 'shaderCore')!;
    // Runs are rounded one by one in the report.
    const change = cores(other).total.highPj - cores(asReported).total.highPj;
    expect(Math.abs(change)).toBeLessThan(100);
  });

  it('rejects reports without cycles, and unknown technologies', () => {
    const { status, stderr } = runEnergy('untimed.json');
    expect(status).toBe(2);
    expect(stderr).toContain('untimed.json: has no energy');
    expect(runEnergy('timed.json', '--memory', 'ddr9').stderr).toContain(
      "energy memory: 'ddr9' is not one of gddr6, lpddr5, hbm2",
    );
  });
});
