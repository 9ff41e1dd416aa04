/**
 * Measurement of a frame, independent of the hosts: cycles of its visibility phases and bins, and
 * bytes of all transfers. A chiplet starts each phase and bin with cold caches, so these figures
 * depend on frame and specification alone. With `coupling: exact` there are records instead of
 * cycles. Any number of chiplets, policy and link follows from a measurement without rendering
 * again (frame-simulation.ts). A measurement is plain data.
 */
import type {
  ChipletId,
  CoarseBinGrid,
  CoarseBinId,
  CopyEngineWork,
  RecordedRun,
  Sha256,
  TargetClass,
  TextureResource,
} from '@tessera/frame';
import type { OwnedImage } from '../passes/owned-images.ts';
import type { OwnedBytes } from '../passes/target-owners.ts';

import { type ResourceKind, type ResourceShare, takeShare } from '../placement/resource-shares.ts';

/** Pixels of a bin that machines time. */
export interface BinPixels {
  /** Bytes of pixels, and of depth and stencil if a later pass loads them. */
  readonly bytes: number;
  /** Bytes that describe the bin in place of its pixels: a header and the counts of queries. */
  readonly headerBytes: number;
  /** Whether the bin has no primitives, so that its pixels are those from before its pass. */
  readonly isEmpty: boolean;
  /**
   * Bytes of the contents that the bin loads, by the owners of their pixels; empty if it loads
   * none.
   */
  readonly contents: readonly OwnedBytes[];
}

/** One bin, or a part of one. Its index in the pass's list is its `binIndex`. */
export interface BinMeasurement {
  readonly binId: CoarseBinId;
  /** Measured cycles; null without cycle timing. */
  readonly cycles: number | null;
  /** The same with each alternative specification of the frame; missing if there are none. */
  readonly alternativeCycles?: readonly number[] | undefined;
  /** Records of the bin with `coupling: exact`; then it has no cycles of its own. */
  readonly records?: RecordedRun | undefined;
  /** Terms of the cost model: see bin-cost.ts. */
  readonly costTerms: readonly number[];
  /** Cycles that the cost model estimates. */
  readonly estimatedCycles: number;
  /**
   * Bytes of pixels, of depth and stencil if a later pass loads them, and of the counts of queries.
   */
  readonly resultBytes: number;
  /** Share of the resolve of the pass's samples; missing if the bin has nothing to resolve. */
  readonly resolveShare?: ResourceShare | undefined;
  /** Pixels of the bin; missing without records. */
  readonly pixels?: BinPixels | undefined;
  /** Index of the bin's layer; missing unless draws are divided. */
  readonly layer?: number | undefined;
  /** Bytes of the bin's visibility stream. */
  readonly streamBytes: number;
  /** Whether chiplet 0 rendered the bin during the visibility phase (patent fig. 3: 316–320). */
  readonly isEarly: boolean;
}

/** A buffer, texture or program of a pass. */
export interface ResourceMeasurement {
  readonly sha256: Sha256;
  readonly bytes: number;
  readonly kind: ResourceKind;
  /**
   * Timings of the copy engine for storing the resource and for generating its mipmap levels, as
   * indices in the pass's `copyWork`; missing for no work.
   */
  readonly store?: number | undefined;
  readonly mipmaps?: number | undefined;
  /** Whether an earlier pass of the frame drew the resource. */
  readonly isDrawn: boolean;
}

/** A texture of a pass, and its images that earlier passes drew. */
export interface MeasuredTexture {
  /** Texture without its levels. */
  readonly texture: TextureResource;
  readonly images: readonly OwnedImage[];
}

/** Targets of a pass that machines time. */
export interface PassTargets {
  /** Class of what the pass draws. */
  readonly targetClass: TargetClass;
  /** Textures in the order of their places in memory. */
  readonly textures: readonly MeasuredTexture[];
  /** Pass of the frame that owners of pixels count from. */
  readonly firstPass: number;
}

/** Segment of streamed visibility. */
export interface SegmentMeasurement {
  /** Bytes with the head. */
  readonly bytes: number;
  /** Bins with entries and the numbers of their entries, in turn. */
  readonly binEntries: readonly number[];
  /** Cycle of its part in which it has left; null without cycle timing and with records. */
  readonly endCycle: number | null;
  /** The same with each alternative specification of the frame; missing if there are none. */
  readonly alternativeEndCycles?: readonly number[] | undefined;
}

/** Part of a visibility phase: the run of one chiplet. */
export interface VisibilityPartMeasurement {
  readonly cycles: number | null;
  readonly alternativeCycles?: readonly number[] | undefined;
  readonly records?: RecordedRun | undefined;
  /** Bytes of the streams that the chiplet sends to the others. */
  readonly streamBytes: number;
  /** Segments if visibility is streamed. */
  readonly segments?: readonly SegmentMeasurement[] | undefined;
}

/** Composition group that a pass is with `sort-last`. */
export interface MeasuredGroup {
  /** Number of chiplets among which draws were divided. */
  readonly chipletCount: number;
  /** Whether the next pass continues this one on the chiplets that hold it. */
  readonly isContinued: boolean;
}

/** Composition of the layers of a pass whose draws are divided among the chiplets. */
export interface LayerComposition {
  /** Chiplet of each layer. */
  readonly chipletIds: readonly ChipletId[];
  /** Whether layers are composed with what the pass before has drawn. */
  readonly isContinuing: boolean;
  /** Bins of the grid. */
  readonly bins: readonly {
    readonly samples: number;
    /** Bytes of a sample's colors, depth and rank. */
    readonly sampleBytes: number;
    /** Bytes of the composed bin that a later pass or the display needs. */
    readonly resultBytes: number;
  }[];
}

/** Measurement of one pass. */
export interface PassMeasurement {
  readonly grid: Pick<CoarseBinGrid, 'columns' | 'rows'>;
  /** Key that identifies the bins of this pass, in this frame and the next. */
  readonly historyKey: string;
  /** Cycles of the visibility phase; null without cycle timing. */
  readonly visibilityCycles: number | null;
  /** The same with each alternative specification of the frame; missing if there are none. */
  readonly alternativeVisibilityCycles?: readonly number[] | undefined;
  /** Records of the visibility phase with `coupling: exact`; then it has no cycles of its own. */
  readonly visibilityRecords?: RecordedRun | undefined;
  /**
   * Parts of the phase on several chiplets, which then have the cycles and records; missing if
   * chiplet 0 runs all of it.
   */
  readonly visibilityParts?: readonly VisibilityPartMeasurement[] | undefined;
  /** Segments of the phase if visibility is streamed and chiplet 0 runs all of it. */
  readonly visibilitySegments?: readonly SegmentMeasurement[] | undefined;
  readonly bins: readonly BinMeasurement[];
  readonly commandBytes: number;
  readonly streamBytes: number;
  readonly resources: readonly ResourceMeasurement[];
  /**
   * Timings of the copy engine, its copies after the pass, and its resolve of the bins; none
   * without cycle timing.
   */
  readonly copyWork: Pick<CopyEngineWork, 'timings' | 'copies' | 'resolve'>;
  /** Earlier passes whose targets the visibility phase reads: its vertex shaders, its early bin. */
  readonly visibilityNeeds: readonly number[];
  /** Earlier passes whose targets the bins read. */
  readonly binsNeed: readonly number[];
  /** Composition of the pass if its draws were divided; its bins are those of the layers. */
  readonly composition?: LayerComposition | undefined;
  /** Group that the pass is; missing unless the frame was rendered for `sort-last`. */
  readonly group?: MeasuredGroup | undefined;
  /**
   * Whether the pass draws what the frame shows: it is the last one to the screen. False by
   * default.
   */
  readonly isShown?: boolean | undefined;
  /** Targets that the pass draws and reads; missing without records. */
  readonly targets?: PassTargets | undefined;
}

/** Measurement of one frame. */
export interface FrameMeasurement {
  readonly passes: readonly PassMeasurement[];
}

/**
 * Returns the measurement that a rendering with an alternative specification gives.
 *
 * @param index Index of the alternative in the frame's commands.
 */
export function measurementWith({ passes }: FrameMeasurement, index: number): FrameMeasurement {
  return {
    passes: passes.map(({ alternativeVisibilityCycles, bins, copyWork, ...pass }) => ({
      ...pass,
      ...(pass.visibilityParts === undefined
        ? {}
        : {
            visibilityParts: pass.visibilityParts.map(({ alternativeCycles, segments, ...part }) =>
              part.cycles === null
                ? { ...part, ...(segments === undefined ? {} : { segments }) }
                : {
                    ...part,
                    cycles: requireCycles(alternativeCycles, index),
                    ...(segments === undefined ? {} : { segments: segmentsWith(segments, index) }),
                  },
            ),
          }),
      ...(pass.visibilitySegments === undefined
        ? {}
        : { visibilitySegments: segmentsWith(pass.visibilitySegments, index) }),
      copyWork: {
        ...copyWork,
        // Counters are those of the frame's own specification only.
        timings: copyWork.timings.map(({ alternativeCycles }) => ({
          cycles: requireCycles(alternativeCycles, index),
          counters: {},
        })),
      },
      ...(pass.visibilityRecords === undefined && pass.visibilityParts === undefined
        ? { visibilityCycles: requireCycles(alternativeVisibilityCycles, index) }
        : {}),
      bins: bins.map(({ alternativeCycles, ...bin }) =>
        // Bins with records, and an early bin, which is part of the phase, have no cycles.
        bin.cycles === null ? bin : { ...bin, cycles: requireCycles(alternativeCycles, index) },
      ),
    })),
  };
}

function segmentsWith(
  segments: readonly SegmentMeasurement[],
  index: number,
): readonly SegmentMeasurement[] {
  return segments.map(({ alternativeEndCycles, endCycle, ...segment }) => ({
    ...segment,
    endCycle: endCycle === null ? null : requireCycles(alternativeEndCycles, index),
  }));
}

function requireCycles(cycles: readonly number[] | undefined, index: number): number {
  const found = cycles?.[index];
  if (found === undefined) throw new Error(`measurement: has no alternative ${index}`);
  return found;
}

/** Whether all cycles of the frame were measured, or its records were kept. */
export function isTimed(frame: FrameMeasurement): boolean {
  return (
    isRecorded(frame) ||
    frame.passes.every(
      (pass) =>
        visibilityPartsOf(pass).every(({ cycles }) => cycles !== null) &&
        pass.bins.every(({ cycles }) => cycles !== null),
    )
  );
}

/** Whether machines can time the frame, from its records. */
export function isRecorded({ passes }: FrameMeasurement): boolean {
  return passes.every(
    (pass) =>
      visibilityPartsOf(pass).every(({ records }) => records !== undefined) &&
      pass.bins.every(({ records, isEarly }) => records !== undefined || isEarly),
  );
}

/** Returns the parts of a visibility phase; one if chiplet 0 runs all of it. */
export function visibilityPartsOf({
  visibilityParts,
  visibilityCycles,
  visibilityRecords,
  visibilitySegments,
  streamBytes,
}: PassMeasurement): readonly VisibilityPartMeasurement[] {
  if (visibilityParts !== undefined) return visibilityParts;
  return [
    {
      ...{ cycles: visibilityCycles, records: visibilityRecords, streamBytes },
      ...(visibilitySegments === undefined ? {} : { segments: visibilitySegments }),
    },
  ];
}

/**
 * Returns the bytes of a bin that leave its chiplet. With records, a bin without primitives is a
 * header.
 */
export function sentBytesOf({ resultBytes, pixels }: BinMeasurement): number {
  return pixels?.isEmpty ? pixels.headerBytes : resultBytes;
}

/**
 * Returns the timings of the copy engine for resources on a chiplet. Resources that passes drew are
 * already in the memory of chiplet 0.
 */
export function uploadsOf(
  resources: readonly ResourceMeasurement[],
  chipletId: ChipletId,
): { readonly stores: readonly number[]; readonly mipmaps: readonly number[] } {
  const stored = resources.filter(({ isDrawn }) => chipletId > 0 || !isDrawn);
  return {
    stores: stored.flatMap(({ store }) => store ?? []),
    mipmaps: resources.flatMap(({ mipmaps }) => mipmaps ?? []),
  };
}

/** Sums the cycles of timings of the copy engine for a pass. */
export function sumTimings({ copyWork }: PassMeasurement, indices: readonly number[]): number {
  return indices.reduce((sum, index) => sum + copyWork.timings[index]!.cycles, 0);
}

/** Returns the cycles in which the copy engine resolves a bin. */
export function resolveCyclesOf({ copyWork, bins }: PassMeasurement, binIndex: number): number {
  const { resolveShare } = bins[binIndex]!;
  if (copyWork.resolve === undefined || resolveShare === undefined) return 0;
  return takeShare(copyWork.timings[copyWork.resolve]!.cycles, resolveShare);
}

/**
 * Returns the cycles in which the copy engine of a single chiplet stores the resources of a frame,
 * each once, generates mipmap levels, resolves bins and makes copies.
 */
export function copyCyclesOf({ passes }: FrameMeasurement): number {
  const stored = new Set<Sha256>();
  let cycles = 0;
  for (const pass of passes) {
    const added = pass.resources.filter(({ sha256 }) => !stored.has(sha256));
    for (const { sha256 } of added) stored.add(sha256);
    const { stores, mipmaps } = uploadsOf(added, 0);
    cycles += sumTimings(pass, [...stores, ...mipmaps, ...pass.copyWork.copies]);
    for (const binIndex of pass.bins.keys()) cycles += resolveCyclesOf(pass, binIndex);
  }
  return cycles;
}

/**
 * Returns the cycles of the whole frame on one chiplet, and the share of its visibility phases.
 *
 * @param frame Frame with cycles, not with records.
 */
export function serialCycles(frame: FrameMeasurement): {
  readonly cycles: number;
  readonly visibilityCycles: number;
} {
  let visibilityCycles = 0;
  let binCycles = 0;
  for (const pass of frame.passes) {
    for (const { cycles } of visibilityPartsOf(pass)) visibilityCycles += cycles ?? 0;
    for (const bin of pass.bins) binCycles += bin.cycles ?? 0;
  }
  return { cycles: visibilityCycles + binCycles, visibilityCycles };
}
