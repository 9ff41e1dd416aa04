/**
 * The account of a frame: what its passes counted and took, without their pixels. Accounts of passes that were
 * rendered at different times can be joined to that of one frame; report and timeline for any number of chiplets,
 * policy and link follow from it without rendering.
 */
import type {
  BinResult,
  Image,
  PassTarget,
  PreparedFrame,
  Report,
  Sha256,
  SpecSummary,
  VisibilitySummary,
} from '@tessera/frame';
import { resolvePolicyName } from '../bin-assignment/policies.ts';
import { DEFAULT_INTERCONNECT, type InterconnectSpec } from '../interconnect/interconnect-spec.ts';
import type { FrameMeasurement, PassMeasurement } from '../simulated-time/frame-measurement.ts';
import { simulateFrames, simulateFramesInTurns } from '../simulated-time/simulate-frames.ts';
import {
  DEFAULT_OVERLAP,
  type OverlapMode,
  type SimulatedFrames,
  type SimulationOptions,
} from '../simulated-time/simulated-frames.ts';
import { makeTimeline, type Timeline, type TimelineOptions } from '../simulated-time/timeline.ts';
import { makeReport } from './make-report.ts';
import { type FinishedPass, measurePass } from './measure-frame.ts';

/** The simulated GPU: what the report is about, whoever renders. */
export interface SimulatedGpuOptions {
  /** Chiplets of the GPU, the visibility chiplet among them; at least 1. May differ from the number of hosts. */
  readonly chipletCount: number;
  /** A name of {@link BIN_ASSIGNMENT_POLICIES} or an alias. */
  readonly policy: string;
  /** Whether chiplet 0 renders bins too. Without it there must be another chiplet. */
  readonly isVisibilityChipletRendering: boolean;
  readonly interconnect?: InterconnectSpec | undefined;
  /** How often the costliest bin of a pass is halved after its visibility phase; 0 by default. */
  readonly splits?: number | undefined;
  /** When chiplet 0 turns to the next visibility phase. */
  readonly overlap?: OverlapMode | undefined;
  /** Of all chiplets alike. */
  readonly spec: SpecSummary;
}

/** A pass as its frame's report has it. */
export interface PassAccount {
  readonly target: PassTarget;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly drawCount: number;
  /** What earlier passes drew and this one read. */
  readonly bytesExchanged: number;
  readonly visibility: Pick<VisibilitySummary, 'counters' | 'cycles' | 'spans'>;
  /** By hash of a buffer that the target was loaded from, that of the texture whose image it was. */
  readonly loadedFrom: ReadonlyMap<Sha256, Sha256>;
  /** In the order of the measurement's. */
  readonly bins: readonly Pick<BinResult, 'binId' | 'rect' | 'counters' | 'spans'>[];
  readonly measurement: PassMeasurement;
}

/** What the report says of the frame itself. */
export interface AccountedFrame {
  readonly sha256: Sha256;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly timing: PreparedFrame['commands']['timing'];
  readonly visibilityShader: PreparedFrame['commands']['visibilityShader'];
}

/** Report and timeline of a frame whose passes were rendered. */
export interface FrameAccount {
  readonly report: Report;
  /** Null with `timing: functional`. */
  readonly timeline: Timeline | null;
}

/** Takes down what is to be told of a finished pass. @param passIndex In its frame. */
export function accountPass(pass: FinishedPass, passIndex: number): PassAccount {
  const { commands } = pass.frame;
  const { counters, cycles, spans } = pass.summary;
  return {
    target: pass.link.target,
    widthPx: commands.grid.widthPx,
    heightPx: commands.grid.heightPx,
    drawCount: commands.passes[0]!.draws.length,
    bytesExchanged: pass.bytesExchanged,
    loadedFrom: pass.loadedFrom,
    visibility: { counters, cycles, spans },
    bins: pass.bins.map((bin) => ({
      binId: bin.binId,
      rect: bin.rect,
      counters: bin.counters,
      spans: bin.spans,
    })),
    measurement: measurePass(pass, passIndex),
  };
}

/** The frame of which this is what the report says. */
export function describeFrame({ commands }: PreparedFrame): AccountedFrame {
  const { sha256, grid, timing, visibilityShader } = commands;
  return {
    ...{ sha256, widthPx: grid.widthPx, heightPx: grid.heightPx },
    ...{ timing, visibilityShader },
  };
}

/** What passes take, from which `simulateFrames` works out the rest. */
export function measurementOf(passes: readonly PassAccount[]): FrameMeasurement {
  return { passes: passes.map(({ measurement }) => measurement) };
}

/**
 * Joins passes that were rendered one part of a frame after the other. What a later part needs of an earlier one is
 * found by the names of the resources that it reads.
 *
 * @param parts Each with the hashes of what its passes drew, by pass, if a later part may read it.
 */
export function joinPasses(
  parts: readonly {
    readonly passes: readonly PassAccount[];
    /** By hash of a texture or buffer, the passes of this part that drew it. */
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
        // What is loaded counts already.
        bytesExchanged: sampled.reduce((sum, { bytes }) => sum + bytes, pass.bytesExchanged),
        measurement: {
          ...measurement,
          historyKey: key,
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

/** What {@link accountFrame} needs beside the passes. */
export interface FrameAccountOptions extends SimulatedGpuOptions {
  readonly image: Image;
  readonly wall: Report['wall'];
}

/** Report of a frame, and of its timeline what it is made from: it may be large, and nobody may ask for it. */
export interface LazyFrameAccount {
  readonly report: Report;
  /** Null with `timing: functional`. */
  readonly timelineSource: TimelineSource | null;
}

/** What a timeline is made from; see {@link makeTimeline} and {@link timelineJson}. */
export type TimelineSource = readonly [SimulatedFrames, TimelineOptions];

/** Draws up report and timeline of passes as one frame. */
export function accountFrame(
  frame: AccountedFrame,
  passes: readonly PassAccount[],
  options: FrameAccountOptions,
): FrameAccount {
  const measurement = measurementOf(passes);
  const simulated = simulateFrames([measurement], simulationOf(options));
  const { report, timelineSource } = drawUp(frame, passes, options, measurement, simulated);
  return { report, timeline: timelineSource === null ? null : makeTimeline(...timelineSource) };
}

/** As {@link accountFrame}, without the timeline, in parts. @param giveTurn Awaited between two parts. */
export async function accountFrameInTurns(
  frame: AccountedFrame,
  passes: readonly PassAccount[],
  options: FrameAccountOptions,
  giveTurn: () => Promise<void>,
): Promise<LazyFrameAccount> {
  const measurement = measurementOf(passes);
  const simulated = await simulateFramesInTurns([measurement], simulationOf(options), giveTurn);
  await giveTurn();
  return drawUp(frame, passes, options, measurement, simulated);
}

/** The frame alone on the simulated GPU. */
function simulationOf(options: SimulatedGpuOptions): SimulationOptions {
  return {
    chipletCount: options.chipletCount,
    isVisibilityChipletRendering: options.isVisibilityChipletRendering,
    policy: resolvePolicyName(options.policy),
    interconnect: options.interconnect ?? DEFAULT_INTERCONNECT,
    overlap: options.overlap ?? DEFAULT_OVERLAP,
    framesInFlight: 1,
  };
}

function drawUp(
  frame: AccountedFrame,
  passes: readonly PassAccount[],
  options: FrameAccountOptions,
  measurement: FrameMeasurement,
  simulated: SimulatedFrames,
): LazyFrameAccount {
  const { chipletCount, isVisibilityChipletRendering, policy, interconnect } =
    simulationOf(options);
  const report = makeReport({
    frame,
    image: options.image,
    spec: options.spec,
    policy,
    chipletCount,
    isVisibilityChipletRendering,
    interconnect,
    passes,
    measurement,
    simulated,
    wall: options.wall,
  });
  if (simulated.clock === 'estimate') return { report, timelineSource: null };
  const unitSpans = passes.map(({ visibility, bins }) => ({
    visibility: visibility.spans,
    bins: bins.map(({ spans }) => spans),
  }));
  const labels = { spec: options.spec.name, frame: report.frame.sha256 };
  return {
    report,
    timelineSource: [simulated, { chipletCount, labels, unitSpans: [unitSpans] }],
  };
}
