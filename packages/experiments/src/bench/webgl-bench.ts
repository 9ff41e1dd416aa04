/**
 * `npm run bench -- webgl [--rounds N]`: CPU time of a call of a WebGL context. The calls of a program's steady frame are written
 * down once, with their arguments, and made again; rendering is not in the figure, recording the frame is. Beside it: the end
 * of the frame, which puts together what was recorded, and a start of the program, which compiles its shaders.
 */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GlContext } from '@tessera/gl';
import { createContext, type TesseraContext } from '@tessera/webgl';
import { installWindow } from '@tessera/webgl/dom';
import { integerOption, parseOptions } from '../command-options.ts';
import { type BenchResult, saveResults } from './bench-results.ts';
import { printMachine } from './machine.ts';

const EXAMPLES = resolve(import.meta.dirname, '../../../webgl/examples');
const PROGRAMS = ['three-cube', 'three-phong', 'three-instancing'];
/** Small: what is rendered between rounds is not measured. */
const WIDTH_PX = 64;
const HEIGHT_PX = 36;
/** The frame whose calls are made again; the first ones make objects. */
const STEADY_FRAME = 2;
const WARM_UP_ROUNDS = 200;

type Call = readonly [name: string, args: readonly unknown[]];
type Methods = Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
type DrawFrame = (frameIndex: number) => void;

/** Measures, prints, and writes the CSV. */
export async function runWebGlBench(args: readonly string[]): Promise<void> {
  const { values } = parseOptions(args, { rounds: { type: 'string' } });
  const rounds = integerOption('--rounds', values.rounds ?? '200', 1, 9999);
  printMachine('Tessera, recording of WebGL calls: means, since the clock of a thread has ticks');
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
  const gl = createContext(WIDTH_PX, HEIGHT_PX, { createWebGL2Context: true, stencil: true })!;
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
  gl.frame();
  close();
  const ends = measureEnds();
  let totalMs = 0;
  let leastMs = Number.POSITIVE_INFINITY;
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++) {
    const cpu = process.threadCpuUsage();
    const wall = performance.now();
    makeCalls(gl as unknown as Methods, calls);
    // Wall time of the round that nothing disturbed: the clock of the thread is too coarse for one round.
    leastMs = Math.min(leastMs, performance.now() - wall);
    if (round >= 0) totalMs += cpuMsSince(cpu);
    if (round === 0) ends.totalMs = 0;
    gl.frame();
  }
  ends.restore();
  const mean = (totalMs * 1000) / (calls.length * rounds);
  const steady = { scene, quantity: `${calls.length} calls of a steady frame`, unit: 'µs a call' };
  const end = { scene, quantity: 'end of a frame, before it is rendered', unit: 'µs', rounds };
  const start = { scene, quantity: `${startCalls} calls until the first frame`, unit: 'ms' };
  return [
    { ...steady, median: mean, least: (leastMs * 1000) / calls.length, rounds },
    { ...end, median: (ends.totalMs * 1000) / rounds },
    { ...start, median: startMs, rounds: 1 },
  ];
}

/** Adds up the CPU time of taking frames from contexts, until it is restored. */
function measureEnds(): { totalMs: number; readonly restore: () => void } {
  const { takeFrame } = GlContext.prototype;
  const restore = () => {
    GlContext.prototype.takeFrame = takeFrame;
  };
  const ends = { totalMs: 0, restore };
  GlContext.prototype.takeFrame = function (this: GlContext) {
    const cpu = process.threadCpuUsage();
    const frame = takeFrame.call(this);
    ends.totalMs += cpuMsSince(cpu);
    return frame;
  };
  return ends;
}

/** Runs an example's `main` on a context whose calls are written down. */
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
          // Libraries use their arrays again.
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

function makeCalls(gl: Methods, calls: readonly Call[]): void {
  for (const [name, args] of calls) gl[name]!(...args);
}

function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
