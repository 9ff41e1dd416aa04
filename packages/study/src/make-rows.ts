/** Computes the rows of all numbers of chiplets from one rendered frame and one simulation. */
import type { CounterName, Report, VisibilityDelivery } from '@tessera/frame';
import {
  accountAssignment,
  cyclesOnOneChiplet,
  divideFrame,
  type FrameMeasurement,
  type FrameParts,
  type MachineMaker,
  measurementWith,
  type Organization,
  parsePlacement,
  resolvePolicyName,
  type SimulatedFrames,
  simulateFrames,
} from '@tessera/multi-chiplet/rendering';
import { frameCounters, sumCounters } from './frame-counters.ts';
import { type RowEnergy, rowEnergy } from './row-energy.ts';
import { specDigest } from './spec-digest.ts';
import type { StudyPoint, StudyRequest, StudySimulation } from './study-request.ts';
import type { BoundBy, Revision, StudyRow } from './study-row.ts';

/** Rendered frame of a study. */
export interface RenderedPoint {
  readonly point: StudyPoint;
  /** Index of the point's specification among the alternatives of the frame; null if it is none. */
  readonly alternative: number | null;
  /** Report of the rendered frame. */
  readonly report: Report;
  readonly measurement: FrameMeasurement;
  /** Name of the scene. */
  readonly scene: string;
  /** Id of the posted frame; empty on the command line. */
  readonly frame: string;
  /** Values of the axes that the point leaves to the scene. */
  readonly split: number;
  readonly occlusion: boolean;
  readonly organization: Organization;
  readonly visibilityChiplets: number;
  readonly visibilityDelivery: VisibilityDelivery;
  readonly captureFrame: number;
}

/** Environment of {@link makeRows}. */
export interface RowOptions {
  /** Whether chiplet 0 renders bins. If it does not, a GPU of one chiplet has no row. */
  readonly isVisibilityChipletRendering: boolean;
  /** Creates machines of the point's specification, for `coupling: exact`. */
  readonly makeMachine: MachineMaker;
  readonly revision: Revision;
  /** Result of an earlier call for this point; null if there is none. */
  readonly aloneCycles: number | null;
}

/** Result of {@link makeRows}. */
export interface MadeRows {
  readonly rows: readonly StudyRow[];
  /** Cycles of the frame on one chiplet, to give to the next call for this point. */
  readonly aloneCycles: number;
}

/** Part of a request that its rows depend on. */
type RowRequest = Pick<StudyRequest, 'chiplets' | 'coupling' | 'counters' | 'energy'>;

/** Returns the rows of a point with one policy, link, placement and overlap. */
export function makeRows(
  request: RowRequest,
  simulation: StudySimulation,
  rendered: RenderedPoint,
  { isVisibilityChipletRendering, makeMachine, revision, ...options }: RowOptions,
): MadeRows {
  const { chiplets, coupling = 'none' } = request;
  const { alternative, report, point } = rendered;
  const { policy, interconnect, placement, overlap } = simulation;
  const whole = rendered.measurement;
  const measurement = alternative === null ? whole : measurementWith(whole, alternative);
  const aloneCycles = options.aloneCycles ?? cyclesOnOneChiplet(measurement, makeMachine);
  const digest = specDigest(point.spec);
  const sizes = chiplets.filter((count) => isVisibilityChipletRendering || count > 1);
  const rows = sizes.map((chipletCount): StudyRow => {
    const simulated = simulateFrames([measurement], {
      chipletCount,
      isVisibilityChipletRendering,
      policy: resolvePolicyName(policy),
      interconnect,
      placement: parsePlacement(placement),
      overlap,
      organization: rendered.organization,
      framesInFlight: 1,
      makeMachine,
    });
    const cycles = simulated.frames[0]!.endCycle;
    const gpu = [chipletCount, isVisibilityChipletRendering] as const;
    const { lowerBoundCycles, imbalance } = accountAssignment(simulated, ...gpu);
    const parts = divideFrame(simulated, ...gpu);
    const { bytes: remote = [] } = simulated.remote ?? {};
    return {
      scene: rendered.scene,
      frame: rendered.frame,
      frameIndex: rendered.captureFrame,
      widthPx: report.frame.widthPx,
      heightPx: report.frame.heightPx,
      spec: point.spec.name,
      specDigest: digest,
      settings: point.settings,
      bins: point.bins,
      grid: gridOf(measurement),
      split: rendered.split,
      visibility: point.visibility,
      occlusion: rendered.occlusion,
      organization: rendered.organization,
      visibilityChiplets: rendered.visibilityChiplets,
      visibilityDelivery: rendered.visibilityDelivery,
      coupling,
      policy,
      chiplets: chipletCount,
      linkTopology: interconnect.topology,
      linkBytesPerCycle: interconnect.bytesPerCycle,
      linkLatencyCycles: interconnect.latencyCycles,
      placement,
      overlap,
      cycles,
      // One division, so that the digits are those of the exact quotient.
      simulatedMs: (cycles * 1000) / point.spec.clockHz,
      visibilityCycles: parts.visibilityCycles,
      lowerBoundCycles: lowerBoundCycles!, // The simulation is timed.
      boundBy: boundOf(parts),
      speedUp: rounded(aloneCycles / cycles),
      efficiency: rounded(aloneCycles / cycles / chipletCount),
      imbalance: rounded(imbalance),
      linkBytes: simulated.transfers.reduce((sum, { bytes }) => sum + bytes, 0),
      remoteBytes: remote.flat().reduce((sum, bytes) => sum + bytes, 0),
      imageSha256: report.image.sha256,
      ...revision,
      ...countedFigures(request, rendered, measurement, simulated, chipletCount),
    };
  });
  return { rows, aloneCycles };
}

/** Returns the name of the largest part. */
function boundOf(parts: FrameParts): BoundBy {
  const named: readonly (readonly [BoundBy, number])[] = [
    ['visibility', parts.visibilityCycles],
    ['longest-bin', parts.longestBinCycles],
    ['all-bins', parts.allBinsCycles],
    ['other', parts.otherCycles],
  ];
  return named.reduce((best, each) => (each[1] > best[1] ? each : best))[0];
}

/** Rounds a ratio to four digits after the point, as the files in results/ have them. */
function rounded(ratio: number): number {
  return Number(ratio.toFixed(4));
}

function gridOf({ passes }: FrameMeasurement): string {
  // Passes of transform feedback have no bins.
  const { columns, rows } = (passes.findLast(({ bins }) => bins.length > 0) ?? passes.at(-1)!).grid;
  return `${columns}x${rows}`;
}

/** Returns the figures of a row that follow from counters: energies and the counters themselves. */
function countedFigures(
  { counters, energy }: RowRequest,
  { report, point: { spec } }: RenderedPoint,
  measurement: FrameMeasurement,
  simulated: SimulatedFrames,
  chipletCount: number,
): Partial<RowEnergy> & Pick<StudyRow, 'counters'> {
  if (counters.length === 0 && energy === undefined) return {};
  const counts = frameCounters(sumCounters(report.chiplets), measurement, simulated, chipletCount);
  const cycles = simulated.frames[0]!.endCycle;
  const { channels } = simulated;
  return {
    ...(energy !== undefined &&
      rowEnergy({ spec, cycles, chipletCount, counters: counts, channels }, energy)),
    ...(counters.length > 0 && {
      // The request is checked, so each is the name of a counter.
      counters: Object.fromEntries(
        counters.map((name) => [name, counts[name as CounterName] ?? 0]),
      ),
    }),
  };
}
