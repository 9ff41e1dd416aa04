/**
 * The timeline of frames in the Chrome trace format, which Perfetto opens. Each chiplet is a
 * process with threads for its phases and bins, for its idle time, for its copy engine, and for
 * each unit. Chiplets that share their memories have counters of the bytes that they send to and
 * receive from other memories. The link is a process with a thread and a counter for each channel,
 * and the passes are a process. One simulated cycle is shown as one nanosecond.
 *
 * The runs of a unit are divided into intervals without gaps. An interval is named after the state
 * that the unit was in for most of it: busy, starved (no input) or stalled (output blocked). Its
 * arguments give the number of cycles in each state. If intervals of a length were asked for,
 * chiplets also have counters of memory, second-level cache and warp slots. Chiplets of a single
 * frame have a counter of their power.
 */
import type { UnitSpan } from '@tessera/frame';
import { type ChannelTrack, layOutChannels } from './channel-tracks.ts';
import type { SimulatedFrames } from './simulated-frames.ts';
import {
  equalIntervals,
  type PlacedSpans,
  type PowerSource,
  powerCounters,
} from './timeline-power.ts';
import {
  CYCLES_PER_US,
  chipletCounters,
  counter,
  layOutPasses,
  linkCounters,
  type TracedPass,
} from './timeline-tracks.ts';

/** Event of the Chrome trace format. */
export interface TraceEvent {
  readonly name: string;
  /** `X`: an interval; `C`: values of a counter; `M`: the name of a process or thread. */
  readonly ph: 'X' | 'C' | 'M';
  readonly pid: number;
  readonly tid: number;
  /** Start in microseconds; thousandths are cycles. */
  readonly ts?: number;
  readonly dur?: number;
  readonly args: Readonly<Record<string, string | number>>;
}

/** Contents of a trace file. */
export interface Timeline {
  readonly displayTimeUnit: 'ns';
  readonly otherData: Readonly<Record<string, string>>;
  readonly traceEvents: readonly TraceEvent[];
}

/** Labels and contents of a timeline. */
export interface TimelineOptions {
  readonly chipletCount: number;
  /** Entries of the file's `otherData`. */
  readonly labels: Readonly<Record<string, string>>;
  /** Intervals of the units, by frame and pass. Without them only phases and bins are shown. */
  readonly unitSpans?:
    | readonly (readonly {
        /** Intervals by part of the visibility phase. */
        readonly visibility: readonly (readonly UnitSpan[])[];
        /** Intervals by `binIndex`. */
        readonly bins: readonly (readonly UnitSpan[])[];
      }[])[]
    | undefined;
  /** Returns the energies for the power of the chiplets; without it, no power is shown. */
  readonly makePowerSource?: (() => PowerSource) | undefined;
}

const PHASES_THREAD = 0;
const IDLE_THREAD = 1;
const COPY_THREAD = 2;
const FIRST_UNIT_THREAD = 3;
/** Lower bound on the length of a piece of JSON, in characters. */
const JSON_PIECE_LENGTH = 2 ** 16;

/**
 * Makes the timeline of frames.
 *
 * @throws {Error} If they were simulated without cycle timing.
 */
export function makeTimeline(simulated: SimulatedFrames, options: TimelineOptions): Timeline {
  return { ...headOf(options), traceEvents: [...traceEvents(simulated, options)] };
}

/**
 * Yields the JSON of {@link makeTimeline} in pieces of some kilobytes. The timeline of a sequence
 * has millions of events, which need not be in memory together.
 *
 * @throws {Error} If the frames were simulated without cycle timing.
 */
export function* timelineJson(
  simulated: SimulatedFrames,
  options: TimelineOptions,
): Generator<string, void> {
  let piece = `${JSON.stringify(headOf(options)).slice(0, -1)},"traceEvents":[`;
  let separator = '';
  for (const event of traceEvents(simulated, options)) {
    piece += separator + JSON.stringify(event);
    separator = ',';
    if (piece.length < JSON_PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]}`;
}

function headOf({ labels }: TimelineOptions): Omit<Timeline, 'traceEvents'> {
  return {
    displayTimeUnit: 'ns',
    otherData: { time: '1 ns of this trace is 1 simulated cycle', ...labels },
  };
}

/** Yields the names of processes and threads, then their intervals. */
function* traceEvents(
  simulated: SimulatedFrames,
  options: TimelineOptions,
): Generator<TraceEvent, void> {
  if (simulated.clock !== 'cycles') throw new Error('timeline: the frames have no cycle timing');
  const threads = new TraceThreads(simulated, options);
  yield* threads.names(options.chipletCount);
  yield* phaseEvents(simulated, options, threads);
  for (const [id, { spans }] of (simulated.machines ?? []).entries()) {
    yield* unitEvents(spans, id, 0, threads);
  }
  yield* idleEvents(simulated, options.chipletCount);
  yield* transferEvents(simulated, options.chipletCount, threads);
  yield* linkCounters(simulated.transfers, options.chipletCount);
  yield* passEvents(threads.passes, options.chipletCount + 1);
  for (const [id, { tracks }] of (simulated.machines ?? []).entries()) {
    if (tracks !== undefined) yield* chipletCounters(tracks, id);
  }
  yield* remoteEvents(simulated);
  yield* powerEvents(simulated, options);
}

/** Numbers of the threads of units and channels. Those of units are in the order of first use. */
class TraceThreads {
  readonly #threadByUnit = new Map<string, number>();
  readonly channels: readonly ChannelTrack[];
  readonly passes: readonly (readonly TracedPass[])[];

  constructor(simulated: SimulatedFrames, { unitSpans = [] }: TimelineOptions) {
    const { transfers, machines } = simulated;
    this.passes = layOutPasses(simulated);
    for (const { spans } of machines ?? []) {
      for (const { unit } of spans) numberOf(this.#threadByUnit, unit, FIRST_UNIT_THREAD);
    }
    for (const { visibility, bins } of unitSpans.flat()) {
      for (const spans of [...visibility, ...bins]) {
        for (const { unit } of spans) numberOf(this.#threadByUnit, unit, FIRST_UNIT_THREAD);
      }
    }
    this.channels = layOutChannels(transfers);
  }

  ofUnit(unit: string): number {
    return this.#threadByUnit.get(unit)!;
  }

  *names(chipletCount: number): Generator<TraceEvent, void> {
    for (let id = 0; id < chipletCount; id++) {
      yield* processName(id, `chiplet ${id}`);
      yield* threadName(id, PHASES_THREAD, 'phases and bins');
      yield* threadName(id, IDLE_THREAD, 'idle');
      yield* threadName(id, COPY_THREAD, 'copy engine');
      for (const [unit, tid] of this.#threadByUnit) yield* threadName(id, tid, unit);
    }
    if (this.channels.length > 0) yield* processName(chipletCount, 'crosslink');
    for (const [tid, { name }] of this.channels.entries()) {
      yield* threadName(chipletCount, tid, `channel ${name}`);
    }
    yield* processName(chipletCount + 1, 'passes');
    for (const tid of this.passes.keys()) yield* threadName(chipletCount + 1, tid, 'passes');
  }
}

/** Yields the name of a process. Viewers order processes by their numbers. */
function* processName(pid: number, name: string): Generator<TraceEvent, void> {
  yield { name: 'process_name', ph: 'M', pid, tid: 0, args: { name } };
  yield { name: 'process_sort_index', ph: 'M', pid, tid: 0, args: { sort_index: pid } };
}

/** Yields the name of a thread. Viewers order threads by their numbers instead of their names. */
function* threadName(pid: number, tid: number, name: string): Generator<TraceEvent, void> {
  yield { name: 'thread_name', ph: 'M', pid, tid, args: { name } };
  yield { name: 'thread_sort_index', ph: 'M', pid, tid, args: { sort_index: tid } };
}

function* passEvents(
  tracks: readonly (readonly TracedPass[])[],
  pid: number,
): Generator<TraceEvent, void> {
  for (const [tid, passes] of tracks.entries()) {
    for (const { name, startCycle, endCycle, bins } of passes) {
      yield* interval(name, pid, tid, startCycle, endCycle, { bins });
    }
  }
}

/** Yields visibility phases and bins, each followed by the intervals of its units. */
function* phaseEvents(
  { frames }: SimulatedFrames,
  { unitSpans }: TimelineOptions,
  threads: TraceThreads,
): Generator<TraceEvent, void> {
  for (const [frameIndex, { passes }] of frames.entries()) {
    const frameName = frames.length === 1 ? '' : `frame ${frameIndex}: `;
    for (const [passIndex, pass] of passes.entries()) {
      const name = `${frameName}${passes.length === 1 ? '' : `pass ${passIndex}: `}`;
      const spans = unitSpans?.[frameIndex]?.[passIndex];
      for (const { chipletId, part, startCycle: start, endCycle: end } of pass.visibilityParts) {
        const args = { cycles: end - start, assignmentSteps: pass.assignment.steps };
        yield* interval(`${name}visibility`, chipletId, PHASES_THREAD, start, end, args);
        yield* unitEvents(spans?.visibility[part] ?? [], chipletId, start, threads);
      }
      for (const { kind, chipletId, startCycle, endCycle, cycles } of pass.copies) {
        const copyArgs = { cycles };
        yield* interval(`${name}${kind}`, chipletId, COPY_THREAD, startCycle, endCycle, copyArgs);
      }
      for (const [binIndex, bin] of pass.bins.entries()) {
        const { chipletId, startCycle, endCycle, predictedCycles, waitedCycles } = bin;
        const binArgs = {
          ...{ cycles: endCycle - startCycle, predictedCycles },
          ...(waitedCycles === undefined ? {} : { waitedCycles }),
        };
        const binName = `${name}bin ${binIndex}`;
        yield* interval(binName, chipletId, PHASES_THREAD, startCycle, endCycle, binArgs);
        yield* unitEvents(spans?.bins[binIndex] ?? [], chipletId, startCycle, threads);
      }
    }
  }
}

function* unitEvents(
  spans: readonly UnitSpan[],
  pid: number,
  start: number,
  threads: TraceThreads,
): Generator<TraceEvent, void> {
  for (const { unit, startCycle, endCycle, ...sums } of spans) {
    const tid = threads.ofUnit(unit);
    yield* interval(mostOf(sums), pid, tid, start + startCycle, start + endCycle, sums);
  }
}

/** Yields the gaps between the phases of each chiplet, up to the end. */
function* idleEvents(
  { frames }: SimulatedFrames,
  chipletCount: number,
): Generator<TraceEvent, void> {
  const end = frames.reduce((latest, { endCycle }) => Math.max(latest, endCycle), 0);
  const phasesByChiplet: (readonly [start: number, end: number])[][] = Array.from(
    { length: chipletCount },
    () => [],
  );
  const add = (pid: number, start: number, until: number) => {
    if (until > start) phasesByChiplet[pid]!.push([start, until]);
  };
  for (const { bins, visibilityParts } of frames.flatMap(({ passes }) => passes)) {
    for (const { chipletId, startCycle, endCycle } of [...visibilityParts, ...bins]) {
      add(chipletId, startCycle, endCycle);
    }
  }
  for (const [pid, phases] of phasesByChiplet.entries()) {
    phases.sort((a, b) => a[0] - b[0]);
    let from = 0;
    for (const [start, until] of [...phases, [end, end] as const]) {
      yield* interval('idle', pid, IDLE_THREAD, from, start, { cycles: start - from });
      from = until;
    }
  }
}

/** Yields an interval for each channel that a transfer occupied, in a thread of the channel. */
function* transferEvents(
  { frames }: SimulatedFrames,
  pid: number,
  threads: TraceThreads,
): Generator<TraceEvent, void> {
  for (const [tid, { uses }] of threads.channels.entries()) {
    for (const { transfer, startCycle, endCycle } of uses) {
      const { kind, frameIndex, passIndex, binIndex, bytes, from, to } = transfer;
      const parts = [
        frames.length === 1 ? '' : `frame ${frameIndex}: `,
        passIndex === null || frames[frameIndex]!.passes.length === 1 ? '' : `pass ${passIndex}: `,
        binIndex === null ? kind : `bin ${binIndex}`,
      ];
      const waited = transfer.startCycle - transfer.requestCycle;
      const args = { bytes, from, to: to ?? 'all', waitedCycles: waited };
      yield* interval(parts.join(''), pid, tid, startCycle, endCycle, args);
    }
  }
}

/**
 * Yields the bytes per cycle that each chiplet exchanges with other memories. A value holds up to
 * the next one, so the counter returns to 0 after the last interval.
 */
function* remoteEvents({ remote }: SimulatedFrames): Generator<TraceEvent, void> {
  if (remote === null) return;
  const { intervalCycles, sent, received } = remote.intervals;
  for (const [pid, own] of sent.entries()) {
    for (let interval = 0; interval <= own.length; interval++) {
      const rateOf = (bytes: readonly number[]) => (bytes[interval] ?? 0) / intervalCycles;
      const args = { sent: rateOf(own), received: rateOf(received[pid]!) };
      yield counter('remote bytes per cycle', pid, interval * intervalCycles, args);
    }
  }
}

/** Yields the power of each chiplet of a single frame, in the intervals of its other counters. */
function* powerEvents(
  { frames, machines }: SimulatedFrames,
  { chipletCount, unitSpans, makePowerSource }: TimelineOptions,
): Generator<TraceEvent, void> {
  const { endCycle, passes } = frames[0]!;
  if (makePowerSource === undefined || endCycle === 0) return;
  const source = makePowerSource();
  for (let id = 0; id < chipletCount; id++) {
    const runs: PlacedSpans[] = [{ startCycle: 0, spans: machines?.[id]?.spans ?? [] }];
    for (const [passIndex, { visibilityParts, bins }] of passes.entries()) {
      const spans = unitSpans?.[0]?.[passIndex];
      for (const { chipletId, part, startCycle } of visibilityParts) {
        if (chipletId === id) runs.push({ startCycle, spans: spans?.visibility[part] ?? [] });
      }
      for (const [binIndex, { chipletId, startCycle }] of bins.entries()) {
        if (chipletId === id) runs.push({ startCycle, spans: spans?.bins[binIndex] ?? [] });
      }
    }
    const ends = (machines?.[id]?.tracks?.endCycles ?? []).filter((end) => end < endCycle);
    const endCycles = ends.length === 0 ? equalIntervals(endCycle) : [...ends, endCycle];
    yield* powerCounters(source, runs, endCycles, id);
  }
}

/** Yields an interval of simulated cycles, or nothing if it is empty. */
function* interval(
  name: string,
  pid: number,
  tid: number,
  start: number,
  end: number,
  args: TraceEvent['args'],
): Generator<TraceEvent, void> {
  if (end <= start) return;
  const [ts, dur] = [start / CYCLES_PER_US, (end - start) / CYCLES_PER_US];
  yield { name, ph: 'X', pid, tid, ts, dur, args };
}

/** Returns the number of a thread by its name. Numbers start at `first`. */
function numberOf(threads: Map<string, number>, name: string, first: number): number {
  const known = threads.get(name);
  if (known !== undefined) return known;
  const tid = threads.size + first;
  threads.set(name, tid);
  return tid;
}

/** Returns the state that a unit was in for most of an interval. */
function mostOf({
  busyCycles,
  starvedCycles,
  stalledCycles,
}: Pick<UnitSpan, 'busyCycles' | 'starvedCycles' | 'stalledCycles'>): string {
  if (busyCycles >= starvedCycles && busyCycles >= stalledCycles) return 'busy';
  return starvedCycles >= stalledCycles ? 'starved' : 'stalled';
}
