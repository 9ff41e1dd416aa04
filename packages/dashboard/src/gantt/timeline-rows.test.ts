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

const TIMELINE = {
  traceEvents: [
    named('process_name', 0, 0, 'chiplet 0'),
    named('thread_name', 0, 0, 'phases and bins'),
    named('thread_name', 0, 1, 'idle'),
    named('thread_name', 0, 2, 'raster.setup'),
    named('process_name', 1, 0, 'crosslink'),
    named('thread_name', 1, 0, 'channel bus'),
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
    expect(endCycle).toBe(351);
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
