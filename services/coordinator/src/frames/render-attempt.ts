/** One attempt to render a frame on the chiplets selected for it. */
import { RenderError } from '@tessera/frame';
import {
  type BinDispatcher,
  hasRecords,
  type RenderedFrame,
  renderFrame,
} from '@tessera/multi-chiplet/rendering';
import type { ChipletRegistry, FrameChiplets } from '../chiplets/chiplet-registry.ts';
import type { MachineRooms } from '../compute/machine-rooms.ts';
import type { Config } from '../config/config.ts';
import type { Metrics } from '../observe/metrics.ts';
import { PhaseSpans } from '../observe/tracing.ts';
import { onSpec } from '../prepare/frame-on-spec.ts';
import { nextTurn } from '../process/event-loop-turn.ts';
import type { Job } from './frame-job.ts';
import type { FrameStore } from './frame-store.ts';

/** Services that an attempt uses. */
export interface AttemptServices {
  readonly config: Config;
  readonly registry: ChipletRegistry;
  readonly metrics: Metrics;
  readonly store: FrameStore;
  /** Dispatcher of all frames, which gives priority to bins of the oldest frame. */
  readonly dispatcher: BinDispatcher;
  /** Threads that simulate frames with `coupling: exact`. */
  readonly machineRooms: Pick<MachineRooms, 'prepare' | 'simulate'>;
}

/**
 * Renders the frame of a job once.
 *
 * @param attempt Number of the attempt, from 1.
 * @throws {RenderError} CHIPLET_LOST if the frame may be tried again on other chiplets;
 *   FRAME_CANCELLED if the job was aborted.
 */
export async function renderAttempt(
  { config, registry, metrics, store, dispatcher, machineRooms }: AttemptServices,
  job: Job,
  { chiplets, visibilityLost }: FrameChiplets,
  attempt: number,
): Promise<RenderedFrame> {
  const { record, model, options, abort, trace } = job;
  // Unique, because chiplets outlive a coordinator and drop everything that belongs to a released
  // frame id.
  const frameId = `${record.id}/${job.name}.${attempt}`;
  job.attempt = new AbortController();
  registry.traces.note(frameId, trace.traceId);
  const phases = new PhaseSpans(trace, () => performance.now());
  const signal = AbortSignal.any([abort.signal, visibilityLost, job.attempt.signal]);
  const release = () => registry.releaseRendering(frameId);
  signal.addEventListener('abort', release, { once: true });
  try {
    const chipletCount = options.chipletCount ?? chiplets.length;
    const rendererCount = config.TESSERA_VISIBILITY_RENDERS ? chipletCount : chipletCount - 1;
    const frame = onSpec(model.frame, options, rendererCount);
    if (hasRecords(frame)) machineRooms.prepare(chipletCount);
    const rendered = await renderFrame(frame, {
      frameId,
      hosts: chiplets,
      chipletCount,
      splits: options.splits,
      interconnect: options.interconnect,
      placement: options.placement,
      overlap: options.overlap,
      organization: options.organization,
      timelineCycles: options.timelineCycles,
      energy: options.energy,
      dispatcher,
      policy: options.policy,
      isVisibilityChipletRendering: config.TESSERA_VISIBILITY_RENDERS,
      spec: options.spec,
      readClockMs: () => performance.now(),
      instructionBudget: config.TESSERA_FRAME_INSTRUCTIONS,
      maxRecordBytes: config.TESSERA_RECORD_BYTES,
      giveTurn: nextTurn,
      prepareMs: model.prepareMs,
      onProgress: ({ phase, binsDone, binCount }) => {
        phases.enter(phase === 'done' ? null : phase);
        const change = phase === 'done' ? {} : { phase };
        store.update(record, { ...change, binsDone, binCount });
      },
      signal,
      reportSignal: abort.signal,
      simulateRecorded: async (measurement, simulation) => {
        const startMs = performance.now();
        store.update(record, { phase: 'simulation' });
        const input = { measurement, simulation, spec: options.spec };
        const simulated = await machineRooms.simulate(
          input,
          abort.signal,
          store.clientOf(record.id),
        );
        metrics.simulationSeconds.observe((performance.now() - startMs) / 1000);
        trace.span('simulate', startMs, performance.now());
        return simulated;
      },
    });
    observe(metrics, job, rendered);
    return rendered;
  } catch (error) {
    // The loss of the visibility chiplet also aborts the signal, so it may surface as a
    // cancellation.
    const isReleased = error instanceof RenderError && error.code === 'FRAME_CANCELLED';
    if (!isReleased || abort.signal.aborted) throw error;
    throw new RenderError('CHIPLET_LOST', 'the visibility chiplet was lost', { cause: error });
  } finally {
    phases.enter(null);
    signal.removeEventListener('abort', release);
  }
}

function observe(metrics: Metrics, job: Job, { report, compositeMs }: RenderedFrame): void {
  const { visibilityMs, binsMs, retriedBins } = report.wall;
  metrics.visibilitySeconds.observe(visibilityMs / 1000);
  metrics.binsSeconds.observe(binsMs / 1000);
  metrics.compositeSeconds.observe(compositeMs / 1000);
  metrics.binsRetriedTotal.inc(retriedBins);
  // Bins are composited while others render. The span has the total duration and ends with the last
  // bin.
  const endMs = performance.now();
  job.trace.span('composite', endMs - compositeMs, endMs);
}
