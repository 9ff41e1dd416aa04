/**
 * Study of locality: bytes between four chiplets, from pages that take the memories in turn to
 * chiplets that keep what they use. OO-VR (Xie et al., ISCA 2019, arXiv 2001.03537) has the same
 * aim for a GPU of modules, and reports its traffic against such a GPU without the measures.
 */
import { type ChipletSpec, defineChipletSpec } from '@tessera/chiplet-spec';
import { MachinePool } from '@tessera/gpu';
import {
  type BinAssignmentPolicyName,
  defineInterconnect,
  type FrameMeasurement,
  parsePlacement,
  simulateFrames,
} from '@tessera/multi-chiplet';
import type { Cell } from '../../tables/csv.ts';
import {
  bytesOnLink,
  type ChipletStudy,
  COMMON_CONTEXT,
  geometricMean,
  percent,
  rowsWhere,
  simulationOf,
} from './chiplet-study.ts';

const CHIPLETS = 4;
const BYTES_PER_CYCLE = [16, 64];

/** Measures of a step: places of data, of remote lines, and of bins. */
interface Step {
  readonly placement: string;
  readonly remoteCache: ChipletSpec['remoteCache'];
  readonly policy: BinAssignmentPolicyName;
}

const KEPT = 'targets=kept,framebuffer=kept';
const FIRST_TOUCH = `textures=first-touch,buffers=first-touch,streams=first-touch,${KEPT}`;
const INTERLEAVED = 'textures=interleaved,buffers=interleaved,streams=interleaved';

/** Steps by their names in the results file. Each has one measure more than the one before. */
const STEPS: Readonly<Record<string, Step>> = {
  'nothing kept': {
    placement: `${INTERLEAVED},targets=interleaved,framebuffer=interleaved`,
    remoteCache: 'none',
    policy: 'static-interleaved',
  },
  'pixels kept': {
    placement: `${INTERLEAVED},${KEPT}`,
    remoteCache: 'none',
    policy: 'static-interleaved',
  },
  'first touch': {
    placement: FIRST_TOUCH,
    remoteCache: 'none',
    policy: 'static-interleaved',
  },
  'remote lines cached': {
    placement: FIRST_TOUCH,
    remoteCache: 'l2',
    policy: 'static-interleaved',
  },
  'bins pulled': { placement: FIRST_TOUCH, remoteCache: 'l2', policy: 'dynamic-pull' },
  copies: { placement: KEPT, remoteCache: 'l2', policy: 'dynamic-pull' },
};
const [BASELINE] = Object.keys(STEPS);

/** The study. */
export const LOCALITY: ChipletStudy = {
  settings: (bins) => [{ bins, visibility: 'minimal', coupling: 'exact' }],
  context: {
    chiplets: CHIPLETS,
    coupling: 'exact',
    overlap: 'none',
    linkTopology: 'ring',
    linkLatencyCycles: COMMON_CONTEXT.linkLatencyCycles,
  },
  figures: (scenes) => ({
    head: ['scene', 'step', 'linkBytesPerCycle', 'cycles', 'crossingBytes', 'scanoutBytes'],
    keyColumns: 3,
    rows: scenes.flatMap(({ scene, bySetting: [measurement] }) =>
      Object.entries(STEPS).flatMap(([name, step]) => simulateAll(scene, measurement!, name, step)),
    ),
  }),
  summarize: (rows) => {
    /** Returns the geometric mean of a sum of columns ÷ that of the first step. */
    const ratioOf = (step: string, bytesPerCycle: number, ...columns: string[]) => {
      const baseline = rowsWhere(rows, { step: BASELINE!, linkBytesPerCycle: bytesPerCycle });
      return geometricMean(
        rowsWhere(rows, { step, linkBytesPerCycle: bytesPerCycle }).map((row) => {
          const base = baseline.find(({ scene }) => scene === row.scene)!;
          const total = (of: typeof row) =>
            columns.reduce((sum, each) => sum + Number(of[each]), 0);
          return total(row) / total(base);
        }),
      );
    };
    const last = BYTES_PER_CYCLE.at(-1)!;
    const lessBytes = (step: string, ...columns: string[]) =>
      percent(ratioOf(step, last, ...columns) - 1);
    return {
      table: {
        head: [
          'measure',
          'bytes of the frame',
          'bytes with scan-out',
          ...BYTES_PER_CYCLE.map((bytes) => `speed, ${bytes} B/cycle`),
        ],
        rows: Object.keys(STEPS).map((step) => [
          step,
          lessBytes(step, 'crossingBytes'),
          lessBytes(step, 'crossingBytes', 'scanoutBytes'),
          ...BYTES_PER_CYCLE.map((bytes) => (1 / ratioOf(step, bytes, 'cycles')).toFixed(2)),
        ]),
      },
      plot: {
        title: `Bytes between ${CHIPLETS} chiplets by what they keep`,
        xLabel: 'measures, in the order of the table',
        yLabel: 'bytes ÷ bytes without measures',
        series: [
          { name: 'during the frame', columns: ['crossingBytes'] },
          { name: 'with scan-out', columns: ['crossingBytes', 'scanoutBytes'] },
        ].map(({ name, columns }) => ({
          name,
          points: Object.keys(STEPS).map((step, x) => ({ x, y: ratioOf(step, last, ...columns) })),
        })),
      },
    };
  },
};

/** Simulates a scene with each bandwidth of the links. */
function simulateAll(
  scene: string,
  measurement: FrameMeasurement,
  name: string,
  { placement, remoteCache, policy }: Step,
): Cell[][] {
  const pool = new MachinePool(defineChipletSpec({ remoteCache }));
  return BYTES_PER_CYCLE.map((bytesPerCycle) => {
    const simulated = simulateFrames([measurement], {
      ...simulationOf(CHIPLETS, { policy, placement: parsePlacement(placement) }),
      overlap: 'none',
      interconnect: defineInterconnect({ topology: 'ring', bytesPerCycle }),
      makeMachine: (sharing) => pool.take(sharing),
    });
    const { crossingBytes, scanoutBytes } = bytesOnLink(simulated);
    const { endCycle } = simulated.frames[0]!;
    return [scene, name, bytesPerCycle, endCycle, crossingBytes, scanoutBytes];
  });
}
