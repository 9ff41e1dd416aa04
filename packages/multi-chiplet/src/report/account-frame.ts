/**
 * The account of a frame: counts and cycles of its passes, without their pixels. Accounts of passes
 * that were rendered at different times can be joined to that of one frame. Report and timeline for
 * any number of chiplets, policy and link follow from it without rendering.
 */
import type { EnergyOptions } from '@tessera/energy';
import {
  type BinResult,
  DEFAULT_PLACEMENT,
  type Image,
  type PassTarget,
  type Placement,
  type PreparedFrame,
  type Report,
  type Sha256,
  type SpecSummary,
  type VisibilityPart,
  type VisibilitySummary,
} from '@tessera/frame';
import { resolvePolicyName } from '../bin-assignment/policies.ts';
import { DEFAULT_INTERCONNECT, type InterconnectSpec } from '../interconnect/interconnect-spec.ts';
import {
  type FrameMeasurement,
  isRecorded,
  type PassMeasurement,
} from '../simulated-time/frame-measurement.ts';
import { compositionRatesOf } from '../simulated-time/layer-merging.ts';
import { DEFAULT_ORGANIZATION, type Organization } from '../simulated-time/organization.ts';
import { simulateFrames, simulateFramesInTurns } from '../simulated-time/simulate-frames.ts';
import {
  DEFAULT_OVERLAP,
  type OverlapMode,
  type SimulatedFrames,
  type SimulationOptions,
} from '../simulated-time/simulated-frames.ts';
import type { MachineMaker } from '../simulated-time/simulated-machine.ts';
import { makeTimeline, type Timeline, type TimelineOptions } from '../simulated-time/timeline.ts';
import { makeReport, type ReportInput } from './make-report.ts';
import { type FinishedPass, measurePass } from './measure-frame.ts';
import { powerSourceOf } from './report-energy.ts';

/** Simulated GPU that a report describes, independent of the render hosts. */
export interface SimulatedGpuOptions {
  /**
   * Number of chiplets of the GPU, the visibility chiplet included; at least 1. May differ from the
   * number of render hosts.
   */
  readonly chipletCount: number;
  /** Name in {@link BIN_ASSIGNMENT_POLICIES}, or an alias. */
  readonly policy: string;
  /** Whether chiplet 0 renders bins too. If not, there must be another chiplet. */
  readonly isVisibilityChipletRendering: boolean;
  readonly interconnect?: InterconnectSpec | undefined;
  /**
   * Number of times that the costliest bin of a pass is halved after its visibility phase; 0 by
   * default.
   */
  readonly splits?: number | undefined;
  /** Mode that determines when chiplet 0 starts the next visibility phase. */
  readonly overlap?: OverlapMode | undefined;
  /** Way in which chiplets share frames; `binned` by default. */
  readonly organization?: Organization | undefined;
  /** Specification of every chiplet. */
  readonly spec: SpecSummary;
  /** Creates the machines that time frames with `coupling: exact`; needed by them alone. */
  readonly makeMachine?: MachineMaker | undefined;
  /** Length of the timeline's intervals; needs `coupling: exact`. */
  readonly timelineCycles?: number | undefined;
  /** Placement of resources; `replicated` by default. Others need `coupling: exact`. */
  readonly placement?: Placement | undefined;
  /** Technologies for the report's energy; DEFAULT_ENERGY_OPTIONS by default. */
  readonly energy?: EnergyOptions | undefined;
}

/** Account of one pass. */
export interface PassAccount {
  readonly target: PassTarget;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly drawCount: number;
  /** Fragments that passed, by query of the pass. */
  readonly queryCounts: readonly number[];
  /** Bytes that earlier passes drew and this one reads. */
  readonly bytesExchanged: number;
  readonly visibility: Pick<
    VisibilitySummary,
    'counters' | 'cycles' | 'spans' | 'shaderInstructions'
  > & {
    /** Parts on several chiplets; missing if chiplet 0 runs all of it. */
    readonly parts?: readonly Pick<VisibilityPart, 'counters' | 'spans'>[] | undefined;
  };
  /**
   * Hash of the texture whose image a buffer holds, by hash of the buffer that the target was
   * loaded from.
   */
  readonly loadedFrom: ReadonlyMap<Sha256, Sha256>;
  /** Bins in the order of the measurement. */
  readonly bins: readonly Pick<
    BinResult,
    'binId' | 'rect' | 'counters' | 'spans' | 'shaderInstructions'
  >[];
  readonly measurement: PassMeasurement;
}

/** Properties of the frame itself that the report shows. */
export interface AccountedFrame {
  readonly sha256: Sha256;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly timing: PreparedFrame['commands']['timing'];
  readonly visibilityShader: PreparedFrame['commands']['visibilityShader'];
}

/** Report and timeline of a rendered frame. */
export interface FrameAccount {
  readonly report: Report;
  /** Timeline; null with `timing: functional`. */
  readonly timeline: Timeline | null;
}

/**
 * Returns the account of a finished pass.
 *
 * @param passIndex Index of the pass in its frame.
 */
export function accountPass(pass: FinishedPass, passIndex: number): PassAccount {
  const { commands } = pass.frame;
  const { counters, cycles, spans, parts, shaderInstructions } = pass.summary;
  return {
    target: pass.link.target,
    widthPx: commands.grid.widthPx,
    heightPx: commands.grid.heightPx,
    drawCount: commands.passes[0]!.draws.length,
    queryCounts: sumQueryCounts(pass),
    bytesExchanged: pass.bytesExchanged,
    loadedFrom: pass.loadedFrom,
    visibility: {
      ...{ counters, cycles, spans, shaderInstructions },
      ...(parts === undefined
        ? {}
        : { parts: parts.map((part) => ({ counters: part.counters, spans: part.spans })) }),
    },
    bins: pass.bins.map((bin) => ({
      binId: bin.binId,
      rect: bin.rect,
      counters: bin.counters,
      spans: bin.spans,
      shaderInstructions: bin.shaderInstructions,
    })),
    measurement: measurePass(pass, passIndex),
  };
}

/** Sums the counts of the queries of a pass over its bins. */
function sumQueryCounts({ frame, bins }: FinishedPass): number[] {
  const { queries = [] } = frame.commands.passes[0]!;
  return queries.map((_, query) =>
    bins.reduce((sum, { queryCounts }) => sum + queryCounts![query]!, 0),
  );
}

/** Returns the properties of a frame that its report shows. */
export function describeFrame({ commands }: PreparedFrame): AccountedFrame {
  const { sha256, grid, timing, visibilityShader } = commands;
  return {
    sha256,
    widthPx: grid.widthPx,
    heightPx: grid.heightPx,
    timing,
    visibilityShader,
  };
}

/** Returns the measurements of passes as those of one frame, for `simulateFrames`. */
export function measurementOf(passes: readonly PassAccount[]): FrameMeasurement {
  return { passes: passes.map(({ measurement }) => measurement) };
}

/**
 * Joins the passes of parts of a frame that were rendered one after the other. The hashes of the
 * resources that a later part reads show on which earlier passes it depends.
 *
 * @param parts Passes of each part, with the hashes of the results that a later part may read.
 */
export function joinPasses(
  parts: readonly {
    readonly passes: readonly PassAccount[];
    /** Passes of this part that drew a texture or buffer, by its hash. */
    readonly drawn: ReadonlyMap<Sha256, readonly number[]>;
  }[],
): PassAccount[] {
  const joined: PassAccount[] = [];
  const drawersBySha256 = new Map<Sha256, readonly number[]>();
  for (const { passes, drawn } of parts) {
    const first = joined.length;
    const move = (passIndices: readonly number[]) => passIndices.map((index) => index + first);
    for (const pass of passes) {
      const { measurement, loadedFrom } = pass;
      const drawersOf = (sha256: Sha256) =>
        drawersBySha256.get(loadedFrom.get(sha256) ?? sha256) ?? [];
      const needed = measurement.resources.flatMap(({ sha256 }) => drawersOf(sha256));
      const sampled = measurement.resources.filter(
        ({ sha256 }) => !loadedFrom.has(sha256) && drawersOf(sha256).length > 0,
      );
      const key = measurement.historyKey.replace(/^pass \d+/, `pass ${joined.length}`);
      joined.push({
        ...pass,
        // Loaded contents are already counted.
        bytesExchanged: sampled.reduce((sum, { bytes }) => sum + bytes, pass.bytesExchanged),
        measurement: {
          ...measurement,
          historyKey: key,
          ...(measurement.targets === undefined
            ? {}
            : { targets: { ...measurement.targets, firstPass: first } }),
          visibilityNeeds: move(measurement.visibilityNeeds),
          binsNeed: [...new Set([...needed, ...move(measurement.binsNeed)])].sort((a, b) => a - b),
          resources: measurement.resources.map((resource) =>
            drawersOf(resource.sha256).length > 0 ? { ...resource, isDrawn: true } : resource,
          ),
        },
      });
    }
    for (const [sha256, passIndices] of drawn) {
      drawersBySha256.set(sha256, move(passIndices));
    }
  }
  return joined;
}

/** Options of {@link accountFrame} besides the passes. */
export interface FrameAccountOptions extends SimulatedGpuOptions {
  readonly image: Image;
  readonly wall: Report['wall'];
}

/**
 * Report of a frame, and the source of its timeline, which may be large and is often not needed.
 */
export interface LazyFrameAccount {
  readonly report: Report;
  /** Source of the timeline; null with `timing: functional`. */
  readonly timelineSource: TimelineSource | null;
}

/** Source of a timeline; see {@link makeTimeline} and {@link timelineJson}. */
export type TimelineSource = readonly [SimulatedFrames, TimelineOptions];

/** Makes report and timeline of passes as one frame. */
export function accountFrame(
  frame: AccountedFrame,
  passes: readonly PassAccount[],
  options: FrameAccountOptions,
): FrameAccount {
  const measurement = measurementOf(passes);
  const simulated = simulateFrames([measurement], simulationOf(options));
  const { report, timelineSource } = makeLazyAccount(
    frame,
    passes,
    options,
    measurement,
    simulated,
  );
  return { report, timeline: timelineSource === null ? null : makeTimeline(...timelineSource) };
}

/** Simulates a recorded frame, for instance in another thread. */
export type RecordedSimulator = (
  measurement: FrameMeasurement,
  simulation: SimulationOptions,
) => Promise<SimulatedFrames>;

/** Thread of a report. */
export interface AccountOptions {
  /** Awaited between two parts of the work; nothing by default. */
  readonly giveTurn?: (() => Promise<void>) | undefined;
  readonly simulateRecorded?: RecordedSimulator | undefined;
}

/** Makes the report like {@link accountFrame}, in parts, and the timeline's source. */
export async function accountFrameInTurns(
  frame: AccountedFrame,
  passes: readonly PassAccount[],
  options: FrameAccountOptions,
  { giveTurn = async () => {}, simulateRecorded }: AccountOptions,
): Promise<LazyFrameAccount> {
  const measurement = measurementOf(passes);
  const simulation = simulationOf(options);
  const simulated =
    simulateRecorded !== undefined && isRecorded(measurement)
      ? await simulateRecorded(measurement, simulation)
      : await simulateFramesInTurns([measurement], simulation, giveTurn);
  await giveTurn();
  return makeLazyAccount(frame, passes, options, measurement, simulated);
}

/** Returns the options for simulating the frame alone. */
export function simulationOf(options: SimulatedGpuOptions): SimulationOptions {
  return {
    chipletCount: options.chipletCount,
    isVisibilityChipletRendering: options.isVisibilityChipletRendering,
    policy: resolvePolicyName(options.policy),
    interconnect: options.interconnect ?? DEFAULT_INTERCONNECT,
    overlap: options.overlap ?? DEFAULT_OVERLAP,
    organization: options.organization,
    ...(options.organization === 'sort-last'
      ? { compositionRates: compositionRatesOf(options.spec) }
      : {}),
    framesInFlight: 1,
    makeMachine: options.makeMachine,
    timelineCycles: options.timelineCycles,
    placement: options.placement,
  };
}

function makeLazyAccount(
  frame: AccountedFrame,
  passes: readonly PassAccount[],
  options: FrameAccountOptions,
  measurement: FrameMeasurement,
  simulated: SimulatedFrames,
): LazyFrameAccount {
  const simulation = simulationOf(options);
  const { chipletCount, isVisibilityChipletRendering, policy, interconnect } = simulation;
  const reportInput: ReportInput = {
    frame,
    image: options.image,
    spec: options.spec,
    policy,
    chipletCount,
    isVisibilityChipletRendering,
    interconnect,
    placement: options.placement ?? DEFAULT_PLACEMENT,
    organization: options.organization ?? DEFAULT_ORGANIZATION,
    passes,
    measurement,
    simulated,
    simulation,
    energy: options.energy,
    wall: options.wall,
  };
  const report = makeReport(reportInput);
  if (simulated.clock === 'estimate') return { report, timelineSource: null };
  const unitSpans = passes.map(({ visibility, bins }) => ({
    visibility: (visibility.parts ?? [visibility]).map(({ spans }) => spans),
    bins: bins.map(({ spans }) => spans),
  }));
  const labels = { spec: options.spec.name, frame: report.frame.sha256 };
  return {
    report,
    timelineSource: [
      simulated,
      {
        ...{ chipletCount, labels, unitSpans: [unitSpans] },
        makePowerSource: () => powerSourceOf(reportInput, report),
      },
    ],
  };
}
