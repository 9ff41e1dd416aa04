/** Draws up the account of a frame from what its hosts counted and what was simulated of it. */
import { createHash } from 'node:crypto';
import {
  addCounters,
  type Counters,
  type Image,
  type MemoryBandwidth,
  type PassTarget,
  type Report,
  type Sha256,
  type SpecSummary,
} from '@tessera/frame';
import type { InterconnectSpec } from '../interconnect/interconnect-spec.ts';
import { accountLink } from '../interconnect/link-account.ts';
import { accountAssignment, accountChiplets } from '../simulated-time/account-chiplets.ts';
import type { FrameMeasurement } from '../simulated-time/frame-measurement.ts';
import type { SimulatedFrames } from '../simulated-time/simulated-frames.ts';
import type { AccountedFrame, PassAccount } from './account-frame.ts';

export interface ReportInput {
  readonly frame: AccountedFrame;
  readonly image: Image;
  readonly spec: SpecSummary;
  readonly policy: string;
  readonly chipletCount: number;
  readonly isVisibilityChipletRendering: boolean;
  readonly interconnect: InterconnectSpec;
  readonly passes: readonly PassAccount[];
  readonly measurement: FrameMeasurement;
  /** Of this frame alone. */
  readonly simulated: SimulatedFrames;
  readonly wall: Report['wall'];
}

/** The report; everything but `wall` is a function of frame, grid, specification, policy, link and chiplets. */
export function makeReport(input: ReportInput): Report {
  const { frame, passes, simulated, measurement } = input;
  const { sha256, widthPx, heightPx } = frame;
  const counted = (counters: Counters, name: keyof Counters) => counters[name] ?? 0;
  const totals: Counters = {};
  const visibility: Counters = {};
  for (const { visibility: phase, bins } of passes) {
    addCounters(visibility, phase.counters);
    for (const bin of bins) addCounters(totals, bin.counters);
  }
  const listed = counted(visibility, 'visibility.primitivesListed');
  const covered = counted(totals, 'raster.primitivesCovered');
  const [simulatedFrame] = simulated.frames;
  const isTimed = simulated.clock === 'cycles';
  const timed = (cycles: number) => (isTimed ? cycles : null);
  const cycles = timed(simulatedFrame!.endCycle);
  const { interconnect } = input;
  const countersByChiplet = sumCounters(input, visibility);

  return {
    reportVersion: 1,
    frame: { sha256, widthPx, heightPx },
    image: hashOnDemand(input.image),
    timing: frame.timing,
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
      cycles: timed(passes.reduce((sum, { visibility: { cycles } }) => sum + (cycles ?? 0), 0)),
      shader: frame.visibilityShader,
      verticesShaded: counted(visibility, 'visibility.verticesShaded'),
      instructionsExecuted: counted(visibility, 'visibility.instructionsExecuted'),
      primitivesIn: counted(visibility, 'visibility.primitivesIn'),
      culled: {
        outsideView: counted(visibility, 'visibility.primitivesOutsideView'),
        face: counted(visibility, 'visibility.primitivesFaceCulled'),
        zeroArea: counted(visibility, 'visibility.primitivesZeroArea'),
        noSample: counted(visibility, 'visibility.primitivesNoSample'),
        occluded: counted(visibility, 'visibility.primitivesOccluded'),
      },
      earlyBins: measurement.passes.filter(({ bins }) => bins.some(({ isEarly }) => isEarly))
        .length,
      primitivesListed: listed,
      streamBytes: measurement.passes.reduce((sum, { streamBytes }) => sum + streamBytes, 0),
      tightness: covered === 0 ? null : counted(totals, 'geometry.primitivesIn') / covered,
    },
    bins: passes.flatMap(({ bins }, passIndex) =>
      bins.map((bin, binIndex) => {
        const { chipletId, startCycle, endCycle } =
          simulatedFrame!.passes[passIndex]!.bins[binIndex]!;
        return {
          passIndex,
          id: bin.binId,
          x: bin.rect.x,
          y: bin.rect.y,
          width: bin.rect.width,
          height: bin.rect.height,
          chiplet: chipletId,
          isEarly: measurement.passes[passIndex]!.bins[binIndex]!.isEarly,
          startCycle: timed(startCycle),
          endCycle: timed(endCycle),
          primitives: counted(bin.counters, 'geometry.primitivesIn'),
          fragments: counted(bin.counters, 'raster.fragmentsCovered'),
          estimatedCost: measurement.passes[passIndex]!.bins[binIndex]!.estimatedCycles,
        };
      }),
    ),
    chiplets: accountChiplets(measurement, simulated, input.chipletCount).map((account, id) => {
      const { binCount, estimatedCost, busyCycles } = account;
      const idleCycles = (cycles ?? 0) - busyCycles;
      const counters = countersByChiplet[id]!;
      return {
        id,
        modes: [
          ...(id === 0 ? (['visibility'] as const) : []),
          ...(binCount > 0 ? (['coarse-bin-rendering'] as const) : []),
        ],
        binCount,
        estimatedCost,
        busyCycles: timed(busyCycles),
        idleCycles: timed(idleCycles),
        idleShare: cycles === null ? null : cycles === 0 ? 0 : idleCycles / cycles,
        memory: cycles === null ? null : measureMemory(input.spec, counters, busyCycles),
        counters,
      };
    }),
    assignment: accountAssignment(
      simulated,
      input.chipletCount,
      input.isVisibilityChipletRendering,
    ),
    link: { ...interconnect, ...accountLink(simulated.transfers, isTimed) },
    passes: passes.map(({ target, bins, ...pass }, i) => {
      const { visibilityStartCycle, endCycle } = simulatedFrame!.passes[i]!;
      return {
        draws: pass.drawCount,
        bins: bins.length,
        target: target.kind,
        textureIndex: textureIndexOf(target),
        widthPx: pass.widthPx,
        heightPx: pass.heightPx,
        bytesExchanged: pass.bytesExchanged,
        startCycle: timed(visibilityStartCycle),
        visibilityCycles: measurement.passes[i]!.visibilityCycles,
        cycles: timed(endCycle - visibilityStartCycle),
      };
    }),
    wall: input.wall,
  };
}

/** The hash of a picture, made when it is first read: who renders picture after picture may never look at it. */
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

/** What each chiplet counted: its bins and, on chiplet 0, the visibility phases. */
function sumCounters(
  { passes, simulated, chipletCount }: ReportInput,
  visibility: Counters,
): Counters[] {
  const byChiplet = Array.from(
    { length: chipletCount },
    (_, id): Counters => (id === 0 ? { ...visibility } : {}),
  );
  for (const [passIndex, { bins }] of passes.entries()) {
    const owners = simulated.frames[0]!.passes[passIndex]!.bins;
    for (const [binIndex, bin] of bins.entries()) {
      addCounters(byChiplet[owners[binIndex]!.chipletId]!, bin.counters);
    }
  }
  return byChiplet;
}

function measureMemory(
  { parameters }: SpecSummary,
  counters: Counters,
  busyCycles: number,
): MemoryBandwidth {
  const bytes = (counters['memory.bytesRead'] ?? 0) + (counters['memory.bytesWritten'] ?? 0);
  const peakBytesPerCycle = Number(parameters.dramChannels) * Number(parameters.dramBytesPerCycle);
  const achievedBytesPerCycle = busyCycles === 0 ? 0 : bytes / busyCycles;
  const utilization = achievedBytesPerCycle / peakBytesPerCycle;
  return { bytes, achievedBytesPerCycle, peakBytesPerCycle, utilization };
}

/** The texture that a pass draws into: the first of several. */
function textureIndexOf(target: PassTarget): number | null {
  switch (target.kind) {
    case 'screen':
      return null;
    case 'texture':
      return target.textureIndex;
    case 'images':
      return (target.colors.find((color) => color !== null) ?? target.depthStencil)!.textureIndex;
  }
}
