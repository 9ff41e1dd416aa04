/** The golden scenes increment every counter of the cycle model, so that none is dead. */

import { type ChipletSpec, DEFAULT_CHIPLET_SPEC, defineChipletSpec } from '@tessera/chiplet-spec';
import {
  addCounters,
  COUNTER_NAMES,
  type CounterName,
  type Counters,
  TIMED_UNITS,
  UNIT_WAITS,
  WARP_WAITS,
  waitCounterOf,
  warpWaitCounterOf,
} from '@tessera/frame';
import { LocalGpu } from '@tessera/local-gpu';
import { parsePlacement } from '@tessera/multi-chiplet';
import { describe, expect, it } from 'vitest';
import { GOLDEN_SCENES } from './scenes.ts';

/**
 * A specification with small queues and caches, so that units wait for each other. Primitives enter
 * at level 1.
 */
const NARROW = defineChipletSpec({
  name: 'narrow',
  batchPrimitives: 16,
  batchStates: 2,
  queueEntries: 2,
  primitiveQueueEntries: 4,
  fragmentWarpWindow: 8,
  outputQuadsPerCycle: 1,
  registerFileBytes: 4096,
  smCount: 1,
  warpSlotsPerSm: 2,
  warpIdFloor: 1,
  vertexResultWarps: 1,
  colorCacheBytes: 1024,
  depthCacheBytes: 1024,
  hasDepthCompression: true,
  hasColorCompression: true,
  l2CacheBytes: 4096,
  constantCacheBytes: 1024,
  tlbEntries: 4,
  programBlocks: 2,
  tlbWays: 1,
  pageBytes: 4096,
  entersAtBoxLevel: false,
});

/** The same with many warps, so that shader cores wait for their texture units. */
const CROWDED = defineChipletSpec({
  ...NARROW,
  name: 'crowded',
  queueEntries: 1,
  pageStructure: 'list',
  tlbEntries: 0,
  primitiveQueueEntries: 256,
  registerFileBytes: 65_536,
  warpSlotsPerSm: 16,
  textureLinesPerCycle: 1,
});

/**
 * Stalls that never occur, because the units always have room for their output. The bus sends
 * whenever it is free. Lines from local memory have reserved entries. The page walker
 * has room for a read of each walk.
 */
const NEVER_MOVED: readonly CounterName[] = [
  'outputBus.cyclesStalled',
  'pageWalker.cyclesStalled',
  'dram.cyclesStalled',
];

/** Waits that need more of something than the scenes have: copies, streams, blocks of a program. */
const SELDOM_MOVED: readonly CounterName[] = [
  'commandProcessor.starvedL2',
  'commandProcessor.starvedRequests',
  'commandProcessor.starvedVisibility',
  'commandProcessor.stalledRequests',
  'vertexFetch.stalledL2',
  'vertexFetch.stalledRemote',
  'vertexFetch.stalledRequests',
  'fineBinReader.starvedRequests',
  'tileTraversal.stalledTarget',
  'earlyDepth.stalledRequests',
  'earlyDepth.stalledTarget',
  'taskScheduler.stalledOutput',
  'shaderCore.starvedOutput',
  'shaderCore.starvedRegisters',
  'textureUnit.stalledRequests',
  'outputMerger.stalledOutput',
  'outputBus.stalledRequests',
  'copyEngine.starvedRemote',
];

/**
 * Adds counters in which the waits of each unit add up to its starved and stalled cycles, and those
 * of warps to the cycles in which slots hold one.
 */
function addChecked(sum: Counters, counters: Counters): void {
  for (const unit of TIMED_UNITS) {
    for (const state of ['starved', 'stalled'] as const) {
      const waits = UNIT_WAITS[unit][state].map(
        (kind) => counters[waitCounterOf(unit, state, kind)] ?? 0,
      );
      const cycles = state === 'starved' ? 'cyclesStarved' : 'cyclesStalled';
      expect(
        waits.reduce((all, wait) => all + wait, 0),
        `${unit} ${state}`,
      ).toBe(counters[`${unit}.${cycles}`] ?? 0);
    }
  }
  const ofWarps = WARP_WAITS.map((kind) => counters[warpWaitCounterOf(kind)] ?? 0);
  expect(ofWarps.every((cycles) => cycles >= 0)).toBe(true);
  expect(ofWarps.reduce((all, cycles) => all + cycles, 0)).toBe(
    (counters['taskScheduler.slotCyclesVertex'] ?? 0) +
      (counters['taskScheduler.slotCyclesFragment'] ?? 0),
  );
  expect(counters['shaderCore.warpCyclesIssue'] ?? 0).toBe(counters['shaderCore.cyclesBusy'] ?? 0);
  expect(counters['shaderCore.warpCyclesStart'] ?? 0).toBe(
    (counters['vertexFetch.warps'] ?? 0) + (counters['warpPacking.warps'] ?? 0),
  );
  addCounters(sum, counters);
}

async function sumOverScenes(spec: ChipletSpec): Promise<Counters> {
  const sum: Counters = {};
  const gpu = new LocalGpu({ chipletCount: 2, spec });
  for (const makeScene of Object.values(GOLDEN_SCENES)) {
    const { report } = await gpu.render(await makeScene(), {
      policy: 'dynamic',
      grid: { kind: 'bins', count: 4 },
      visibilityShader: 'minimal',
      timing: 'cycle',
      coupling: 'none',
    });
    for (const { counters } of report.chiplets) addChecked(sum, counters);
  }
  return sum;
}

/** Shader cores that read the same remote lines, with a cache of these and a server that waits. */
const SHARING = defineChipletSpec({
  ...NARROW,
  name: 'sharing',
  tlbEntries: 0,
  smCount: 4,
  warpSlotsPerSm: 4,
  remoteCache: 'own',
  remoteServerEntries: 1,
});

/** Returns the counters of chiplets that share their memories. */
async function sumOfSharing(): Promise<Counters> {
  const sum: Counters = {};
  const gpu = new LocalGpu({ chipletCount: 3, spec: SHARING });
  for (const name of ['texture-linear-interpolation', 'occlusion-queries', 'terrain']) {
    const { report } = await gpu.render(await GOLDEN_SCENES[name]!(), {
      grid: { kind: 'bins', count: 8 },
      timing: 'cycle',
      coupling: 'exact',
      placement: parsePlacement(
        'textures=first-touch,buffers=first-touch,streams=interleaved,targets=interleaved',
      ),
    });
    for (const { counters } of report.chiplets) addChecked(sum, counters);
  }
  return sum;
}

/** Returns the counters of a scene as transform feedback, which only parts of frames have. */
async function sumOfFeedback(): Promise<Counters> {
  const frame = await GOLDEN_SCENES['texture-linear-interpolation']!();
  const passes = frame.passes.map((pass) => ({ ...pass, target: { kind: 'feedback' } as const }));
  const options = { timing: 'cycle', coupling: 'none' } as const;
  const rendered = new LocalGpu().renderNow({ ...frame, passes }, options);
  const sum: Counters = {};
  addChecked(sum, rendered.passes[0]!.visibility.counters);
  return sum;
}

describe('counters of the cycle model', () => {
  it('are incremented by the golden scenes, and waits add up to the cycles of units and warps', async () => {
    const sum: Counters = {};
    for (const spec of [DEFAULT_CHIPLET_SPEC, NARROW, CROWDED]) {
      addCounters(sum, await sumOverScenes(spec));
    }
    addCounters(sum, await sumOfSharing());
    addCounters(sum, await sumOfFeedback());
    const ofTiming = COUNTER_NAMES.slice(COUNTER_NAMES.indexOf('commandProcessor.cyclesBusy'));
    expect(ofTiming.length).toBeGreaterThan(50);
    expect(ofTiming.filter((name) => !sum[name])).toEqual([...NEVER_MOVED, ...SELDOM_MOVED]);
  });
});
