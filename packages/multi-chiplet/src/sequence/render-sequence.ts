/**
 * A sequence of frames over many chiplets. In wall time a few frames are worked at at once: while bins of one are
 * rendered, the next is prepared and in its visibility phase, and hosts without bins of the older frame begin with
 * those of the next. In simulated time they overlap as the options say.
 */
import type { Chiplet, PreparedFrame, SequenceReport } from '@tessera/frame';
import { resolvePolicyName } from '../bin-assignment/policies.ts';
import { BinDispatcher } from '../dispatch/bin-dispatcher.ts';
import { throwIfCancelled } from '../dispatch/cancellation.ts';
import { type RenderedFrame, renderFrame } from '../frames/render-frame.ts';
import { DEFAULT_INTERCONNECT } from '../interconnect/interconnect-spec.ts';
import type { SimulatedGpuOptions } from '../report/account-frame.ts';
import { DEFAULT_OVERLAP, type SimulationOptions } from '../simulated-time/simulated-frames.ts';
import { makeTimeline, type Timeline } from '../simulated-time/timeline.ts';
import { reportSequence, type SequenceFrame } from './sequence-report.ts';

/**
 * Frames between start and end at once, in wall and simulated time alike. With four, a bin that takes longer than
 * three frames on eight chiplets is not hidden; see docs/studies/overlap.md.
 */
export const DEFAULT_FRAMES_IN_FLIGHT = 6;

export interface RenderSequenceOptions extends SimulatedGpuOptions {
  /** Identity of this rendering; frames are named after it. */
  readonly sequenceId: string;
  readonly hosts: readonly Chiplet[];
  /** At least 1. */
  readonly framesInFlight?: number | undefined;
  /** Called for each frame in order; the next but a few waits until it is done. */
  readonly onFrame: (frame: RenderedFrame, index: number) => Promise<void> | void;
  readonly readClockMs: () => number;
  readonly signal?: AbortSignal | undefined;
}

export interface RenderedSequence {
  readonly report: SequenceReport;
  /** Of phases, bins and transfers. Null with `timing: functional`. */
  readonly timeline: Timeline | null;
}

/**
 * Renders frames in order. Each frame's own report is that of the frame alone.
 *
 * @param frames Make the frames, each when its turn comes. At least one.
 * @throws {RenderError} As `renderFrame`, or what making a frame throws; no further frame is begun then.
 */
export async function renderSequence(
  frames: readonly (() => Promise<PreparedFrame>)[],
  options: RenderSequenceOptions,
): Promise<RenderedSequence> {
  const { framesInFlight = DEFAULT_FRAMES_IN_FLIGHT, readClockMs, signal, onFrame } = options;
  const dispatcher = new BinDispatcher();
  const startMs = readClockMs();
  const finished: SequenceFrame[] = [];
  const failed = new AbortController();
  let retriedBins = 0;

  const renderOne = async (index: number): Promise<RenderedFrame> => {
    throwIfCancelled(signal);
    throwIfCancelled(failed.signal);
    const frame = await frames[index]!();
    const frameId = `${options.sequenceId}/${index}`;
    return renderFrame(frame, { ...options, frameId, dispatcher });
  };

  // A frame begins when the one `framesInFlight` before it was handed on.
  const rendering: Promise<RenderedFrame>[] = [];
  const begin = () => {
    const index = rendering.length;
    if (index === frames.length) return;
    const rendered = renderOne(index);
    rendered.catch(() => failed.abort()); // whoever awaits its turn gets the error
    rendering.push(rendered);
  };
  for (let i = 0; i < framesInFlight; i++) begin();
  try {
    for (let index = 0; index < frames.length; index++) {
      const rendered = await rendering[index]!;
      const { report, measurement } = rendered;
      const [frameSha256, imageSha256] = [report.frame.sha256, report.image.sha256];
      finished.push({ measurement, frameSha256, imageSha256 });
      retriedBins += report.wall.retriedBins;
      await onFrame(rendered, index);
      begin();
    }
  } finally {
    await Promise.allSettled(rendering);
  }

  const simulation: SimulationOptions = {
    chipletCount: options.chipletCount,
    isVisibilityChipletRendering: options.isVisibilityChipletRendering,
    policy: resolvePolicyName(options.policy),
    interconnect: options.interconnect ?? DEFAULT_INTERCONNECT,
    overlap: options.overlap ?? DEFAULT_OVERLAP,
    framesInFlight,
  };
  return accountSequence(finished, simulation, options.spec, {
    totalMs: readClockMs() - startMs,
    retriedBins,
  });
}

/** Report and timeline of frames that were measured. */
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
