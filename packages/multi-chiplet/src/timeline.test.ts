import type { BinResult, BinSummary, Report, UnitSpan, VisibilitySummary } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { chipletCycles, makeSchedule, makeSchedules } from './schedule.ts';
import { makeTimeline } from './timeline.ts';

const RECT = { x: 0, y: 0, width: 1, height: 1 };

function makeSpan(startCycle: number, endCycle: number): UnitSpan {
  const busyCycles = endCycle - startCycle;
  return {
    unit: 'raster.setup',
    startCycle,
    endCycle,
    busyCycles,
    starvedCycles: 0,
    stalledCycles: 0,
  };
}

function makeBin(binId: number, cycles: number | null): BinResult {
  const spans =
    cycles === null
      ? []
      : [makeSpan(0, 2), { ...makeSpan(2, cycles), busyCycles: 0, stalledCycles: cycles - 2 }];
  const rgba = new Uint8Array(4);
  const nothing = { passIndex: 0, depthStencil: null, counters: {} };
  return { frameId: 'f', binId, rect: RECT, rgba, cycles, spans, ...nothing };
}

const NO_BINS: readonly BinSummary[] = [];
const summary = (cycles: number | null): VisibilitySummary => ({
  passIndex: 0,
  bins: NO_BINS,
  counters: {},
  cycles,
  spans: cycles === null ? [] : [makeSpan(0, cycles)],
});

const ASSIGNMENT = [
  { chipletId: 0, binIds: [2] },
  { chipletId: 1, binIds: [3, 0] },
  { chipletId: 2, binIds: [1] },
];
const BINS = [makeBin(0, 100), makeBin(1, 30), makeBin(2, 50), makeBin(3, 60)];

describe('schedule of a frame', () => {
  const schedule = makeSchedule(summary(40), ASSIGNMENT, BINS, 0);

  it('lays the bins of each chiplet end to end after the visibility phase', () => {
    expect([...schedule.startByBin!].sort()).toEqual([
      [0, 100],
      [1, 40],
      [2, 40],
      [3, 40],
    ]);
    expect(schedule.endByBin!.get(0)).toBe(200);
    expect(schedule.cycles).toBe(200);
  });

  it('bounds the makespan by the mean and by the longest bin', () => {
    expect(schedule.makespanCycles).toBe(160);
    expect(schedule.lowerBoundCycles).toBe(100); // the mean is 80, bin 0 takes 100
    const even = makeSchedule(
      summary(0),
      ASSIGNMENT,
      [10, 10, 10, 11].map((c, i) => makeBin(i, c)),
      0,
    );
    expect(even.lowerBoundCycles).toBe(14); // 41 cycles over three
  });

  it('gives busy and idle cycles that sum up to the frame', () => {
    const of = [0, 1, 2].map((id) => chipletCycles([schedule], id));
    expect(of).toEqual([
      { busyCycles: 90, idleCycles: 110 },
      { busyCycles: 160, idleCycles: 40 },
      { busyCycles: 30, idleCycles: 170 },
    ]);
  });

  it('starts a pass when the one before is done', () => {
    const pass = { summary: summary(40), assignment: ASSIGNMENT, bins: BINS };
    const [first, second] = makeSchedules([pass, pass]);
    expect(first).toEqual(schedule);
    expect(second!.cycles).toBe(200);
    expect(second!.startByBin!.get(3)).toBe(240);
    expect(second!.endByBin!.get(0)).toBe(400);
    const of0 = chipletCycles([first!, second!], 0);
    expect(of0).toEqual({ busyCycles: 180, idleCycles: 220 });
  });

  it('is empty when nothing was simulated in time', () => {
    const without = makeSchedule(
      summary(null),
      ASSIGNMENT,
      BINS.map(({ binId }) => makeBin(binId, null)),
      0,
    );
    expect(without.cycles).toBeNull();
    expect(chipletCycles([without], 0)).toEqual({ busyCycles: null, idleCycles: null });
  });

  it('becomes a timeline without gaps or overlaps in any thread', () => {
    const report = {
      frame: { sha256: 'x' },
      spec: { name: 'default' },
      chiplets: [{ id: 0 }, { id: 1 }, { id: 2 }],
      passes: [{ cycles: 200 }],
      bins: BINS.map(({ binId }) => ({
        passIndex: 0,
        id: binId,
        chiplet: ASSIGNMENT.find(({ binIds }) => binIds.includes(binId))!.chipletId,
        startCycle: schedule.startByBin!.get(binId)!,
        endCycle: schedule.endByBin!.get(binId)!,
        primitives: 1,
        fragments: 1,
      })),
    } as unknown as Report; // the fields that the timeline reads
    const { traceEvents, otherData } = makeTimeline(report, [{ summary: summary(40), bins: BINS }]);
    expect(otherData.time).toBe('1 ns of this trace is 1 simulated cycle');
    const threads = new Map<string, [number, number][]>();
    for (const { ph, pid, tid, ts = 0, dur = 0 } of traceEvents) {
      if (ph !== 'X') continue;
      const key = `${pid}/${tid}`;
      const start = Math.round(ts * 1000);
      threads.set(key, [...(threads.get(key) ?? []), [start, start + Math.round(dur * 1000)]]);
    }
    expect(threads.size).toBe(6); // phases and one unit on three chiplets
    for (const spans of threads.values()) {
      spans.sort((a, b) => a[0] - b[0]);
      for (let i = 1; i < spans.length; i++) expect(spans[i]![0]).toBe(spans[i - 1]![1]);
    }
    const unitSpans = traceEvents.filter(
      ({ pid, tid, ph }) => pid === 1 && tid === 1 && ph === 'X',
    );
    expect(unitSpans.map(({ name }) => name)).toEqual(['busy', 'stalled', 'busy', 'stalled']);
  });
});
