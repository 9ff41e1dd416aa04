/** Draws up the account of a frame from what its chiplets counted. */
import {
  addCounters,
  type BinResult,
  type Chiplet,
  type Counters,
  type Image,
  type PreparedFrame,
  type Report,
  type Sha256,
  type SpecSummary,
  type VisibilitySummary,
} from '@tessera/frame';
import type { ChipletBins } from './bin-assignment/policy.ts';
import { estimateBinCost } from './bin-cost.ts';
import { chipletCycles, makeSchedule } from './schedule.ts';

export interface ReportInput {
  readonly frame: PreparedFrame;
  readonly image: Image;
  readonly imageSha256: Sha256;
  readonly spec: SpecSummary;
  readonly policy: string;
  readonly chiplets: readonly Chiplet[];
  readonly summary: VisibilitySummary;
  readonly assignment: readonly ChipletBins[];
  /** By bin id. */
  readonly bins: readonly BinResult[];
  readonly wall: Report['wall'];
}

/** The report; everything but `wall` is a function of frame, grid, policy and number of chiplets. */
export function makeReport(input: ReportInput): Report {
  const { frame, summary, assignment, bins } = input;
  const { grid, passes, sha256 } = frame.commands;
  const costs = summary.bins.map(estimateBinCost);
  const chipletByBin = new Map(
    assignment.flatMap(({ chipletId, binIds }) =>
      binIds.map((binId) => [binId, chipletId] as const),
    ),
  );
  const counted = (counters: Counters, name: keyof Counters) => counters[name] ?? 0;
  const totals: Counters = {};
  for (const bin of bins) addCounters(totals, bin.counters);
  const listed = counted(summary.counters, 'visibility.primitivesListed');
  const covered = counted(totals, 'raster.primitivesCovered');
  const schedule = makeSchedule(summary, assignment, bins);

  return {
    reportVersion: 1,
    frame: { sha256, widthPx: grid.widthPx, heightPx: grid.heightPx },
    image: { sha256: input.imageSha256 },
    timing: frame.commands.timing,
    spec: input.spec,
    policy: input.policy,
    totals: {
      cycles: schedule.cycles,
      simulatedMs: schedule.cycles === null ? null : (schedule.cycles * 1000) / input.spec.clockHz,
      vertices: counted(totals, 'geometry.verticesFetched'),
      primitives: counted(totals, 'geometry.primitivesIn'),
      fragments: counted(totals, 'raster.fragmentsCovered'),
    },
    visibility: {
      cycles: summary.cycles,
      shader: frame.commands.visibilityShader,
      verticesShaded: counted(summary.counters, 'visibility.verticesShaded'),
      instructionsExecuted: counted(summary.counters, 'visibility.instructionsExecuted'),
      primitivesIn: counted(summary.counters, 'visibility.primitivesIn'),
      culled: {
        outsideView: counted(summary.counters, 'visibility.primitivesOutsideView'),
        face: counted(summary.counters, 'visibility.primitivesFaceCulled'),
        zeroArea: counted(summary.counters, 'visibility.primitivesZeroArea'),
        noSample: counted(summary.counters, 'visibility.primitivesNoSample'),
      },
      primitivesListed: listed,
      streamBytes: summary.bins.reduce((sum, bin) => sum + bin.streamBytes, 0),
      tightness: covered === 0 ? null : listed / covered,
    },
    bins: bins.map((bin) => ({
      passIndex: bin.passIndex,
      id: bin.binId,
      x: bin.rect.x,
      y: bin.rect.y,
      width: bin.rect.width,
      height: bin.rect.height,
      chiplet: chipletByBin.get(bin.binId)!,
      startCycle: schedule.startByBin?.get(bin.binId) ?? null,
      endCycle: schedule.endByBin?.get(bin.binId) ?? null,
      primitives: counted(bin.counters, 'geometry.primitivesIn'),
      fragments: counted(bin.counters, 'raster.fragmentsCovered'),
      estimatedCost: costs[bin.binId]!,
    })),
    chiplets: input.chiplets.map(({ id }) => {
      const binIds = assignment.find((entry) => entry.chipletId === id)?.binIds ?? [];
      const counters: Counters = id === 0 ? { ...summary.counters } : {};
      for (const binId of binIds) addCounters(counters, bins[binId]!.counters);
      return {
        id,
        modes: [
          ...(id === 0 ? (['visibility'] as const) : []),
          ...(binIds.length > 0 ? (['coarse-bin-rendering'] as const) : []),
        ],
        binCount: binIds.length,
        estimatedCost: binIds.reduce((sum, binId) => sum + costs[binId]!, 0),
        ...chipletCycles(schedule, id),
        counters,
      };
    }),
    assignment: {
      unit: 'estimatedCost',
      makespanCycles: schedule.makespanCycles,
      lowerBoundCycles: schedule.lowerBoundCycles,
      imbalance: measureImbalance(assignment, costs),
    },
    link: { bytes: countLinkBytes(input), cycles: null },
    passes: passes.map((pass) => ({ draws: pass.draws.length, bins: bins.length })),
    wall: input.wall,
  };
}

function measureImbalance(assignment: readonly ChipletBins[], costs: readonly number[]): number {
  const loads = assignment.map(({ binIds }) =>
    binIds.reduce((sum, binId) => sum + costs[binId]!, 0),
  );
  const mean = loads.reduce((sum, load) => sum + load, 0) / loads.length;
  return mean === 0 ? 1 : Math.max(...loads) / mean;
}

/**
 * Bytes that cross the link for this frame with nothing cached: resources and constants once (a
 * broadcast), streams once, and the pixels of every bin that was not rendered on chiplet 0.
 */
function countLinkBytes(input: ReportInput): number {
  const { frame, summary, bins, assignment } = input;
  let bytes = 0;
  for (const buffer of frame.buffers) bytes += buffer.bytes.length;
  for (const texture of frame.textures) {
    for (const level of texture.levels) bytes += level.length;
  }
  for (const { vertex, fragment } of frame.programs) {
    bytes += vertex.code.byteLength + fragment.code.byteLength;
  }
  for (const pass of frame.commands.passes) {
    for (const draw of pass.draws) bytes += draw.constants.byteLength;
  }
  for (const bin of summary.bins) bytes += bin.streamBytes;
  for (const { chipletId, binIds } of assignment) {
    if (chipletId === 0) continue;
    for (const binId of binIds) bytes += bins[binId]!.rgba.length;
  }
  return bytes;
}
