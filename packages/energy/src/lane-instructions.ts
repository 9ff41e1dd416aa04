/** Instructions of the lanes of a chiplet, which are not counted. */
import type { Counters, SpecSummary } from '@tessera/frame';
import { EnergySpec } from './energy-event.ts';

/**
 * Returns the number of instructions that lanes executed: the instructions of warps × the mean
 * number of their lanes that had a vertex, a fragment or a helper. Lanes that a branch masks off
 * count as if they executed.
 *
 * @param counters Counters of a chiplet with cycle timing.
 */
export function laneInstructionsOf(
  counters: Counters,
  spec: Pick<SpecSummary, 'clockHz' | 'parameters'>,
): number {
  const warps = (counters['warpPacking.warps'] ?? 0) + (counters['vertexFetch.warps'] ?? 0);
  if (warps === 0) return 0;
  const lanes =
    (counters['shading.fragmentsShaded'] ?? 0) +
    (counters['shading.helperLanes'] ?? 0) +
    (counters['geometry.verticesFetched'] ?? 0) +
    (counters['visibility.verticesShaded'] ?? 0);
  const lanesPerWarp = Math.min(lanes / warps, new EnergySpec(spec).numberOf('warpThreads'));
  return (counters['shaderCore.warpInstructions'] ?? 0) * lanesPerWarp;
}
