import { describe, expect, it } from 'vitest';
import { DEFAULT_INTERCONNECT } from '../interconnect/interconnect-spec.ts';
import type { FrameMeasurement } from '../simulated-time/frame-measurement.ts';
import type { SimulationOptions } from '../simulated-time/simulated-frames.ts';
import { sampleFrame, samplePass } from '../testing/measurement-samples.ts';
import { reportSequence } from './sequence-report.ts';

const SPEC = { name: 'x', fineBinPx: 64, clockHz: 1e9, parameters: {} };

function report(frames: readonly FrameMeasurement[], options: Partial<SimulationOptions> = {}) {
  return simulate(frames, options).report;
}

function simulate(frames: readonly FrameMeasurement[], options: Partial<SimulationOptions>) {
  return reportSequence({
    frames: frames.map((measurement, i) => ({
      measurement,
      frameSha256: `f${i}`,
      imageSha256: `i${i}`,
    })),
    simulation: {
      chipletCount: 4,
      isVisibilityChipletRendering: true,
      policy: 'dynamic-pull',
      interconnect: DEFAULT_INTERCONNECT,
      overlap: 'visibility-first',
      framesInFlight: 3,
      ...options,
    },
    spec: SPEC,
    wall: { totalMs: 0, retriedBins: 0 },
  });
}

describe('the report of a sequence', () => {
  const frame = sampleFrame(20_000, new Array<number>(16).fill(5000));
  const frames = new Array<FrameMeasurement>(12).fill(frame);

  it('gives latencies, time per frame and its bound', () => {
    const { steadyState, frames: accounts, totals } = report(frames);
    expect(accounts).toHaveLength(12);
    for (const {
      startCycle,
      visibilityEndCycle,
      firstBinCycle,
      endCycle,
      latencyCycles,
    } of accounts) {
      expect(firstBinCycle!).toBeGreaterThan(visibilityEndCycle!);
      expect(latencyCycles).toBe(endCycle! - startCycle!);
    }
    expect(totals.cycles).toBe(accounts.at(-1)!.endCycle);
    expect(steadyState).toMatchObject({
      firstFrame: 3,
      lastFrame: 8,
      serialFraction: 0.2,
      speedUpBound: 4,
    });
    expect(steadyState!.speedUp / steadyState!.speedUpBound).toBeGreaterThan(0.9);
    expect(steadyState!.framesPerSecond).toBeCloseTo(1e9 / steadyState!.cyclesPerFrame);
  });

  it('reports the time that overlap filled', () => {
    const { withoutOverlap, idleCyclesFilled, chiplets, totals } = report(frames);
    const idle = chiplets.reduce((sum, { idleCycles }) => sum + idleCycles!, 0);
    expect(idleCyclesFilled).toBe(withoutOverlap.idleCycles! - idle);
    expect(idleCyclesFilled!).toBeGreaterThan(0);
    expect(withoutOverlap.cycles!).toBeGreaterThan(totals.cycles!);
    // Amdahl's law: a fifth of the frame is on chiplet 0 alone.
    expect(100_000 / withoutOverlap.cyclesPerFrame!).toBeLessThan(1 / (0.2 + 0.8 / 4));
    expect(report(frames, { overlap: 'none' }).idleCyclesFilled).toBe(0);
  });

  it('bounds a GPU whose chiplet 0 only computes visibility by the capacity of the others', () => {
    const { steadyState } = report(frames, { isVisibilityChipletRendering: false });
    expect(steadyState!.speedUpBound).toBeCloseTo(3 / 0.8);
    expect(steadyState!.speedUp).toBeLessThanOrEqual(steadyState!.speedUpBound + 1e-9);
  });

  // The pixels of a bin occupy each channel on their way for 200 cycles. On the ring, half of the
  // 64 chiplets send through the channel 1→0, for 32 × 200 cycles per frame; the ends of the
  // measured frames are 6,280 cycles apart.
  it.each([
    ['bus', 64],
    ['ring', 64],
    ['full', 64],
    ['bus', 4],
    ['ring', 4],
    ['full', 4],
  ] as const)('is as slow as the busiest chiplet and channel: %s, %i', (topology, chipletCount) => {
    const pass = samplePass(100, new Array<number>(64).fill(5000));
    const bins = pass.bins.map((bin) => ({ ...bin, resultBytes: 200 * 256 }));
    const { report, simulated } = simulate(new Array(9).fill({ passes: [{ ...pass, bins }] }), {
      chipletCount,
      interconnect: { ...DEFAULT_INTERCONNECT, topology, bytesPerCycle: 256 },
    });
    const { firstFrame, lastFrame, cyclesPerFrame } = report.steadyState!;
    const isMeasured = (index: number) => index >= firstFrame && index <= lastFrame;
    const passes = simulated.frames.filter((_, i) => isMeasured(i)).flatMap((each) => each.passes);
    const transfers = simulated.transfers.filter(({ frameIndex }) => isMeasured(frameIndex));
    const visibilityCycles = 100 * passes.length;
    const cycles: Record<string, number> = { 0: visibilityCycles };
    for (const { chipletId } of passes.flatMap((each) => each.bins)) {
      cycles[chipletId] = (cycles[chipletId] ?? 0) + 5000;
    }
    for (const { channel } of transfers.flatMap((each) => each.channels)) {
      cycles[channel] = (cycles[channel] ?? 0) + 200;
    }
    const most = Math.max(...Object.values(cycles)) / passes.length;
    expect(cyclesPerFrame).toBeGreaterThanOrEqual(most);
    if (topology === 'ring' && chipletCount === 64) expect(cyclesPerFrame).toBe(6400);
  });

  it('sends a resource once', () => {
    const resources = [{ sha256: 'a', bytes: 1000, kind: 'textures' as const, isDrawn: false }];
    const { link } = report([1, 2, 3].map(() => sampleFrame(10, [10], { resources })));
    expect(link.transfers.resources).toMatchObject({ count: 1, bytes: 1000 });
  });

  it('has no cycles without cycle timing', () => {
    const functional = report([sampleFrame(null, [null, null])]);
    expect(functional).toMatchObject({
      timing: 'functional',
      totals: { frames: 1, cycles: null },
      steadyState: null,
      idleCyclesFilled: null,
    });
    expect(functional.frames[0]!.latencyCycles).toBeNull();
  });
});
