/**
 * The timeline of a frame in the Chrome trace format, which Perfetto opens: a process for each chiplet, a thread
 * for its phases and bins and one for each unit. One simulated cycle is shown as one nanosecond.
 *
 * A unit's runs are cut into stretches without gaps. A stretch is named by what the unit did for most of it: busy,
 * starved (nothing to take) or stalled (could not hand on); its arguments say how many cycles of each there were.
 */
import type { BinResult, Report, UnitSpan, VisibilitySummary } from '@tessera/frame';

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

const PHASES_THREAD = 0;
/** Cycles to a microsecond of the trace. */
const CYCLES_PER_US = 1000;

/**
 * Draws up the timeline of a frame that was simulated in time.
 *
 * @param passes In order; `bins` by bin id.
 * @throws {Error} If it was not.
 */
export function makeTimeline(
  report: Report,
  passes: readonly {
    readonly summary: VisibilitySummary;
    readonly bins: readonly BinResult[];
  }[],
): Timeline {
  const events: TraceEvent[] = [];
  const threadByUnit = new Map<string, number>();
  const span = (
    name: string,
    pid: number,
    tid: number,
    start: number,
    end: number,
    args: TraceEvent['args'],
  ) => {
    if (end <= start) return;
    const [ts, dur] = [start / CYCLES_PER_US, (end - start) / CYCLES_PER_US];
    events.push({ name, ph: 'X', pid, tid, ts, dur, args });
  };
  const addUnits = (spans: readonly UnitSpan[], pid: number, start: number) => {
    for (const { unit, startCycle, endCycle, ...sums } of spans) {
      const tid = threadByUnit.get(unit) ?? threadByUnit.size + 1;
      threadByUnit.set(unit, tid);
      span(mostOf(sums), pid, tid, start + startCycle, start + endCycle, sums);
    }
  };

  const passName = (passIndex: number) => (passes.length === 1 ? '' : `pass ${passIndex}: `);
  let passStart = 0;
  for (const [passIndex, { summary }] of passes.entries()) {
    const passCycles = report.passes[passIndex]!.cycles;
    const { cycles } = summary;
    if (cycles === null || passCycles === null)
      throw new Error('timeline: the frame has no cycles');
    const name = `${passName(passIndex)}visibility`;
    span(name, 0, PHASES_THREAD, passStart, passStart + cycles, { cycles });
    addUnits(summary.spans, 0, passStart);
    passStart += passCycles;
  }
  for (const bin of report.bins) {
    const { id, passIndex, chiplet, startCycle, endCycle, primitives, fragments } = bin;
    if (startCycle === null || endCycle === null)
      throw new Error(`timeline: bin ${id} has no cycles`);
    const args = { primitives, fragments };
    span(`${passName(passIndex)}bin ${id}`, chiplet, PHASES_THREAD, startCycle, endCycle, args);
    addUnits(passes[passIndex]!.bins[id]!.spans, chiplet, startCycle);
  }
  const names = report.chiplets.flatMap(({ id }): TraceEvent[] => [
    { name: 'process_name', ph: 'M', pid: id, tid: 0, args: { name: `chiplet ${id}` } },
    {
      name: 'thread_name',
      ph: 'M',
      pid: id,
      tid: PHASES_THREAD,
      args: { name: 'phases and bins' },
    },
    ...[...threadByUnit].map(
      ([unit, tid]): TraceEvent => ({
        name: 'thread_name',
        ph: 'M',
        pid: id,
        tid,
        args: { name: unit },
      }),
    ),
  ]);
  return {
    displayTimeUnit: 'ns',
    otherData: {
      time: '1 ns of this trace is 1 simulated cycle',
      spec: report.spec.name,
      frame: report.frame.sha256,
    },
    traceEvents: [...names, ...events],
  };
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
