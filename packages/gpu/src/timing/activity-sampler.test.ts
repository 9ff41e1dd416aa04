import { BUSY, type ChipEngine, STALLED, STARVED, STATE_COUNT, WAIT_WORDS } from '@tessera/chip';
import { COUNTS } from '@tessera/chip/records';
import { RenderError } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { ActivitySampler, MAX_SAMPLED_SPANS } from './activity-sampler.ts';
import { ChipCounters } from './chip-counters.ts';

const MODULES = ['raster.tileTraversal', 'shading.shaderCore[0]'];

/** Engine whose cycles and states the test sets. */
class StubEngine {
  cycle = 0;
  readonly moduleNames = MODULES;
  readonly stateCycles = new Int32Array(MODULES.length * STATE_COUNT);
  readonly waitCycles = new Int32Array(MODULES.length * WAIT_WORDS);
  readonly counts = new Float64Array(4096);
  measureCount = 0;

  measure(): void {
    this.measureCount++;
  }

  /** Lets cycles pass in which each module is in a state. */
  pass(cycles: number, states: readonly number[]): void {
    this.cycle += cycles;
    for (const [module, state] of states.entries()) {
      this.stateCycles[module * STATE_COUNT + state]! += cycles;
    }
  }

  add(slot: keyof typeof COUNTS, count: number): void {
    this.counts[Object.keys(COUNTS).indexOf(slot)]! += count;
  }
}

function start(intervalCycles: number) {
  const engine = new StubEngine();
  const sampler = new ActivitySampler(
    engine as unknown as ChipEngine,
    new ChipCounters(MODULES),
    intervalCycles,
  );
  return { engine, sampler };
}

describe('ActivitySampler', () => {
  it('joins intervals in which a unit has one state, and keeps mixed ones apart', () => {
    const { engine, sampler } = start(10);
    engine.pass(10, [BUSY, STARVED]);
    sampler.sample();
    expect(sampler.nextCycle).toBe(20);
    engine.pass(10, [BUSY, STALLED]);
    sampler.sample();
    engine.pass(4, [STARVED, STALLED]);
    engine.pass(6, [BUSY, STALLED]);
    sampler.sample();
    engine.pass(3, [BUSY, STALLED]);
    sampler.sample();
    const sums = { busyCycles: 0, starvedCycles: 0, stalledCycles: 0 };
    const [unit, core] = MODULES as [string, string];
    expect(sampler.spans).toEqual([
      { ...sums, unit, startCycle: 0, endCycle: 20, busyCycles: 20 },
      { ...sums, unit, startCycle: 20, endCycle: 30, busyCycles: 6, starvedCycles: 4 },
      { ...sums, unit, startCycle: 30, endCycle: 33, busyCycles: 3 },
      { ...sums, unit: core, startCycle: 0, endCycle: 10, starvedCycles: 10 },
      { ...sums, unit: core, startCycle: 10, endCycle: 33, stalledCycles: 23 },
    ]);
    expect(engine.measureCount).toBe(4);
  });

  it('adds counts to the interval before if the rates are the same', () => {
    const { engine, sampler } = start(10);
    for (const hits of [5, 5, 0, 7]) {
      engine.pass(10, [BUSY, BUSY]);
      engine.add('l2LineHits', hits);
      sampler.sample();
    }
    expect(sampler.tracks).toMatchObject({ endCycles: [20, 30, 40], l2Hits: [10, 0, 7] });
  });

  it('ignores a sample without cycles', () => {
    const { sampler } = start(10);
    sampler.sample();
    expect(sampler.spans).toEqual([]);
    expect(sampler.tracks.endCycles).toEqual([]);
  });

  it('fails with the length and the cycle when there are too many spans', () => {
    const { engine, sampler } = start(1);
    const run = () => {
      for (let cycle = 0; cycle <= MAX_SAMPLED_SPANS; cycle++) {
        engine.pass(1, cycle % 2 === 0 ? [BUSY, STARVED] : [STARVED, BUSY]);
        sampler.sample();
      }
    };
    expect(run).toThrow(RenderError);
    expect(run).toThrow(
      /^timeline cycles: 1 give more than 131072 spans of a chiplet by cycle \d+/,
    );
  });
});
