/** Overlap of a sequence's frames, measured from its timeline. */
import type { GanttSpan, TimelineRows } from '../gantt/timeline-rows.ts';

/** Overlap of frames, in cycles. */
export interface FrameOverlap {
  /** Number of cycles in which chiplets worked on two or more frames. */
  readonly severalFramesCycles: number;
  /**
   * Number of cycles in which a visibility phase ran while bins of an earlier frame were rendered.
   */
  readonly visibilityAheadCycles: number;
}

interface Step {
  readonly cycle: number;
  readonly kind: 'visibility' | 'bin';
  readonly frame: number;
  /** 1 at the start of a span, −1 at its end. */
  readonly change: 1 | -1;
}

/** Measures the overlap. */
export function measureOverlap({ rows }: TimelineRows): FrameOverlap {
  const steps = rows
    .filter(({ kind }) => kind === 'chiplet')
    .flatMap(({ spans }) => spans.flatMap(stepsOf))
    .sort((a, b) => a.cycle - b.cycle);
  const binsByFrame = new Map<number, number>();
  const visibilitiesByFrame = new Map<number, number>();
  let severalFramesCycles = 0;
  let visibilityAheadCycles = 0;
  let before = 0;
  for (const { cycle, kind, frame, change } of steps) {
    if (cycle > before) {
      const frames = new Set([...binsByFrame.keys(), ...visibilitiesByFrame.keys()]);
      if (frames.size > 1) severalFramesCycles += cycle - before;
      const isAhead = [...visibilitiesByFrame.keys()].some((made) =>
        [...binsByFrame.keys()].some((rendered) => rendered < made),
      );
      if (isAhead) visibilityAheadCycles += cycle - before;
      before = cycle;
    }
    const counts = kind === 'bin' ? binsByFrame : visibilitiesByFrame;
    const count = (counts.get(frame) ?? 0) + change;
    if (count === 0) counts.delete(frame);
    else counts.set(frame, count);
  }
  return { severalFramesCycles, visibilityAheadCycles };
}

function stepsOf({ kind, frame, startCycle, endCycle }: GanttSpan): Step[] {
  if (frame === null || (kind !== 'bin' && kind !== 'visibility')) return [];
  return [
    { cycle: startCycle, kind, frame, change: 1 },
    { cycle: endCycle, kind, frame, change: -1 },
  ];
}
