import { LocalGpu } from '@tessera/local-gpu';
import { describe, expect, it } from 'vitest';
import { makeFrame } from './made-frames.ts';

/** Units of which a chiplet has one. */
const SINGLE_UNITS = [
  'outputBus',
  'outputMerger',
  'taskScheduler',
  'interpolator',
  'warpPacking',
  'earlyDepth',
  'tileTraversal',
  'triangleSetup',
  'commandProcessor',
] as const;

describe('fill of a chiplet that runs on', () => {
  it('takes the work of the busiest unit and one bin that leaves, for 16 bins', async () => {
    const edgePx = 256;
    const fragment = 'color = vec4(0.25, 0.5, 0.75, 1.0);';
    const frame = makeFrame({ widthPx: edgePx, heightPx: edgePx, fragment });
    const render = (coupling: 'none' | 'exact') =>
      new LocalGpu().render(frame, {
        timing: 'cycle',
        coupling,
        grid: { kind: 'bins', count: 16 },
      });
    const { report: isolated, measurement } = await render('none');
    const { report } = await render('exact');
    expect(report.bins).toHaveLength(16);
    const { counters } = report.chiplets[0]!;
    const work = Math.max(...SINGLE_UNITS.map((unit) => counters[`${unit}.cyclesBusy`]!));
    const longest = Math.max(...measurement.passes[0]!.bins.map(({ cycles }) => cycles!));
    const { makespanCycles } = report.assignment;
    expect(makespanCycles).toBeLessThan(1.1 * work + longest);
    expect(makespanCycles).toBeLessThan(isolated.assignment.makespanCycles! / 2);
  });
});
