import { describe, expect, it } from 'vitest';
import { estimateFrame, type Measurement } from './estimate-frame.ts';
import { figuresOfReport } from './exact-figures.ts';
import type { ExploreSettings } from './explore-settings.ts';
import { barAt, blendSchedules, scheduleOf } from './schedule.ts';

/** Four bins of a row that take 100, 200, 300 and 400 cycles, after a phase of 50. */
const MEASUREMENT: Measurement = {
  overlap: 'visibility-first',
  isVisibilityChipletRendering: true,
  passes: [
    {
      grid: { columns: 4, rows: 1 },
      historyKey: 'pass 0',
      visibilityCycles: 50,
      bins: [100, 200, 300, 400].map((cycles, binId) => ({
        ...{ binId, cycles, costTerms: [], estimatedCycles: cycles },
        ...{ resultBytes: 0, streamBytes: 0, isEarly: false },
      })),
      commandBytes: 0,
      streamBytes: 0,
      resources: [],
      copyWork: { timings: [], copies: [] },
      visibilityNeeds: [],
      binsNeed: [],
    },
  ],
};
const SETTINGS: ExploreSettings = {
  chiplets: 2,
  policy: 'static-blocks',
  linkTopology: 'full',
  linkBytesPerCycle: 65_536,
  linkLatencyCycles: 0,
  overlap: 'visibility-first',
  frames: 1,
};

const scheduleFor = (changes: Partial<ExploreSettings>) => {
  const settings = { ...SETTINGS, ...changes };
  return scheduleOf(estimateFrame(MEASUREMENT, settings).simulated, settings.chiplets);
};

describe('an estimate', () => {
  it('has the figures of a schedule that can be counted by hand', () => {
    // The table of four bins takes four cycles. Chiplet 1 then renders 300 + 400 cycles.
    const { figures } = estimateFrame(MEASUREMENT, SETTINGS);
    const cycles = 50 + 4 + 700;
    expect(figures).toEqual({
      cycles,
      speedUp: 1050 / cycles,
      idleShare: ((cycles - 350) / cycles + (cycles - 700) / cycles) / 2,
      imbalance: 700 / 500,
      makespanCycles: 700,
      lowerBoundCycles: 500,
      linkBytes: 0,
    });
  });

  it('counts the work of all frames', () => {
    const { figures, simulated } = estimateFrame(MEASUREMENT, { ...SETTINGS, frames: 6 });
    expect(simulated.frames).toHaveLength(6);
    expect(figures.speedUp).toBe((6 * 1050) / figures.cycles);
  });
});

describe('a schedule', () => {
  it('has a bar for each phase and bin', () => {
    const { bars, endCycle } = scheduleFor({});
    expect(endCycle).toBe(754);
    expect(bars.map(({ bin, row, startCycle }) => [bin, row, startCycle])).toEqual([
      [null, 0, 0],
      ['0/0', 0, 54],
      ['0/1', 0, 154],
      ['0/2', 1, 54],
      ['0/3', 1, 354],
    ]);
  });

  it('is blended bin by bin', () => {
    const [from, to] = [scheduleFor({}), scheduleFor({ policy: 'static-interleaved' })];
    const middle = blendSchedules(from, to, 0.5);
    // Bin 1 goes from chiplet 0 to chiplet 1.
    expect(middle.bars[2]).toMatchObject({ bin: '0/1', row: 0.5, from: 0, chiplet: 1, share: 0.5 });
    expect(middle.bars[2]!.startCycle).toBe((154 + 54) / 2);
    expect(blendSchedules(from, to, 1).bars).toEqual(
      to.bars.map((bar, index) => ({ ...bar, from: from.bars[index]!.chiplet })),
    );
  });

  it('finds the bar at a place', () => {
    const schedule = scheduleFor({});
    expect(barAt(schedule, 1, 400)?.bin).toBe('0/3');
    expect(barAt(schedule, 1, 20)).toBeUndefined();
  });
});

describe('figuresOfReport', () => {
  it('takes the mean of the idle shares', () => {
    const report = {
      totals: { cycles: 10 },
      chiplets: [{ idleShare: 0.5 }, { idleShare: 0.25 }],
      assignment: { imbalance: 1, makespanCycles: 5, lowerBoundCycles: 4 },
      link: { bytes: 7 },
    };
    expect(figuresOfReport(report as never)).toMatchObject({ cycles: 10, idleShare: 0.375 });
  });
});
