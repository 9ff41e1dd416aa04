import type { UnitSpan } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { defineInterconnect } from '../interconnect/interconnect-spec.ts';
import { sampleFrame } from '../testing/measurement-samples.ts';
import { simulateFrames } from './simulate-frames.ts';
import { makeTimeline, type Timeline, timelineJson } from './timeline.ts';

const BIN_CYCLES = [100, 30, 50, 60];

function simulate(frameCount: number) {
  const frame = sampleFrame(40, BIN_CYCLES, { streamBytes: 64, commandBytes: 128 });
  const bins = frame.passes[0]!.bins.map((bin) => ({ ...bin, resultBytes: 160 }));
  const measurement = { passes: [{ ...frame.passes[0]!, bins }] };
  return simulateFrames(new Array(frameCount).fill(measurement), {
    chipletCount: 3,
    isVisibilityChipletRendering: true,
    policy: 'dynamic-pull',
    interconnect: defineInterconnect({ bytesPerCycle: 16, latencyCycles: 4 }),
    overlap: 'visibility-first',
    framesInFlight: 2,
  });
}

function runSpans(cycles: number): UnitSpan[] {
  const sums = { busyCycles: 0, starvedCycles: 0, stalledCycles: 0 };
  const unit = 'raster.setup';
  return [
    { ...sums, unit, startCycle: 0, endCycle: 2, busyCycles: 2 },
    { ...sums, unit, startCycle: 2, endCycle: cycles, stalledCycles: cycles - 2 },
  ];
}

/** Returns the spans of each thread in cycles, in order. */
function threads({ traceEvents }: Timeline): Map<string, [start: number, end: number][]> {
  const spans = new Map<string, [number, number][]>();
  for (const { ph, pid, tid, ts = 0, dur = 0 } of traceEvents) {
    if (ph !== 'X') continue;
    const start = Math.round(ts * 1000);
    const own = spans.get(`${pid}/${tid}`) ?? [];
    spans.set(`${pid}/${tid}`, [...own, [start, start + Math.round(dur * 1000)]]);
  }
  for (const own of spans.values()) own.sort((a, b) => a[0] - b[0]);
  return spans;
}

describe('timeline', () => {
  const unitSpans = [[{ visibility: [runSpans(40)], bins: BIN_CYCLES.map(runSpans) }]];
  const simulated = simulate(1);
  const timeline = makeTimeline(simulated, { chipletCount: 3, labels: { spec: 'x' }, unitSpans });

  it('has no overlaps in any thread', () => {
    expect(timeline.otherData).toEqual({
      time: '1 ns of this trace is 1 simulated cycle',
      spec: 'x',
    });
    for (const spans of threads(timeline).values()) {
      for (let i = 1; i < spans.length; i++) {
        expect(spans[i]![0]).toBeGreaterThanOrEqual(spans[i - 1]![1]);
      }
    }
  });

  it('shows phases and idle time of a chiplet without gaps, up to the end', () => {
    const spans = threads(timeline);
    for (const id of [0, 1, 2]) {
      const both = [...(spans.get(`${id}/0`) ?? []), ...(spans.get(`${id}/1`) ?? [])];
      both.sort((a, b) => a[0] - b[0]);
      expect(both[0]![0]).toBe(0);
      for (let i = 1; i < both.length; i++) expect(both[i]![0]).toBe(both[i - 1]![1]);
      expect(both.at(-1)![1]).toBe(simulated.frames[0]!.endCycle);
    }
  });

  it('shows the state that units were in most of the time', () => {
    const units = timeline.traceEvents.filter(
      ({ pid, tid, ph }) => pid === 0 && tid === 3 && ph === 'X',
    );
    expect(units.slice(0, 2).map(({ name }) => name)).toEqual(['busy', 'stalled']);
  });

  it('shows transfers on a thread for each channel', () => {
    const link = timeline.traceEvents.filter(({ pid }) => pid === 3);
    const labels = link.filter(({ name }) => /^(process|thread)_name$/.test(name));
    expect(labels.map(({ args }) => args.name)).toEqual(['crosslink', 'channel bus']);
    const names = link.filter(({ ph }) => ph === 'X').map(({ name }) => name);
    expect(names.slice(0, 2)).toEqual(['commands', 'streams']);
    const bins = simulated.frames[0]!.passes[0]!.bins.filter(({ chipletId }) => chipletId > 0);
    expect(names.slice(2)).toHaveLength(bins.length);
  });

  it('counts the bytes of each channel over time', () => {
    const rates = timeline.traceEvents.filter(({ name }) => name === 'bytes per cycle of bus');
    let bytes = 0;
    for (const [index, { ts, args }] of rates.slice(0, -1).entries()) {
      bytes += Number(args.bytes) * (rates[index + 1]!.ts! - ts!) * 1000;
    }
    const sent = simulated.transfers.reduce((sum, transfer) => sum + transfer.bytes, 0);
    expect(bytes).toBeCloseTo(sent, 0);
    expect(rates.at(-1)!.args.bytes).toBe(0);
  });

  it('shows passes, in further tracks if they overlap, and orders processes and threads', () => {
    const { traceEvents } = makeTimeline(simulate(2), { chipletCount: 3, labels: {} });
    const passes = traceEvents.filter(({ pid, ph }) => pid === 4 && ph === 'X');
    expect(passes.map(({ name, tid }) => [name, tid])).toEqual([
      ['frame 0: pass 0', 0],
      ['frame 1: pass 0', 1],
    ]);
    const sorts = traceEvents.filter(({ name }) => name === 'thread_sort_index');
    expect(sorts.length).toBe(traceEvents.filter(({ name }) => name === 'thread_name').length);
    for (const { tid, args } of sorts) expect(args.sort_index).toBe(tid);
  });

  it('shows the visibility phase of the next frame over bins of this one', () => {
    const { traceEvents } = makeTimeline(simulate(2), { chipletCount: 3, labels: {} });
    const next = traceEvents.find(({ name }) => name === 'frame 1: visibility')!;
    const [from, to] = [next.ts!, next.ts! + next.dur!];
    const meanwhile = traceEvents.filter(
      ({ name, pid, ts, dur }) =>
        pid > 0 && pid < 3 && name.startsWith('frame 0: bin') && ts! < to && ts! + dur! > from,
    );
    expect(meanwhile.length).toBeGreaterThan(0);
  });

  it('is written piece by piece as the JSON of the whole', () => {
    const many = simulate(400);
    const options = { chipletCount: 3, labels: { spec: 'x' } };
    const pieces = [...timelineJson(many, options)];
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join('')).toBe(JSON.stringify(makeTimeline(many, options)));
    expect([...timelineJson(simulated, { ...options, unitSpans })].join('')).toBe(
      JSON.stringify(makeTimeline(simulated, { ...options, unitSpans })),
    );
  });
});
