/**
 * `npm run bench -- webgl [--rounds N]`: cost of a call of a WebGL context. The calls of a
 * program's steady frame are recorded once, with their arguments, and repeated. The figure includes
 * recording the frame but not rendering it. Three more figures are measured: frames after a
 * rendered one, which evicts caches and branch predictors; the end of the frame, which assembles
 * the recording; and a start of the program, which compiles its shaders.
 *
 * Figures are medians of wall time. The clock of a thread's CPU time has ticks of milliseconds, and
 * rounds of microseconds are rarely interrupted.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { TextureResource } from '@tessera/frame';
import { RecordedFrames } from '@tessera/gl';
import { createContext, type TesseraContext } from '@tessera/webgl';
import { installWindow } from '@tessera/webgl/dom';
import { integerOption, parseOptions } from '../terminal/command-options.ts';
import { type BenchResult, saveResults } from './bench-results.ts';
import { printMachine } from './machine.ts';

const EXAMPLES = resolve(import.meta.dirname, '../../../webgl/examples');
const PROGRAMS = ['three-cube', 'three-phong', 'three-instancing'];
/** Width of the canvas. It is small because rendering between rounds is not measured. */
const WIDTH_PX = 64;
const HEIGHT_PX = 36;
/** Index of the frame whose calls are repeated. The first frames create objects. */
const STEADY_FRAME = 2;
/** Rounds until V8 has optimized calls that occur three times per frame. */
const WARM_UP_ROUNDS = 5000;
/** Number of measured rounds per rendered frame. */
const ROUNDS_A_RENDERED = 20;

type Call = readonly [name: string, args: readonly unknown[]];
type Methods = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
type DrawFrame = (frameIndex: number) => void;

/** Measures, prints, and writes the CSV. */
export async function runWebGlBench(args: readonly string[]): Promise<void> {
  const { values } = parseOptions(args, { rounds: { type: 'string' } });
  const rounds = integerOption('--rounds', values.rounds ?? '2000', 20, 99_999);
  printMachine('Tessera, recording of WebGL calls: medians of wall time');
  const results: BenchResult[] = [];
  for (const name of PROGRAMS) {
    const steady = await measureProgram(name, rounds);
    results.push(...steady);
    for (const { quantity, unit, median: value, least } of steady) {
      const best = least === undefined ? '' : `, least ${least.toFixed(2)}`;
      process.stdout.write(
        `${name.padEnd(18)} ${quantity.padEnd(36)} ${value.toFixed(2)} ${unit}${best}\n`,
      );
    }
  }
  saveResults('webgl', results);
}

async function measureProgram(scene: string, rounds: number): Promise<BenchResult[]> {
  const attributes = { createWebGL2Context: true, stencil: true, antialias: false };
  const gl = createContext(WIDTH_PX, HEIGHT_PX, attributes)!;
  const calls: Call[] = [];
  const startCpu = process.threadCpuUsage();
  const { draw, close } = await startProgram(scene, gl, calls);
  draw(0);
  const startMs = cpuMsSince(startCpu);
  const startCalls = calls.length;
  for (let frame = 0; frame < STEADY_FRAME; frame++) {
    gl.frame();
    calls.length = 0;
    draw(frame + 1);
  }
  const frames = framesOf(gl);
  close();
  const makeCalls = () => {
    for (const [name, args] of calls) (gl as unknown as Methods)[name]!(...args);
  };
  const endFrame = () => {
    frames.take();
    frames.adopt(NOTHING_DRAWN);
  };
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    makeCalls();
    endFrame();
  }
  const steady: number[] = [];
  const ends: number[] = [];
  for (let round = 0; round < rounds; round++) {
    steady.push(timeOf(makeCalls));
    ends.push(timeOf(endFrame));
  }
  const rendered: number[] = [];
  for (let round = 0; round < rounds / ROUNDS_A_RENDERED; round++) {
    gl.frame();
    rendered.push(timeOf(makeCalls));
  }
  const ofCalls = { scene, unit: 'µs a call' };
  const each = `${calls.length} calls of a steady frame`;
  return [
    { ...ofCalls, quantity: each, ...summarize(steady, calls.length) },
    { ...ofCalls, quantity: `${each}, rendered`, ...summarize(rendered, calls.length) },
    { scene, quantity: 'end of a frame, before it is rendered', unit: 'µs', ...summarize(ends, 1) },
    {
      scene,
      quantity: `${startCalls} calls until the first frame`,
      unit: 'ms',
      median: startMs,
      rounds: 1,
    },
  ];
}

const NOTHING_DRAWN: ReadonlyMap<number, TextureResource> = new Map();

/** Returns the duration of a run in milliseconds. */
function timeOf(run: () => void): number {
  const start = performance.now();
  run();
  return performance.now() - start;
}

/** Summarizes durations in microseconds. @param count Divisor of all durations. */
function summarize(timesMs: readonly number[], count: number) {
  const sorted = timesMs.map((timeMs) => (timeMs * 1000) / count).sort((a, b) => a - b);
  return { median: sorted[sorted.length >> 1]!, least: sorted[0]!, rounds: sorted.length };
}

/** Returns the recorded frames of a context, which become available when it ends a frame. */
function framesOf(gl: TesseraContext): RecordedFrames {
  const { take } = RecordedFrames.prototype;
  let frames: RecordedFrames | null = null;
  RecordedFrames.prototype.take = function (this: RecordedFrames) {
    frames = this;
    return take.call(this);
  };
  try {
    gl.frame();
  } finally {
    RecordedFrames.prototype.take = take;
  }
  return frames!;
}

/** Runs an example's `main` on a context that records its calls. */
async function startProgram(
  name: string,
  gl: TesseraContext,
  calls: Call[],
): Promise<{ draw: DrawFrame; close: () => void }> {
  const removeWindow = installWindow({ createContext: () => null });
  const canvas = document.createElement('canvas');
  canvas.width = WIDTH_PX;
  canvas.height = HEIGHT_PX;
  const module = (await import(pathToFileURL(resolve(EXAMPLES, `${name}.mjs`)).href)) as {
    readonly main: (page: object) => DrawFrame;
  };
  return { draw: module.main({ canvas, gl: writeDown(gl, calls) }), close: removeWindow };
}

function writeDown(gl: TesseraContext, calls: Call[]): object {
  const wrappers = new Map<PropertyKey, unknown>();
  return new Proxy(gl, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function' || name === 'constructor') return value;
      let wrapper = wrappers.get(name);
      if (wrapper === undefined) {
        wrapper = (...args: unknown[]) => {
          // Libraries reuse their arrays.
          calls.push([String(name), args.map((arg) => copyOf(arg))]);
          return value.apply(target, args);
        };
        wrappers.set(name, wrapper);
      }
      return wrapper;
    },
  });
}

function copyOf(value: unknown): unknown {
  return ArrayBuffer.isView(value) && 'slice' in value
    ? (value as Float32Array<ArrayBuffer>).slice()
    : value;
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
