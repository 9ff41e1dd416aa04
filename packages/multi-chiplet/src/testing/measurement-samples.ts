/** Measurements for tests: frames with only the given cycles and bytes. */
import type { FrameMeasurement, PassMeasurement } from '../simulated-time/frame-measurement.ts';

/** Returns a pass with a row of bins. It has no transfers unless given. */
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
      streamBytes: 0,
      isEarly: false,
    })),
    commandBytes: 0,
    streamBytes: 0,
    resources: [],
    copyWork: { timings: [], copies: [] },
    visibilityNeeds: [],
    binsNeed: [],
    ...fields,
  };
}

/** Returns a frame of one pass. */
export function sampleFrame(...pass: Parameters<typeof samplePass>): FrameMeasurement {
  return { passes: [samplePass(...pass)] };
}
