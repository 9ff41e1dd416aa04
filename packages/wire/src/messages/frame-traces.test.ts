import { describe, expect, it } from 'vitest';
import { FrameTraces } from './frame-traces.ts';

describe('FrameTraces', () => {
  const a = 'a'.repeat(32);
  const b = 'b'.repeat(32);

  it('knows frames and their passes, and nothing of others', () => {
    const traces = new FrameTraces();
    traces.note('x/1', a);
    traces.note('x/2', b);
    traces.note('y/1', undefined);
    expect(traces.of('x/1')).toEqual({ traceId: a });
    expect(traces.of('x/1/3')).toEqual({ traceId: a });
    expect(traces.of('x/2')).toEqual({ traceId: b });
    expect(['y/1', 'x', 'x/12', 'z'].map((id) => traces.of(id))).toEqual([{}, {}, {}, {}]);
  });

  it('evicts the oldest entries beyond its size', () => {
    const traces = new FrameTraces();
    for (let i = 0; i <= 1024; i++) traces.note(`f${i}`, a);
    expect(traces.of('f0')).toEqual({});
    expect(traces.of('f1')).toEqual({ traceId: a });
  });
});
