/**
 * Study of what bounds frames: those whose bound is known, and the benchmark set. Each bound with
 * settings is checked by rendering the frame on hardware whose bound is twice as fast.
 */
import { DEFAULT_CHIPLET_SPEC } from '@tessera/chiplet-spec';
import type { Frame, FrameBound } from '@tessera/frame';
import { LocalGpu, type LocalGpuOptions, type RenderOptions, tryBounds } from '@tessera/local-gpu';
import type { Cell, KeyedTable } from '../../tables/csv.ts';
import { BENCHMARK_SCENES } from '../scenes/study-scenes.ts';
import { makeFrame } from '../validation/made-frames.ts';
import { KNOWN_BOUNDS } from './known-bounds.ts';

/** Numbers of chiplets on which frames of the benchmark set are explained. */
const CHIPLET_COUNTS = [1, 4] as const;
const SIZE = { widthPx: 640, heightPx: 360 } as const;
const BINS = 64;
/** Scene whose visibility phase has too many records for chiplets that run on. */
const TOO_LARGE = 'valley-10m';
const DIGITS = 4;

/** Frame of the study with its hardware. */
interface ExplainedFrame {
  readonly scene: string;
  readonly makeFrame: () => Frame;
  readonly hardware: LocalGpuOptions & { readonly chipletCount: number };
  readonly options: RenderOptions;
}

/** Whether the bound of a frame is known. */
export function isKnownBound(scene: string): boolean {
  return scene in KNOWN_BOUNDS;
}

/** Computes the rows of all frames, or of some. */
export async function studyBounds(isWanted: (scene: string) => boolean): Promise<KeyedTable> {
  const rows: Cell[][] = [];
  for (const explained of listFrames()) {
    if (isWanted(explained.scene)) rows.push(...(await explain(explained)));
  }
  return {
    head: [
      ...['scene', 'chiplets', 'bound', 'cycles', 'boundUnits', 'boundShare', 'boundUtilization'],
      ...['speedUpPredicted', 'settings', 'cyclesPredicted', 'cyclesMeasured', 'predictionError'],
    ],
    keyColumns: 3,
    rows,
  };
}

function listFrames(): ExplainedFrame[] {
  const known = Object.entries(KNOWN_BOUNDS).map(([scene, bound]) => ({
    scene,
    makeFrame: () => makeFrame(bound.made),
    hardware: { chipletCount: bound.chipletCount, spec: bound.spec },
    options: { interconnect: bound.interconnect },
  }));
  const scenes = Object.entries(BENCHMARK_SCENES).filter(([scene]) => scene !== TOO_LARGE);
  const benchmark = scenes.flatMap(([scene, make]) =>
    CHIPLET_COUNTS.map((chipletCount) => ({
      scene,
      makeFrame: () => make(SIZE),
      hardware: { chipletCount, spec: DEFAULT_CHIPLET_SPEC },
      options: {},
    })),
  );
  return [...known, ...benchmark];
}

/** Returns a row for each bound of a frame. */
async function explain({ scene, makeFrame: make, hardware, options }: ExplainedFrame) {
  const frame = make();
  const all = { ...options, grid: { kind: 'bins', count: BINS }, timing: 'cycle' } as const;
  const { report } = await new LocalGpu(hardware).render(frame, all);
  const { bounds } = report.causes!;
  const tried = await tryBounds(frame, bounds, hardware, all);
  return bounds.map((bound, i) =>
    rowOf([scene, hardware.chipletCount, i + 1], report.totals.cycles!, bound, tried[i]),
  );
}

function rowOf(
  key: readonly Cell[],
  cycles: number,
  bound: FrameBound,
  tried: Awaited<ReturnType<typeof tryBounds>>[number] | undefined,
): Cell[] {
  const { resources, share, utilization, predictedCycles } = bound;
  const settings = Object.entries(tried?.settings ?? {}).map(([name, value]) => `${name}=${value}`);
  return [
    ...[...key, cycles, resources.join(' '), share.toFixed(DIGITS), utilization.toFixed(DIGITS)],
    ...[(cycles / predictedCycles).toFixed(DIGITS), settings.join(' '), predictedCycles],
    ...(tried === undefined
      ? ['', '']
      : [tried.cycles, (predictedCycles / tried.cycles - 1).toFixed(DIGITS)]),
  ];
}
