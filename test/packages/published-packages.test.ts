/**
 * The packages of `npm run pack` in folders outside of the repository, on each version of Node that
 * they support. Versions come from the registry as npm packages, which exist for one platform each.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packAll } from '../../scripts/pack/pack.ts';
import { startTestService, stopServicesAfterAll } from '../support/service-harness.ts';
import { OutsideFolders, ROOT, VERSIONS } from './outside-folders.ts';

const MODEL = join(ROOT, 'test/golden/models/BoxVertexColors.glb');
const EXAMPLES = join(ROOT, 'packages/webgl/examples');
const CLI = 'node_modules/@tessera-gpu/cli/dist/cli.js';
const MAX_WEBGL_BYTES = 5_000_000;
/** Packages that the examples import. */
const LIBRARY = /^(three|regl|pixi\.js|@(babylonjs|luma\.gl|deck\.gl)\/.*)$/;

const outside = new OutsideFolders();
const work = outside.path;
let folder: string;
let webglFolder: string;
let examplesFolder: string;
let tarballs: Map<string, string>;

stopServicesAfterAll();
afterAll(() => rmSync(work, { recursive: true }));

beforeAll(async () => {
  tarballs = await packAll(join(work, 'tarballs'));
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const pinned = (name: string) => `${name}@${devDependencies[name]}`;
  folder = outside.install('all', [...tarballs.values(), '@types/node@26', pinned('vitest')]);
  webglFolder = outside.install('webgl', [tarballs.get('webgl')!, pinned('three')]);
  const libraries = Object.keys(devDependencies).filter((name) => LIBRARY.test(name));
  examplesFolder = outside.install('examples', [tarballs.get('cli')!, ...libraries.map(pinned)]);
  cpSync(EXAMPLES, examplesFolder, { recursive: true });
  outside.installNodes();
}, 600_000);

const run: OutsideFolders['run'] = (...args) => outside.run(...args);

function hashOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

describe('published packages', () => {
  it('have a licence, a README, exact exports and no tests', () => {
    for (const name of tarballs.keys()) {
      const own = join(folder, 'node_modules/@tessera-gpu', name);
      const files = readdirSync(own, { recursive: true, encoding: 'utf8' });
      expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'package.json']));
      expect(
        files.filter((file) => /\.test\.|testing|\.ts$/.test(file) && !file.endsWith('.d.ts')),
      ).toEqual([]);
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

  it('record a page that is drawn in a worker', () => {
    const image = join(images, 'worker.png');
    const options = ['--width', '16', '--height', '9', '--wait-idle', '-o', image];
    run(version, folder, join(folder, CLI), 'record', 'worker-canvas.mjs', ...options);
    const { width, height, data } = PNG.sync.read(readFileSync(image));
    expect([width, height, ...data.subarray(0, 4)]).toEqual([16, 9, 255, 128, 0, 255]);
  });

  it('have a command line, which submits to a service', async () => {
    const cli = join(folder, CLI);
    expect(run(version, folder, cli, '--help')).toContain('render');
    const { url } = await startTestService({ workerCount: 1 });
    const image = join(images, 'submitted.png');
    const submit = [cli, 'submit', MODEL, '-o', image, '--url', url];
    run(version, folder, ...submit);
    expect(readFileSync(image).subarray(1, 4).toString()).toBe('PNG');
  });
});

describe('the examples, with the installed command line and libraries', () => {
  it.each(readdirSync(EXAMPLES))('%s', (file) => {
    const image = join(examplesFolder, file.replace('.mjs', '.png'));
    const options = ['--width', '160', '--height', '90', '--timing', 'functional', '-o', image];
    run('26', examplesFolder, join(examplesFolder, CLI), 'record', file, ...options);
    const { width, height, data } = PNG.sync.read(readFileSync(image));
    expect([width, height]).toEqual([160, 90]);
    const colors = new Set(new Uint32Array(data.buffer, data.byteOffset, width * height));
    expect(colors.size).toBeGreaterThan(5);
  });
});

describe('toMatchImage, in vitest outside of the repository', () => {
  const tryMatch = (red: number, variables: object, ...args: readonly string[]) => {
    const cwd = join(folder, 'matcher');
    const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
    const env = { RED: String(red), NO_COLOR: '1', ...variables };
    const { status, stdout, stderr } = outside.tryRun('26', cwd, env, vitest, 'run', ...args);
    return { status, output: stdout + stderr };
  };
  const has = (name: string) => existsSync(join(folder, 'matcher/images', name));

  it('fails in CI without a reference, and creates it elsewhere', () => {
    const missing = tryMatch(1, { CI: 'true' });
    expect(missing.status, missing.output).toBe(1);
    expect(missing.output).toContain('images/red.png is missing');
    expect(has('red.png')).toBe(false);
    const created = tryMatch(1, {});
    expect(created.status, created.output).toBe(0);
    expect(created.output).toMatch(/1 written/);
    expect(has('red.png')).toBe(true);
  });

  it('accepts an equal image in CI, and shows the difference of another one', () => {
    expect(tryMatch(1, { CI: 'true' }).status).toBe(0);
    expect(has('red-difference.png')).toBe(false);
    const { status, output } = tryMatch(0.5, {});
    expect(status).toBe(1);
    expect(output).toContain('256 of 256 pixels (100.0000 %) differ from images/red.png');
    const difference = PNG.sync.read(
      readFileSync(join(folder, 'matcher/images/red-difference.png')),
    );
    expect([...difference.data.subarray(0, 4)]).toEqual([255, 0, 0, 255]);
  });

  it('updates the reference with -u', () => {
    const { status, output } = tryMatch(0.5, {}, '-u');
    expect(status, output).toBe(0);
    expect(output).toMatch(/1 updated/);
    expect(tryMatch(0.5, { CI: 'true' }).status).toBe(0);
  });
});
