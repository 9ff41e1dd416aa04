/**
 * Counts the sub-tiles that each level of the rasterizer passes, with and without the bounding-box
 * test, for the bounding-box study (Zhang et al., "A GPU simulator"). Primitives come from setup
 * and cover the whole target, not single bins.
 */

import { LEVEL_COUNT } from '@tessera/chip/records';
import { primitiveCountOf } from '@tessera/frame';
import type { ResidentFrame } from '../command/resident-frame.ts';
import type { GeometryUnit } from '../geometry/geometry-unit.ts';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import {
  SevenLevelTraversal,
  type TraversalSwitches,
} from '../raster/hardware/seven-level-traversal.ts';

/** Counts per level, at index level − 1. */
export interface SubTileCounts {
  /** Number of sub-tiles that pass the edge tests. */
  readonly withoutBoxTest: readonly number[];
  /** Number of these that intersect the bounding box. */
  readonly withBoxTest: readonly number[];
}

/**
 * Walks all primitives of a pass.
 *
 * @param maxIds Maximum number of primitives per segment, given by the memory layout.
 */
export function countSubTiles(
  memory: ChipletMemory,
  geometry: GeometryUnit,
  frame: ResidentFrame,
  passIndex: number,
  maxIds: number,
  switches: Omit<TraversalSwitches, 'hasBoxTest'>,
): SubTileCounts {
  const traversal = new SevenLevelTraversal(memory, { ...switches, hasBoxTest: false });
  const { widthPx, heightPx } = frame.frame.commands.grid;
  const withoutBoxTest = new Array<number>(LEVEL_COUNT).fill(0);
  const withBoxTest = new Array<number>(LEVEL_COUNT).fill(0);
  const { constantsPtr, textureTablesPtr } = memory;
  for (const [drawIndex, draw] of frame.pass(passIndex).draws.entries()) {
    const count = primitiveCountOf(draw);
    if (count === 0) continue;
    const bound = frame.draw(passIndex, drawIndex);
    frame.uploadDrawState(bound, constantsPtr, textureTablesPtr);
    for (let first = 0; first < count; first += maxIds) {
      const taken = Math.min(maxIds, count - first);
      const ids = Uint32Array.from({ length: taken }, (_, k) => first + k);
      const { visibilityStage } = bound;
      geometry.loadSegment(bound, visibilityStage, ids, 0, taken, constantsPtr, textureTablesPtr);
      for (let k = 0; k < taken; k++) {
        const made = geometry.setUpPrimitive(bound, k, 0, null);
        for (let record = 0; record < made; record++) {
          traversal.walk(record, 0, 0, widthPx - 1, heightPx - 1);
          for (let level = 0; level < LEVEL_COUNT; level++) {
            withoutBoxTest[level]! += traversal.subTilesPassed[level]!;
            withBoxTest[level]! += traversal.subTilesInBox[level]!;
          }
        }
      }
    }
  }
  return { withoutBoxTest, withBoxTest };
}
