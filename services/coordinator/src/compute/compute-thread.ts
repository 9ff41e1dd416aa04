/** Thread of {@link ComputePool}: receives a computation and sends its result. */
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { RenderError, type Report } from '@tessera/frame';
import {
  type FrameMeasurement,
  refuseManyRecords,
  reportSequence,
  type SequenceFrame,
  simulateFrames,
  timelineJson,
} from '@tessera/multi-chiplet/rendering';
import { makeRows } from '@tessera/study';
import { readRevision } from '@tessera/study/revision';
import type { ThreadFailure } from '../process/run-in-thread.ts';
import { readMeasurement } from '../store/measurement-file.ts';
import { drawBins } from './bin-image.ts';
import type {
  ComputeInput,
  ComputeResult,
  ComputeTaskName,
  MeasuredFrame,
  SequenceInput,
} from './compute-tasks.ts';
import { refuseLargeSimulation } from './simulation-size.ts';
import { ThreadMachines } from './thread-machines.ts';

/** Message to the thread. */
export type ComputeRequest = {
  readonly [Name in ComputeTaskName]: { readonly name: Name; readonly input: ComputeInput<Name> };
}[ComputeTaskName];

/** Message from the thread. */
export type ComputeAnswer =
  | {
      readonly kind: 'done';
      readonly result: unknown;
      /** Memory of the thread, including garbage, without that of simulated chiplets. */
      readonly heldBytes: number;
      /** Memory of simulated chiplets, including garbage. */
      readonly machineBytes: number;
    }
  | ({ readonly kind: 'failed' } & ThreadFailure);

const machines = new ThreadMachines();
let revision: ReturnType<typeof readRevision> | undefined;

const COMPUTATIONS: {
  readonly [Name in ComputeTaskName]: (
    input: ComputeInput<Name>,
  ) => ComputeResult<Name> | Promise<ComputeResult<Name>>;
} = {
  'simulate-frame': ({ measurement, simulation, spec }) =>
    simulateFrames([measurement], machines.addTo(simulation, spec)),
  'report-sequence': (input) => {
    const { spec, wall } = input;
    const simulation = machines.addTo(input.simulation, spec);
    return reportSequence({ frames: readFrames(input), simulation, spec, wall }).report;
  },
  'sequence-timeline': (input) => {
    const { simulation, spec, path, maxBytes } = input;
    const measurements = readFrames(input).map(({ measurement }) => measurement);
    const simulated = simulateFrames(measurements, machines.addTo(simulation, spec));
    if (simulated.clock === 'estimate') return null;
    const { chipletCount } = simulation;
    const labels = { spec: spec.name, frames: String(measurements.length) };
    return writeFile(path, timelineJson(simulated, { chipletCount, labels }), maxBytes);
  },
  'study-rows': (input) => {
    const { request, rendered, simulation, maxSteps, ...options } = input;
    const measurement = readMeasurementAt(input.measurementPath);
    const chiplets = Math.max(...request.chiplets);
    const place = `point ${rendered.point.position} of the study`;
    refuseLargeSimulation(place, { ...sizeOf([measurement]), chiplets }, maxSteps);
    const report = JSON.parse(input.report) as Report;
    const makeMachine = machines.makerOf(rendered.point.spec);
    const frame = { ...rendered, report, measurement };
    return makeRows(request, simulation, frame, {
      ...options,
      makeMachine,
      revision: revisionOnce(),
    });
  },
  'draw-bins': async ({ pngPath, report: reportJson, passIndex, coloring, path }) => {
    const report = JSON.parse(reportJson) as Report;
    const drawnPass = passIndex ?? report.passes.findLastIndex(({ target }) => target === 'screen');
    return fillFile(path, drawBins(readFileSync(pngPath), report.bins, drawnPass, coloring));
  },
  'probe-frame': async ({ path, ...request }) => {
    // Loads importers and the shader compiler, which no other computation needs.
    const { answerProbe } = await import('./frame-probes.ts');
    return fillFile(path, await answerProbe(request, machines));
  },
};

type Pieces = Iterable<string | Uint8Array> | AsyncIterable<Uint8Array>;

/** Writes an empty file and returns its bytes. @throws {RenderError} STORAGE_FULL. */
async function fillFile(path: string, pieces: Pieces): Promise<number> {
  // The file has no name if the client has disconnected.
  const file = openSync(path, 'r+');
  try {
    let bytes = 0;
    for await (const piece of pieces) {
      bytes += writeAll(file, typeof piece === 'string' ? Buffer.from(piece) : piece);
    }
    return bytes;
  } finally {
    closeSync(file);
  }
}

/** Returns the revision, which is read on the first call. */
function revisionOnce() {
  revision ??= readRevision();
  return revision;
}

/**
 * Reads the frames of a sequence. A frame that occurs several times is in memory once.
 *
 * @throws {RenderError} LIMIT_EXCEEDED.
 */
function readFrames({ frames, simulation, maxSteps, maxRecordBytes }: SequenceInput) {
  const measurementByPath = new Map<string, FrameMeasurement>();
  const read = ({ path, frameSha256, imageSha256 }: MeasuredFrame): SequenceFrame => {
    const measurement = measurementByPath.get(path) ?? readMeasurementAt(path);
    if (!measurementByPath.has(path)) {
      measurementByPath.set(path, measurement);
      refuseManyRecords(measurementByPath.values(), maxRecordBytes);
    }
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

function readMeasurementAt(path: string): FrameMeasurement {
  const { passes } = readMeasurement(readFileSync(path));
  // Drops the terms of the cost model, which are most of the memory and unused here.
  const costTerms: readonly number[] = [];
  return {
    passes: passes.map((pass) => ({
      ...pass,
      bins: pass.bins.map((bin) => ({ ...bin, costTerms })),
    })),
  };
}

/**
 * Writes a file and returns its bytes. Leaves no file on failure.
 *
 * @throws {RenderError} LIMIT_EXCEEDED, STORAGE_FULL.
 */
function writeFile(path: string, pieces: Iterable<string>, maxBytes: number): number {
  let bytes = 0;
  const file = openSync(path, 'wx');
  try {
    for (const piece of pieces) {
      bytes += writeAll(file, Buffer.from(piece));
      if (bytes > maxBytes) {
        const message = `the timeline of the sequence exceeds ${maxBytes} bytes`;
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

/**
 * Appends all of `piece` and returns its bytes.
 *
 * @throws {RenderError} STORAGE_FULL.
 */
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
    // The name determines the type of the input.
    const compute = COMPUTATIONS[name] as (from: unknown) => unknown;
    const result = await compute(input);
    const { heapUsed, external } = process.memoryUsage();
    const answered: ComputeAnswer = {
      kind: 'done',
      result,
      heldBytes: heapUsed + external,
      machineBytes: machines.heldBytes,
    };
    parentPort?.postMessage(answered);
  } catch (error) {
    const { message, stack = message } = error instanceof Error ? error : new Error(String(error));
    const code = error instanceof RenderError ? error.code : null;
    parentPort?.postMessage({ kind: 'failed', code, message, stack } satisfies ComputeAnswer);
  }
}

parentPort?.on('message', answer);
