/** Schedule of an estimate: bars by chiplet, and schedules between two others for animations. */
import type { SimulatedFrames } from '@tessera/multi-chiplet/estimate';
import { binKey } from '../gantt/timeline-rows.ts';

/** Work of a chiplet. */
export interface ScheduleBar {
  /** Key of a bin in its frame; null for a visibility phase. */
  readonly bin: string | null;
  readonly frame: number;
  /** Chiplet; a fraction between two schedules. */
  readonly row: number;
  readonly startCycle: number;
  readonly endCycle: number;
  /** Chiplet that the bar comes from, and share of the way to `chiplet`. */
  readonly from: number;
  readonly chiplet: number;
  readonly share: number;
}

/** Interval in which the link is occupied. */
export interface ScheduleTransfer {
  readonly startCycle: number;
  readonly endCycle: number;
}

/** Bars of all chiplets. Those of equal measurements have the same order. */
export interface Schedule {
  readonly rowCount: number;
  readonly endCycle: number;
  readonly frameCount: number;
  readonly bars: readonly ScheduleBar[];
  readonly transfers: readonly ScheduleTransfer[];
}

/** Returns the schedule of simulated frames. */
export function scheduleOf({ frames, transfers }: SimulatedFrames, rowCount: number): Schedule {
  const bars: ScheduleBar[] = [];
  const add = (
    bin: string | null,
    frame: number,
    chiplet: number,
    startCycle: number,
    endCycle: number,
  ) =>
    bars.push({
      ...{ bin, frame, row: chiplet, startCycle, endCycle },
      ...{ from: chiplet, chiplet, share: 1 },
    });
  let endCycle = 1;
  for (const [frame, { passes, endCycle: frameEnd }] of frames.entries()) {
    endCycle = Math.max(endCycle, frameEnd);
    for (const [passIndex, pass] of passes.entries()) {
      for (const { chipletId, startCycle, endCycle } of pass.visibilityParts) {
        add(null, frame, chipletId, startCycle, endCycle);
      }
      for (const [binIndex, bin] of pass.bins.entries()) {
        const key = binKey(passIndex, binIndex);
        add(key, frame, bin.chipletId, bin.startCycle, bin.endCycle);
      }
    }
  }
  return { rowCount, endCycle, frameCount: frames.length, bars, transfers };
}

/**
 * Returns the schedule between two of the same frames.
 *
 * @param share Share of the way to `to`, 0 to 1.
 */
export function blendSchedules(from: Schedule, to: Schedule, share: number): Schedule {
  const between = (a: number, b: number) => a + (b - a) * share;
  return {
    rowCount: Math.max(from.rowCount, to.rowCount),
    endCycle: between(from.endCycle, to.endCycle),
    frameCount: to.frameCount,
    bars: to.bars.map((bar, index) => {
      const start = from.bars[index] ?? bar;
      return {
        ...bar,
        row: between(start.chiplet, bar.chiplet),
        startCycle: between(start.startCycle, bar.startCycle),
        endCycle: between(start.endCycle, bar.endCycle),
        from: start.chiplet,
        share,
      };
    }),
    transfers: share < 0.5 ? from.transfers : to.transfers,
  };
}

/** Returns the bar of a row at a cycle. */
export function barAt({ bars }: Schedule, row: number, cycle: number): ScheduleBar | undefined {
  return bars.find((bar) => bar.chiplet === row && bar.startCycle <= cycle && cycle < bar.endCycle);
}
