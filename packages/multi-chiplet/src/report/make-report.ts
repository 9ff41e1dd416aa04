/** Makes the report of a frame from the counts of its hosts and from its simulation. */
import { createHash } from 'node:crypto';
import type { EnergyOptions } from '@tessera/energy';
import {
  addCounters,
  type Counters,
  type Image,
  type MemoryBandwidth,
  type PassTarget,
  type Placement,
  type Report,
  type Sha256,
  type SpecSummary,
} from '@tessera/frame';
import type { InterconnectSpec } from '../interconnect/interconnect-spec.ts';
import { accountLink } from '../interconnect/link-account.ts';
import {
  accountAssignment,
  accountChiplets,
  idleShareOf,
} from '../simulated-time/account-chiplets.ts';
import { type FrameMeasurement, visibilityPartsOf } from '../simulated-time/frame-measurement.ts';
import type { Organization } from '../simulated-time/organization.ts';
import type {
  SimulatedCopies,
  SimulatedFrames,
  SimulationOptions,
} from '../simulated-time/simulated-frames.ts';
import type { AccountedFrame, PassAccount } from './account-frame.ts';
import { accountRemote } from './account-remote.ts';
import { reportCauses } from './report-causes.ts';
import { reportEnergy } from './report-energy.ts';
import { addTimedCounters } from './timed-counters.ts';

/** Account and simulation of one frame. */
export interface ReportInput {
  readonly frame: AccountedFrame;
  readonly image: Image;
  readonly spec: SpecSummary;
  readonly policy: string;
  readonly chipletCount: number;
  readonly isVisibilityChipletRendering: boolean;
  readonly interconnect: InterconnectSpec;
  readonly placement: Placement;
  readonly organization: Organization;
  readonly passes: readonly PassAccount[];
  readonly measurement: FrameMeasurement;
  /** Simulation of this frame alone. */
  readonly simulated: SimulatedFrames;
  /** Options of that simulation. */
  readonly simulation: SimulationOptions;
  /** Technologies for the energy; DEFAULT_ENERGY_OPTIONS by default. */
  readonly energy?: EnergyOptions | undefined;
  readonly wall: Report['wall'];
}

/**
 * Returns the report of a frame. Everything except `wall` is a function of the frame, grid,
 * specification, policy, link and number of chiplets.
 */
export function makeReport(input: ReportInput): Report {
  const { frame, passes, simulated } = input;
  const visibility: Counters = {};
  const bins: Counters = {};
  for (const [passIndex, pass] of passes.entries()) {
    for (const { counters } of listRuns(input, passIndex)) addCounters(visibility, counters);
    for (const bin of pass.bins) addCounters(bins, bin.counters);
  }
  const isTimed = simulated.clock === 'cycles';
  const cycles = isTimed ? simulated.frames[0]!.endCycle : null;
  const binReports = reportBins(input);
  const chiplets = reportChiplets(input, cycles);
  const link = {
    ...input.interconnect,
    ...accountLink(simulated.transfers, simulated.channels, isTimed),
    remote: accountRemote(simulated),
  };
  const totals = {
    cycles,
    simulatedMs: cycles === null ? null : (cycles * 1000) / input.spec.clockHz,
    vertices: countOf(bins, 'geometry.verticesFetched'),
    primitives: countOf(bins, 'geometry.primitivesIn'),
    fragments: countOf(bins, 'raster.fragmentsCovered'),
  };
  return {
    reportVersion: 1,
    frame: { sha256: frame.sha256, widthPx: frame.widthPx, heightPx: frame.heightPx },
    image: hashOnDemand(input.image),
    timing: frame.timing,
    coupling: simulated.machines === null ? 'none' : 'exact',
    spec: input.spec,
    policy: input.policy,
    organization: input.organization,
    totals,
    visibility: reportVisibility(input, visibility, bins),
    bins: binReports,
    chiplets,
    assignment: accountAssignment(
      simulated,
      input.chipletCount,
      input.isVisibilityChipletRendering,
    ),
    placement: input.placement,
    link,
    passes: reportPasses(input),
    causes:
      cycles === null ? null : reportCauses(input, { totals, chiplets, spec: input.spec, link }),
    energy:
      cycles === null ? null : reportEnergy(input, cycles, { bins: binReports, chiplets, link }),
    wall: input.wall,
  };
}

/** Lists the runs of the visibility phase of a pass with their chiplets. */
function listRuns({ passes, simulated }: ReportInput, passIndex: number) {
  const { visibility } = passes[passIndex]!;
  const parts = visibility.parts ?? [visibility];
  return simulated.frames[0]!.passes[passIndex]!.visibilityParts.map(({ chipletId, part }) => ({
    chipletId,
    counters: parts[part]!.counters,
  }));
}

function countOf(counters: Counters, name: keyof Counters): number {
  return counters[name] ?? 0;
}

/** Returns null without cycle timing, where simulated cycles mean nothing. */
function timed({ simulated }: ReportInput, cycles: number): number | null {
  return simulated.clock === 'cycles' ? cycles : null;
}

/**
 * Returns the visibility part of the report.
 *
 * @param visibility Counters of all visibility phases.
 * @param bins Counters of all bins.
 */
function reportVisibility(
  input: ReportInput,
  visibility: Counters,
  bins: Counters,
): Report['visibility'] {
  const { frame, measurement } = input;
  const coveredCount = countOf(bins, 'raster.primitivesCovered');
  const phaseCycles = input.simulated.frames[0]!.passes.reduce(
    (sum, { visibilityStartCycle, visibilityEndCycle }) =>
      sum + visibilityEndCycle - visibilityStartCycle,
    0,
  );
  const early = measurement.passes.filter((pass) => pass.bins.some(({ isEarly }) => isEarly));
  return {
    cycles: timed(input, phaseCycles),
    shader: frame.visibilityShader,
    verticesShaded: countOf(visibility, 'visibility.verticesShaded'),
    instructionsExecuted: countOf(visibility, 'visibility.instructionsExecuted'),
    primitivesIn: countOf(visibility, 'visibility.primitivesIn'),
    culled: {
      outsideView: countOf(visibility, 'visibility.primitivesOutsideView'),
      face: countOf(visibility, 'visibility.primitivesFaceCulled'),
      zeroArea: countOf(visibility, 'visibility.primitivesZeroArea'),
      noSample: countOf(visibility, 'visibility.primitivesNoSample'),
      occluded: countOf(visibility, 'visibility.primitivesOccluded'),
    },
    earlyBins: early.length,
    primitivesListed: countOf(visibility, 'visibility.primitivesListed'),
    streamBytes: measurement.passes.reduce((sum, { streamBytes }) => sum + streamBytes, 0),
    ...reportSegments(input),
    tightness: coveredCount === 0 ? null : countOf(bins, 'geometry.primitivesIn') / coveredCount,
  };
}

/** Returns the segments of streamed visibility; nothing if there are none. */
function reportSegments(input: ReportInput): Pick<Report['visibility'], 'segments'> {
  const segments = input.measurement.passes.flatMap((pass) =>
    visibilityPartsOf(pass).flatMap((part) => part.segments ?? []),
  );
  if (segments.length === 0) return {};
  const { passes } = input.simulated.frames[0]!;
  const waited = passes.flatMap(({ bins }) => bins.map(({ waitedCycles = 0 }) => waitedCycles));
  return {
    segments: {
      count: segments.length,
      bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
      waitedCycles: timed(
        input,
        waited.reduce((sum, cycles) => sum + cycles, 0),
      ),
    },
  };
}

function reportBins(input: ReportInput): Report['bins'] {
  const { passes, measurement, simulated } = input;
  return passes.flatMap(({ bins }, passIndex) =>
    bins.map((bin, binIndex) => {
      const { chipletId, startCycle, endCycle } =
        simulated.frames[0]!.passes[passIndex]!.bins[binIndex]!;
      const { isEarly, estimatedCycles } = measurement.passes[passIndex]!.bins[binIndex]!;
      return {
        passIndex,
        id: bin.binId,
        x: bin.rect.x,
        y: bin.rect.y,
        width: bin.rect.width,
        height: bin.rect.height,
        chiplet: chipletId,
        isEarly,
        startCycle: timed(input, startCycle),
        endCycle: timed(input, endCycle),
        primitives: countOf(bin.counters, 'geometry.primitivesIn'),
        fragments: countOf(bin.counters, 'raster.fragmentsCovered'),
        estimatedCost: estimatedCycles,
      };
    }),
  );
}

/**
 * Returns the part of the report for each chiplet.
 *
 * @param cycles Cycles of the frame.
 */
function reportChiplets(input: ReportInput, cycles: number | null): Report['chiplets'] {
  const countersByChiplet = sumCounters(input);
  const visibilityIds = new Set(
    input.simulated.frames[0]!.passes.flatMap(({ visibilityParts }) =>
      visibilityParts.map(({ chipletId }) => chipletId),
    ),
  );
  const accounts = accountChiplets(input.measurement, input.simulated, input.chipletCount);
  return accounts.map(({ binCount, estimatedCost, busyCycles, copyCycles }, id) => {
    const idleCycles = (cycles ?? 0) - busyCycles;
    const counters = countersByChiplet[id]!;
    const runCycles = input.simulated.machines?.[id]?.cycles ?? busyCycles;
    return {
      id,
      modes: [
        ...(id === 0 || visibilityIds.has(id) ? (['visibility'] as const) : []),
        ...(binCount > 0 ? (['coarse-bin-rendering'] as const) : []),
      ],
      binCount,
      estimatedCost,
      busyCycles: timed(input, busyCycles),
      idleCycles: timed(input, idleCycles),
      idleShare: cycles === null ? null : idleShareOf(busyCycles, cycles),
      copyCycles: timed(input, copyCycles),
      memory: cycles === null ? null : measureMemory(input.spec, counters, runCycles + copyCycles),
      counters,
    };
  });
}

function reportPasses(input: ReportInput): Report['passes'] {
  return input.passes.map(({ target, bins, ...pass }, i) => {
    const { visibilityStartCycle, visibilityEndCycle, endCycle, copies } =
      input.simulated.frames[0]!.passes[i]!;
    const copyCyclesOf = (...kinds: SimulatedCopies['kind'][]) =>
      copies
        .filter((work) => kinds.includes(work.kind) && work.chipletId === 0)
        .reduce((sum, work) => sum + work.cycles, 0);
    return {
      draws: pass.drawCount,
      bins: bins.length,
      target: target.kind,
      textureIndex: textureIndexOf(target),
      widthPx: pass.widthPx,
      heightPx: pass.heightPx,
      bytesExchanged: pass.bytesExchanged,
      ...(pass.queryCounts.length === 0 ? {} : { queryCounts: pass.queryCounts }),
      startCycle: timed(input, visibilityStartCycle),
      uploadCycles: timed(input, copyCyclesOf('upload')),
      copyCycles: timed(input, copyCyclesOf('resolve', 'copy', 'compose')),
      visibilityCycles: timed(input, visibilityEndCycle - visibilityStartCycle),
      cycles: timed(input, endCycle - visibilityStartCycle),
    };
  });
}

/**
 * Computes the hash of an image on its first read, because a program that renders many images may
 * never read it.
 */
function hashOnDemand({ rgba }: Image): Report['image'] {
  let pixels: Uint8Array | null = rgba;
  let sha256: Sha256 = '';
  return {
    get sha256() {
      if (pixels !== null) sha256 = createHash('sha256').update(pixels).digest('hex');
      pixels = null;
      return sha256;
    },
  };
}

/**
 * Sums the counters of each chiplet: those of its bins, of its copy engine and of its machine, and
 * of its parts of the visibility phases.
 */
function sumCounters(input: ReportInput): Counters[] {
  const { passes, measurement, simulated, chipletCount } = input;
  const byChiplet = Array.from({ length: chipletCount }, (): Counters => ({}));
  for (const passIndex of passes.keys()) {
    for (const { chipletId, counters } of listRuns(input, passIndex)) {
      addCounters(byChiplet[chipletId]!, counters);
    }
  }
  addTimedCounters(byChiplet, measurement, simulated);
  for (const [passIndex, { bins }] of passes.entries()) {
    const { bins: owners } = simulated.frames[0]!.passes[passIndex]!;
    for (const [binIndex, bin] of bins.entries()) {
      addCounters(byChiplet[owners[binIndex]!.chipletId]!, bin.counters);
    }
  }
  return byChiplet;
}

function measureMemory(
  { parameters }: SpecSummary,
  counters: Counters,
  cycles: number,
): MemoryBandwidth {
  const bytes = (counters['memory.bytesRead'] ?? 0) + (counters['memory.bytesWritten'] ?? 0);
  const peakBytesPerCycle = Number(parameters.dramChannels) * Number(parameters.dramBytesPerCycle);
  const achievedBytesPerCycle = cycles === 0 ? 0 : bytes / cycles;
  const utilization = achievedBytesPerCycle / peakBytesPerCycle;
  return { bytes, achievedBytesPerCycle, peakBytesPerCycle, utilization };
}

/** Returns the first texture that a pass draws into, or null for the screen and for feedback. */
function textureIndexOf(target: PassTarget): number | null {
  switch (target.kind) {
    case 'screen':
    case 'feedback':
      return null;
    case 'texture':
      return target.textureIndex;
    case 'images':
      return (target.colors.find((color) => color !== null) ?? target.depthStencil)!.textureIndex;
  }
}
