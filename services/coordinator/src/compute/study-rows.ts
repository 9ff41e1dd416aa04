/** Computes the rows of all numbers of chiplets and policies from one rendered frame. */
import type { Report } from '@tessera/frame';
import {
  copyCyclesOf,
  DEFAULT_INTERCONNECT,
  type FrameMeasurement,
  type MachineMaker,
  measurementWith,
  resolvePolicyName,
  type SimulatedFrames,
  serialCycles,
  simulateFrames,
} from '@tessera/multi-chiplet/rendering';
import type { StudyPoint, StudyRequest, StudyRow } from './study-request.ts';

/** Rendered frame of a study. */
export interface RenderedPoint {
  readonly point: StudyPoint;
  /** Index of the point's specification among the alternatives of the frame; null if it is none. */
  readonly alternative: number | null;
  /** Report of the rendered frame. */
  readonly report: Report;
  readonly measurement: FrameMeasurement;
  readonly model: string;
}

/**
 * Returns the rows of a point.
 *
 * @param isVisibilityChipletRendering Whether chiplet 0 renders bins; if not, one chiplet alone has
 *   no row.
 * @param makeMachine Creates machines of the point's specification, for `coupling: exact`.
 */
export function makeRows(
  request: StudyRequest,
  { point, alternative, report, measurement: measured, model }: RenderedPoint,
  isVisibilityChipletRendering: boolean,
  makeMachine: MachineMaker,
): StudyRow[] {
  const measurement = alternative === null ? measured : measurementWith(measured, alternative);
  const { coupling = 'none' } = request;
  const alone =
    coupling === 'exact' ? simulateAlone(measurement, makeMachine) : sumAlone(measurement);
  return request.policies.flatMap((policy) =>
    request.chiplets
      .filter((chipletCount) => isVisibilityChipletRendering || chipletCount > 1)
      .map((chipletCount): StudyRow => {
        const simulated = simulateFrames([measurement], {
          chipletCount,
          isVisibilityChipletRendering,
          policy: resolvePolicyName(policy),
          interconnect: DEFAULT_INTERCONNECT,
          overlap: 'visibility-first',
          framesInFlight: 1,
          makeMachine,
        });
        const cycles = simulated.frames[0]!.endCycle;
        const speedup = alone.cycles / cycles;
        return {
          frame: request.frames[point.frameIndex]!,
          model,
          spec: point.spec.name,
          settings: point.settings,
          bins: point.bins,
          visibility: point.visibility,
          policy,
          chiplets: chipletCount,
          cycles,
          simulatedMs: (cycles / point.spec.clockHz) * 1000,
          visibilityCycles: alone.visibilityCycles,
          speedup,
          efficiency: speedup / chipletCount,
          imbalance: imbalanceOf(
            simulated,
            isVisibilityChipletRendering ? chipletCount : chipletCount - 1,
          ),
          linkBytes: simulated.transfers.reduce((sum, { bytes }) => sum + bytes, 0),
          imageSha256: report.image.sha256,
          coupling,
        };
      }),
  );
}

/** Cycles of a frame on one chiplet. */
interface CyclesAlone {
  readonly cycles: number;
  /** Part of the visibility phases. */
  readonly visibilityCycles: number;
}

/** Sums the cycles of phases and bins that were timed by themselves, and of copies. */
function sumAlone(measurement: FrameMeasurement): CyclesAlone {
  const { cycles, visibilityCycles } = serialCycles(measurement);
  return { cycles: cycles + copyCyclesOf(measurement), visibilityCycles };
}

/** Simulates a recorded frame on one chiplet. */
function simulateAlone(measurement: FrameMeasurement, makeMachine: MachineMaker): CyclesAlone {
  const { endCycle, passes } = simulateFrames([measurement], {
    chipletCount: 1,
    isVisibilityChipletRendering: true,
    policy: 'static-blocks',
    interconnect: DEFAULT_INTERCONNECT,
    overlap: 'none',
    framesInFlight: 1,
    makeMachine,
  }).frames[0]!;
  const visibilityCycles = passes.reduce(
    (sum, { visibilityStartCycle, visibilityEndCycle }) =>
      sum + visibilityEndCycle - visibilityStartCycle,
    0,
  );
  return { cycles: endCycle, visibilityCycles };
}

/** Returns the bin cycles of the busiest chiplet ÷ the mean over the rendering chiplets. */
function imbalanceOf({ frames }: SimulatedFrames, rendererCount: number): number {
  const busyByChiplet = new Map<number, number>();
  let sum = 0;
  for (const { passes } of frames) {
    for (const { chipletId, startCycle, endCycle } of passes.flatMap(({ bins }) => bins)) {
      busyByChiplet.set(chipletId, (busyByChiplet.get(chipletId) ?? 0) + endCycle - startCycle);
      sum += endCycle - startCycle;
    }
  }
  return sum === 0 ? 1 : (Math.max(...busyByChiplet.values()) * rendererCount) / sum;
}
