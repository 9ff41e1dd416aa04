/** Chip of the scheduling paper: four cores with eight warps each (Deng, Tian, Han 2017). */
import { type ChipletSpec, defineChipletSpec } from '@tessera/chiplet-spec';

const SM_COUNT = 4;
const WARP_SLOTS_PER_SM = 8;

/**
 * Returns the specification of the paper's chip. Its other units are those of the preset `default`,
 * with half an entry for vertex results and two of the merger's window for each warp.
 */
export function paperChip(overrides: Partial<ChipletSpec>): ChipletSpec {
  const warps = SM_COUNT * WARP_SLOTS_PER_SM;
  return defineChipletSpec({
    smCount: SM_COUNT,
    warpSlotsPerSm: WARP_SLOTS_PER_SM,
    vertexResultWarps: warps / 2,
    fragmentWarpWindow: 2 * warps,
    ...overrides,
  });
}
