/**
 * The bounding-box study of the founding simulator (Zhang et al.). It counts the sub-tiles that
 * pass a level's edge tests although they miss the primitive's bounding box, so that the box test
 * would remove them. All passes of a frame count. Each is rendered, because the next one may
 * compute its vertices from the result.
 */

import { DEFAULT_CHIPLET_SPEC, summarizeSpec } from '@tessera/chiplet-spec';
import { type Chiplet, makeCoarseBinGrid, type PreparedFrame } from '@tessera/frame';
import { createLocalChiplet, SimulatedChiplet, type TilePoint } from '@tessera/gpu';
import { ProgramCache, prepareFrame, renderFrame } from '@tessera/multi-chiplet';
import { readFrame, STUDIED } from '../../inputs/read-frame.ts';

/** Levels of tile traversal. */
export const LEVELS = [1, 2, 3, 4, 5, 6, 7] as const;

/** Points at which tiles are tested: their corners, or the sample points nearest to these. */
export const TILE_POINTS = ['corner', 'centre'] as const satisfies readonly TilePoint[];

/** Counts of one scene. */
export interface BoundingBoxRow {
  readonly scene: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly tilePoint: TilePoint;
  /** Sub-tiles by level − 1. */
  readonly withoutBoxTest: readonly number[];
  readonly withBoxTest: readonly number[];
}

/** Options of the study. */
export interface BoundingBoxOptions {
  readonly entersAtBoxLevel: boolean;
  /** Index of the frame of a capture. */
  readonly frameIndex?: number | undefined;
}

/** Walks the primitives of one frame; returns a row for each of {@link TILE_POINTS}. */
export async function studyBoundingBox(
  scene: string,
  path: string,
  { entersAtBoxLevel, frameIndex }: BoundingBoxOptions,
): Promise<BoundingBoxRow[]> {
  const programs = new ProgramCache();
  const { frame } = await readFrame(path, { ...STUDIED, captureFrame: frameIndex }, programs);
  const { widthPx, heightPx } = frame;
  const prepared: PreparedFrame = prepareFrame(frame, {
    grid: makeCoarseBinGrid(widthPx, heightPx, 1, 1),
    visibilityShader: 'minimal',
    timing: 'functional',
    programs,
  });
  const chiplet = new SimulatedChiplet();
  const rows = TILE_POINTS.map((tilePoint) => ({
    scene,
    widthPx,
    heightPx,
    tilePoint,
    withoutBoxTest: LEVELS.map(() => 0),
    withBoxTest: LEVELS.map(() => 0),
  }));
  const countPass = (pass: PreparedFrame): void => {
    const resident = chiplet.admitFrame(pass);
    for (const { tilePoint, withoutBoxTest, withBoxTest } of rows) {
      const counts = chiplet.countSubTiles(resident, 0, { entersAtBoxLevel, tilePoint });
      for (const level of LEVELS) {
        withoutBoxTest[level - 1]! += counts.withoutBoxTest[level - 1]!;
        withBoxTest[level - 1]! += counts.withBoxTest[level - 1]!;
      }
    }
  };
  if (prepared.passLinks === undefined) countPass(prepared);
  else await visitPasses(prepared, countPass);
  return rows;
}

/**
 * Renders a frame on one chiplet and passes each of its passes, as a frame of its own, to the
 * visitor.
 */
async function visitPasses(
  frame: PreparedFrame,
  visit: (pass: PreparedFrame) => void,
): Promise<void> {
  const chiplet = createLocalChiplet({ id: 0 });
  const host: Chiplet = {
    id: 0,
    computeVisibility: (frameId, pass, passIndex) => {
      visit(pass);
      return chiplet.computeVisibility(frameId, pass, passIndex);
    },
    renderBin: (request) => chiplet.renderBin(request),
    releaseFrame: (frameId) => chiplet.releaseFrame(frameId),
  };
  await renderFrame(frame, {
    frameId: 'bounding-box',
    hosts: [host],
    chipletCount: 1,
    policy: 'dynamic',
    isVisibilityChipletRendering: true,
    spec: summarizeSpec(DEFAULT_CHIPLET_SPEC),
    readClockMs: () => performance.now(),
  });
}

/** Returns the share of a level's sub-tiles that the box test removes; 0 if there are none. */
export function gainOf({ withoutBoxTest, withBoxTest }: BoundingBoxRow, level: number): number {
  const without = withoutBoxTest[level - 1]!;
  return without === 0 ? 0 : (without - withBoxTest[level - 1]!) / without;
}

/**
 * Returns the mean over levels and scenes, each sub-tile weighted with its pixels: pixels of the
 * removed sub-tiles ÷ pixels of the sub-tiles that pass without the box test.
 */
export function pixelWeightedGain(rows: readonly BoundingBoxRow[]): number {
  let removed = 0;
  let all = 0;
  for (const { withoutBoxTest, withBoxTest } of rows) {
    for (const level of LEVELS) {
      const pixels = 4 ** (7 - level);
      removed += pixels * (withoutBoxTest[level - 1]! - withBoxTest[level - 1]!);
      all += pixels * withoutBoxTest[level - 1]!;
    }
  }
  return all === 0 ? 0 : removed / all;
}
