/** Counters that the bin phase counts itself. */
import type { Counters } from '@tessera/frame';

/** Returns the counters at the start of a bin. */
export function zeroBinCounters() {
  return {
    'geometry.verticesFetched': 0,
    'geometry.vertexReuses': 0,
    'geometry.primitivesIn': 0,
    'geometry.primitivesClipped': 0,
    'geometry.primitivesCulled': 0,
    'binning.batchesFull': 0,
    'binning.batchesStateFull': 0,
    'binning.batchesDependency': 0,
    'binning.batchesEnd': 0,
    'binning.primitivesBinned': 0,
    'raster.primitivesSetUp': 0,
    'raster.primitivesCovered': 0,
  } satisfies Counters;
}
