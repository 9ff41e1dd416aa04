/**
 * The timeline of frames in the Chrome trace format, which Perfetto opens: a process for each chiplet, with a thread
 * for its phases and bins, one for its idle time and one for each unit; and a process for the link, with a thread for
 * each channel. One simulated cycle is shown as one nanosecond.
 *
 * A unit's runs are cut into stretches without gaps. A stretch is named by what the unit did for most of it: busy,
 * starved (nothing to take) or stalled (could not hand on); its arguments say how many cycles of each there were.
 */
import type { UnitSpan } from '@tessera/frame';
import type { SimulatedFrames } from './simulated-time/simulated-frames.ts';

export interface TraceEvent {
  readonly name: string;
  /** `X`: a stretch of time; `M`: a name for a process or thread. */
  readonly ph: 'X' | 'M';
  readonly pid: number;
  readonly tid: number;
  /** Microseconds, so thousandths are cycles. */
  readonly ts?: number;
  readonly dur?: number;
  readonly args: Readonly<Record<string, string | number>>;
}

export interface Timeline {
  readonly displayTimeUnit: 'ns';
  readonly otherData: Readonly<Record<string, string>>;
  readonly traceEvents: readonly TraceEvent[];
}

export interface TimelineOptions {
  readonly chipletCount: number;
  /** Stand in the file's `otherData`. */
  readonly labels: Readonly<Record<string, string>>;
  /** What units did, by frame and pass; without them phases and bins alone are shown. */
  readonly unitSpans?:
    | readonly (readonly {
        readonly visibility: readonly UnitSpan[];
        /** By `binIndex`. */
        readonly bins: readonly (readonly UnitSpan[])[];
      }[])[]
    | undefined;
}

const PHASES_THREAD = 0;
const IDLE_THREAD = 1;
const FIRST_UNIT_THREAD = 2;
/** Cycles to a microsecond of the trace. */
const CYCLES_PER_US = 1000;

/**
 * Draws up the timeline of frames that were simulated in time.
 *
 * @throws {Error} If they were not.
 */
export function makeTimeline(simulated: SimulatedFrames, options: TimelineOptions): Timeline {
  if (simulated.clock !== 'cycles') throw new Error('timeline: the frames have no cycles');
  const trace = new TraceWriter(options.chipletCount);
  const { frames } = simulated;
  for (const [frameIndex, { passes }] of frames.entries()) {
    const frameName = frames.length === 1 ? '' : `frame ${frameIndex}: `;
    for (const [passIndex, pass] of passes.entries()) {
      const name = `${frameName}${passes.length === 1 ? '' : `pass ${passIndex}: `}`;
      const spans = options.unitSpans?.[frameIndex]?.[passIndex];
      const { visibilityStartCycle, visibilityEndCycle, assignment } = pass;
      const cycles = visibilityEndCycle - visibilityStartCycle;
      const { steps } = assignment;
      trace.addPhase(`${name}visibility`, 0, visibilityStartCycle, visibilityEndCycle, {
        cycles,
        assignmentSteps: steps,
      });
      trace.addUnits(spans?.visibility ?? [], 0, visibilityStartCycle);
      for (const [binIndex, bin] of pass.bins.entries()) {
        const { chipletId, startCycle, endCycle, predictedCycles } = bin;
        const args = { cycles: endCycle - startCycle, predictedCycles };
        trace.addPhase(`${name}bin ${binIndex}`, chipletId, startCycle, endCycle, args);
        trace.addUnits(spans?.bins[binIndex] ?? [], chipletId, startCycle);
      }
    }
  }
  trace.addIdle(Math.max(...frames.map(({ endCycle }) => endCycle)));
  for (const transfer of simulated.transfers) {
    const { kind, frameIndex, passIndex, binIndex, bytes, from, to, channels } = transfer;
    const parts = [
      frames.length === 1 ? '' : `frame ${frameIndex}: `,
      passIndex === null || frames[frameIndex]!.passes.length === 1 ? '' : `pass ${passIndex}: `,
      binIndex === null ? kind : `bin ${binIndex}`,
    ];
    const waited = transfer.startCycle - transfer.requestCycle;
    const args = { bytes, from, to: to ?? 'all', waitedCycles: waited };
    for (const { channel, startCycle, endCycle } of channels) {
      trace.addTransfer(parts.join(''), channel, startCycle, endCycle, args);
    }
  }
  return {
    displayTimeUnit: 'ns',
    otherData: { time: '1 ns of this trace is 1 simulated cycle', ...options.labels },
    traceEvents: trace.finish(),
  };
}

class TraceWriter {
  readonly #chipletCount: number;
  readonly #events: TraceEvent[] = [];
  readonly #threadByUnit = new Map<string, number>();
  readonly #threadByChannel = new Map<string, number>();
  readonly #phasesByChiplet: [start: number, end: number][][];

  constructor(chipletCount: number) {
    this.#chipletCount = chipletCount;
    this.#phasesByChiplet = Array.from({ length: chipletCount }, () => []);
  }

  addPhase(name: string, pid: number, start: number, end: number, args: TraceEvent['args']): void {
    this.#add(name, pid, PHASES_THREAD, start, end, args);
    if (end > start) this.#phasesByChiplet[pid]!.push([start, end]);
  }

  addUnits(spans: readonly UnitSpan[], pid: number, start: number): void {
    for (const { unit, startCycle, endCycle, ...sums } of spans) {
      const tid = numberOf(this.#threadByUnit, unit, FIRST_UNIT_THREAD);
      this.#add(mostOf(sums), pid, tid, start + startCycle, start + endCycle, sums);
    }
  }

  /** The gaps between the phases of each chiplet, up to the end. */
  addIdle(end: number): void {
    for (const [pid, phases] of this.#phasesByChiplet.entries()) {
      phases.sort((a, b) => a[0] - b[0]);
      let from = 0;
      for (const [start, until] of [...phases, [end, end] as const]) {
        this.#add('idle', pid, IDLE_THREAD, from, start, { cycles: start - from });
        from = until;
      }
    }
  }

  addTransfer(
    name: string,
    channel: string,
    start: number,
    end: number,
    args: TraceEvent['args'],
  ): void {
    const tid = numberOf(this.#threadByChannel, channel, 0);
    this.#add(name, this.#chipletCount, tid, start, end, args);
  }

  /** Names first. */
  finish(): TraceEvent[] {
    const names: TraceEvent[] = [];
    const nameOf = (ph: string, pid: number, tid: number, name: string) =>
      names.push({ name: ph, ph: 'M', pid, tid, args: { name } });
    for (let id = 0; id < this.#chipletCount; id++) {
      nameOf('process_name', id, 0, `chiplet ${id}`);
      nameOf('thread_name', id, PHASES_THREAD, 'phases and bins');
      nameOf('thread_name', id, IDLE_THREAD, 'idle');
      for (const [unit, tid] of this.#threadByUnit) nameOf('thread_name', id, tid, unit);
    }
    if (this.#threadByChannel.size > 0) {
      nameOf('process_name', this.#chipletCount, 0, 'crosslink');
      for (const [channel, tid] of this.#threadByChannel) {
        nameOf('thread_name', this.#chipletCount, tid, `channel ${channel}`);
      }
    }
    return [...names, ...this.#events];
  }

  #add(
    name: string,
    pid: number,
    tid: number,
    start: number,
    end: number,
    args: TraceEvent['args'],
  ): void {
    if (end <= start) return;
    const [ts, dur] = [start / CYCLES_PER_US, (end - start) / CYCLES_PER_US];
    this.#events.push({ name, ph: 'X', pid, tid, ts, dur, args });
  }
}

/** The number of a thread by its name, from `first` on. */
function numberOf(threads: Map<string, number>, name: string, first: number): number {
  const known = threads.get(name);
  if (known !== undefined) return known;
  const tid = threads.size + first;
  threads.set(name, tid);
  return tid;
}

/** The state that a unit was in for most of a stretch. */
function mostOf({
  busyCycles,
  starvedCycles,
  stalledCycles,
}: Pick<UnitSpan, 'busyCycles' | 'starvedCycles' | 'stalledCycles'>): string {
  if (busyCycles >= starvedCycles && busyCycles >= stalledCycles) return 'busy';
  return starvedCycles >= stalledCycles ? 'starved' : 'stalled';
}
