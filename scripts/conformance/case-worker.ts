/**
 * The process that runs cases: told of a suite and a context by its arguments, of cases by messages, it answers each
 * with a verdict. What a case throws later, from a timer of its, is that case's.
 */
import { pathToFileURL } from 'node:url';
import { NpmSuite } from './npm-suite.ts';
import { PageSuite } from './page-suite.ts';
import type { CreateContext, RunnableSuite, SuiteChoice } from './suites.ts';
import { type CaseName, CaseReporter, type Verdict } from './verdict.ts';

/** What a context module gives: `createContext`, and classes such as `WebGLProgram` by their names. */
interface ContextModule {
  readonly createContext?: CreateContext;
  readonly default?: CreateContext;
  readonly [name: string]: unknown;
}

interface ResizeExtension {
  resize(width: number, height: number): void;
}

export interface WorkerArguments {
  readonly suite: SuiteChoice;
  /** A package or file that exports `createContext(width, height, attributes)`. */
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
// A page has the same globals as what it tests; some put a lesser function of their own in place of this one.
Object.defineProperty(Array, 'from', { value: Array.from, writable: false, configurable: false });
let reporter: CaseReporter | null = null;
let failCase: (() => void) | null = null;

if (!isVerbose) {
  for (const method of ['log', 'info', 'debug', 'warn', 'error'] as const)
    console[method] = () => {};
}
process.on('uncaughtException', noteThrown);
process.on('unhandledRejection', noteThrown);
process.on('beforeExit', () =>
  noteThrown(new Error('nothing is left to run, and the case has not ended')),
);
process.on('message', (testCase: CaseName) => void runCase(testCase));
process.send!('ready');

async function runCase(testCase: CaseName): Promise<void> {
  const before = process.cpuUsage();
  const own = new CaseReporter();
  reporter = own;
  try {
    await new Promise<void>((resolve, reject) => {
      failCase = resolve;
      // Whoever asks does not keep a case running that waits for nothing.
      process.channel!.unref();
      suite.run(testCase, createContext, own).then(resolve, reject);
    });
  } catch (error) {
    own.threw(error);
  }
  process.channel!.ref();
  const { user, system } = process.cpuUsage(before);
  const { outcome, assertions, failed, messages } = own;
  const cpuMs = (user + system) / 1000;
  process.send!({ ...testCase, outcome, assertions, failed, messages, cpuMs } satisfies Verdict);
}

/** A case that threw from a timer will not say any more that it has ended. */
function noteThrown(error: unknown): void {
  reporter?.threw(error);
  failCase?.();
}

function makeSuite(choice: SuiteChoice, classes: object): RunnableSuite {
  return choice.kind === 'npm'
    ? new NpmSuite(classes)
    : new PageSuite(choice.folder, choice.isWebGL2, classes);
}

/** The module's `createContext`; headless-gl has resizing and the end of a context in extensions. */
function contextMakerOf({ createContext: named, default: exported }: ContextModule): CreateContext {
  const create = named ?? exported;
  if (typeof create !== 'function') throw new Error(`${context}: exports no createContext`);
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

/** The context, or `null` for a size that it does not take: headless-gl gives that, ours throws. */
function createOrNull(create: CreateContext, width: number, height: number, attributes: object) {
  try {
    return create(width, height, attributes);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** A drawing buffer may be smaller than its canvas, and the canvas of a case larger than any. */
function fitEdge(edge: number): number {
  return Math.min(Math.max(edge, 1), 4096);
}
