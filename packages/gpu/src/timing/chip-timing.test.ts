import { CompiledChip } from '@tessera/chip';
import {
  MEMORY_CLIENTS,
  SLOT_POLICY,
  TIMING_SPEC_WORDS,
  TimingSpec,
  WARP_ID_LAYOUT,
} from '@tessera/chip/records';
import { DirectChip } from '@tessera/chip/testing';
import { type ChipletSpec, defineChipletSpec } from '@tessera/chiplet-spec';
import type { CounterName } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  anyPlan,
  anyRun,
  anySpec,
  OUTPUT_BYTES,
  simulate,
  writeRun,
} from '../testing/made-runs.ts';
import { withoutWaits } from '../testing/without-waits.ts';
import { ChipTiming } from './chip-timing.ts';
import type { EngineMaker } from './timed-chip.ts';
import { timingSpecOf } from './timing-spec-words.ts';

const runDirectly: EngineMaker = (options) => new DirectChip(options);

describe('compiled chip', () => {
  it('equals the chip in TypeScript: cycles, counters, intervals', () => {
    fc.assert(
      fc.property(anySpec, anyPlan, anyRun, (spec, plan, run) => {
        expect(simulate(spec, plan, run, { isBatchwise: true })).toEqual(
          simulate(spec, plan, run, { isBatchwise: true, makeEngine: runDirectly }),
        );
      }),
      { numRuns: 60, seed: 35 },
    );
  });

  it('takes no memory for a run that it had before: nothing in it is ever freed', () => {
    const run = fc.sample(anyRun, { numRuns: 30, seed: 36 }).flat();
    const [plan] = fc.sample(anyPlan, { numRuns: 1, seed: 36 });
    let engine: CompiledChip | null = null;
    const chip = new ChipTiming(defineChipletSpec(), {
      makeEngine: (options) => {
        engine = new CompiledChip(options);
        return engine;
      },
    });
    const bytesAfter = () => {
      chip.begin(plan);
      writeRun(chip.log, run, defineChipletSpec(), () => chip.advance());
      expect(chip.finish(OUTPUT_BYTES).cycles).toBeGreaterThan(5000);
      return engine!.counts.buffer.byteLength;
    };
    const bytes = bytesAfter();
    for (let turn = 0; turn < 200; turn++) expect(bytesAfter()).toBe(bytes);
  });

  it('reads the words of a specification that its table names', () => {
    const fields = Object.keys(TIMING_SPEC_WORDS);
    const timing = new TimingSpec();
    expect(Object.keys(timing)).toEqual(fields);
    timing.load(Int32Array.from(fields, (_, place) => place + 2));
    const read = Object.values(timing).map((value, place) => (value === false ? place + 2 : value));
    expect(read).toEqual(fields.map((_, place) => place + 2));
    const spec = defineChipletSpec({ slotPolicy: 'gcn', warpIdLayout: 'blocks', l2CacheWays: 2 });
    const { slotPolicy, warpIdLayout, l2CacheWays, hasL2Cache } = timingSpecOf(spec);
    expect([slotPolicy, warpIdLayout, l2CacheWays, hasL2Cache]).toEqual([
      SLOT_POLICY.gcn,
      WARP_ID_LAYOUT.blocks,
      2,
      true,
    ]);
  });
});

describe('records of a batch', () => {
  it('are refused when they are more than are kept, and the next run goes on', () => {
    const chip = new ChipTiming(defineChipletSpec());
    chip.begin();
    chip.log.blocks.end = 2 ** 25;
    expect(() => chip.advance()).toThrowError(
      expect.objectContaining({
        code: 'LIMIT_EXCEEDED',
        message: expect.stringMatching(/33554432 records of 16 bytes/),
      }),
    );
    chip.begin();
    writeRun(chip.log, [], defineChipletSpec(), () => chip.advance());
    expect(chip.finish(OUTPUT_BYTES).cycles).toBeGreaterThan(0);
  });
});

describe('simulated chip', () => {
  it('takes the same cycles whether modules sleep or are clocked in every cycle, counters included', () => {
    fc.assert(
      fc.property(anySpec, anyPlan, anyRun, (spec, plan, run) => {
        const naive = simulate(spec, plan, run, { isNaive: true });
        expect(withoutWaits(simulate(spec, plan, run))).toEqual(withoutWaits(naive));
      }),
      { numRuns: 50, seed: 31 },
    );
  });

  it('takes the same cycles whether records come batch by batch or all at once', () => {
    fc.assert(
      fc.property(anySpec, anyPlan, anyRun, (spec, plan, run) => {
        expect(simulate(spec, plan, run, { isBatchwise: true })).toEqual(simulate(spec, plan, run));
      }),
      { numRuns: 60, seed: 32 },
    );
  });

  it('starts each run anew: the same run twice takes the same cycles', () => {
    fc.assert(
      fc.property(anySpec, anyPlan, anyRun, (spec, plan, run) => {
        const chip = new ChipTiming(spec);
        const once = () => {
          chip.begin(plan);
          writeRun(chip.log, run, spec, () => chip.advance(), plan.earlyLine > 0);
          return chip.finish(OUTPUT_BYTES);
        };
        expect(once()).toEqual(once());
      }),
      { numRuns: 30, seed: 33 },
    );
  });

  it('times the same records with other specifications as chips of their own do', () => {
    // These change when vertices and warps arrive, which lines hit, and which warps vertices form.
    const change = (spec: ChipletSpec) => ({
      ...spec,
      smCount: 1 + (spec.smCount % 3),
      dramChannels: spec.dramChannels === 1 ? 4 : 1,
      postTransformCacheVertices: 3 + (spec.postTransformCacheVertices % 16),
      setupIntervalCycles: spec.setupIntervalCycles + 3,
      textureLookupsPerWarp: 1 + (spec.textureLookupsPerWarp % 3),
    });
    fc.assert(
      fc.property(anySpec, anyPlan, anyRun, (spec, plan, run) => {
        const specs = [spec, change(spec), change(change(spec))];
        const chip = new ChipTiming(spec, { alternatives: specs.slice(1) });
        chip.begin(plan);
        writeRun(chip.log, run, spec, () => chip.advance(), plan.earlyLine > 0);
        const { alternatives, ...first } = chip.finish(OUTPUT_BYTES);
        const alone = specs.map((each) => {
          const { alternatives: none, ...timing } = simulate(each, plan, run);
          expect(none).toEqual([]);
          return timing;
        });
        expect([first, ...alternatives]).toEqual(alone);
      }),
      { numRuns: 40, seed: 36 },
    );
  });

  it('times larger second-level caches as chips of their own do, whether a set was full or not', () => {
    const counts = { same: 0, other: 0 };
    fc.assert(
      fc.property(anySpec, anyPlan, anyRun, (any, plan, run) => {
        const sizes = [65_536, 4096, 1_048_576, 16_384];
        const specs = sizes.map((l2CacheBytes) => ({ ...any, l2CacheWays: 4, l2CacheBytes }));
        const chip = new ChipTiming(specs[0]!, { alternatives: specs.slice(1) });
        const timed = () => {
          chip.begin(plan);
          writeRun(chip.log, run, any, () => chip.advance(), plan.earlyLine > 0);
          const { alternatives, ...first } = chip.finish(OUTPUT_BYTES);
          return [first, ...alternatives];
        };
        const alone = specs.map((each) => {
          const { alternatives: _, ...timing } = simulate(each, plan, run);
          return timing;
        });
        expect(timed()).toEqual(alone);
        expect(timed()).toEqual(alone);
        counts[alone[1]!.cycles === alone[2]!.cycles ? 'same' : 'other']++;
      }),
      { numRuns: 60, seed: 37 },
    );
    expect(Math.min(...Object.values(counts))).toBeGreaterThan(5);
  });

  it('answers every byte that clients ask of memory, and reads no line of it that none asked for', () => {
    fc.assert(
      fc.property(anySpec, anyPlan, anyRun, (spec, plan, run) => {
        const { counters } = simulate(spec, plan, run, { isBatchwise: true });
        let asked = 0;
        for (const { read, write } of Object.values(MEMORY_CLIENTS)) {
          asked += counters[read]! + (write === null ? 0 : counters[write]!);
        }
        expect(counters['memory.bytesServed']).toBe(asked);
        const count = (name: CounterName) => counters[name]!;
        const lines =
          count('l2Cache.lineHits') +
          count('l2Cache.lineMisses') +
          count('l2Cache.linesMerged') +
          count('l2Cache.linesWritten');
        expect(64 * lines).toBe(asked);
        expect(count('memory.bytesRead')).toBe(64 * count('l2Cache.lineMisses'));
        const accesses =
          count('dram.rowHits') + count('dram.rowMisses') + count('dram.rowConflicts');
        expect(64 * accesses).toBe(count('memory.bytesRead') + count('memory.bytesWritten'));
      }),
      { numRuns: 60, seed: 34 },
    );
  });
});
