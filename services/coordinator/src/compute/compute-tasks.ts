/**
 * Inputs and results of the computations that run in a thread beside the event loop. All are plain
 * data.
 */
import type { SequenceReport, SpecSummary } from '@tessera/frame';
import type {
  FrameMeasurement,
  SimulatedFrames,
  SimulationOptions,
} from '@tessera/multi-chiplet/rendering';
import type { MadeRows, RenderedPoint, StudyRequest, StudySimulation } from '@tessera/study';
import type { BinColoring } from './bin-image.ts';
import type { ProbeRequest } from './probe-query.ts';

/** Frame of a sequence: the file of its measurement, and the hashes for the report. */
export interface MeasuredFrame {
  readonly path: string;
  readonly frameSha256: string;
  readonly imageSha256: string;
}

/** Frames of a sequence that are simulated together. */
export interface SequenceInput {
  readonly frames: readonly MeasuredFrame[];
  readonly simulation: SimulationOptions;
  readonly spec: SpecSummary;
  /** Upper bound on the steps; see simulation-size.ts. */
  readonly maxSteps: number;
  /** Upper bound on the bytes of records of all frames. */
  readonly maxRecordBytes: number;
}

/** Input and result of each computation, by name. */
export interface ComputeTasks {
  /** Simulation of a frame with records, which are in shared memory. */
  readonly 'simulate-frame': {
    readonly input: {
      readonly measurement: FrameMeasurement;
      readonly simulation: SimulationOptions;
      readonly spec: SpecSummary;
    };
    readonly result: SimulatedFrames;
  };
  /** Report of a sequence. */
  readonly 'report-sequence': {
    readonly input: SequenceInput & { readonly wall: SequenceReport['wall'] };
    readonly result: SequenceReport;
  };
  /**
   * Writes the timeline of a sequence to a file. Returns its bytes, or null with functional timing.
   */
  readonly 'sequence-timeline': {
    readonly input: SequenceInput & { readonly path: string; readonly maxBytes: number };
    readonly result: number | null;
  };
  /** Rows of one rendered frame of a study with one simulation. */
  readonly 'study-rows': {
    readonly input: {
      readonly request: StudyRequest;
      readonly simulation: StudySimulation;
      readonly rendered: Omit<RenderedPoint, 'measurement' | 'report'>;
      /** JSON of the frame's report. */
      readonly report: string;
      readonly measurementPath: string;
      readonly isVisibilityChipletRendering: boolean;
      /** Result of an earlier computation for the same point; null for the first. */
      readonly aloneCycles: number | null;
      readonly maxSteps: number;
    };
    readonly result: MadeRows;
  };
  /** Draws the bins of a pass over its image, as PNG. */
  readonly 'draw-bins': {
    readonly input: {
      readonly pngPath: string;
      /** JSON of the frame's report. */
      readonly report: string;
      /** Index of the pass; null for the last one that draws to the screen. */
      readonly passIndex: number | null;
      readonly coloring: BinColoring;
      /** Empty file that receives the image. */
      readonly path: string;
    };
    /** Bytes of the file. */
    readonly result: number;
  };
  /** Answers a question about the pixels of a posted frame, as JSON or PNG. */
  readonly 'probe-frame': {
    readonly input: ProbeRequest & {
      /** Empty file that receives the answer. */
      readonly path: string;
    };
    /** Bytes of the file. */
    readonly result: number;
  };
}
/** Name of a computation. */
export type ComputeTaskName = keyof ComputeTasks;
/** Input of a computation. */
export type ComputeInput<Name extends ComputeTaskName> = ComputeTasks[Name]['input'];
/** Result of a computation. */
export type ComputeResult<Name extends ComputeTaskName> = ComputeTasks[Name]['result'];
