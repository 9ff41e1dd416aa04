/**
 * Decides whether the visibility phase may also render a coarse bin (patent US 12,051,154, fig. 3:
 * 316–318). It compares the bin's use of chiplet resources with the specification's threshold
 * `earlyBinBytes`.
 */

import { MAX_BIN_EDGE_PX } from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import { type CoarseBinId, coarseBinRect, type PreparedFrame } from '@tessera/frame';
import { cornersPerPrimitive } from '../geometry/vertices/primitive-assembly.ts';
import { primitiveCountOf } from './bound-draw.ts';

/** Size of one sample's color, depth and stencil. */
const TARGET_BYTES_PER_SAMPLE = 8;

/**
 * Returns the early bin that the frame requests, or `null` if the chiplet lacks the resources. The
 * bin's target and the shaded vertices of the largest segment must fit in `earlyBinBytes`.
 * choose-visibility-shader.ts chooses the shader.
 */
export function findEarlyBin(
  { commands, programs }: PreparedFrame,
  passIndex: number,
  spec: Pick<ChipletSpec, 'batchPrimitives' | 'earlyBinBytes' | 'maxBinPixels'>,
): CoarseBinId | null {
  const { earlyBinId, visibilitySwitches, grid } = commands;
  if (earlyBinId === null || !visibilitySwitches.rendersEarlyBin) return null;
  // Its primitives would come from several chiplets.
  if ((commands.visibilityChiplets ?? 1) > 1) return null;
  // Its pixels would leave over the bus between the segments.
  if (commands.visibilityDelivery === 'stream') return null;
  const { width, height } = coarseBinRect(grid, earlyBinId);
  const samples = width * height * (commands.passes[passIndex]!.sampleCount ?? 1);
  if (samples > spec.maxBinPixels || Math.max(width, height) > MAX_BIN_EDGE_PX) return null;
  let vertexBytes = 0;
  for (const draw of commands.passes[passIndex]!.draws) {
    const primitives = Math.min(spec.batchPrimitives, primitiveCountOf(draw));
    const slots = programs[draw.programIndex]!.vertex.outputSlots.length;
    const bytes = primitives * cornersPerPrimitive(draw.topology) * slots * 4;
    vertexBytes = Math.max(vertexBytes, bytes);
  }
  const bytes = samples * TARGET_BYTES_PER_SAMPLE + vertexBytes;
  return bytes <= spec.earlyBinBytes ? earlyBinId : null;
}
