import { describe, expect, it } from 'vitest';
import { PhaseSpans, parseTraceparent, Tracing } from './tracing.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('parseTraceparent', () => {
  it.each([
    [`00-${TRACE}-${SPAN}-01`, 1],
    [`00-${TRACE}-${SPAN}-00`, 0],
    [`01-${TRACE}-${SPAN}-03-later`, 1],
  ])('takes %s', (header, traceFlags) => {
    expect(parseTraceparent(header)).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags });
  });

  it.each([
    undefined,
    '',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}`,
  ])('refuses %s', (header) => {
    expect(parseTraceparent(header)).toBeNull();
  });
});

describe('Tracing without an endpoint', () => {
  it('continues the trace of the client, or starts one', async () => {
    const tracing = await Tracing.open('');
    expect(tracing.begin(`00-${TRACE}-${SPAN}-01`, {}).traceId).toBe(TRACE);
    const [a, b] = [tracing.begin('nonsense', {}), tracing.begin(undefined, {})];
    expect(a.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(a.traceId).not.toBe(b.traceId);
  });
});

describe('PhaseSpans', () => {
  it('records a span for each finished phase', () => {
    const spans: unknown[] = [];
    let nowMs = 0;
    const trace = { traceId: TRACE, span: (...span: unknown[]) => spans.push(span) };
    const phases = new PhaseSpans(trace, () => nowMs);
    for (const phase of ['visibility', 'bins', 'bins', 'visibility', null] as const) {
      phases.enter(phase);
      nowMs += 10;
    }
    expect(spans).toEqual([
      ['visibility', 0, 10],
      ['bins', 10, 30],
      ['visibility', 30, 40],
    ]);
  });
});
