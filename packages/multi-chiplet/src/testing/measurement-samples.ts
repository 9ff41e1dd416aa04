/** Measurements for tests: frames of which nothing but cycles and bytes is said. */
import type { FrameMeasurement, PassMeasurement } from '../simulated-time/frame-measurement.ts';

/** One pass of bins in a row. Nothing crosses the link unless it is said. */
export function samplePass(
  visibilityCycles: number | null,
  binCycles: readonly (number | null)[],
  others: Partial<PassMeasurement> & { readonly estimates?: readonly number[] } = {},
): PassMeasurement {
  const { estimates, ...fields } = others;
  return {
    grid: { columns: binCycles.length, rows: 1 },
    historyKey: 'pass 0',
    visibilityCycles,
    bins: binCycles.map((cycles, binId) => ({
      binId,
      cycles,
      costTerms: [],
      estimatedCycles: estimates?.[binId] ?? cycles ?? 0,
      resultBytes: 0,
      isEarly: false,
    })),
    commandBytes: 0,
    streamBytes: 0,
    resources: [],
    visibilityNeeds: [],
    binsNeed: [],
    ...fields,
  };
}

/** A frame of one pass. */
export function sampleFrame(...pass: Parameters<typeof samplePass>): FrameMeasurement {
  return { passes: [samplePass(...pass)] };
}
