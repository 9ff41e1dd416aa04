/** Computations that run in a thread apart from the event loop: what each takes and returns. Plain data. */
import type { SequenceReport, SpecSummary } from '@tessera/frame';
import type { SimulationOptions } from '@tessera/multi-chiplet/rendering';
import type { BinColoring } from './bin-image.ts';
import type { StudyRequest, StudyRow } from './study-request.ts';
import type { RenderedPoint } from './study-rows.ts';

/** One frame of a sequence: the file of its measurement, and the hashes that the report names. */
export interface MeasuredFrame {
  readonly path: string;
  readonly frameSha256: string;
  readonly imageSha256: string;
}

/** Frames of a sequence, simulated together. */
export interface SequenceInput {
  readonly frames: readonly MeasuredFrame[];
  readonly simulation: SimulationOptions;
  readonly spec: SpecSummary;
  /** Upper bound on bins and broadcasts × chiplets; see simulation-size.ts. */
  readonly maxSteps: number;
}

/** Input and result of each computation, by its name. */
export interface ComputeTasks {
  /** The report of a sequence. */
  readonly 'account-sequence': {
    readonly input: SequenceInput & { readonly wall: SequenceReport['wall'] };
    readonly result: SequenceReport;
  };
  /** Writes the timeline of a sequence to a file; returns its bytes, or null without cycles. */
  readonly 'sequence-timeline': {
    readonly input: SequenceInput & { readonly path: string; readonly maxBytes: number };
    readonly result: number | null;
  };
  /** The rows of one rendered frame of a study. */
  readonly 'study-rows': {
    readonly input: {
      readonly request: StudyRequest;
      readonly rendered: Omit<RenderedPoint, 'measurement' | 'report'>;
      /** JSON of the frame's report. */
      readonly report: string;
      readonly measurementPath: string;
      readonly isVisibilityChipletRendering: boolean;
      readonly maxSteps: number;
    };
    readonly result: StudyRow[];
  };
  /** The image of a pass with its bins drawn over it, as PNG. */
  readonly 'draw-bins': {
    readonly input: {
      readonly pngPath: string;
      /** JSON of the frame's report. */
      readonly report: string;
      /** Null for the last pass that draws to the screen. */
      readonly passIndex: number | null;
      readonly coloring: BinColoring;
      /** Empty file that the image is written to. */
      readonly path: string;
    };
    /** Bytes of the file. */
    readonly result: number;
  };
}
export type ComputeTaskName = keyof ComputeTasks;
export type ComputeInput<Name extends ComputeTaskName> = ComputeTasks[Name]['input'];
export type ComputeResult<Name extends ComputeTaskName> = ComputeTasks[Name]['result'];
