/**
 * Runs the example of the README and the test programs of headless-gl against `@tessera-gpu/webgl`,
 * with nothing changed but the imported module: `node scripts/conformance/headless-gl.ts
 * HEADLESS_GL GL_CONFORMANCE [OUT]`.
 *
 * HEADLESS_GL and GL_CONFORMANCE are clones of github.com/stackgl/headless-gl and
 * github.com/stackgl/gl-conformance, which has the Khronos cases that the programs run. Neither is
 * on npm in this form. Without them, the run is reported as skipped. OUT has the package (`npm run
 * pack`), out/packages by default.
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

const [source, suite, packages = 'out/packages'] = process.argv.slice(2);
/** Time after which a program fails. */
const TIMEOUT_MS = 600_000;
const PACKAGE = '@tessera-gpu/webgl';
/** Parts of gl-conformance that its build reads, and the runner of the built cases. */
const SUITE_PARTS = ['build.js', 'lib', 'package.json', 'run-test.js', 'conformance-suites/1.0.3'];
const NPM_INSTALL = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--omit=dev'];

if (source === undefined || suite === undefined) {
  process.stdout.write('headless-gl: skipped, because its clone and its cases were not given\n');
} else runPrograms(source, suite);

function runPrograms(headlessGl: string, glConformance: string): void {
  for (const [clone, part] of [
    [headlessGl, 'test/util/conformance.js'],
    [glConformance, 'conformance-suites/1.0.3'],
  ] as const) {
    if (!existsSync(join(clone, part))) throw new Error(`${clone}: has no ${part}`);
  }
  const tarball = globSync(join(packages, 'tessera-gpu-webgl-*.tgz'))[0];
  if (tarball === undefined) throw new Error(`${packages}: has no package webgl; npm run pack`);
  const folder = mkdtempSync(join(tmpdir(), 'headless-gl-'));
  try {
    prepare(folder, headlessGl, resolve(tarball));
    buildSuite(folder, glConformance);
    const programs = readdirSync(join(folder, 'test')).filter((name) => name.endsWith('.js'));
    const isExampleRight = runExample(folder, join(headlessGl, 'README.md'));
    process.stdout.write(`${isExampleRight ? 'pass' : 'FAIL'} example of the README\n`);
    const passed = programs.filter((program) => runProgram(folder, program));
    process.stdout.write(`${passed.length} of ${programs.length} programs pass\n`);
    process.exitCode = isExampleRight && passed.length === programs.length ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function prepare(folder: string, clone: string, tarball: string): void {
  cpSync(join(clone, 'test'), join(folder, 'test'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  execFileSync('npm', [...NPM_INSTALL, 'tape@5', tarball], { cwd: folder, stdio: 'ignore' });
  const shim = `module.exports = require('${PACKAGE}');\n`;
  writeFileSync(join(folder, 'index.js'), shim);
  mkdirSync(join(folder, 'src/javascript'), { recursive: true });
  // The harness takes the classes of its interface from their files.
  const harness = readFileSync(join(folder, 'test/util/conformance.js'), 'utf8');
  for (const [, name] of harness.matchAll(/src\/javascript\/([\w-]+)'/g)) {
    writeFileSync(join(folder, 'src/javascript', `${name}.js`), shim);
  }
}

/** Builds the cases from the pages of Khronos, as the release of gl-conformance does. */
function buildSuite(folder: string, clone: string): void {
  const built = join(folder, 'gl-conformance');
  for (const part of SUITE_PARTS) cpSync(join(clone, part), join(built, part), { recursive: true });
  execFileSync('npm', NPM_INSTALL, { cwd: built, stdio: 'ignore' });
  execFileSync(process.execPath, ['build.js'], { cwd: built, stdio: 'ignore' });
  mkdirSync(join(folder, 'node_modules/@stackgl'));
  symlinkSync('../../gl-conformance', join(folder, 'node_modules/@stackgl/gl-conformance'));
}

/**
 * Returns whether the first example of the README, which prints an image, prints red pixels only.
 * The other blocks of code are not programs.
 */
function runExample(folder: string, readme: string): boolean {
  const text = /^```javascript\n(.*?)^```/ms.exec(readFileSync(readme, 'utf8'))?.[1];
  if (text === undefined) throw new Error(`${readme}: has no example`);
  const program = text.replaceAll("require('gl')", `require('${PACKAGE}')`);
  writeFileSync(join(folder, 'example.js'), program);
  const { stdout } = spawnSync(process.execPath, ['example.js'], { cwd: folder, encoding: 'utf8' });
  const red = '255 0 0 '.repeat(64 * 64);
  return stdout === `P3\n# gl.ppm\n64 64\n255\n${red}`;
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
  const hasPassed = run.status === 0;
  const name = basename(program, '.js');
  process.stdout.write(`${hasPassed ? 'pass' : 'FAIL'} ${name}: ${good} ok, ${bad} not\n`);
  return hasPassed;
}
