/** Heat maps of the golden scenes add up to the counters of their reports. */
import {
  addCounters,
  type CounterName,
  type Counters,
  HEAT_METRICS,
  type HeatMetricName,
} from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { describe, expect, it } from 'vitest';
import { GOLDEN_SCENES } from './scenes.ts';

const METRICS = (Object.keys(HEAT_METRICS) as HeatMetricName[]).filter(
  (metric) => HEAT_METRICS[metric].count !== null && metric !== 'cyclesAttributed',
);

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
      if (counter !== null) expect(map.total, metric).toBe(counters[counter as CounterName]);
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

  it.each(['none', 'exact'] as const)(
    'attribute the cycles of bins, coupling %s',
    async (coupling) => {
      const frame = await GOLDEN_SCENES.cube!();
      const { report } = await gpu.render(frame, { timing: 'cycle', coupling });
      const { bins } = report;
      const probe = gpu.probe(frame);
      const { values, total } = probe.heatMap({ metric: 'cyclesAttributed', pass: 0, bins });
      const cyclesOf = ({ startCycle, endCycle }: (typeof bins)[number]) => endCycle! - startCycle!;
      expect(total).toBeCloseTo(
        bins.reduce((sum, bin) => sum + cyclesOf(bin), 0),
        3,
      );
      for (const bin of bins) {
        let cycles = 0;
        for (let y = bin.y; y < bin.y + bin.height; y++) {
          for (let x = bin.x; x < bin.x + bin.width; x++) cycles += values[y * 320 + x]!;
        }
        expect(cycles).toBeCloseTo(cyclesOf(bin), 6);
      }
      const untimed = (await gpu.render(frame)).report.bins;
      const refused = () => probe.heatMap({ metric: 'cyclesAttributed', pass: 0, bins: untimed });
      expect(refused).toThrow('timing=cycle');
    },
  );

  it.each(Object.keys(GOLDEN_SCENES))('%s: texture lines equal the counter', async (name) => {
    const frame = await GOLDEN_SCENES[name]!();
    for (const options of [{}, { visibilityShader: 'full', splits: 2 }] as const) {
      const { report } = await gpu.render(frame, { ...options, timing: 'cycle' });
      const counters: Counters = {};
      for (const chiplet of report.chiplets) addCounters(counters, chiplet.counters);
      const { total } = gpu.probe(frame, options).heatMap({ metric: 'textureLines', pass: 0 });
      expect(total, JSON.stringify(options)).toBe(counters['textureUnit.linesLogged']);
    }
  });
});
