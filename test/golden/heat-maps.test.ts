/** Heat maps of the golden scenes add up to the counters of their reports. */
import { addCounters, type Counters, HEAT_METRICS, type HeatMetricName } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { describe, expect, it } from 'vitest';
import { GOLDEN_SCENES } from './scenes.ts';

const METRICS = Object.keys(HEAT_METRICS) as HeatMetricName[];

describe('heat maps of golden scenes', () => {
  const gpu = new LocalGpu({ chipletCount: 3 });

  it.each(Object.keys(GOLDEN_SCENES))('%s: sums equal the counters of the report', async (name) => {
    const frame = await GOLDEN_SCENES[name]!();
    const { report } = await gpu.render(frame);
    const counters: Counters = {};
    for (const chiplet of report.chiplets) addCounters(counters, chiplet.counters);
    const probe = gpu.probe(frame);
    const totals: Partial<Record<HeatMetricName, number>> = {};
    for (const metric of METRICS) {
      const { counter } = HEAT_METRICS[metric];
      const map = probe.heatMap({ metric, pass: 0 });
      totals[metric] = map.total;
      if (counter !== null) expect(map.total, metric).toBe(counters[counter]);
    }
    const blocks = probe.heatMap({ metric: 'instructions', pass: 0, blockPx: 4 });
    expect(blocks.total).toBe(totals.instructions);
    // Two equations for the maps without a counter.
    const draws = probe.draws();
    const sum = (of: (draw: (typeof draws)[number]) => number) =>
      draws.reduce((total, draw) => total + of(draw), 0);
    expect(totals.instructions).toBe(sum(({ cost }) => cost.instructions));
    expect(totals.depthTests).toBe(
      sum(({ state, depthStage, cost }) => {
        if (!state.depth.isTestEnabled) return 0;
        if (depthStage === 'early') return cost.fragmentsCovered;
        return cost.fragmentsShaded - cost.fragmentsDiscarded;
      }),
    );
  });
});
