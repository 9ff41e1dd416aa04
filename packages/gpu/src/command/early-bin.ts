/**
 * Decides whether a coarse bin is rendered within the visibility phase (patent US 12,051,154, fig.
 * 3: 316–318): whether the phase leaves enough of the chiplet, by what is known before it. While
 * the phase runs, the bin takes only what the phase leaves. choose-visibility-shader.ts chooses the
 * shader.
 */

import { MAX_BIN_EDGE_PX } from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import {
  type CoarseBinId,
  coarseBinRect,
  type PreparedFrame,
  primitiveCountOf,
} from '@tessera/frame';
import { summarizeProgram } from '@tessera/shader/isa';

/**
 * Returns the early bin that the frame requests, or `null` if the phase cannot render it: there is
 * no memory for its primitives, or the phase would have to wait for the bin before it stores a
 * program, or needs the texture units itself.
 */
export function findEarlyBin(
  { commands, programs }: PreparedFrame,
  passIndex: number,
  spec: Pick<ChipletSpec, 'earlyBinPrimitives' | 'maxBinPixels' | 'programBlocks'>,
): CoarseBinId | null {
  const { earlyBinId, visibilitySwitches, grid } = commands;
  if (earlyBinId === null || !visibilitySwitches.rendersEarlyBin) return null;
  // Its primitives would come from several chiplets.
  if ((commands.visibilityChiplets ?? 1) > 1) return null;
  // Its pixels would leave over the bus between the segments.
  if (commands.visibilityDelivery === 'stream') return null;
  if (spec.earlyBinPrimitives === 0) return null;
  const { draws, sampleCount = 1 } = commands.passes[passIndex]!;
  const { width, height } = coarseBinRect(grid, earlyBinId);
  if (width * height * sampleCount > spec.maxBinPixels || Math.max(width, height) > MAX_BIN_EDGE_PX)
    return null;
  const drawn = draws.filter((draw) => primitiveCountOf(draw) > 0);
  const readsTextures = drawn.some(
    ({ programIndex }) => summarizeProgram(programs[programIndex]!.vertex).textureReads > 0,
  );
  if (readsTextures) return null;
  const fragmentPrograms = drawn.map(({ programIndex }) => programs[programIndex]!.fragment);
  const stores = fragmentPrograms.filter((program, i) => program !== fragmentPrograms[i - 1]);
  return stores.length <= spec.programBlocks ? earlyBinId : null;
}
