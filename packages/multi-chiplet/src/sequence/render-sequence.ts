/**
 * A sequence of frames over many chiplets. In wall time a few frames are in progress concurrently:
 * while bins of one frame render, the next is prepared and is in its visibility phase. Hosts
 * without bins of the older frame start with those of the next. In simulated time frames overlap as
 * the options specify.
 */
import {
  type Chiplet,
  DEFAULT_RECORD_BYTES,
  type PreparedFrame,
  type SequenceReport,
} from '@tessera/frame';
import { BinDispatcher } from '../dispatch/bin-dispatcher.ts';
import { throwIfCancelled } from '../dispatch/cancellation.ts';
import { type RenderedFrame, renderFrame } from '../frames/render-frame.ts';
import { type SimulatedGpuOptions, simulationOf } from '../report/account-frame.ts';
import { countRecordBytes, tooManyRecords } from '../simulated-time/record-limits.ts';
import type { SimulationOptions } from '../simulated-time/simulated-frames.ts';
import { makeTimeline, type Timeline } from '../simulated-time/timeline.ts';
import { reportSequence, type SequenceFrame } from './sequence-report.ts';

/**
 * Number of frames in progress, in wall and simulated time alike. With four, a bin that takes
 * longer than three frames on eight chiplets is not hidden; see docs/studies/overlap.md.
 */
export const DEFAULT_FRAMES_IN_FLIGHT = 6;

/** Simulated GPU and render hosts of a sequence. */
export interface RenderSequenceOptions extends SimulatedGpuOptions {
  /** Name of the sequence on the hosts. Frames are named after it. */
  readonly sequenceId: string;
  readonly hosts: readonly Chiplet[];
  /** Number of frames in progress, at least 1; {@link DEFAULT_FRAMES_IN_FLIGHT} by default. */
  readonly framesInFlight?: number | undefined;
  /** Called for each frame in order. A further frame starts when it resolves. */
  readonly onFrame: (frame: RenderedFrame, index: number) => Promise<void> | void;
  readonly readClockMs: () => number;
  /** Upper bound on the bytes of records of all frames; DEFAULT_RECORD_BYTES by default. */
  readonly maxRecordBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Report and timeline of a sequence. */
export interface RenderedSequence {
  readonly report: SequenceReport;
  /** Timeline of phases, bins and transfers; null with `timing: functional`. */
  readonly timeline: Timeline | null;
}

/**
 * Renders frames in order. Each frame's own report is that of the frame alone.
 *
 * @param frames Functions that make the frames, each called when its turn comes. At least one.
 * @throws {RenderError} As `renderFrame`, or the error of making a frame. No further frame starts
 *   then.
 */
export async function renderSequence(
  frames: readonly (() => Promise<PreparedFrame>)[],
  options: RenderSequenceOptions,
): Promise<RenderedSequence> {
  const { framesInFlight = DEFAULT_FRAMES_IN_FLIGHT, readClockMs, signal, onFrame } = options;
  const { maxRecordBytes = DEFAULT_RECORD_BYTES } = options;
  const dispatcher = new BinDispatcher();
  const startMs = readClockMs();
  const finished: SequenceFrame[] = [];
  const failed = new AbortController();
  let retriedBins = 0;
  let recordBytes = 0;

  const renderOne = async (index: number): Promise<RenderedFrame> => {
    throwIfCancelled(signal);
    throwIfCancelled(failed.signal);
    const frame = await frames[index]!();
    const frameId = `${options.sequenceId}/${index}`;
    return renderFrame(frame, { ...options, frameId, dispatcher });
  };

  // A frame starts when the frame `framesInFlight` before it was passed to `onFrame`.
  const rendering: Promise<RenderedFrame>[] = [];
  const begin = () => {
    const index = rendering.length;
    if (index === frames.length) return;
    const rendered = renderOne(index);
    rendered.catch(() => failed.abort()); // The loop below awaits the promise and gets the error.
    rendering.push(rendered);
  };
  for (let i = 0; i < framesInFlight; i++) begin();
  try {
    for (let index = 0; index < frames.length; index++) {
      const rendered = await rendering[index]!;
      const { report, measurement } = rendered;
      const [frameSha256, imageSha256] = [report.frame.sha256, report.image.sha256];
      finished.push({ measurement, frameSha256, imageSha256 });
      recordBytes += countRecordBytes(measurement);
      if (recordBytes > maxRecordBytes) throw tooManyRecords(maxRecordBytes);
      retriedBins += report.wall.retriedBins;
      await onFrame(rendered, index);
      begin();
    }
  } finally {
    await Promise.allSettled(rendering);
  }

  const simulation: SimulationOptions = { ...simulationOf(options), framesInFlight };
  return accountSequence(finished, simulation, options.spec, {
    totalMs: readClockMs() - startMs,
    retriedBins,
  });
}

/** Returns report and timeline of frames that were measured. */
export function accountSequence(
  frames: readonly SequenceFrame[],
  simulation: SimulationOptions,
  spec: SimulatedGpuOptions['spec'],
  wall: SequenceReport['wall'],
): RenderedSequence {
  const { report, simulated } = reportSequence({ frames, simulation, spec, wall });
  const { chipletCount } = simulation;
  const labels = { spec: spec.name, frames: String(frames.length) };
  const timeline =
    simulated.clock === 'estimate' ? null : makeTimeline(simulated, { chipletCount, labels });
  return { report, timeline };
}
