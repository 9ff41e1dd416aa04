/** The energy of a frame is that of its events, leakage and refreshes, and all its sums agree. */
import { COUNTER_NAMES, type Counters, type EnergyPj } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { accountEnergy, type EnergyInput } from './account-energy.ts';
import { countEvents, EnergySpec, energyOfEvent } from './energy-event.ts';
import { addEnergy, rangeOf } from './energy-range.ts';
import type { EnergyRun } from './event-sums.ts';
import { ENERGY_EVENTS } from './events.ts';

const PARAMETERS = {
  ...{ smCount: 2, warpThreads: 32, registerFileBytes: 131_072, instructionCacheBytes: 32_768 },
  ...{ constantCacheBytes: 0, vertexCacheBytes: 16_384, textureCacheBytes: 16_384 },
  ...{ colorCacheBytes: 32_768, depthCacheBytes: 32_768, l2CacheBytes: 1_048_576, l2Slices: 4 },
  ...{ hasL2Cache: true, remoteCache: 'l2', remoteCacheBytes: 524_288, tlbEntries: 0 },
  ...{ textureQuadsPerCycle: 1, specialIssueCycles: 4, interpolatedComponentsPerCycle: 64 },
  ...{
    hierarchicalDepthBlocksPerCycle: 1,
    setupIntervalCycles: 1,
    depthQuadsPerCycle: 4,
    outputQuadsPerCycle: 4,
  },
  ...{ dramRowBytes: 2048, dramChannels: 4, dramRefreshCycles: 100 },
  ...{ dramRefreshIntervalCycles: 2000 },
};
const SPEC = { clockHz: 1_000_000_000, parameters: PARAMETERS };
const CYCLES = 10_000;

function runOf(counters: Counters, place: Partial<EnergyRun> = {}): EnergyRun {
  const whole = { chipletId: 0, passIndex: null, binIndex: null, laneInstructions: 0 };
  return { ...whole, counters, ...place };
}

function account(runs: readonly EnergyRun[], others: Partial<EnergyInput> = {}) {
  const size = { chipletCount: 1, passCount: 1, bins: [], channels: [] };
  return accountEnergy({ spec: SPEC, cycles: CYCLES, ...size, runs, ...others });
}

function sum(parts: readonly { readonly dynamic: EnergyPj }[]): EnergyPj {
  return addEnergy(...parts.map(({ dynamic }) => dynamic));
}

/** Returns a run in which each counter has a count of its own. */
function busyRun(place: Partial<EnergyRun>): EnergyRun {
  const counters = Object.fromEntries(COUNTER_NAMES.map((name, i) => [name, 1000 + 7 * i]));
  return runOf(counters, { laneInstructions: 123_456, ...place });
}

describe('energy by hand', () => {
  it('of instructions is that of an operation and its registers', () => {
    const { total } = account([runOf({}, { laneInstructions: 1000 })], { cycles: 0 });
    // 45 nm: 4 KiB of registers take 10 × √½ pJ for 64 bits; N7 takes 1.31 ÷ 3.7 of that.
    const node = 1.31 / 3.7;
    const word = (10 * Math.SQRT1_2) / 2;
    expect(total.total).toEqual({
      lowPj: Math.round(1000 * node * (0.1 + 2 * word)),
      typicalPj: Math.round(1000 * node * (2 * (0.9 / 2 + 3.7 / 2) + 3 * word)),
      highPj: Math.round(1000 * node * (4 * (0.1 + 3.1 / 4 + 0.9 + 3.7) + 4 * word)),
    });
  });

  it('of local memory is that of its commands', () => {
    const counters = { 'memory.bytesRead': 600, 'memory.bytesWritten': 40, 'dram.rowConflicts': 2 };
    const { units } = account([runOf(counters)], { cycles: 0 });
    // IDD0 71, IDD2N 60, IDD3N 61 mA; tRAS 30.2, tRC 45 ns; 1.35 V.
    const activate = (71 * 45 - 61 * 30.2 - 60 * 14.8) * 1.35;
    const { lowPj, highPj } = units.find(({ unit }) => unit === 'dram')!.dynamic;
    expect(lowPj).toBe(Math.round(2 * activate) + Math.round(640 * 8 * (5.5 - activate / 512)));
    expect(highPj).toBe(2 * 2 * 909 + 640 * 8 * 7.5);
  });

  it('of a link is its bytes by class of channel', () => {
    const names = ['0→1', 'network→1', 'package 0→package 1'];
    const channels = names.map((channel) => ({ channel, bytes: 1000 }));
    const { link, total } = account([], { cycles: 0, channels });
    expect(link.channels).toEqual([
      { channel: '0→1', linkClass: 'standard-package', dynamic: rangeOf(4000, 4320, 4800) },
      { channel: 'network→1', linkClass: 'on-chip', dynamic: rangeOf(640, 640, 640) },
      { channel: names[2], linkClass: 'board', dynamic: rangeOf(10_400, 80_000, 80_000) },
    ]);
    expect(total.total).toEqual(rangeOf(15_040, 84_960, 85_440));
  });

  it('of refreshes and standby is their power in the time of the frame', () => {
    const dram = account([]).units.find(({ unit }) => unit === 'dram')!;
    // 4 channels for 10 µs; (286 − 61) mA and 60 mA at 1.35 V; 100 of 2000 cycles.
    expect(dram.refresh.highPj).toBe(Math.round((4 * 10_000 * 225 * 1.35) / 20));
    expect(dram.leakage.highPj).toBe(4 * 10_000 * 81);
    expect(dram.dynamic).toEqual(rangeOf(0, 0, 0));
  });

  it('of leakage halves and doubles with 35 K, and follows given circuits', () => {
    const logicMm2 = { low: 8, typical: 10, high: 12 };
    const circuits = new Map([['shaderCore', { logicMm2, memoryBits: 2 ** 23 }]] as const);
    const { units } = account([], { circuits });
    const { leakage } = units.find(({ unit }) => unit === 'shaderCore')!;
    // 8, 10 and 12 mm² × 40 mW + 8 Mbit × 1 mW, for 10 µs.
    expect(leakage).toEqual(rangeOf(1_640_000, 4_080_000, 9_760_000));
    expect(units.find(({ unit }) => unit === 'textureUnit')!.leakage.highPj).toBe(0);
  });

  it('divided by the time is the average power', () => {
    const { averagePower, total } = account([busyRun({})], { spec: { ...SPEC, clockHz: 5e8 } });
    expect(averagePower.typicalMw).toBeCloseTo(total.total.typicalPj / 20_000, 9);
  });
});

describe('laws of energy', () => {
  it.each(Object.entries(ENERGY_EVENTS))('%s doubles with each of its counts', (_name, event) => {
    const spec = new EnergySpec({
      ...SPEC,
      parameters: { ...PARAMETERS, remoteCache: 'own' },
    });
    const { lowPj, typicalPj, highPj } = energyOfEvent(event, spec, 'gddr6');
    expect(lowPj).toBeGreaterThan(0);
    expect(typicalPj).toBeGreaterThanOrEqual(lowPj);
    expect(highPj).toBeGreaterThanOrEqual(typicalPj);
    for (const name of Object.keys(event.counts)) {
      const of = (count: number) =>
        countEvents(event, spec, {
          counters: { [name]: count },
          laneInstructions: name === 'laneInstructions' ? count : 0,
        });
      expect(of(17)).toBeGreaterThan(0);
      expect(of(34)).toBe(2 * of(17));
    }
  });

  it.each(
    [...new Set(Object.values(ENERGY_EVENTS).flatMap(({ counts }) => Object.keys(counts)))].map(
      (name) => [name],
    ),
  )('doubles what a frame takes for %s', (name) => {
    const parameters = { ...PARAMETERS, remoteCache: 'own' };
    const dynamicOf = (count: number) => {
      const laneInstructions = name === 'laneInstructions' ? count : 0;
      const run = runOf({ [name]: count }, { laneInstructions });
      return account([run], { spec: { ...SPEC, parameters } }).total.dynamic;
    };
    const [none, once, twice] = [dynamicOf(0), dynamicOf(5_000_000), dynamicOf(10_000_000)];
    for (const end of ['lowPj', 'typicalPj', 'highPj'] as const) {
      expect(none[end]).toBe(0);
      expect(once[end]).toBeGreaterThan(1e5);
      expect(Math.abs(twice[end] - 2 * once[end])).toBeLessThanOrEqual(3);
    }
  });

  it('doubles the dynamic energy if every activity doubles, and nothing else', () => {
    const once = busyRun({});
    const counters = Object.fromEntries(
      Object.entries(once.counters).map(([name, count]) => [name, 2 * count]),
    );
    const doubled = { ...once, counters, laneInstructions: 2 * once.laneInstructions };
    const [before, after] = [account([once]).total, account([doubled]).total];
    const rounding = Object.keys(ENERGY_EVENTS).length;
    for (const end of ['lowPj', 'typicalPj', 'highPj'] as const) {
      expect(Math.abs(after.dynamic[end] - 2 * before.dynamic[end])).toBeLessThanOrEqual(rounding);
      expect(before.dynamic[end]).toBeGreaterThan(1e6);
    }
    expect(after.leakage).toEqual(before.leakage);
    expect(after.refresh).toEqual(before.refresh);
  });

  it('gives an idle chiplet the leakage and the refreshes of a busy one alone', () => {
    const { chiplets } = account([busyRun({})], { chipletCount: 2 });
    const [busy, idle] = chiplets;
    expect(idle!.dynamic).toEqual(rangeOf(0, 0, 0));
    expect(idle!.leakage).toEqual(busy!.leakage);
    expect(idle!.refresh).toEqual(busy!.refresh);
    expect(idle!.total).toEqual(addEnergy(idle!.leakage, idle!.refresh));
    expect(idle!.leakage.lowPj).toBeGreaterThan(0);
    expect(busy!.dynamic.lowPj).toBeGreaterThan(0);
  });

  it('adds up by unit, chiplet, pass and bin', () => {
    const bins = [0, 1, 2].map((id) => ({ passIndex: id % 2, id }));
    const runs = [
      busyRun({ chipletId: 0, passIndex: 0 }),
      ...bins.map(({ passIndex, id }) => busyRun({ chipletId: id, passIndex, binIndex: id })),
      busyRun({ chipletId: 2 }),
    ];
    const size = { chipletCount: 3, passCount: 2, bins };
    const energy = account(runs, { ...size, channels: [{ channel: 'bus', bytes: 999 }] });
    const { total, units, chiplets, passes, notByPass, notByBin, link } = energy;
    expect(addEnergy(sum(units), link.dynamic)).toEqual(total.dynamic);
    expect(addEnergy(sum(chiplets), link.dynamic)).toEqual(total.dynamic);
    expect(addEnergy(sum(passes), notByPass)).toEqual(sum(chiplets));
    expect(addEnergy(sum(energy.bins), notByBin)).toEqual(sum(chiplets));
    for (const kind of ['leakage', 'refresh'] as const) {
      expect(addEnergy(...units.map((unit) => unit[kind]))).toEqual(total[kind]);
      expect(addEnergy(...chiplets.map((chiplet) => chiplet[kind]))).toEqual(total[kind]);
    }
    expect(addEnergy(total.dynamic, total.leakage, total.refresh)).toEqual(total.total);
    expect(notByPass.lowPj).toBeGreaterThan(0);
  });
});
