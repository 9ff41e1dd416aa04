/**
 * Study of a GPU of chiplets against a monolithic GPU of the same resources, as MCM-GPU (Arunkumar
 * et al., ISCA 2017) compares itself with one that cannot be built. The monolith is N tiles, each
 * with the units, caches and memory channels of a chiplet. Its interconnect carries every message
 * in five cycles and never limits. Tile and channel of a line follow from its address.
 */
import { DEFAULT_CHIPLET_SPEC, defineChipletSpec } from '@tessera/chiplet-spec';
import { MachinePool } from '@tessera/gpu';
import {
  DEFAULT_INTERCONNECT,
  defineInterconnect,
  type FrameMeasurement,
  type InterconnectSpec,
  parsePlacement,
  simulateFrames,
} from '@tessera/multi-chiplet';
import type { Cell, CsvRecord } from '../../tables/csv.ts';
import {
  bytesOnLink,
  type ChipletStudy,
  COMMON_CONTEXT,
  meanOf,
  onOneChiplet,
  percent,
  rowsWhere,
  simulationOf,
  sum,
} from './chiplet-study.ts';

const COUNTS = [2, 4, 8, 16];
/** Number of modules of MCM-GPU. */
const MCM_COUNT = 4;
const REFERENCE = 'monolith';

/** A GPU of N tiles or chiplets. */
interface Gpu {
  readonly spec: Parameters<typeof defineChipletSpec>[0];
  readonly interconnect: InterconnectSpec;
  readonly placement: string;
}

/** Everything in one memory, which takes turns page by page. */
const ONE_MEMORY =
  'textures=interleaved,buffers=interleaved,streams=interleaved,targets=interleaved,framebuffer=interleaved';
/** The widest link, and the least cycles that machines with shared memories can have. */
export const IDEAL = defineInterconnect({
  topology: 'full',
  bytesPerCycle: 65_536,
  latencyCycles: 1,
});
/** Ring of MCM-GPU, whose links carry as much as the local memory of a module. */
const RING = defineInterconnect({ topology: 'ring', bytesPerCycle: 64 });

const { channelInterleaveBytes, dramChannels } = DEFAULT_CHIPLET_SPEC;
/** Parameters of a tile that differ from those of a chiplet. */
export const TILE = {
  remoteInterfaceCycles: 0,
  // All channels of all tiles take the pieces in turn, as those of one memory.
  placementPageBytes: channelInterleaveBytes * dramChannels,
};

/** GPUs by their names in the results file. */
const GPUS: Readonly<Record<string, Gpu>> = {
  // A tile keeps lines of others in its part of the second-level cache.
  [REFERENCE]: {
    spec: { ...TILE, remoteCache: 'l2' },
    interconnect: IDEAL,
    placement: ONE_MEMORY,
  },
  // A line is only in the part of its channel, which answers a line per cycle, in order.
  'monolith-sliced': {
    spec: { ...TILE, remoteCache: 'none' },
    interconnect: IDEAL,
    placement: ONE_MEMORY,
  },
  'copies-gathered': { spec: {}, interconnect: DEFAULT_INTERCONNECT, placement: 'replicated' },
  'copies-kept': {
    spec: {},
    interconnect: DEFAULT_INTERCONNECT,
    placement: 'targets=kept,framebuffer=kept',
  },
  interleaved: { spec: {}, interconnect: DEFAULT_INTERCONNECT, placement: ONE_MEMORY },
  'mcm-basic': { spec: { remoteCache: 'none' }, interconnect: RING, placement: ONE_MEMORY },
  'mcm-optimized': {
    spec: { remoteCache: 'own' },
    interconnect: RING,
    placement:
      'textures=first-touch,buffers=first-touch,streams=first-touch,targets=kept,framebuffer=kept',
  },
};

/** The study. */
export const MONOLITH: ChipletStudy = {
  settings: (bins) => [{ bins, visibility: 'minimal', coupling: 'exact' }],
  context: { coupling: 'exact', overlap: 'none', policy: COMMON_CONTEXT.policy },
  figures: (scenes) => ({
    head: ['scene', 'gpu', 'chiplets', 'cycles', 'visibilityCycles', 'speedUp', 'crossingBytes'],
    keyColumns: 3,
    rows: scenes.flatMap(({ scene, bySetting: [measurement] }) =>
      Object.entries(GPUS).flatMap(([name, gpu]) => simulateAll(scene, measurement!, name, gpu)),
    ),
  }),
  summarize: (rows) => {
    const speedUpOf = (gpu: string, chiplets: number) =>
      meanOf(rowsWhere(rows, { gpu, chiplets }), ({ speedUp }) => Number(speedUp));
    const halfSpeedUp = speedUpOf(REFERENCE, MCM_COUNT / 2);
    const last = COUNTS.at(-1)!;
    return {
      table: {
        head: [
          'GPU',
          ...COUNTS.map((count) => `N = ${count}`),
          ...COUNTS.map((count) => `share at ${count}`),
          `share of bins at ${last}`,
          `speed at ${MCM_COUNT} ÷ monolith of ${MCM_COUNT / 2}`,
          `MB between chiplets at ${MCM_COUNT}`,
        ],
        rows: Object.keys(GPUS).map((gpu) => [
          gpu,
          ...COUNTS.map((count) => speedUpOf(gpu, count).toFixed(2)),
          ...COUNTS.map((count) => percent(speedUpOf(gpu, count) / speedUpOf(REFERENCE, count))),
          percent(
            meanOf(rowsWhere(rows, { gpu: REFERENCE, chiplets: last }), binCyclesOf) /
              meanOf(rowsWhere(rows, { gpu, chiplets: last }), binCyclesOf),
          ),
          (speedUpOf(gpu, MCM_COUNT) / halfSpeedUp).toFixed(2),
          (
            sum(
              rowsWhere(rows, { gpu, chiplets: MCM_COUNT }).map(({ crossingBytes }) =>
                Number(crossingBytes),
              ),
            ) / 1e6
          ).toFixed(1),
        ]),
      },
      plot: {
        title: 'Speed-up of a frame on chiplets and on a monolith',
        xLabel: 'chiplets, or tiles of the monolith',
        yLabel: 'speed-up over one chiplet',
        series: Object.keys(GPUS).map((name) => ({
          name,
          isReference: name === REFERENCE,
          points: COUNTS.map((x) => ({ x, y: speedUpOf(name, x) })),
        })),
      },
    };
  },
};

/** Simulates a scene on a GPU of each size. */
function simulateAll(
  scene: string,
  measurement: FrameMeasurement,
  name: string,
  { spec, interconnect, placement }: Gpu,
): Cell[][] {
  const pool = new MachinePool(defineChipletSpec(spec));
  return COUNTS.map((chiplets) => {
    const simulated = simulateFrames([measurement], {
      ...simulationOf(chiplets, { interconnect, placement: parsePlacement(placement) }),
      overlap: 'none',
      makeMachine: (sharing) => pool.take(sharing),
    });
    const { endCycle, passes } = simulated.frames[0]!;
    const speedUp = onOneChiplet(measurement).cycles / endCycle;
    const phases = passes.map((pass) => pass.visibilityEndCycle - pass.visibilityStartCycle);
    const { crossingBytes } = bytesOnLink(simulated);
    return [scene, name, chiplets, endCycle, sum(phases), speedUp.toFixed(4), crossingBytes];
  });
}

/** Returns the cycles of a frame in which no visibility phase runs. */
function binCyclesOf({ cycles, visibilityCycles }: CsvRecord): number {
  return Number(cycles) - Number(visibilityCycles);
}
