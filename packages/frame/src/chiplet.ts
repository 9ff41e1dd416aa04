/**
 * The `Chiplet` interface: all that the multi-chiplet layer knows about a chiplet. A chiplet
 * simulated in this process and one behind a socket both implement it.
 */
import type { CoarseBinId } from './coarse-bin-grid.ts';
import type { CopyEngineWork } from './copy-engine-work.ts';
import type { Counters } from './counters.ts';
import type { RectPx } from './pipeline-state.ts';
import type { PreparedFrame } from './prepared-frame.ts';
import type { RecordedRun } from './recorded-run.ts';
import type { VisibilityStream } from './visibility-stream.ts';

/** Number of a chiplet: 0 is the visibility chiplet, workers follow from 1. */
export type ChipletId = number;
/** Maximum number of chiplets of a simulated GPU. */
export const MAX_CHIPLETS = 1024;
/** Id of one rendering of a frame, unique within the lifetime of a service. */
export type FrameId = string;

/** Mode of a chiplet (patent US 12,051,154, claim 15). */
export type ChipletMode = 'idle' | 'visibility' | 'coarse-bin-rendering';

/**
 * Maximum number of spans in the result of one bin or visibility phase: 17 for each module of the
 * default chiplet, and at least three for each module of the largest one.
 */
export const MAX_UNIT_SPANS = 1024;

/** Maximum number of alternative specifications of a frame. Each has a simulated chip in memory. */
export const MAX_ALTERNATIVE_SPECS = 31;

/**
 * Activity of one unit of a chip during an interval of a run. The three cycle counts add up to the
 * interval. The spans of a unit cover the run from start to end without gaps.
 */
export interface UnitSpan {
  /** Path of the unit in the chip, such as `raster.tileTraversal` or `shading.shaderCore[2]`. */
  readonly unit: string;
  /** First cycle, counted from the start of the run. */
  readonly startCycle: number;
  readonly endCycle: number;
  readonly busyCycles: number;
  readonly starvedCycles: number;
  readonly stalledCycles: number;
}

/**
 * Amount of work in one coarse bin, measured by the visibility phase and used by the cost model.
 */
export interface BinSummary {
  readonly binId: CoarseBinId;
  /** Number of primitives listed in the bin. */
  readonly primitives: number;
  readonly streamBytes: number;
  /**
   * Sum of the areas that the listed primitives cover in the bin, estimated from bounding boxes.
   */
  readonly estimatedFragments: number;
  /**
   * Sum of the estimated fragments, each weighted with the number of instructions of its fragment
   * shader.
   */
  readonly estimatedFragmentInstructions: number;
  /**
   * Sum of the vertices of the listed primitives (without reuse), each weighted with the number of
   * instructions of its vertex shader.
   */
  readonly estimatedVertexInstructions: number;
}

/**
 * Segment of streamed visibility: the lists of consecutive primitive batches of all bins. Segments
 * have sequence numbers, and leave their chiplet while the phase runs.
 */
export interface VisibilitySegment {
  /** Bytes of the segment with its head. */
  readonly bytes: number;
  /** Bins with entries in the segment and the numbers of their entries, in turn. */
  readonly binEntries: readonly number[];
  /**
   * Cycle of the phase, or of the part, in which the segment has left; null without cycle timing
   * and with records.
   */
  readonly endCycle: number | null;
  /** The same with each of the frame's alternative specifications; missing if there are none. */
  readonly alternativeEndCycles?: readonly number[] | undefined;
}

/** Upper bound on the segments of a visibility phase. */
export const MAX_VISIBILITY_SEGMENTS = 2 ** 20;

/** Part of a visibility phase that one of several chiplets runs: a range of the primitives. */
export interface VisibilityPart {
  /** Counters of this part; the next fields are likewise those of {@link VisibilitySummary}. */
  readonly counters: Counters;
  readonly cycles: number | null;
  readonly alternativeCycles?: readonly number[] | undefined;
  readonly spans: readonly UnitSpan[];
  readonly records?: RecordedRun | undefined;
  /** Bytes of the streams of the part's primitives, of all bins. */
  readonly streamBytes: number;
  /** Segments of the part if visibility is streamed, in their order. */
  readonly segments?: readonly VisibilitySegment[] | undefined;
}

/** Result that chiplet 0 reports to the coordinator after the visibility phase of a pass. */
export interface VisibilitySummary {
  readonly passIndex: number;
  readonly bins: readonly BinSummary[];
  /**
   * Counters named `visibility.*` and, with `timing: cycle`, the cycles of the units during the
   * phase.
   */
  readonly counters: Counters;
  /**
   * Number of instructions that the shaders of the phase and of its early bin executed; 0 if they
   * were not counted.
   */
  readonly shaderInstructions?: number | undefined;
  /** Simulated cycles until all streams have been sent; null without cycle timing. */
  readonly cycles: number | null;
  /** The same with each of the frame's alternative specifications; missing if there are none. */
  readonly alternativeCycles?: readonly number[] | undefined;
  /** Work of the copy engine for the pass; missing without cycle timing. */
  readonly copyWork?: CopyEngineWork | undefined;
  /** Spans of the units during the phase and `earlyBin`; empty without cycle timing. */
  readonly spans: readonly UnitSpan[];
  /** Records of the phase and `earlyBin` with `coupling: exact`; then there are no cycles. */
  readonly records?: RecordedRun | undefined;
  /** Segments of the phase if visibility is streamed by one chiplet, in their order. */
  readonly segments?: readonly VisibilitySegment[] | undefined;
  /**
   * Parts of the phase on several chiplets, the first on chiplet 0; missing if chiplet 0 runs all
   * of it. Then `counters` are sums, and cycles, spans and records are those of the parts alone.
   */
  readonly parts?: readonly VisibilityPart[] | undefined;
  /**
   * Bin that chiplet 0 rendered during this phase and that must not be rendered again. Its cycles
   * run from the end of `cycles` to its last pixel. The unit cycles and spans of the phase include
   * it.
   */
  readonly earlyBin: BinResult | null;
}

/** Request to render one coarse bin of a pass, or a part of it. */
export interface RenderBinRequest {
  readonly frameId: FrameId;
  readonly passIndex: number;
  readonly binId: CoarseBinId;
  /** Part of the bin to render, with its edges on fine-bin borders. Default: the whole bin. */
  readonly rect?: RectPx | undefined;
}

/** A finished coarse bin, or a part of one. */
export interface BinResult {
  readonly frameId: FrameId;
  readonly passIndex: number;
  readonly binId: CoarseBinId;
  readonly rect: RectPx;
  /**
   * Texels of the rectangle by color attachment of the pass, row by row from the top. The samples
   * of a texel are adjacent, unless the pass is resolved.
   */
  readonly colors: readonly Uint8Array[];
  /**
   * Depth and stencil in the layout of the buffers of `TargetContents`; null if no later pass loads
   * them.
   */
  readonly depthStencil: Uint8Array | null;
  /** Counters of this bin alone. */
  readonly counters: Counters;
  /** Fragments that passed in this bin, by query of the pass; missing if the pass has none. */
  readonly queryCounts?: readonly number[] | undefined;
  /** Number of instructions that the shaders of the bin executed; 0 if they were not counted. */
  readonly shaderInstructions?: number | undefined;
  /**
   * Simulated cycles of this bin, from an empty pipeline to an empty pipeline; null without cycle
   * timing.
   */
  readonly cycles: number | null;
  /** The same with each of the frame's alternative specifications; missing if there are none. */
  readonly alternativeCycles?: readonly number[] | undefined;
  /** Spans of the units during the bin; empty without cycle timing. */
  readonly spans: readonly UnitSpan[];
  /** Records of the bin with `coupling: exact`; then there are no cycles. */
  readonly records?: RecordedRun | undefined;
}

/**
 * One chiplet of the GPU, wherever it runs. Calls fail with a `RenderError`, or with another error
 * if there is a bug.
 */
export interface Chiplet {
  readonly id: ChipletId;
  /**
   * Runs the visibility phase of one pass and broadcasts commands, resources and the visibility
   * stream to the other chiplets over the crosslink. Only chiplet 0 supports this.
   */
  computeVisibility(
    frameId: FrameId,
    frame: PreparedFrame,
    passIndex: number,
  ): Promise<VisibilitySummary>;
  /**
   * Renders one coarse bin of a pass whose visibility was computed. Waits for the broadcast if it
   * has not arrived yet. Executes requests in submission order.
   */
  renderBin(request: RenderBinRequest): Promise<BinResult>;
  /**
   * Accepts the pixel buffers of a result that is not used anymore, so that their memory can be
   * reused.
   */
  recycle?(result: BinResult): void;
  /**
   * Releases the frame. Requests that have not started are dropped and their promises reject with
   * FRAME_CANCELLED. Resources stay cached.
   */
  releaseFrame(frameId: FrameId): void;
}

/** Message that chiplet 0 sends to all other chiplets for one pass. */
export interface FrameBroadcast {
  readonly frameId: FrameId;
  readonly frame: PreparedFrame;
  readonly visibility: VisibilityStream;
}

/**
 * Passive link between chiplets (patent ¶36), which carries broadcasts from chiplet 0 to all
 * others.
 */
export interface Crosslink {
  /** Resolves when the broadcast has been handed to the link of every connected chiplet. */
  broadcast(message: FrameBroadcast): Promise<void>;
}
