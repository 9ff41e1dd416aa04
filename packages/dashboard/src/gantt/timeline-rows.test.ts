import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../api/types.ts';
import { readTimeline } from './timeline-rows.ts';

const named = (kind: string, pid: number, tid: number, name: string): TraceEvent => ({
  name: kind,
  ph: 'M',
  pid,
  tid,
  args: { name },
});
const span = (name: string, pid: number, tid: number, ts: number, dur: number): TraceEvent => ({
  name,
  ph: 'X',
  pid,
  tid,
  ts,
  dur,
  args: { cycles: Math.round(dur * 1000) },
});

const sent = (pid: number, ts: number, rate: number): TraceEvent => ({
  name: 'remote bytes per cycle',
  ph: 'C',
  pid,
  tid: 0,
  ts,
  args: { sent: rate, received: 0 },
});

const TIMELINE = {
  traceEvents: [
    named('process_name', 0, 0, 'chiplet 0'),
    named('thread_name', 0, 0, 'phases and bins'),
    named('thread_name', 0, 1, 'idle'),
    named('thread_name', 0, 2, 'raster.setup'),
    named('process_name', 1, 0, 'crosslink'),
    named('thread_name', 1, 0, 'channel bus'),
    named('thread_name', 1, 1, 'channel bus #2'),
    sent(0, 0, 2),
    sent(1, 0, 1),
    sent(0, 0.256, 12),
    sent(1, 0.256, 0),
    sent(0, 0.512, 0),
    sent(1, 0.512, 0),
    span('bin 1', 1, 1, 0.351, 0.001),
    span('pass 1: bin 3', 0, 0, 0.25, 0.1),
    span('pass 0: visibility', 0, 0, 0, 0.2),
    span('idle', 0, 1, 0.2, 0.05),
    span('stalled', 0, 2, 0.25, 0.05),
    span('bin 0', 1, 0, 0.35, 0.001),
  ],
};

describe('readTimeline', () => {
  const { rows, endCycle } = readTimeline(TIMELINE);

  it('gives a row to each chiplet, unit and channel, by their names', () => {
    expect(rows.map(({ kind, name, chiplet }) => [kind, name, chiplet])).toEqual([
      ['chiplet', 'chiplet 0', 0],
      ['unit', 'setup', 0],
      ['channel', 'link bus', null],
      ['remote', 'remote', null],
    ]);
  });

  it('puts phases, bins and idle time of a chiplet into one row, by their start', () => {
    expect(
      rows[0]!.spans.map(({ kind, startCycle, endCycle: end, bin }) => [
        kind,
        startCycle,
        end,
        bin,
      ]),
    ).toEqual([
      ['visibility', 0, 200, null],
      ['idle', 200, 250, null],
      ['bin', 250, 350, '1/3'],
    ]);
  });

  it('reports transfers and states of units', () => {
    expect(rows[1]!.spans.map(({ kind }) => kind)).toEqual(['stalled']);
    expect(rows[2]!.spans[0]).toMatchObject({ kind: 'transfer', bin: '0/0', startCycle: 350 });
    expect(endCycle).toBe(352);
  });

  it('puts transfers that overlap into the row of their channel, by their start', () => {
    expect(rows[2]!.spans.map(({ startCycle, bin }) => [startCycle, bin])).toEqual([
      [350, '0/0'],
      [351, '0/1'],
    ]);
  });

  it('adds up the traffic of remote memory, up to the end', () => {
    expect(rows[3]!.spans.map((each) => [each.startCycle, each.endCycle, each.level])).toEqual([
      [0, 256, 0.25],
      [256, 352, 1],
    ]);
    expect(rows[3]!.spans[1]!.figures).toEqual({ 'bytes per cycle': 12 });
  });

  it('shows the work of a copy engine as busy', () => {
    const { rows: ofEngine } = readTimeline({
      traceEvents: [
        named('process_name', 0, 0, 'chiplet 0'),
        named('thread_name', 0, 2, 'copy engine'),
        span('pass 1: upload', 0, 2, 0, 0.1),
        span('frame 1: copy', 0, 2, 0.2, 0.1),
      ],
    });
    expect(ofEngine.map(({ kind, name }) => [kind, name])).toEqual([['unit', 'copy engine']]);
    expect(ofEngine[0]!.spans.map(({ kind, frame }) => [kind, frame])).toEqual([
      ['busy', null],
      ['busy', 1],
    ]);
  });

  it('distinguishes frames of a sequence and their bins', () => {
    const { rows: ofSequence } = readTimeline({
      traceEvents: [
        named('process_name', 0, 0, 'chiplet 0'),
        named('thread_name', 0, 0, 'phases and bins'),
        span('frame 0: visibility', 0, 0, 0, 0.1),
        span('frame 1: pass 2: bin 3', 0, 0, 0.2, 0.1),
        span('frame 12: bin 4', 0, 0, 0.3, 0.1),
      ],
    });
    const origins = ofSequence[0]!.spans.map(({ kind, frame, bin }) => [kind, frame, bin]);
    expect(origins).toEqual([
      ['visibility', 0, null],
      ['bin', 1, '1:2/3'],
      ['bin', 12, '12:0/4'],
    ]);
    expect(rows[0]!.spans.every(({ frame }) => frame === null)).toBe(true);
  });
});
