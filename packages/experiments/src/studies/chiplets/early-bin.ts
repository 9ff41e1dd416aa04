/**
 * Studies of the early bin: the cycles of a frame whose visibility phase runs the full shader, with
 * and without a bin that chiplet 0 renders within the phase.
 */
import type { Coupling } from '@tessera/frame';
import { cubeFrame, randomTrianglesFrame, terrainFrame, texturedQuadFrame } from '@tessera/scenes';
import type { Cell, CsvRecord } from '../../tables/csv.ts';
import { BENCHMARK_SCENES, type GeneratedScenes, type SceneSize } from '../scenes/study-scenes.ts';
import {
  type ChipletStudy,
  COMMON_CONTEXT,
  percent,
  rowsWhere,
  type SceneMeasurements,
  type StudySummary,
  simulateAlone,
} from './chiplet-study.ts';

const CHIPLET_COUNTS = [4, 8, 16];
/** Smallest difference that counts as faster or slower, as a share of the cycles. */
const NOTED = 0.001;

/** Scene of the benchmark set whose bins and phase have more records than a host may keep. */
const TOO_LARGE = 'valley-10m';

/** The study of bins that are timed by themselves. */
export const EARLY_BIN = studyEarlyBin('none', {
  cube: (size) => cubeFrame(size),
  'textured-quad': (size) => texturedQuadFrame(size),
  'random-triangles': randomTriangles,
  'terrain 10k': (size) => terrainFrame({ ...size, triangles: 10_000 }),
  'terrain 100k': (size) => terrainFrame({ ...size, triangles: 100_000 }),
});

/** The study of chiplets that run on from bin to bin. */
export const EARLY_BIN_EXACT = studyEarlyBin('exact', {
  'random-triangles': randomTriangles,
  ...Object.fromEntries(Object.entries(BENCHMARK_SCENES).filter(([name]) => name !== TOO_LARGE)),
});

function randomTriangles(size: SceneSize) {
  return randomTrianglesFrame({ ...size, seed: 7, count: 2000 });
}

function studyEarlyBin(coupling: Coupling, scenes: GeneratedScenes): ChipletStudy {
  return {
    scenes,
    settings: (bins) =>
      [false, true].map((rendersEarlyBin) => ({
        bins,
        visibility: 'full' as const,
        rendersEarlyBin,
        coupling,
      })),
    context: { ...COMMON_CONTEXT, coupling, placement: 'replicated', overlap: 'none' },
    figures: (measured) => ({
      head: [
        ...['scene', 'chiplets', 'earlyBins', 'visibilityCycles', 'cycles'],
        ...['visibilityCyclesWithEarlyBin', 'cyclesWithEarlyBin'],
      ],
      keyColumns: 2,
      rows: measured.flatMap((scene) =>
        CHIPLET_COUNTS.map((chiplets) => compareFrames(scene, chiplets)),
      ),
    }),
    summarize,
  };
}

function compareFrames({ scene, bySetting }: SceneMeasurements, chiplets: number): Cell[] {
  const [without, early] = bySetting;
  const bins = early!.passes.flatMap((pass) => pass.bins);
  const [before, after] = [without!, early!].map((measurement) => {
    const { cycles, simulated } = simulateAlone(measurement, chiplets);
    const phases = simulated.frames[0]!.passes.map(
      ({ visibilityStartCycle, visibilityEndCycle }) => visibilityEndCycle - visibilityStartCycle,
    );
    return { cycles, visibilityCycles: phases.reduce((sum, phase) => sum + phase, 0) };
  });
  return [
    ...[scene, chiplets, bins.filter(({ isEarly }) => isEarly).length],
    ...[before!.visibilityCycles, before!.cycles, after!.visibilityCycles, after!.cycles],
  ];
}

function summarize(rows: readonly CsvRecord[]): StudySummary {
  const ratiosOf = (chiplets: number) =>
    rowsWhere(rows, { chiplets })
      .map(({ cycles, cyclesWithEarlyBin }) => Number(cyclesWithEarlyBin) / Number(cycles))
      .toSorted((a, b) => a - b);
  const change = (ratio = 1) => percent(ratio - 1);
  return {
    table: {
      head: [
        ...['chiplets', 'scenes with an early bin', 'faster', 'slower'],
        ...['least', 'median', 'most'],
      ],
      rows: CHIPLET_COUNTS.map((chiplets) => {
        const ratios = ratiosOf(chiplets);
        return [
          chiplets,
          rowsWhere(rows, { chiplets }).filter(({ earlyBins }) => Number(earlyBins) > 0).length,
          ratios.filter((ratio) => ratio <= 1 - NOTED).length,
          ratios.filter((ratio) => ratio >= 1 + NOTED).length,
          change(ratios[0]),
          change(ratios[Math.floor(ratios.length / 2)]),
          change(ratios.at(-1)),
        ];
      }),
    },
    plot: {
      title: 'A frame with an early bin',
      xLabel: 'scenes, from the smallest to the largest ratio (%)',
      yLabel: 'cycles ÷ those without',
      series: CHIPLET_COUNTS.map((chiplets) => ({
        name: `${chiplets} chiplets`,
        points: ratiosOf(chiplets).map((y, i, { length }) => ({ x: (100 * (i + 1)) / length, y })),
      })),
    },
  };
}
