/**
 * Runs the test programs of headless-gl against `@tessera-gpu/webgl`, with nothing changed but the
 * module that `../index` names: `node scripts/conformance/headless-gl.ts FOLDER [OUT]`.
 *
 * FOLDER is a clone of github.com/stackgl/headless-gl, whose package on npm has no tests. Without
 * it, the run is reported as skipped. OUT has the package (`npm run pack`), out/packages by
 * default.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

const [source, packages = 'out/packages'] = process.argv.slice(2);
/** Time after which a program fails. */
const TIMEOUT_MS = 240_000;
/** Programs of the suite whose harness needs a document. */
const NEEDS_DOCUMENT = ['more_conformance', 'more_functions', 'more_glsl'];

if (source === undefined || !existsSync(join(source, 'test'))) {
  process.stdout.write('headless-gl: skipped, because no clone of its repository was given\n');
} else runPrograms(source);

function runPrograms(clone: string): void {
  const tarball = globSync(join(packages, 'tessera-gpu-webgl-*.tgz'))[0];
  if (tarball === undefined) throw new Error(`${packages}: has no package webgl; npm run pack`);
  const folder = mkdtempSync(join(tmpdir(), 'headless-gl-'));
  try {
    prepare(folder, clone, resolve(tarball));
    const programs = readdirSync(join(folder, 'test')).filter((name) => name.endsWith('.js'));
    const passed = programs.filter((program) => runProgram(folder, program));
    process.stdout.write(`${passed.length} of ${programs.length} programs pass\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function prepare(folder: string, clone: string, tarball: string): void {
  for (const part of ['test', 'example']) {
    cpSync(join(clone, part), join(folder, part), { recursive: true });
  }
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const install = ['install', '--no-audit', '--no-fund', '--ignore-scripts'];
  const options = { cwd: folder, stdio: 'ignore' } as const;
  execFileSync('npm', [...install, 'tape@5', 'gl-conformance@2.0.9', tarball], options);
  mkdirSync(join(folder, 'node_modules/@stackgl'));
  symlinkSync('../gl-conformance', join(folder, 'node_modules/@stackgl/gl-conformance'));
  const shim = "module.exports = require('@tessera-gpu/webgl');\n";
  writeFileSync(join(folder, 'index.js'), shim);
  mkdirSync(join(folder, 'src/javascript'), { recursive: true });
  // The harness takes the classes of its interface from their files.
  const harness = readFileSync(join(folder, 'test/util/conformance.js'), 'utf8');
  for (const [, name] of harness.matchAll(/src\/javascript\/([\w-]+)'/g)) {
    writeFileSync(join(folder, 'src/javascript', `${name}.js`), shim);
  }
}

/** Returns whether a program passes, and prints its checks. */
function runProgram(folder: string, program: string): boolean {
  const run = spawnSync(process.execPath, [join('test', program)], {
    cwd: folder,
    encoding: 'utf8',
    timeout: TIMEOUT_MS,
    maxBuffer: 2 ** 28,
  });
  const countOf = (pattern: RegExp) => (run.stdout.match(pattern) ?? []).length;
  const [good, bad] = [countOf(/^ok /gm), countOf(/^not ok /gm)];
  const name = basename(program, '.js');
  const note = NEEDS_DOCUMENT.includes(name) ? ' (needs a document)' : '';
  const hasPassed = run.status === 0;
  process.stdout.write(`${hasPassed ? 'pass' : 'FAIL'} ${name}: ${good} ok, ${bad} not${note}\n`);
  return hasPassed;
}
