import { DRAW_WORDS, FIRST_LOOKUP_WAIT, LOOKUP_WAITS, WARP_WAIT } from '@tessera/chip/records';
import { DirectChip } from '@tessera/chip/testing';
import { type ChipletSpec, defineChipletSpec } from '@tessera/chiplet-spec';
import { type RecordedRun, WARP_WAITS, warpWaitCounterOf } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyList, anySpec, recordBin, simulate } from '../testing/made-runs.ts';
import { withoutWaits } from '../testing/without-waits.ts';
import { ChipletMachine, type ChipletMachineOptions } from './chiplet-machine.ts';
import { EMPTY_RUN } from './run-request.ts';

const FAR = 2 ** 30;

/** Feeds each run when the machine wants one, and `delays[i]` cycles later, in windows. */
function drive(
  spec: ChipletSpec,
  runs: readonly RecordedRun[],
  delays: readonly number[],
  nextWindow: () => number,
  options: ChipletMachineOptions = {},
) {
  const machine = new ChipletMachine(spec, options);
  let fed = 0;
  let feedAt = delays[0]!;
  while (machine.leftCount < runs.length) {
    if (fed < runs.length && machine.cycle >= feedAt) {
      machine.feed(runs[fed++]!, 0);
      feedAt = FAR;
    }
    machine.advance(Math.min(feedAt, machine.cycle + nextWindow()));
    const isLast = fed === runs.length;
    if (machine.wantsRun && !isLast && feedAt === FAR) feedAt = machine.cycle + (delays[fed] ?? 0);
  }
  const ends = runs.map((_, run) => machine.leftAt(run));
  return { ends, ...machine.finish(), warpWaits: machine.warpWaits };
}

/** Number of lookups of a program that have a place, more than made programs have. */
const SITES = 16;
const PLACE_WORDS = WARP_WAIT.count + LOOKUP_WAITS * SITES;

/** Returns a place for each stage of each draw of runs. */
function placesOfRuns(runs: readonly RecordedRun[]) {
  const firsts = new Map<Int32Array, number>();
  let count = 0;
  for (const { draws } of runs) {
    firsts.set(draws, count);
    count += (2 * draws.length) / DRAW_WORDS;
  }
  return {
    words: count * PLACE_WORDS,
    placesOf: ({ draws }: RecordedRun) =>
      Int32Array.from(
        { length: (2 * draws.length) / DRAW_WORDS },
        (_, place) => (firsts.get(draws)! + place) * PLACE_WORDS,
      ),
  };
}

/** Sums a word of all places. */
function sumOfPlaces(words: Float64Array, word: number): number {
  let sum = 0;
  for (let at = word; at < words.length; at += PLACE_WORDS) sum += words[at]!;
  return sum;
}

const anyDelays = fc.array(fc.constantFrom(0, 0, 1, 70, 9000), { minLength: 5, maxLength: 5 });

describe('machine of a chiplet', () => {
  it('takes the time of a bin that is timed by itself, counters included', () => {
    fc.assert(
      fc.property(anySpec, anyList, (spec, [bin]) => {
        const machine = new ChipletMachine(spec, { addressSpaces: 1 });
        machine.feed(recordBin(spec, bin!), 0);
        const { cycles, counters, spans } = simulate(spec, bin!.plan, bin!.run);
        expect(machine.finish()).toEqual({ cycles, counters, spans, runs: [] });
      }),
      { numRuns: 30, seed: 71 },
    );
  });

  it('takes the same cycles in any windows, with bins that come early or late', () => {
    fc.assert(
      fc.property(
        anySpec,
        anyList,
        anyDelays,
        fc.array(fc.constantFrom(1, 7, 32, 500), { minLength: 1, maxLength: 9 }),
        (spec, list, delays, windows) => {
          const runs = list.map((bin) => recordBin(spec, bin));
          let next = 0;
          const cut = drive(spec, runs, delays, () => windows[next++ % windows.length]!);
          expect(cut).toEqual(drive(spec, runs, delays, () => FAR));
        },
      ),
      { numRuns: 40, seed: 72 },
    );
  });

  it('takes the same cycles in the compiled chip and in TypeScript, sleeping or not', () => {
    fc.assert(
      fc.property(anySpec, anyList, anyDelays, (spec, list, delays) => {
        const runs = list.map((bin) => recordBin(spec, bin));
        const compiled = drive(spec, runs, delays, () => FAR);
        const makeEngine: ChipletMachineOptions['makeEngine'] = (chip) => new DirectChip(chip);
        expect(drive(spec, runs, delays, () => FAR, { makeEngine })).toEqual(compiled);
        const naive = drive(spec, runs, delays, () => FAR, { isNaive: true });
        expect(withoutWaits(naive)).toEqual(withoutWaits(compiled));
      }),
      { numRuns: 6, seed: 73 },
    );
  });

  it('adds the cycles of warps to their draws and lookups, in the compiled chip and in TypeScript', () => {
    let waited = 0;
    fc.assert(
      fc.property(anySpec, anyList, anyDelays, (spec, list, delays) => {
        const runs = list.map((bin) => recordBin(spec, bin));
        const warpPlaces = placesOfRuns(runs);
        const { counters, warpWaits, ends } = drive(spec, runs, delays, () => FAR, { warpPlaces });
        const makeEngine: ChipletMachineOptions['makeEngine'] = (chip) => new DirectChip(chip);
        const direct = drive(spec, runs, delays, () => FAR, { warpPlaces, makeEngine });
        expect(direct.warpWaits).toEqual(warpWaits);
        expect(ends).toEqual(drive(spec, runs, delays, () => FAR).ends);
        for (const kind of WARP_WAITS) {
          const ofStages = sumOfPlaces(warpWaits, WARP_WAIT[kind]);
          expect(ofStages, kind).toBe(counters[warpWaitCounterOf(kind)]);
          const lookupWait = WARP_WAIT[kind] - FIRST_LOOKUP_WAIT;
          if (lookupWait < 0 || lookupWait >= LOOKUP_WAITS) continue;
          const ofSites = Array.from({ length: SITES }, (_, site) =>
            sumOfPlaces(warpWaits, WARP_WAIT.count + site * LOOKUP_WAITS + lookupWait),
          );
          expect(
            ofSites.reduce((sum, cycles) => sum + cycles, 0),
            kind,
          ).toBe(ofStages);
          waited += ofSites[1]!;
        }
      }),
      { numRuns: 12, seed: 74 },
    );
    expect(waited).toBeGreaterThan(0);
  });

  it('sends each bin once, in order, and no later for bins that wait behind it', () => {
    fc.assert(
      fc.property(anySpec, anyList, (spec, list) => {
        const runs = list.map((bin) => recordBin(spec, bin));
        const { ends, counters } = drive(spec, runs, [0], () => FAR);
        expect(new Set(ends).size).toBe(runs.length);
        expect(ends.toSorted((a, b) => a - b)).toEqual(ends);
        expect(counters['outputBus.bytesSent']).toBe(1000 * runs.length);
      }),
      { numRuns: 40, seed: 74 },
    );
  });

  it('finds textures and buffers of a pass in its caches, and none of another pass', () => {
    const spec = defineChipletSpec({ name: 'warm', smCount: 1 });
    const lookups = { vertexInstructions: 4, fragmentClauses: [3, 3, 3], maxLookupsInFlight: 0 };
    const draw = { ...lookups, readsTarget: false, isEarlyDepth: false };
    const blocks = [{ covered: 0xffff, passed: 0xffff, isKilled: false }];
    const primitive = { corners: [0, 1, 2], pieces: 1, isClipped: false, steps: 1, blocks };
    const made = recordBin(spec, {
      plan: { ...EMPTY_RUN, rect: { x: 0, y: 0, width: 1024, height: 4 }, imageLine: 100_000 },
      run: [[{ draw, primitives: [primitive] }]],
    });
    const run = { ...made, pageHeads: new Int32Array(0) };
    const missesOf = (passes: readonly number[], addressSpaces: number) => {
      const machine = new ChipletMachine(spec, { addressSpaces });
      for (const [number, pass] of passes.entries()) {
        machine.feed(run, pass);
        while (machine.leftCount <= number) machine.advance(FAR);
      }
      const { counters } = machine.finish();
      return counters['textureUnit.lineMisses']! + counters['vertexFetch.lineMisses']!;
    };
    const alone = missesOf([0], 2);
    expect(alone).toBeGreaterThan(3);
    expect(missesOf([0, 0, 0], 2)).toBe(alone);
    expect(missesOf([0, 1, 0], 2)).toBe(2 * alone);
    // The third pass takes the space of the first.
    expect(missesOf([0, 1, 2], 2)).toBe(3 * alone);
    expect(missesOf([0, 1, 1], 1)).toBe(2 * alone);
  });

  it('has a space for each pass on the machine, and says so if there are too many', () => {
    const spec = defineChipletSpec({ name: 'spaces' });
    const run = recordBin(spec, { plan: EMPTY_RUN, run: [] });
    const machine = new ChipletMachine(spec, { addressSpaces: 2 });
    machine.feed(run, 0);
    machine.feed(run, 1);
    expect(() => machine.feed(run, 2)).toThrow('runs of more than 2 passes at the same time');
  });
});
