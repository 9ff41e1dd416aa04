import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { RenderError } from '@tessera/frame';
import { DEFAULT_FRAMES_IN_FLIGHT } from '@tessera/multi-chiplet';
import { makeModelGlb } from '@tessera/scenes/model-writer';
import { afterAll, describe, expect, it } from 'vitest';
import { COMMANDS, OVERVIEW } from '../../packages/experiments/src/commands/commands.ts';
import {
  EXIT_STATUSES,
  exitStatusOf,
  ServiceSilentError,
} from '../../packages/experiments/src/terminal/exit-status.ts';

const DOCUMENT = readFileSync(resolve(import.meta.dirname, '../../docs/cli.md'), 'utf8');

const folder = mkdtempSync(join(tmpdir(), 'tessera-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

function run(...args: string[]) {
  const cli = resolve(import.meta.dirname, '../../packages/experiments/src/cli.ts');
  return spawnSync(process.execPath, [cli, ...args], { encoding: 'utf8', cwd: folder });
}

describe('docs/cli.md', () => {
  it('shows the overview and the usage of each command, and no other', () => {
    const shown = [...DOCUMENT.matchAll(/```text\n([\s\S]*?)```/g)].map(([, text]) => text);
    expect(shown).toEqual([OVERVIEW, ...Object.values(COMMANDS).map(({ usage }) => usage)]);
  });

  it('lists the exit statuses', () => {
    const rows = [...DOCUMENT.matchAll(/^\| `(\d)` \| (.*) \|$/gm)].map(([, ...row]) => row);
    expect(rows).toEqual(Object.entries(EXIT_STATUSES));
  });
});

describe('commands', () => {
  it.each(Object.entries(COMMANDS))('%s has --json and an example', (name, { usage }) => {
    expect(usage).toMatch(/--json/);
    expect(usage).toContain(`\n  npx tessera ${name} `.trimEnd());
  });

  it('show their usage, and reject unknown options', () => {
    expect(run('--help')).toMatchObject({ status: 0, stdout: OVERVIEW });
    expect(run('submit', '--help')).toMatchObject({ status: 0, stdout: COMMANDS.submit!.usage });
    expect(run()).toMatchObject({ status: 2, stderr: expect.stringContaining(OVERVIEW) });
    expect(run('toString')).toMatchObject({ status: 2 });
    expect(run('chiplets', '--color')).toMatchObject({ status: 2 });
  });

  it('describe a missing file or bad option without an error code, and name that of a bad model', () => {
    writeFileSync(join(folder, 'bad.glb'), 'not a model');
    for (const args of [
      ['compare', 'none.glb', 'none.png'],
      ['render', 'none.glb'],
      ['render', '--color'],
    ]) {
      const { status, stderr } = run(...args);
      expect(status).toBe(2);
      expect(stderr).toMatch(/^tessera (compare|render): .*(none\.(glb|png): ENOENT|'--color')/);
      expect(stderr).not.toContain('REQUEST_INVALID');
    }
    expect(run('render', 'bad.glb').stderr).toMatch(/ \(MODEL_INVALID\)\n$/);
  });

  it('show their usage without loading the simulator or the client', () => {
    const logLoads = `import { registerHooks } from 'node:module';
      registerHooks({ load(url, context, next) { console.error(url); return next(url, context); } });`;
    const cli = resolve(import.meta.dirname, '../../packages/experiments/src/cli.ts');
    const preload = `data:text/javascript,${encodeURIComponent(logLoads)}`;
    for (const args of [['--help'], ['render', '--help'], ['study', 'overlap', '-h']]) {
      const { stderr } = spawnSync(process.execPath, ['--import', preload, cli, ...args], {
        encoding: 'utf8',
      });
      const loaded = stderr.split('\n').filter((line) => line.startsWith('file:'));
      const needed =
        /\/experiments\/src\/(cli|commands\/commands|commands\/usage\/[a-z-]+|reports\/figure-names)\.ts$/;
      expect(loaded).toHaveLength(9);
      expect(loaded.filter((url) => !needed.test(url))).toEqual([]);
    }
  });

  it('help of a study shows that study alone, and arguments after -- request no help', () => {
    const { stdout } = run('study', 'overlap', '--help');
    expect(stdout).toMatch(/^tessera study chiplet-scaling/);
    expect(COMMANDS.study!.usage).toContain(stdout);
    expect(run('counters', '--', '--help')).toMatchObject({ status: 2, stdout: '' });
    expect(COMMANDS.sequence!.usage).toContain(
      `frames in progress (default ${DEFAULT_FRAMES_IN_FLIGHT})`,
    );
  });

  it('render writes its report to the standard output under --json, and no progress to a file', async () => {
    writeFileSync(join(folder, 'model.glb'), await makeModelGlb());
    const args = ['--width', '64', '--height', '48', '--timing', 'functional', '--json'];
    const { status, stdout, stderr } = run('render', 'model.glb', ...args);
    expect([status, stderr]).toEqual([0, '']);
    const { files, warnings, report } = JSON.parse(stdout);
    expect([files, warnings]).toEqual([{ picture: 'out.png' }, []]);
    expect(report.frame).toMatchObject({ widthPx: 64, heightPx: 48 });
    writeFileSync(join(folder, 'report.json'), JSON.stringify(report));
    const counted = JSON.parse(
      run('counters', 'raster', '--report', 'report.json', '--json').stdout,
    );
    for (const { name, chiplets } of counted) {
      const counts = report.chiplets.map(
        ({ counters }: { counters: Record<string, number> }) => counters[name] ?? 0,
      );
      expect(chiplets).toEqual(counts);
    }
    expect(counted.length).toBeGreaterThan(0);
  });

  it('counters searches by name and meaning, and rejects a file that is not a report', () => {
    expect(run('counters', 'quadsCovered').stdout).toMatch(/^raster\.quadsCovered +quads +a 2×2/);
    expect(run('counters', 'no such thing')).toMatchObject({ status: 2 });
    writeFileSync(join(folder, 'no-report.json'), '{}');
    expect(run('counters', '--report', 'no-report.json')).toMatchObject({ status: 2 });
  });

  it('exit with 1 if the service does not answer, and with 2 for an invalid address', () => {
    expect(run('chiplets', '--url', 'http://127.0.0.1:9')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('does not answer'),
    });
    expect(run('chiplets', '--url', 'nowhere')).toMatchObject({ status: 2 });
  });

  it('record does so too, and names a token file that it cannot read', () => {
    const program = resolve(import.meta.dirname, '../../packages/webgl/examples/triangle.mjs');
    const record = (...args: string[]) => run('record', program, '--service', ...args);
    expect(record('http://127.0.0.1:9')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('does not answer'),
    });
    expect(record('nowhere')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("service: 'nowhere' is not an http or https address"),
    });
    expect(record('http://127.0.0.1:9', '--token-file', 'no-token')).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('token-file:'),
    });
  });
});

describe('record', () => {
  it('names a program or package that is missing', () => {
    expect(run('record', 'none.mjs')).toMatchObject({
      status: 2,
      stderr: 'tessera record: none.mjs: there is no such file\n',
    });
    writeFileSync(join(folder, 'program.mjs'), "import 'no-such-package';\n");
    expect(run('record', 'program.mjs')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/Cannot find package 'no-such-package' .*npm ci/),
    });
  });
});

describe('exitStatusOf', () => {
  it('distinguishes bad input, circumstances and bugs', () => {
    expect(exitStatusOf(new RenderError('MODEL_INVALID', ''))).toBe(2);
    expect(exitStatusOf(new RenderError('CHIPLET_LOST', ''))).toBe(1);
    expect(exitStatusOf(new ServiceSilentError(''))).toBe(1);
    expect(exitStatusOf(new Error(''))).toBeNull();
  });
});
