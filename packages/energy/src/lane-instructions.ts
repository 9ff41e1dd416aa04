/** Instructions of lanes, which are not counted. */
import type { Counters, SpecSummary } from '@tessera/frame';
import { EnergySpec } from './energy-event.ts';

/**
 * Returns the number of instructions that lanes executed, for each part of a frame: the
 * instructions of its warps × the mean number of lanes of the frame's warps that had a vertex, a
 * fragment or a helper. Lanes that a branch masks off count as if they executed. The mean is that
 * of the frame, so the sum does not depend on how chiplets share it.
 *
 * @param parts Counters with cycle timing of the parts, such as the chiplets, that make the frame.
 */
export function laneInstructionsOf(
  parts: readonly Counters[],
  spec: Pick<SpecSummary, 'clockHz' | 'parameters'>,
): number[] {
  const lanesPerWarp = meanLanes(parts, new EnergySpec(spec).numberOf('warpThreads'));
  return parts.map((counters) => (counters['shaderCore.warpInstructions'] ?? 0) * lanesPerWarp);
}

function meanLanes(parts: readonly Counters[], warpThreads: number): number {
  let [warps, lanes] = [0, 0];
  for (const counters of parts) {
    warps += (counters['warpPacking.warps'] ?? 0) + (counters['vertexFetch.warps'] ?? 0);
    lanes +=
      (counters['shading.fragmentsShaded'] ?? 0) +
      (counters['shading.helperLanes'] ?? 0) +
      (counters['geometry.verticesFetched'] ?? 0) +
      (counters['visibility.verticesShaded'] ?? 0);
  }
  return warps === 0 ? 0 : Math.min(lanes / warps, warpThreads);
}
