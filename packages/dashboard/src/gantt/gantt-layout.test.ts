import { describe, expect, it } from 'vitest';
import { axisTicks, panView, placeSpans, revealSpan, roundStep, zoomView } from './gantt-layout.ts';

const span = (startCycle: number, endCycle: number) => ({ startCycle, endCycle });
const view = { fromCycle: 0, toCycle: 1000 };

describe('placeSpans', () => {
  it('places spans in proportion to their cycles', () => {
    const spans = [span(0, 250), span(250, 1000)];
    expect(placeSpans(spans, view, 400)).toEqual([
      { xPx: 0, widthPx: 100, spans: [spans[0]] },
      { xPx: 100, widthPx: 300, spans: [spans[1]] },
    ]);
  });

  it('cuts spans at the edges of the view and leaves out those beyond', () => {
    const spans = [span(0, 100), span(100, 300), span(700, 900), span(900, 1000)];
    const placed = placeSpans(spans, { fromCycle: 200, toCycle: 800 }, 600);
    expect(placed.map(({ xPx, widthPx }) => [xPx, widthPx])).toEqual([
      [0, 100],
      [500, 100],
    ]);
  });

  it('draws narrow neighbors together and loses none', () => {
    const spans = Array.from({ length: 1000 }, (_, index) => span(index, index + 1));
    const placed = placeSpans(spans, view, 100);
    expect(placed.length).toBeLessThanOrEqual(100);
    expect(placed.flatMap((one) => one.spans)).toEqual(spans);
    for (const { widthPx } of placed) expect(widthPx).toBeGreaterThanOrEqual(1);
  });

  it('draws a narrow span apart from a wide one beside it', () => {
    const spans = [span(0, 1), span(1, 500)];
    expect(placeSpans(spans, view, 100).map((one) => one.spans.length)).toEqual([1, 1]);
  });
});

describe('axisTicks', () => {
  it('gives round cycles within the view', () => {
    expect(axisTicks({ fromCycle: 130, toCycle: 1000 }, 400)).toEqual([200, 400, 600, 800, 1000]);
  });

  it.each([
    [1, 1],
    [1.5, 2],
    [3, 5],
    [6, 10],
    [4999, 5000],
  ])('takes for %s the step %s', (least, step) => {
    expect(roundStep(least)).toBe(step);
  });
});

describe('views', () => {
  it('zooms around a cycle, which stays at its place', () => {
    expect(zoomView(view, 0.5, 500, 1000)).toEqual({ fromCycle: 250, toCycle: 750 });
    expect(zoomView(view, 0.5, 0, 1000)).toEqual({ fromCycle: 0, toCycle: 500 });
  });

  it('does not zoom or move beyond the time that there is', () => {
    expect(zoomView(view, 2, 500, 1000)).toEqual(view);
    expect(panView({ fromCycle: 0, toCycle: 100 }, -50, 1000)).toEqual({
      fromCycle: 0,
      toCycle: 100,
    });
    expect(panView({ fromCycle: 0, toCycle: 100 }, 5000, 1000).toCycle).toBe(1000);
  });

  it('is moved no more than a span needs', () => {
    const half = { fromCycle: 250, toCycle: 750 };
    expect(revealSpan(half, span(300, 400), 1000)).toEqual(half);
    expect(revealSpan(half, span(100, 400), 1000).fromCycle).toBe(100);
    expect(revealSpan(half, span(700, 900), 1000).toCycle).toBe(900);
    expect(revealSpan(half, span(100, 900), 1000).fromCycle).toBe(100);
  });
});
