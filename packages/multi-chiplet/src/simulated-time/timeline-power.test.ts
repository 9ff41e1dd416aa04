/** The power of a chiplet over time has the energy of its units. */
import type { UnitSpan } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { equalIntervals, type PowerSource, powerCounters } from './timeline-power.ts';

function span(unit: string, startCycle: number, endCycle: number, busyCycles: number): UnitSpan {
  return { unit, startCycle, endCycle, busyCycles, starvedCycles: 0, stalledCycles: 0 };
}

const SOURCE: PowerSource = {
  clockHz: 2_000_000_000,
  dynamicPj: [
    new Map([
      ['shaderCore', 9000],
      ['outputBus', 800],
      ['l2Cache', 0],
    ]),
  ],
  standingMw: 250,
};
const RUNS = [
  { startCycle: 0, spans: [span('shading.shaderCore[0]', 0, 100, 50)] },
  { startCycle: 100, spans: [span('shading.shaderCore[1]', 20, 40, 10), span('l2Cache', 0, 9, 9)] },
];

describe('power of a chiplet', () => {
  it('distributes the energy of units over their busy cycles', () => {
    const events = [...powerCounters(SOURCE, RUNS, [50, 100, 130, 200], 0)];
    // 50 of 60 busy cycles are in 0..100, 10 in 120..140. The output bus is never busy.
    const [perCycle, afterwards, bus] = [7500 / 100, 1500 / 20, 800 / 200];
    expect(events.map(({ ts, args }) => [ts, args.dynamic])).toEqual([
      [0, ((perCycle + bus) * 2) / 1000],
      [0.05, ((perCycle + bus) * 2) / 1000],
      [0.1, Number((((afterwards * 10) / 30 + bus) * (2 / 1000)).toPrecision(6))],
      [0.13, Number((((afterwards * 10) / 70 + bus) * (2 / 1000)).toPrecision(6))],
      [0.2, 0],
    ]);
    expect(events.map(({ args }) => args['leakage and refresh'])).toEqual([
      0.25, 0.25, 0.25, 0.25, 0,
    ]);
  });

  it.each([1, 7, 140, 256, 257, 10_000])('keeps all energy in a frame of %i cycles', (end) => {
    const ends = equalIntervals(end);
    expect(ends.at(-1)).toBe(end);
    expect(ends.length).toBeLessThanOrEqual(256);
    let [pj, start] = [0, 0];
    for (const { ts, args } of powerCounters(SOURCE, RUNS, ends, 0)) {
      if (ts === end / 1000) break;
      const until = ends.find((each) => each > start)!;
      pj += (Number(args.dynamic) * 1000 * (until - start)) / 2;
      start = until;
    }
    expect(pj / 9800).toBeCloseTo(1, 4);
  });
});
