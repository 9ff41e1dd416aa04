/**
 * Reads the shader programs of the Khronos WebGL 1.0.3 suite from the npm package `gl-conformance`,
 * in which each page is a CommonJS module that takes a context. A page runs in its own realm with a
 * recording context. The expected results come from the tables that pages pass to the suite's two
 * runners. Programs of other pages must link, except those of the pages named below.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { type ContextLimits, createRecordingContext, type Recording } from './recording-context.ts';

/** One program of a page and its expected result. */
export interface SuiteProgram {
  readonly page: string;
  readonly label: string;
  readonly vertexSource: string;
  readonly fragmentSource: string;
  /** Whether the shader must compile; `null` if the page leaves it open. */
  readonly isVertexValid: boolean | null;
  readonly isFragmentValid: boolean | null;
  /** Whether the program must link; `null` if the page leaves it open. */
  readonly mustLink: boolean | null;
}

/** A row of a page's table for `GLSLConformanceTester`. */
interface TesterRow {
  readonly passMsg?: string;
  readonly vShaderSource: string;
  readonly vShaderSuccess?: boolean;
  readonly vShaderPrep?: (source: string) => string;
  readonly fShaderSource: string;
  readonly fShaderSuccess?: boolean;
  readonly fShaderPrep?: (source: string) => string;
  readonly linkSuccess?: boolean;
  /**
   * Whether an implementation may accept or reject the program, such as a sum of ten thousand
   * terms.
   */
  readonly ignoreResults?: boolean;
}

/** A row of a page's table for `OpenGLESTestRunner`, for a program that is only built. */
interface BuildRow {
  readonly name: string;
  readonly compstat: boolean;
  readonly linkstat: boolean;
  readonly testProgram: { readonly vertexShader: string; readonly fragmentShader: string };
}

interface PageEnvironment {
  readonly BASEPATH: string;
  readonly RESOURCES: Readonly<Record<string, string>>;
}

/** Pages outside the tables with programs that must be rejected, and how to recognize these. */
const REFUSED_BY_PAGE: ReadonlyMap<string, (vertexSource: string) => boolean> = new Map([
  ['glsl_misc_shader-with-reserved-words', () => true],
  // Attribute names may have up to 256 characters.
  ['glsl_misc_attrib-location-length-limits', (source: string) => /\w{257,}/.test(source)],
]);

/** Returns the names of the pages in the folders `glsl` and `ogles`, in alphabetical order. */
export function listPages(suiteFolder: string): string[] {
  return readdirSync(join(suiteFolder, 'node-test'))
    .filter((name) => /^(glsl|ogles)_.*\.js$/.test(name))
    .map((name) => name.replace(/\.js$/, ''))
    .sort();
}

/** Runs a page of the suite on a context with `limits` and returns the page's programs. */
export function readPage(suiteFolder: string, page: string, limits: ContextLimits): SuiteProgram[] {
  const recording: Recording = { shaders: [], programs: [] };
  const programs: SuiteProgram[] = [];
  const environment = {
    tape: { pass: () => {}, fail: () => {}, end: () => {} },
    createContext: (width: number, height: number) =>
      createRecordingContext(recording, limits, width, height),
    recordRow: (row: TesterRow) => programs.push(programOfRow(page, row)),
    recordBuild: (row: BuildRow, state: PageEnvironment) =>
      programs.push(programOfBuild(page, row, state)),
  };
  const path = join(suiteFolder, 'node-test', `${page}.js`);
  const timers: (() => void)[] = [];
  try {
    loadPage(path, timers)(environment);
    while (timers.length > 0) timers.shift()!();
  } catch (error) {
    // A page may fail because no uniforms are reflected. By then it has linked its programs.
    if (recording.programs.length === 0) throw error;
  }
  // The rows describe everything that the page's runner compiled.
  const isTabled = programs.length > 0 && !page.startsWith('ogles_');
  return isTabled ? programs : [...programs, ...recordedPrograms(page, recording)];
}

/** Loads a page with its modules into a new realm whose timers go to `timers`. */
function loadPage(pagePath: string, timers: (() => void)[]): (environment: object) => void {
  const outside = createRequire(pagePath);
  const silent = () => {};
  const realm = createContext({
    // Pages call `new Buffer(text, 'base64')`, which newer versions of Node warn about.
    Buffer: class {
      constructor(text: string, encoding: BufferEncoding) {
        // biome-ignore lint/correctness/noConstructorReturn: the class stands for a function.
        return Buffer.from(text, encoding);
      }
    },
    WebGLRenderingContext: class {},
    console: { log: silent, error: silent, warn: silent, info: silent },
    setTimeout: (callback: () => void) => timers.push(callback),
    clearTimeout: silent,
  });
  const load = (path: string): unknown => {
    const text = readFileSync(path, 'utf8');
    if (path.endsWith('.json')) return JSON.parse(text);
    const code = `(function (require, module, exports) {${instrument(text)}\n})`;
    const module = { exports: {} };
    const requireHere = (name: string): unknown =>
      name.startsWith('.') ? load(resolveModule(dirname(path), name)) : outside(name);
    runInContext(code, realm, { filename: path })(requireHere, module, module.exports);
    return module.exports;
  };
  return load(pagePath) as (environment: object) => void;
}

function resolveModule(folder: string, name: string): string {
  return resolve(folder, /\.(js|json)$/.test(name) ? name : `${name}.js`);
}

/** Makes the suite's runners report each row of a table instead of drawing. */
function instrument(text: string): string {
  return text
    .replace(
      'function runOneTest(gl, info) {',
      `function runOneTest(gl, info) {
        try { runOneTestOfSuite(gl, info); } finally { ENVIRONMENT.recordRow(info); }
      }
      function runOneTestOfSuite(gl, info) {`,
    )
    .replace(
      'function runBuildTest(test, callback) {',
      `function runBuildTest(test, callback) {
        ENVIRONMENT.recordBuild(test, ENVIRONMENT);
        return callback();`,
    )
    .replace(
      'function drawWithProgram(program, programInfo, test) {',
      `function drawWithProgram(program, programInfo, test) {
        return { width: 0, height: 0, pixels: new Uint8Array(0) };`,
    );
}

function programOfRow(page: string, row: TesterRow): SuiteProgram {
  const { vShaderSource, vShaderPrep, fShaderSource, fShaderPrep } = row;
  // The suite's runner ignores a compile that must fail, and some such rows request a link.
  const mustLink = row.linkSuccess === true;
  const isOpen = row.ignoreResults === true;
  return {
    page,
    label: row.passMsg ?? '',
    vertexSource: vShaderPrep === undefined ? vShaderSource : vShaderPrep(vShaderSource),
    fragmentSource: fShaderPrep === undefined ? fShaderSource : fShaderPrep(fShaderSource),
    isVertexValid: isOpen ? null : mustLink || (row.vShaderSuccess ?? null),
    isFragmentValid: isOpen ? null : mustLink || (row.fShaderSuccess ?? null),
    mustLink: isOpen ? null : mustLink,
  };
}

function programOfBuild(page: string, row: BuildRow, state: PageEnvironment): SuiteProgram {
  const read = (path: string): string => {
    const text = state.RESOURCES[join(state.BASEPATH, path)];
    return path === 'empty' || text === undefined ? '' : Buffer.from(text, 'base64').toString();
  };
  // `compstat` applies to both shaders together.
  const isValid = row.compstat ? true : null;
  return {
    page,
    label: row.name,
    vertexSource: read(row.testProgram.vertexShader),
    fragmentSource: read(row.testProgram.fragmentShader),
    isVertexValid: isValid,
    isFragmentValid: isValid,
    mustLink: row.compstat && row.linkstat,
  };
}

function recordedPrograms(page: string, recording: Recording): SuiteProgram[] {
  return recording.programs.flatMap(({ vertex, fragment }) => {
    if (vertex === undefined || fragment === undefined) return [];
    const isRefused = REFUSED_BY_PAGE.get(page)?.(vertex.source) ?? false;
    return {
      page,
      label: '',
      vertexSource: vertex.source,
      fragmentSource: fragment.source,
      isVertexValid: isRefused ? null : true,
      isFragmentValid: isRefused ? null : true,
      mustLink: !isRefused,
    };
  });
}
