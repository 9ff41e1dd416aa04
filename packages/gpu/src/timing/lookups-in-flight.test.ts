/** Times texture lookups of one warp that depend on each other, or not. */
import { DirectChip } from '@tessera/chip/testing';
import { type ChipletSpec, defineChipletSpec } from '@tessera/chiplet-spec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyPlan, anyRun, type MadeRun, simulate } from '../testing/made-runs.ts';
import { withoutWaits } from '../testing/without-waits.ts';

const MEMORY_LATENCY_CYCLES = 800;
const INSTRUCTIONS = 3;
/** Lookups of a short run. The line of the first one is already in the second-level cache. */
const FEW = 2;
const MORE = 4;
/** More than the cycles in which the unit reads and filters the lines of all lookups. */
const WORK_CYCLES = 100;

/** Returns the run of one fragment warp. */
function runOf(lookups: number, maxLookupsInFlight: number): MadeRun {
  const draw = {
    vertexInstructions: 1,
    fragmentClauses: Array.from({ length: lookups + 1 }, () => INSTRUCTIONS),
    maxLookupsInFlight,
    readsTarget: false,
    isEarlyDepth: true,
  };
  const blocks = [{ covered: 1, passed: 1, isKilled: false }];
  return [
    [{ draw, primitives: [{ corners: [0, 1, 2], pieces: 1, isClipped: false, steps: 1, blocks }] }],
  ];
}

const [PLAN] = fc.sample(anyPlan, { numRuns: 1, seed: 36 });

function cyclesOf(lookups: number, maxInFlight: number, spec: Partial<ChipletSpec>): number {
  const whole = defineChipletSpec({
    name: 'test',
    memoryLatencyCycles: MEMORY_LATENCY_CYCLES,
    dramRefreshCycles: 0,
    ...spec,
  });
  return simulate(whole, PLAN!, runOf(lookups, maxInFlight)).cycles;
}

/** Returns the cycles that `lookups` more than a few take. */
function cyclesOfMore(lookups: number, maxInFlight: number, textureLookupsPerWarp: number): number {
  const spec = { textureLookupsPerWarp };
  return cyclesOf(FEW + lookups, maxInFlight, spec) - cyclesOf(FEW, maxInFlight, spec);
}

describe('lookups of a warp', () => {
  const latencyCycles = cyclesOfMore(1, 0, 1);

  it('take the sum of their latencies in a chain, whatever the specification allows', () => {
    expect(latencyCycles).toBeGreaterThan(MEMORY_LATENCY_CYCLES);
    for (const perWarp of [1, 2, 64]) {
      expect(Math.abs(cyclesOfMore(MORE, 0, perWarp) - MORE * latencyCycles)).toBeLessThan(
        WORK_CYCLES,
      );
      const spec = { textureLookupsPerWarp: perWarp };
      expect(cyclesOf(MORE, 0, spec)).toBe(cyclesOf(MORE, 0, {}));
    }
  });

  it('take the sum if one may be in flight, whatever the program allows', () => {
    for (const maxInFlight of [1, 9]) {
      expect(cyclesOf(MORE, maxInFlight, {})).toBe(cyclesOf(MORE, 0, {}));
    }
  });

  it('take the maximum if all may be in flight', () => {
    const cycles = cyclesOfMore(MORE, 9, FEW + MORE);
    expect(cycles).toBeGreaterThan(0);
    expect(cycles).toBeLessThan(WORK_CYCLES);
    expect(cyclesOfMore(MORE, 9, 64)).toBe(cycles);
  });

  it.each([2, 3])('take a latency for every %s, by either bound', (together) => {
    for (const cycles of [
      cyclesOfMore(2 * together, together - 1, 64),
      cyclesOfMore(2 * together, 9, together),
    ]) {
      expect(Math.abs(cycles - 2 * latencyCycles)).toBeLessThan(WORK_CYCLES);
    }
  });

  it.each([1, 64])('end on the smallest chip, with %s per warp', (textureLookupsPerWarp) => {
    // One slot per core, one line in flight, one entry per queue.
    const spec = defineChipletSpec({
      name: 'smallest',
      smCount: 2,
      warpSlotsPerSm: 1,
      warpIdFloor: 1,
      warpGroupSlots: 1,
      vertexResultWarps: 1,
      queueEntries: 1,
      textureMissEntries: 1,
      l2MissEntries: 1,
      l2WaitersPerMiss: 1,
      memoryClientLines: 16,
      dramQueueEntries: 2,
      textureLookupsPerWarp,
    });
    fc.assert(
      fc.property(anyPlan, anyRun, (plan, run) => {
        const timed = simulate(spec, plan, run);
        const makeEngine = (options: ConstructorParameters<typeof DirectChip>[0]) =>
          new DirectChip(options);
        expect(simulate(spec, plan, run, { makeEngine })).toEqual(timed);
        const naive = simulate(spec, plan, run, { isNaive: true });
        expect(withoutWaits(naive)).toEqual(withoutWaits(timed));
      }),
      { numRuns: 4, seed: 37 },
    );
  });
});
