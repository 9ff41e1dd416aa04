/**
 * The cost model: what a coarse bin is expected to cost, from what the visibility phase knows of it.
 *
 * One unit is one instruction of one invocation. A bin costs the vertex instructions of its primitives
 * (a vertex is shared by two triangles or so, hence the half), the set-up of each primitive, and the
 * instructions of the fragments it is expected to cover. Depth complexity is not known at that time.
 */
import type { BinSummary } from '@tessera/frame';

/** Instructions' worth of fetching, assembling and setting up one primitive; ours, a round guess. */
const SETUP_COST_PER_PRIMITIVE = 50;
/** Vertices shaded per corner listed: an indexed mesh uses each vertex six times, a batch about twice. */
const SHADED_PER_LISTED_VERTEX = 0.5;

/** Estimated cost of one bin, at least 0. */
export function estimateBinCost(bin: BinSummary): number {
  return Math.round(
    bin.estimatedFragmentInstructions +
      bin.estimatedVertexInstructions * SHADED_PER_LISTED_VERTEX +
      bin.primitives * SETUP_COST_PER_PRIMITIVE,
  );
}
