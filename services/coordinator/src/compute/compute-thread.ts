/** The thread of {@link ComputePool}: a computation in, its result out. */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { type ErrorCode, RenderError, type Report } from '@tessera/frame';
import {
  type FrameMeasurement,
  reportSequence,
  type SequenceFrame,
  simulateFrames,
  timelineJson,
} from '@tessera/multi-chiplet/rendering';
import { drawBins } from './bin-image.ts';
import type {
  ComputeInput,
  ComputeResult,
  ComputeTaskName,
  MeasuredFrame,
  SequenceInput,
} from './compute-tasks.ts';
import { refuseLargeSimulation } from './simulation-size.ts';
import { makeRows } from './study-rows.ts';

/** What the thread is sent. */
export type ComputeRequest = {
  readonly [Name in ComputeTaskName]: { readonly name: Name; readonly input: ComputeInput<Name> };
}[ComputeTaskName];

/** What the thread sends back. */
export type ComputeAnswer =
  | {
      readonly kind: 'done';
      readonly result: unknown;
      /** Whether the thread holds much memory now, garbage included. */
      readonly isLarge: boolean;
    }
  | {
      readonly kind: 'failed';
      /** Null for a bug. */
      readonly code: ErrorCode | null;
      readonly message: string;
      readonly stack: string;
    };

/** Of this thread, garbage included: more is returned sooner by its end than by its collector. */
const LARGE_BYTES = 2 ** 26;

const COMPUTATIONS: {
  readonly [Name in ComputeTaskName]: (
    input: ComputeInput<Name>,
  ) => ComputeResult<Name> | Promise<ComputeResult<Name>>;
} = {
  'report-sequence': (input) => {
    const { simulation, spec, wall } = input;
    return reportSequence({ frames: readFrames(input), simulation, spec, wall }).report;
  },
  'sequence-timeline': (input) => {
    const { simulation, spec, path, maxBytes } = input;
    const measurements = readFrames(input).map(({ measurement }) => measurement);
    const simulated = simulateFrames(measurements, simulation);
    if (simulated.clock === 'estimate') return null;
    const { chipletCount } = simulation;
    const labels = { spec: spec.name, frames: String(measurements.length) };
    return writeFile(path, timelineJson(simulated, { chipletCount, labels }), maxBytes);
  },
  'study-rows': (input) => {
    const { request, rendered, isVisibilityChipletRendering, maxSteps } = input;
    const measurement = readMeasurement(input.measurementPath);
    // One simulation after the other is in memory.
    const chiplets = Math.max(...request.chiplets);
    const place = `point ${rendered.point.position} of the study`;
    refuseLargeSimulation(place, { ...sizeOf([measurement]), chiplets }, maxSteps);
    const report = JSON.parse(input.report) as Report;
    return makeRows(request, { ...rendered, report, measurement }, isVisibilityChipletRendering);
  },
  'draw-bins': async ({ pngPath, report: reportJson, passIndex, coloring, path }) => {
    const report = JSON.parse(reportJson) as Report;
    const drawnPass = passIndex ?? report.passes.findLastIndex(({ target }) => target === 'screen');
    const pieces = drawBins(readFileSync(pngPath), report.bins, drawnPass, coloring);
    // Its name is gone if the client has left.
    const file = openSync(path, 'r+');
    try {
      let bytes = 0;
      for await (const piece of pieces) bytes += writeAll(file, piece);
      return bytes;
    } finally {
      closeSync(file);
    }
  },
};

/** A frame that is several times in the sequence is in memory once. */
function readFrames({ frames, simulation, maxSteps }: SequenceInput): SequenceFrame[] {
  const measurementByPath = new Map<string, FrameMeasurement>();
  const read = ({ path, frameSha256, imageSha256 }: MeasuredFrame): SequenceFrame => {
    const measurement = measurementByPath.get(path) ?? readMeasurement(path);
    measurementByPath.set(path, measurement);
    return { measurement, frameSha256, imageSha256 };
  };
  const all = frames.map(read);
  const size = sizeOf(all.map(({ measurement }) => measurement));
  refuseLargeSimulation('frames', { ...size, chiplets: simulation.chipletCount }, maxSteps);
  return all;
}

function sizeOf(measurements: readonly FrameMeasurement[]) {
  let [passes, bins] = [0, 0];
  for (const measurement of measurements) {
    passes += measurement.passes.length;
    for (const pass of measurement.passes) bins += pass.bins.length;
  }
  return { frames: measurements.length, passes, bins };
}

function readMeasurement(path: string): FrameMeasurement {
  const { passes } = JSON.parse(readFileSync(path, 'utf8')) as FrameMeasurement;
  // Terms of the cost model are most of its memory, and nothing here reads them.
  const costTerms: readonly number[] = [];
  return {
    passes: passes.map((pass) => ({
      ...pass,
      bins: pass.bins.map((bin) => ({ ...bin, costTerms })),
    })),
  };
}

/** @returns Bytes written. @throws {RenderError} LIMIT_EXCEEDED, STORAGE_FULL; no file is left. */
function writeFile(path: string, pieces: Iterable<string>, maxBytes: number): number {
  let bytes = 0;
  const file = openSync(path, 'wx');
  try {
    for (const piece of pieces) {
      bytes += writeAll(file, Buffer.from(piece));
      if (bytes > maxBytes) {
        const message = `the timeline of the sequence has more than ${maxBytes} bytes`;
        throw new RenderError('LIMIT_EXCEEDED', message);
      }
    }
    return bytes;
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Appends all of `piece`. @returns Its bytes. @throws {RenderError} STORAGE_FULL. */
function writeAll(file: number, piece: Uint8Array): number {
  try {
    for (let at = 0; at < piece.length; ) at += writeSync(file, piece, at);
    return piece.length;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOSPC' && code !== 'EDQUOT') throw error;
    throw new RenderError('STORAGE_FULL', 'the data folder is full', { cause: error });
  }
}

async function answer({ name, input }: ComputeRequest): Promise<void> {
  try {
    const compute = COMPUTATIONS[name] as (from: unknown) => unknown; // of the same name as its input
    const result = await compute(input);
    const { heapUsed, external } = process.memoryUsage();
    const isLarge = heapUsed + external > LARGE_BYTES;
    parentPort?.postMessage({ kind: 'done', result, isLarge } satisfies ComputeAnswer);
  } catch (error) {
    const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
    const code = error instanceof RenderError ? error.code : null;
    parentPort?.postMessage({ kind: 'failed', code, message, stack } satisfies ComputeAnswer);
  }
}

parentPort?.on('message', answer);
