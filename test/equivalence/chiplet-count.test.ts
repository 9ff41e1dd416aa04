/** Images, counters and reports of the golden scenes do not depend on the number of chiplets. */
import { addCounters, type Counters, type Report } from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { ORGANIZATIONS, POLICY_NAMES } from '@tessera/multi-chiplet';
import { beforeAll, describe, expect, it } from 'vitest';
import { GOLDEN_SCENES } from '../golden/scenes.ts';

const CHIPLET_COUNTS = [1, 2, 3, 4, 8] as const;
const BIN_COUNTS = [1, 4, 32] as const;

/** Returns the sum of the bins' counters, which must not depend on the assignment of bins. */
function sumBinCounters(report: Report): Counters {
  const sum: Counters = {};
  for (const chiplet of report.chiplets) addCounters(sum, chiplet.counters);
  return sum;
}

describe.each(Object.keys(GOLDEN_SCENES))('%s', (name) => {
  // One host per chiplet, so that each of them receives the broadcast and renders.
  const gpus = new Map(
    CHIPLET_COUNTS.map((count) => [count, new LocalGpu({ chipletCount: count, hostCount: count })]),
  );
  let reference: string;

  beforeAll(async () => {
    const { report } = await new LocalGpu({ chipletCount: 1 }).render(
      await GOLDEN_SCENES[name]!(),
      {
        policy: 'static-blocks',
        grid: { kind: 'bins', count: 1 },
        visibilityShader: 'full',
      },
    );
    reference = report.image.sha256;
  });

  it.each(BIN_COUNTS)(
    'has the same pixels on any number of chiplets, %i bins',
    async (binCount) => {
      const frame = await GOLDEN_SCENES[name]!();
      const counts = new Set<string>();
      for (const [chipletCount, gpu] of gpus) {
        for (const policy of chipletCount === 3 ? POLICY_NAMES : ['static', 'dynamic']) {
          const { report } = await gpu.render(frame, {
            policy,
            grid: { kind: 'bins', count: binCount },
            visibilityShader: 'minimal',
          });
          expect(report.image.sha256, `${chipletCount} chiplets, ${policy}`).toBe(reference);
          counts.add(JSON.stringify(sumBinCounters(report)));
        }
      }
      expect(counts.size, 'counters summed over the chiplets').toBe(1);
    },
  );

  it('has the same pixels however chiplets share the frame', async () => {
    const frame = await GOLDEN_SCENES[name]!();
    for (const options of [
      ...ORGANIZATIONS.map((organization) => ({ organization })),
      { visibilityDelivery: 'stream', visibilityChiplets: 3 } as const,
    ]) {
      const { report } = await gpus.get(3)!.render(frame, options);
      expect(report.image.sha256, JSON.stringify(options)).toBe(reference);
    }
  });

  it('has the same visibility by the full and the minimal vertex shader, for fewer instructions', async () => {
    const frame = await GOLDEN_SCENES[name]!();
    const gpu = gpus.get(2)!;
    const [full, minimal] = [
      await gpu.render(frame, {
        policy: 'static',
        grid: { kind: 'bins', count: 32 },
        visibilityShader: 'full',
      }),
      await gpu.render(frame, {
        policy: 'static',
        grid: { kind: 'bins', count: 32 },
        visibilityShader: 'minimal',
      }),
    ];
    expect(minimal.report.image.sha256).toBe(full.report.image.sha256);
    // With full shaders chiplet 0 already renders a bin during the phase, so the assignment may
    // differ.
    const visible = ({ bins }: Report) =>
      bins.map(({ chiplet: _chiplet, isEarly: _isEarly, ...bin }) => bin);
    expect(visible(minimal.report)).toEqual(visible(full.report));
    expect(minimal.report.visibility.primitivesListed).toBe(
      full.report.visibility.primitivesListed,
    );
    expect(minimal.report.visibility.instructionsExecuted).toBeLessThan(
      full.report.visibility.instructionsExecuted,
    );
  });

  it('has the same pixels to the cycle, on any number of chiplets', async () => {
    const frame = await GOLDEN_SCENES[name]!();
    for (const chipletCount of [1, 3] as const) {
      const { report } = await gpus.get(chipletCount)!.render(frame, {
        policy: 'dynamic',
        grid: { kind: 'bins', count: 4 },
        visibilityShader: 'minimal',
        timing: 'cycle',
      });
      expect(report.timing).toBe('cycle');
      expect(report.image.sha256).toBe(reference);
    }
  });

  it.each(['functional', 'cycle'] as const)(
    'gives the same report twice, but for the wall clock: %s',
    async (timing) => {
      const frame = await GOLDEN_SCENES[name]!();
      const reports = [];
      for (let run = 0; run < 2; run++) {
        const { report } = await gpus.get(4)!.render(frame, {
          policy: 'dynamic',
          grid: { kind: 'bins', count: 32 },
          visibilityShader: 'minimal',
          timing,
        });
        reports.push({ ...report, wall: null });
      }
      expect(reports[1]).toEqual(reports[0]);
    },
  );
});
