/**
 * Whether the visibility phase may render a coarse bin in passing (patent US 12,051,154, fig. 3: 316–318): what
 * of the chiplet it takes, against the threshold `earlyBinBytes` of the specification.
 */
import { type CoarseBinId, coarseBinRect, type PreparedFrame } from '@tessera/frame';
import { cornersPerPrimitive } from '../geometry/vertices/primitive-assembly.ts';
import type { ChipletSpec } from '../spec/chiplet-spec.ts';
import { primitiveCountOf } from './bound-draw.ts';

/** Colour, and depth with stencil, of one sample. */
const TARGET_BYTES_PER_SAMPLE = 8;

/**
 * The early bin that the frame asks for, if the chiplet has the resources: the target of the bin and the
 * shaded vertices of the largest segment, whole, within `earlyBinBytes`. Whether the full shader runs is
 * another question.
 */
export function findEarlyBin(
  { commands, programs }: PreparedFrame,
  passIndex: number,
  spec: Pick<ChipletSpec, 'batchPrimitives' | 'earlyBinBytes' | 'maxBinPixels'>,
): CoarseBinId | null {
  const { earlyBinId, visibilitySwitches, grid } = commands;
  if (earlyBinId === null || !visibilitySwitches.rendersEarlyBin) return null;
  const { width, height } = coarseBinRect(grid, earlyBinId);
  const samples = width * height * (commands.passes[passIndex]!.sampleCount ?? 1);
  if (samples > spec.maxBinPixels) return null;
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
