import { DirectChip } from '@tessera/chip/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyList, anySpec, simulate, simulateList } from '../testing/made-runs.ts';
import { withoutWaits } from '../testing/without-waits.ts';
import type { EngineMaker } from './timed-chip.ts';

const runDirectly: EngineMaker = (options) => new DirectChip(options);

describe('list of bins in one run', () => {
  it('of one bin takes the time of the bin', () => {
    fc.assert(
      fc.property(anySpec, anyList, (spec, [bin]) => {
        expect(simulateList(spec, [bin!])).toEqual(simulate(spec, bin!.plan, bin!.run));
      }),
      { numRuns: 20, seed: 41 },
    );
  });

  it('takes the same cycles in the compiled chip and in TypeScript', () => {
    fc.assert(
      fc.property(anySpec, anyList, (spec, list) => {
        expect(simulateList(spec, list)).toEqual(
          simulateList(spec, list, { makeEngine: runDirectly }),
        );
      }),
      { numRuns: 40, seed: 42 },
    );
  });

  it('takes the same cycles whether modules sleep or are clocked in every cycle', () => {
    fc.assert(
      fc.property(anySpec, anyList, (spec, list) => {
        const naive = simulateList(spec, list, { isNaive: true });
        expect(withoutWaits(naive)).toEqual(withoutWaits(simulateList(spec, list)));
      }),
      { numRuns: 12, seed: 43 },
    );
  });

  it('takes the same cycles whether records come batch by batch or all at once', () => {
    fc.assert(
      fc.property(anySpec, anyList, (spec, list) => {
        expect(simulateList(spec, list, { isBatchwise: true })).toEqual(simulateList(spec, list));
      }),
      { numRuns: 40, seed: 44 },
    );
  });

  it('sends its bins one after another, and the last one at the end of the run', () => {
    fc.assert(
      fc.property(anySpec, anyList, (spec, list) => {
        const { binEndCycles, cycles, counters } = simulateList(spec, list);
        expect(binEndCycles).toHaveLength(list.length);
        expect(binEndCycles.toSorted((a, b) => a - b)).toEqual(binEndCycles);
        expect(binEndCycles.at(-1)).toBe(cycles);
        expect(new Set(binEndCycles).size).toBe(list.length);
        expect(counters['outputBus.bytesSent']).toBe(1000 * list.length);
      }),
      { numRuns: 40, seed: 45 },
    );
  });
});
