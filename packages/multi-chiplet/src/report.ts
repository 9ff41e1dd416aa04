/** Draws up the account of a frame from what its chiplets counted. */
import {
  addCounters,
  type Chiplet,
  type Counters,
  type Image,
  type PreparedFrame,
  type Report,
  type Sha256,
  type SpecSummary,
} from '@tessera/frame';
import { estimateBinCost } from './bin-cost.ts';
import type { PassFrame } from './pass-frames.ts';
import type { RenderedPass } from './render-pass.ts';
import { chipletCycles, makeSchedules } from './schedule.ts';

/** A pass with what came of it. */
export type FinishedPass = PassFrame & RenderedPass;

export interface ReportInput {
  readonly frame: PreparedFrame;
  readonly image: Image;
  readonly imageSha256: Sha256;
  readonly spec: SpecSummary;
  readonly policy: string;
  readonly chiplets: readonly Chiplet[];
  readonly passes: readonly FinishedPass[];
  readonly wall: Report['wall'];
}

/** The report; everything but `wall` is a function of frame, grid, policy and number of chiplets. */
export function makeReport(input: ReportInput): Report {
  const { frame, passes } = input;
  const { grid, sha256 } = frame.commands;
  const counted = (counters: Counters, name: keyof Counters) => counters[name] ?? 0;
  const totals: Counters = {};
  const visibility: Counters = {};
  for (const { summary, bins } of passes) {
    addCounters(visibility, summary.counters);
    for (const bin of bins) addCounters(totals, bin.counters);
  }
  const listed = counted(visibility, 'visibility.primitivesListed');
  const covered = counted(totals, 'raster.primitivesCovered');
  const schedules = makeSchedules(passes);
  const cycles = sumCycles(schedules.map((schedule) => schedule.cycles));

  return {
    reportVersion: 1,
    frame: { sha256, widthPx: grid.widthPx, heightPx: grid.heightPx },
    image: { sha256: input.imageSha256 },
    timing: frame.commands.timing,
    spec: input.spec,
    policy: input.policy,
    totals: {
      cycles,
      simulatedMs: cycles === null ? null : (cycles * 1000) / input.spec.clockHz,
      vertices: counted(totals, 'geometry.verticesFetched'),
      primitives: counted(totals, 'geometry.primitivesIn'),
      fragments: counted(totals, 'raster.fragmentsCovered'),
    },
    visibility: {
      cycles: sumCycles(passes.map(({ summary }) => summary.cycles)),
      shader: frame.commands.visibilityShader,
      verticesShaded: counted(visibility, 'visibility.verticesShaded'),
      instructionsExecuted: counted(visibility, 'visibility.instructionsExecuted'),
      primitivesIn: counted(visibility, 'visibility.primitivesIn'),
      culled: {
        outsideView: counted(visibility, 'visibility.primitivesOutsideView'),
        face: counted(visibility, 'visibility.primitivesFaceCulled'),
        zeroArea: counted(visibility, 'visibility.primitivesZeroArea'),
        noSample: counted(visibility, 'visibility.primitivesNoSample'),
      },
      primitivesListed: listed,
      streamBytes: passes
        .flatMap(({ summary }) => summary.bins)
        .reduce((sum, bin) => sum + bin.streamBytes, 0),
      tightness: covered === 0 ? null : listed / covered,
    },
    bins: passes.flatMap(({ summary, assignment, bins }, passIndex) => {
      const schedule = schedules[passIndex]!;
      const chipletByBin = new Map(
        assignment.flatMap(({ chipletId, binIds }) =>
          binIds.map((binId) => [binId, chipletId] as const),
        ),
      );
      return bins.map((bin) => ({
        passIndex,
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
        estimatedCost: estimateBinCost(summary.bins[bin.binId]!),
      }));
    }),
    chiplets: input.chiplets.map(({ id }) => {
      const counters: Counters = id === 0 ? { ...visibility } : {};
      let binCount = 0;
      let estimatedCost = 0;
      for (const { summary, assignment, bins } of passes) {
        const binIds = assignment.find((entry) => entry.chipletId === id)?.binIds ?? [];
        binCount += binIds.length;
        for (const binId of binIds) {
          addCounters(counters, bins[binId]!.counters);
          estimatedCost += estimateBinCost(summary.bins[binId]!);
        }
      }
      return {
        id,
        modes: [
          ...(id === 0 ? (['visibility'] as const) : []),
          ...(binCount > 0 ? (['coarse-bin-rendering'] as const) : []),
        ],
        binCount,
        estimatedCost,
        ...chipletCycles(schedules, id),
        counters,
      };
    }),
    assignment: {
      unit: 'estimatedCost',
      makespanCycles: sumCycles(schedules.map((schedule) => schedule.makespanCycles)),
      lowerBoundCycles: sumCycles(schedules.map((schedule) => schedule.lowerBoundCycles)),
      imbalance: measureImbalance(passes),
    },
    link: { bytes: countLinkBytes(passes), cycles: null },
    passes: passes.map(({ frame: { commands }, link: { target }, bins, bytesExchanged }, i) => ({
      draws: commands.passes[0]!.draws.length,
      bins: bins.length,
      target: target.kind,
      textureIndex: target.kind === 'screen' ? null : target.textureIndex,
      widthPx: commands.grid.widthPx,
      heightPx: commands.grid.heightPx,
      bytesExchanged,
      cycles: schedules[i]!.cycles,
    })),
    wall: input.wall,
  };
}

/** Passes run one after the other. Null where one has no cycles. */
function sumCycles(cycles: readonly (number | null)[]): number | null {
  let sum = 0;
  for (const each of cycles) {
    if (each === null) return null;
    sum += each;
  }
  return sum;
}

/** Every pass ends when the chiplet with most to do is done. */
function measureImbalance(passes: readonly FinishedPass[]): number {
  let largest = 0;
  let mean = 0;
  for (const { assignment, summary } of passes) {
    const loads = assignment.map(({ binIds }) =>
      binIds.reduce((sum, binId) => sum + estimateBinCost(summary.bins[binId]!), 0),
    );
    largest += Math.max(...loads);
    mean += loads.reduce((sum, load) => sum + load, 0) / loads.length;
  }
  return mean === 0 ? 1 : largest / mean;
}

/**
 * Bytes that cross the link for this frame with nothing cached: resources and constants once (a
 * broadcast), streams once, and the pixels of every bin that was not rendered on chiplet 0. What passes drew
 * is a resource of those that read it.
 */
function countLinkBytes(passes: readonly FinishedPass[]): number {
  const bytesByResource = new Map<string, number>();
  let bytes = 0;
  for (const { frame, summary, bins, assignment } of passes) {
    for (const buffer of frame.buffers) {
      bytesByResource.set(`buffer ${buffer.sha256}`, buffer.bytes.length);
    }
    for (const { sha256, levels } of frame.textures) {
      const levelBytes = levels.reduce((sum, level) => sum + level.length, 0);
      bytesByResource.set(`texture ${sha256}`, levelBytes);
    }
    for (const { sha256, vertex, fragment } of frame.programs) {
      const codeBytes = vertex.code.byteLength + fragment.code.byteLength;
      bytesByResource.set(`program ${sha256}`, codeBytes);
    }
    for (const pass of frame.commands.passes) {
      for (const draw of pass.draws) bytes += draw.constants.byteLength;
    }
    for (const bin of summary.bins) bytes += bin.streamBytes;
    for (const { chipletId, binIds } of assignment) {
      if (chipletId === 0) continue;
      for (const binId of binIds) {
        const { rgba, depthStencil } = bins[binId]!;
        bytes += rgba.length + (depthStencil?.length ?? 0);
      }
    }
  }
  for (const resourceBytes of bytesByResource.values()) bytes += resourceBytes;
  return bytes;
}
