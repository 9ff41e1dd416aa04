/**
 * Worker process that runs cases. It receives the suite and the context as arguments and cases as
 * messages, and answers each case with a verdict. An exception from a timer counts for the case
 * that runs at the time.
 */
import { flushCompileCache } from 'node:module';
import { pathToFileURL } from 'node:url';
import { NpmSuite } from './npm-suite.ts';
import { PageSuite } from './page-suite.ts';
import type { CreateContext, RunnableSuite, SuiteChoice } from './suites.ts';
import { type CaseName, CaseReporter, type Verdict } from './verdict.ts';

/** Exports of a context module: `createContext`, and classes such as `WebGLProgram` by name. */
interface ContextModule {
  readonly createContext?: CreateContext;
  readonly default?: CreateContext;
  readonly [name: string]: unknown;
}

interface ResizeExtension {
  resize(width: number, height: number): void;
}

/** Arguments of the worker process. */
export interface WorkerArguments {
  readonly suite: SuiteChoice;
  /** Package or file that exports `createContext(width, height, attributes)`. */
  readonly context: string;
  readonly isVerbose: boolean;
}

const { suite: choice, context, isVerbose } = JSON.parse(process.argv[2]!) as WorkerArguments;
const module = (await import(
  /^[./]/.test(context) ? pathToFileURL(context).href : context
)) as ContextModule;
const createContext = contextMakerOf(module);
const classes = Object.fromEntries(Object.entries(module).filter(([name]) => /^WebGL/.test(name)));
const suite = makeSuite(choice, classes);
// Pages share their globals with the code under test, and some replace this function with a limited
// one.
Object.defineProperty(Array, 'from', { value: Array.from, writable: false, configurable: false });
let reporter: CaseReporter | null = null;
let failCase: (() => void) | null = null;

if (!isVerbose) {
  for (const method of ['log', 'info', 'debug', 'warn', 'error'] as const)
    console[method] = () => {};
}
process.on('uncaughtException', failOnThrown);
process.on('unhandledRejection', failOnThrown);
process.on('beforeExit', () =>
  failOnThrown(new Error('the case has not ended, but nothing is left to run')),
);
process.on('message', (testCase: CaseName) => void runCase(testCase));
// The process ends by a signal, so Node would not write what it has compiled.
flushCompileCache();
process.send!('ready');

async function runCase(testCase: CaseName): Promise<void> {
  const before = process.cpuUsage();
  const own = new CaseReporter();
  reporter = own;
  try {
    await new Promise<void>((resolve, reject) => {
      failCase = resolve;
      // The channel must not keep the process alive if a case waits for nothing.
      process.channel!.unref();
      suite.run(testCase, createContext, own).then(resolve, reject);
    });
  } catch (error) {
    own.threw(error);
  }
  process.channel!.ref();
  const { user, system } = process.cpuUsage(before);
  const { outcome, assertions, failed, messages, missing } = own;
  const cpuMs = (user + system) / 1000;
  const counts = { outcome, assertions, failed, messages, missing, cpuMs };
  process.send!({ ...testCase, ...counts } satisfies Verdict);
}

/**
 * Fails the current case and ends it, because a case that threw from a timer does not report its
 * end.
 */
function failOnThrown(error: unknown): void {
  reporter?.threw(error);
  failCase?.();
}

function makeSuite(choice: SuiteChoice, classes: object): RunnableSuite {
  return choice.kind === 'npm'
    ? new NpmSuite(classes)
    : new PageSuite(choice.folder, choice.isWebGL2, classes);
}

/** Returns the module's `createContext`. headless-gl provides resizing in an extension. */
function contextMakerOf({ createContext: named, default: exported }: ContextModule): CreateContext {
  const create = named ?? exported;
  if (typeof create !== 'function') throw new Error(`${context}: does not export createContext`);
  return (width, height, attributes) => {
    const made =
      createOrNull(create, width, height, attributes) ??
      create(fitEdge(width), fitEdge(height), attributes);
    const gl = made as ({ getExtension(name: string): unknown; resize?: unknown } & object) | null;
    if (gl === null || gl.resize !== undefined) return gl;
    const extension = gl.getExtension('STACKGL_resize_drawingbuffer') as ResizeExtension | null;
    if (extension !== null) {
      Object.defineProperty(gl, 'resize', { value: extension.resize.bind(extension) });
    }
    return gl;
  };
}

/**
 * Creates a context, or returns `null` for a size that is not accepted: headless-gl returns `null`,
 * Tessera throws.
 */
function createOrNull(create: CreateContext, width: number, height: number, attributes: object) {
  try {
    return create(width, height, attributes);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/**
 * Clamps an edge of the drawing buffer, because the canvas of a case can be larger than any drawing
 * buffer.
 */
function fitEdge(edge: number): number {
  return Math.min(Math.max(edge, 1), 4096);
}
