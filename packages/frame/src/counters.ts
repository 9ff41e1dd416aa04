/**
 * THE table of counters: what a chiplet counts while it works. docs/counters.md lists the same; a test
 * compares. Each counter is written by one unit only; ratios are computed by the reader.
 */

export interface CounterInfo {
  /** What one count is. */
  readonly unit: string;
  /** When it goes up by one. */
  readonly meaning: string;
}

export const COUNTERS = {
  'visibility.verticesShaded': {
    unit: 'vertices',
    meaning: 'a vertex ran through the visibility phase’s vertex shader',
  },
  'visibility.instructionsExecuted': {
    unit: 'instructions',
    meaning: 'an instruction of that shader was issued for one vertex, straight-line count',
  },
  'visibility.primitivesIn': {
    unit: 'primitives',
    meaning: 'a primitive was assembled in the visibility phase',
  },
  'visibility.primitivesOutsideView': {
    unit: 'primitives',
    meaning: 'a primitive lay wholly outside the view volume',
  },
  'visibility.primitivesFaceCulled': {
    unit: 'primitives',
    meaning: 'a triangle was dropped by the cull mode',
  },
  'visibility.primitivesZeroArea': {
    unit: 'primitives',
    meaning: 'a triangle had no area after snapping to 1/256 pixel',
  },
  'visibility.primitivesNoSample': {
    unit: 'primitives',
    meaning: 'a primitive lay between the sample points of the target',
  },
  'visibility.primitivesListed': {
    unit: 'bin entries',
    meaning: 'a primitive was put into the visibility stream of one coarse bin',
  },
  'geometry.verticesFetched': {
    unit: 'vertices',
    meaning: 'a vertex of a coarse bin’s visible geometry was fetched and shaded',
  },
  'geometry.vertexReuses': {
    unit: 'vertices',
    meaning: 'a primitive used a vertex that its batch had shaded already',
  },
  'geometry.primitivesIn': {
    unit: 'primitives',
    meaning: 'a primitive was read from the visibility stream and assembled',
  },
  'geometry.primitivesClipped': {
    unit: 'primitives',
    meaning: 'a primitive crossed a clip plane and was cut',
  },
  'geometry.primitivesCulled': {
    unit: 'primitives',
    meaning: 'a primitive was dropped before set-up: face, zero area or outside the view',
  },
  'binning.batchesFull': {
    unit: 'batches',
    meaning: 'a primitive batch was closed since it was full',
  },
  'binning.batchesStateFull': {
    unit: 'batches',
    meaning: 'a primitive batch was closed since it held no room for another draw’s state',
  },
  'binning.batchesEnd': {
    unit: 'batches',
    meaning: 'a primitive batch was closed by the end of the coarse bin',
  },
  'binning.primitivesBinned': {
    unit: 'bin entries',
    meaning: 'a primitive was put into the list of one fine bin',
  },
  'raster.primitivesSetUp': {
    unit: 'primitives',
    meaning: 'a triangle, line or point passed set-up',
  },
  'raster.primitivesCovered': {
    unit: 'primitives',
    meaning: 'a primitive covered at least one sample of the coarse bin',
  },
  'raster.quadsCovered': {
    unit: 'quads',
    meaning: 'a 2×2 quad had at least one covered sample',
  },
  'raster.fragmentsCovered': {
    unit: 'fragments',
    meaning: 'a sample was covered by a primitive, inside scissor and coarse bin',
  },
  'raster.fragmentsEarlyKilled': {
    unit: 'fragments',
    meaning: 'a covered fragment failed the depth test before shading',
  },
  'shading.fragmentsShaded': {
    unit: 'fragments',
    meaning: 'a fragment ran through the fragment shader, helper lanes not counted',
  },
  'shading.helperLanes': {
    unit: 'lanes',
    meaning: 'a lane of a shaded quad had no fragment and ran only for derivatives',
  },
  'shading.fragmentsDiscarded': {
    unit: 'fragments',
    meaning: 'the fragment shader discarded a fragment',
  },
  'output.fragmentsLateKilled': {
    unit: 'fragments',
    meaning: 'a shaded fragment failed the stencil or depth test after shading',
  },
  'output.fragmentsWritten': {
    unit: 'fragments',
    meaning:
      'a fragment reached the colour target (also where the colour mask lets nothing through)',
  },
  'output.binPixels': {
    unit: 'pixels',
    meaning: 'a pixel of a finished coarse bin left the chiplet',
  },
} as const satisfies Record<string, CounterInfo>;

export type CounterName = keyof typeof COUNTERS;

/** Counts by name; a missing counter was not moved. */
export type Counters = Partial<Record<CounterName, number>>;

/** All counter names, in the order of the table. */
export const COUNTER_NAMES = Object.keys(COUNTERS) as readonly CounterName[];

/** Adds `more` to `sum` in place. */
export function addCounters(sum: Counters, more: Counters): void {
  for (const name of COUNTER_NAMES) {
    const count = more[name];
    if (count !== undefined) sum[name] = (sum[name] ?? 0) + count;
  }
}
