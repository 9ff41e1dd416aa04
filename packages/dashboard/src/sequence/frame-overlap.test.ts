import { describe, expect, it } from 'vitest';
import type { GanttSpan, TimelineRows } from '../gantt/timeline-rows.ts';
import { measureOverlap } from './frame-overlap.ts';

const span = (
  kind: 'visibility' | 'bin' | 'idle',
  frame: number | null,
  startCycle: number,
  endCycle: number,
): GanttSpan => ({ kind, name: '', startCycle, endCycle, frame, bin: null, figures: {} });

const chiplets = (...rows: readonly GanttSpan[][]): TimelineRows => ({
  endCycle: 100,
  rows: rows.map((spans, chiplet) => ({ kind: 'chiplet', name: '', chiplet, spans })),
});

describe('measureOverlap', () => {
  it('counts cycles in which several frames are worked at, once each', () => {
    const timeline = chiplets(
      [span('visibility', 0, 0, 10), span('visibility', 1, 20, 40), span('idle', null, 40, 50)],
      [span('bin', 0, 10, 25), span('bin', 0, 25, 30), span('bin', 1, 40, 60)],
      [span('bin', 0, 10, 45)],
    );
    expect(measureOverlap(timeline)).toEqual({
      severalFramesCycles: 25,
      visibilityAheadCycles: 20,
    });
  });

  it('counts nothing if frames do not overlap', () => {
    const timeline = chiplets([
      span('visibility', 0, 0, 10),
      span('bin', 0, 10, 20),
      span('visibility', 1, 20, 30),
      span('bin', 1, 30, 40),
    ]);
    expect(measureOverlap(timeline)).toEqual({ severalFramesCycles: 0, visibilityAheadCycles: 0 });
  });
});
