/** Rows of a Gantt chart out of the timeline of a frame or a sequence: a row for each chiplet, each of its units, each link channel. */
import type { Timeline, TraceEvent } from '../api/types.ts';

export type SpanKind = 'visibility' | 'bin' | 'idle' | 'transfer' | 'busy' | 'starved' | 'stalled';

export interface GanttSpan {
  readonly kind: SpanKind;
  readonly name: string;
  readonly startCycle: number;
  readonly endCycle: number;
  /** Of a sequence; null in the timeline of one frame. */
  readonly frame: number | null;
  /** Of a bin, {@link binKey}; of a bin of a sequence, with its frame and a colon before it. */
  readonly bin: string | null;
  readonly figures: Readonly<Record<string, string | number>>;
}

export interface GanttRow {
  readonly kind: 'chiplet' | 'unit' | 'channel';
  readonly name: string;
  /** Null for a channel. */
  readonly chiplet: number | null;
  /** By start. */
  readonly spans: readonly GanttSpan[];
}

export interface TimelineRows {
  readonly endCycle: number;
  readonly rows: readonly GanttRow[];
}

/** Cycles in a microsecond of the file. */
const CYCLES_PER_US = 1000;
/** Threads of a chiplet that are not units: its phases and bins, and its idle time. */
const OWN_THREADS = 2;

/** Names a bin within a frame by its pass and its place among the pass's bins. */
export function binKey(passIndex: number, binIndex: number): string {
  return `${passIndex}/${binIndex}`;
}

export function readTimeline({ traceEvents }: Timeline): TimelineRows {
  const processNames = namesOf(traceEvents, 'process_name', ({ pid }) => String(pid));
  const threadNames = namesOf(traceEvents, 'thread_name', ({ pid, tid }) => `${pid}/${tid}`);
  const spansByThread = new Map<string, GanttSpan[]>();
  let endCycle = 0;
  for (const event of traceEvents) {
    if (event.ph !== 'X') continue;
    const isLink = !isChiplet(processNames.get(String(event.pid)));
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
    if (!isChiplet(processName)) {
      rows.push({
        kind: 'channel',
        name: threadName.replace(/^channel /, 'link '),
        chiplet: null,
        spans,
      });
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
  return { endCycle, rows };
}

function isChiplet(processName: string | undefined): boolean {
  return processName?.startsWith('chiplet') ?? false;
}

/** Names that events of kind M give, by what `keyOf` says of them. */
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
  return name === 'busy' || name === 'stalled' ? name : 'starved';
}

/** `bin 3` is of the only pass, `pass 2: bin 3` of the third, `frame 1: bin 3` of a sequence's second frame. */
function findOrigin(name: string): Pick<GanttSpan, 'frame' | 'bin'> {
  const match = /^(?:frame (\d+): )?(?:pass (\d+): )?(?:bin (\d+)$)?/.exec(name);
  const [, frame, pass, bin] = match ?? [];
  const key = bin === undefined ? null : binKey(Number(pass ?? 0), Number(bin));
  if (frame === undefined) return { frame: null, bin: key };
  return { frame: Number(frame), bin: key === null ? null : `${frame}:${key}` };
}
