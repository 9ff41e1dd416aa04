/**
 * `tessera sequence FILE...`: renders frames in order, overlapped in simulated time, and reports on
 * them.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Frame, type Image, RenderError, type SequenceReport } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import { LocalGpu } from '@tessera/local-gpu';
import type { ProgramCache } from '@tessera/multi-chiplet';
import { turnCamera } from '@tessera/scenes';
import { expandBenchmarkScenes } from '../inputs/benchmark-scene.ts';
import { openFrames, readFrame } from '../inputs/read-frame.ts';
import { numberOption, optionalInteger, parseOptions } from '../terminal/command-options.ts';
import { ProgressBar } from '../terminal/progress-bar.ts';
import { printJson, printText } from '../terminal/terminal-output.ts';
import { MODEL_FILE_OPTIONS, readModelFileOptions } from './frame-file.ts';
import { GPU_OPTIONS, readGpuOptions } from './gpu-options.ts';
import { describeSample, readSampleOptions, SAMPLE_OPTIONS } from './sample-options.ts';

/** Runs the command. @throws {RenderError} On bad options or a bad model. */
export async function runSequenceCommand(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseSequenceArgs(args);
  const { hardware, options } = readGpuOptions(values);
  const gpu = new LocalGpu(hardware);
  if (values.timeline !== undefined && options.timing !== 'cycle') {
    throw new RenderError('REQUEST_INVALID', 'timeline: requires --timing cycle');
  }
  const sample = readSampleOptions(values);
  const paths = positionals.flatMap((each) => expandBenchmarkScenes(each) ?? [each]);
  const frames = await listFrames(paths, values, gpu.programs);
  await mkdir(values.output, { recursive: true });
  const bar = new ProgressBar();
  const writeImage = async (image: Image, index: number) => {
    await writeFile(join(values.output, frameName(index)), await encodePng(image));
  };
  if (sample !== null) {
    const sampling = gpu.sampleSequence(frames, {
      ...options,
      ...sample,
      onImage: writeImage,
      onFeatures: (done, total) => bar.update(done, total, 'frames'),
      onTiming: (done, total) => bar.update(done, total, 'timed frames'),
    });
    const report = await sampling.finally(() => bar.end());
    await writeReport(values.output, report);
    if (values.json) printJson(report);
    else printText(describeSample(values.output, report));
    return;
  }
  bar.update(0, frames.length, 'frames');
  const rendering = gpu.renderSequence(frames, {
    ...options,
    framesInFlight: optionalInteger('in-flight', values['in-flight'], 1, 64),
    onFrame: async ({ image }, index) => {
      await writeImage(image, index);
      bar.update(index + 1, frames.length, 'frames');
    },
  });
  const { report, timeline } = await rendering.finally(() => bar.end());
  await writeReport(values.output, report);
  if (values.timeline !== undefined) {
    await writeFile(values.timeline, `${JSON.stringify(timeline)}\n`);
  }
  if (values.json) printJson(report);
  else printText(describe(values.output, report));
}

type SequenceValues = ReturnType<typeof parseSequenceArgs>['values'];

/** Returns one function per frame, which makes the frame when its turn comes. */
async function listFrames(
  paths: readonly string[],
  values: SequenceValues,
  programs: ProgramCache,
): Promise<(() => Promise<Frame>)[]> {
  const [path] = paths;
  const { frames, from, to, turn, frame } = values;
  if (path === undefined) {
    throw new RenderError('REQUEST_INVALID', 'give at least one model, capture or scene');
  }
  const model = readModelFileOptions(values);
  if (paths.length > 1) {
    for (const [name, value] of Object.entries({ frames, from, to, turn, frame })) {
      if (value !== undefined) {
        throw new RenderError(
          'REQUEST_INVALID',
          `${name}: requires a single file; each of several files is one frame`,
        );
      }
    }
    return paths.map((each) => async () => (await readFrame(each, model, programs)).frame);
  }
  const count = optionalInteger('frames', frames, 1, 10_000) ?? 8;
  const indices = Array.from({ length: count }, (_, index) => index);
  const readPlace = await openFrames(path, model, programs);
  if (/\.trace$/i.test(path)) {
    const first = optionalInteger('frame', frame, 0, Number.MAX_SAFE_INTEGER) ?? 0;
    return indices.map((i) => async () => (await readPlace({ frameIndex: first + i })).frame);
  }
  const start = numberOption(`from`, from ?? '0');
  const end = numberOption('to', to ?? '1');
  const degrees = numberOption('turn', turn ?? '0');
  return indices.map((index) => async () => {
    const timeSeconds = count === 1 ? start : start + ((end - start) * index) / (count - 1);
    const modelOptions = turnCamera(model.modelOptions, degrees, index, count);
    return (await readPlace({ timeSeconds, modelOptions })).frame;
  });
}

async function writeReport(folder: string, report: unknown): Promise<void> {
  await writeFile(join(folder, 'report.json'), `${JSON.stringify(report, null, 2)}\n`);
}

function frameName(index: number): string {
  return `frame-${String(index).padStart(4, '0')}.png`;
}

function describe(output: string, { totals, steadyState, wall, frames }: SequenceReport): string {
  const parts = [`${output}: ${totals.frames} frames`];
  if (totals.cycles !== null) {
    const latencies = frames.map(({ latencyCycles }) => latencyCycles!);
    parts.push(`${totals.cycles} cycles`, `longest latency ${Math.max(...latencies)} cycles`);
  }
  if (steadyState !== null) {
    const { cyclesPerFrame, speedUp, speedUpBound } = steadyState;
    parts.push(
      `steady state ${Math.round(cyclesPerFrame)} cycles a frame, ` +
        `${speedUp.toFixed(2)} times one chiplet (bound ${speedUpBound.toFixed(2)})`,
    );
  }
  return `${[...parts, `${Math.round(wall.totalMs)} ms wall`].join(', ')}\n`;
}

function parseSequenceArgs(args: readonly string[]) {
  return parseOptions(args, {
    output: { type: 'string', short: 'o', default: 'sequence' },
    timeline: { type: 'string' },
    json: { type: 'boolean', default: false },
    frames: { type: 'string' },
    from: { type: 'string' },
    to: { type: 'string' },
    frame: { type: 'string' },
    'in-flight': { type: 'string' },
    turn: { type: 'string' },
    ...MODEL_FILE_OPTIONS,
    ...SAMPLE_OPTIONS,
    ...GPU_OPTIONS,
  });
}
