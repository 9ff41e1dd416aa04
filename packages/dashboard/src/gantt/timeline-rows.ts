/**
 * Reads rows of a Gantt chart from the timeline of a frame or sequence: a row per chiplet, per
 * unit, per link channel, and one for the traffic of remote memory.
 */
import type { Timeline, TraceEvent } from '../api/types.ts';

/** Activity during a span. */
export type SpanKind =
  | 'visibility'
  | 'bin'
  | 'idle'
  | 'transfer'
  | 'remote'
  | 'busy'
  | 'starved'
  | 'stalled';

/** A span of a row in simulated cycles. */
export interface GanttSpan {
  readonly kind: SpanKind;
  readonly name: string;
  readonly startCycle: number;
  readonly endCycle: number;
  /** Index of the frame in a sequence; null in the timeline of one frame. */
  readonly frame: number | null;
  /**
   * Key of the bin, {@link binKey}, or null. In a sequence it is prefixed with the frame and a
   * colon.
   */
  readonly bin: string | null;
  readonly figures: Readonly<Record<string, string | number>>;
  /** Share of the highest value of the row, which is the color of the span; of traffic only. */
  readonly level?: number;
}

/** A row of the chart. */
export interface GanttRow {
  readonly kind: 'chiplet' | 'unit' | 'channel' | 'remote';
  readonly name: string;
  /** Number of the chiplet; null for a channel and for traffic. */
  readonly chiplet: number | null;
  /** Spans by start. */
  readonly spans: readonly GanttSpan[];
}

/** Rows of a timeline and its end. */
export interface TimelineRows {
  readonly endCycle: number;
  readonly rows: readonly GanttRow[];
}

/** Number of cycles per microsecond of the trace. */
const CYCLES_PER_US = 1000;
/**
 * Number of threads of a chiplet that are not units: one for phases and bins, one for idle time.
 */
const OWN_THREADS = 2;

/** Returns the key of a bin within a frame: its pass and its index in the pass. */
export function binKey(passIndex: number, binIndex: number): string {
  return `${passIndex}/${binIndex}`;
}

/** Reads the rows of a Chrome trace. */
export function readTimeline({ traceEvents }: Timeline): TimelineRows {
  const processNames = namesOf(traceEvents, 'process_name', ({ pid }) => String(pid));
  const threadNames = namesOf(traceEvents, 'thread_name', ({ pid, tid }) => `${pid}/${tid}`);
  const spansByThread = new Map<string, GanttSpan[]>();
  let endCycle = 0;
  for (const event of traceEvents) {
    const processName = processNames.get(String(event.pid));
    if (event.ph !== 'X' || !isShown(processName)) continue;
    const isLink = !isChiplet(processName);
    const span = readSpan(event, isLink);
    endCycle = Math.max(endCycle, span.endCycle);
    // Phases and idle time of a chiplet never overlap, so they share a row.
    const isOwn = !isLink && event.tid < OWN_THREADS;
    const thread = `${event.pid}/${isOwn ? 0 : event.tid}`;
    const spans = spansByThread.get(thread);
    if (spans === undefined) spansByThread.set(thread, [span]);
    else spans.push(span);
  }
  const rows: GanttRow[] = [];
  for (const [thread, threadName] of threadNames) {
    const [pid, tid] = thread.split('/').map(Number) as [number, number];
    const processName = processNames.get(String(pid)) ?? '';
    const spans = (spansByThread.get(thread) ?? []).sort((a, b) => a.startCycle - b.startCycle);
    if (!isShown(processName)) continue;
    if (!isChiplet(processName)) {
      addToChannel(rows, threadName, spans);
    } else if (tid === 0) {
      rows.push({ kind: 'chiplet', name: processName, chiplet: pid, spans });
    } else if (tid >= OWN_THREADS) {
      rows.push({
        kind: 'unit',
        name: threadName.slice(threadName.lastIndexOf('.') + 1),
        chiplet: pid,
        spans,
      });
    }
  }
  const remote = remoteRow(traceEvents, endCycle);
  return { endCycle, rows: remote === null ? rows : [...rows, remote] };
}

/** Adds spans of a channel, whose transfers are in several threads if they overlap. */
function addToChannel(rows: GanttRow[], threadName: string, spans: readonly GanttSpan[]): void {
  const name = threadName.replace(/^channel /, 'link ').replace(/ #\d+$/, '');
  const last = rows.at(-1);
  if (last?.kind !== 'channel' || last.name !== name) {
    rows.push({ kind: 'channel', name, chiplet: null, spans });
    return;
  }
  const both = [...last.spans, ...spans].sort((a, b) => a.startCycle - b.startCycle);
  rows[rows.length - 1] = { ...last, spans: both };
}

/**
 * Reads the row of remote traffic from the counters of a trace. Returns null if chiplets share no
 * memory.
 *
 * @param endCycle End of the timeline. Messages that end later are not shown.
 */
function remoteRow(events: readonly TraceEvent[], endCycle: number): GanttRow | null {
  const rates = new Map<number, number>();
  for (const { name, ph, ts = 0, args } of events) {
    if (ph !== 'C' || name !== 'remote bytes per cycle') continue;
    const cycle = Math.round(ts * CYCLES_PER_US);
    rates.set(cycle, (rates.get(cycle) ?? 0) + Number(args.sent));
  }
  if (rates.size === 0) return null;
  const most = Math.max(...rates.values());
  const cycles = [...rates.keys()].sort((a, b) => a - b);
  const spans: GanttSpan[] = [];
  for (const [i, startCycle] of cycles.entries()) {
    const rate = rates.get(startCycle)!;
    const end = Math.min(endCycle, cycles[i + 1] ?? endCycle);
    if (rate === 0 || end <= startCycle) continue;
    spans.push({
      kind: 'remote',
      name: 'remote memory',
      startCycle,
      endCycle: end,
      frame: null,
      bin: null,
      figures: { 'bytes per cycle': rate },
      level: rate / most,
    });
  }
  return { kind: 'remote', name: 'remote', chiplet: null, spans };
}

/** Returns whether a process has rows. The passes of a trace are for other viewers. */
function isShown(processName: string | undefined): boolean {
  return processName !== 'passes';
}

function isChiplet(processName: string | undefined): boolean {
  return processName?.startsWith('chiplet') ?? false;
}

/** Returns the names that metadata events (kind M) give, by the key of the event. */
function namesOf(
  events: readonly TraceEvent[],
  kind: string,
  keyOf: (event: TraceEvent) => string,
): Map<string, string> {
  const named = events.filter((event) => event.ph === 'M' && event.name === kind);
  return new Map(named.map((event) => [keyOf(event), String(event.args.name)]));
}

function readSpan({ name, tid, ts, dur, args }: TraceEvent, isLink: boolean): GanttSpan {
  const startCycle = Math.round((ts ?? 0) * CYCLES_PER_US);
  const endCycle = startCycle + Math.round((dur ?? 0) * CYCLES_PER_US);
  const kind = isLink ? 'transfer' : kindOf(name, tid);
  return { kind, name, startCycle, endCycle, ...findOrigin(name), figures: args };
}

function kindOf(name: string, tid: number): SpanKind {
  if (tid === 0) return name.endsWith('visibility') ? 'visibility' : 'bin';
  if (tid === 1) return 'idle';
  // Work of the copy engine has names of its own.
  return name === 'starved' || name === 'stalled' ? name : 'busy';
}

/**
 * Returns frame and bin of a span name. `bin 3` belongs to the only pass, `pass 2: bin 3` to the
 * third, `frame 1: bin 3` to a sequence's second frame.
 */
function findOrigin(name: string): Pick<GanttSpan, 'frame' | 'bin'> {
  const match = /^(?:frame (\d+): )?(?:pass (\d+): )?(?:bin (\d+)$)?/.exec(name);
  const [, frame, pass, bin] = match ?? [];
  const key = bin === undefined ? null : binKey(Number(pass ?? 0), Number(bin));
  if (frame === undefined) return { frame: null, bin: key };
  return { frame: Number(frame), bin: key === null ? null : `${frame}:${key}` };
}
