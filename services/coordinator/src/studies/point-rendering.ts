/** Rendering of the points of a study: their sources, options and rows. */
import { DEFAULT_OPTIONS } from '@tessera/frame';
import type { ChosenFrame } from '@tessera/gl/apitrace';
import { DEFAULT_ORGANIZATION } from '@tessera/multi-chiplet/rendering';
import {
  listSimulations,
  type MadeRows,
  STUDY_TIMING,
  type StudyPoint,
  type StudyRequest,
  type StudyRow,
} from '@tessera/study';
import type { ComputePool } from '../compute/compute-pool.ts';
import type { ComputeInput } from '../compute/compute-tasks.ts';
import { NO_CLIENT } from '../config/clients.ts';
import type { FrameOptions } from '../prepare/frame-options.ts';
import type { FrameSource } from '../prepare/frame-source.ts';
import type { StudySubject } from './study-store.ts';

/** Returns the name of a scene, and its own values for the axes that the study does not sweep. */
export function describeSubject({ title, source, options }: StudySubject, point: StudyPoint) {
  return {
    scene: title,
    split: point.split ?? options.splits ?? 0,
    occlusion: point.occlusion ?? options.cullsOccluded ?? false,
    organization: point.organization ?? options.organization ?? DEFAULT_ORGANIZATION,
    visibilityChiplets:
      point.visibilityChiplets ?? options.visibilityChiplets ?? DEFAULT_OPTIONS.visibilityChiplets,
    visibilityDelivery:
      point.visibilityDelivery ?? options.visibilityDelivery ?? DEFAULT_OPTIONS.visibilityDelivery,
    captureFrame: point.captureFrame ?? numberOf(source.frameIndex),
  };
}

/** Returns the number of a capture's frame, or of the call that ends it; 0 for its end. */
function numberOf(frame: ChosenFrame): number {
  if (typeof frame === 'number') return frame;
  return typeof frame === 'object' ? frame.call : 0;
}

/** Returns the source and options of one rendering that serves all points of a group. */
export function renderingOf(
  subject: StudySubject,
  points: readonly StudyPoint[],
  { coupling }: Pick<StudyRequest, 'coupling'>,
): { source: FrameSource; options: FrameOptions } {
  const [point, ...alternatives] = points as readonly [StudyPoint, ...StudyPoint[]];
  const {
    scene: _,
    split,
    occlusion,
    captureFrame: __,
    ...sharing
  } = describeSubject(subject, point);
  const options = {
    ...subject.options,
    ...point.size,
    timing: STUDY_TIMING,
    coupling,
    spec: point.spec,
    alternativeSpecs: alternatives.map(({ spec }) => spec),
    binCount: point.bins,
    grid: point.grid ?? undefined,
    splits: split,
    cullsOccluded: occlusion,
    ...sharing,
    // Rows have links and placements of their own.
    interconnect: undefined,
    placement: undefined,
    visibilityShader: point.visibility,
  };
  const { source } = subject;
  return { source: { ...source, frameIndex: point.captureFrame ?? source.frameIndex }, options };
}

/** Services and settings of {@link computeRows}. */
export interface RowServices {
  /** Pool that computes rows. */
  readonly simulations: ComputePool;
  /** Upper bound on the steps of one simulation; see compute/simulation-size.ts. */
  readonly maxSteps: number;
  readonly isVisibilityChipletRendering: boolean;
}

/** Rendered point whose rows are computed. */
export type RowInput = Pick<ComputeInput<'study-rows'>, 'rendered' | 'report' | 'measurementPath'>;

/** Computes the rows of a point, one simulation at a time, so that others run between. */
export async function computeRows(
  { simulations, maxSteps, isVisibilityChipletRendering }: RowServices,
  request: StudyRequest,
  input: RowInput,
  signal: AbortSignal,
  client: string = NO_CLIENT,
): Promise<StudyRow[]> {
  const options = { request, isVisibilityChipletRendering, maxSteps };
  const rows: StudyRow[] = [];
  let aloneCycles: number | null = null;
  for (const simulation of listSimulations(request)) {
    const whole = { ...input, ...options, simulation, aloneCycles };
    const made: MadeRows = await simulations.runAdmitted('study-rows', whole, signal, client);
    rows.push(...made.rows);
    ({ aloneCycles } = made);
  }
  return rows;
}
