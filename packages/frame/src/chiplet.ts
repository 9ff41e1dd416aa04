/**
 * The interface in the middle: all that the multi-chiplet layer knows of a chiplet. A simulated chiplet
 * in this process and one behind a socket are both a `Chiplet`.
 */
import type { CoarseBinId } from './coarse-bin-grid.ts';
import type { Counters } from './counters.ts';
import type { RectPx } from './pipeline-state.ts';
import type { PreparedFrame } from './prepared-frame.ts';
import type { VisibilityStream } from './visibility-stream.ts';

/** Number of a chiplet: 0 is the visibility chiplet, workers follow from 1. */
export type ChipletId = number;
/** Identity of one rendering of a frame, unique within a service's life. */
export type FrameId = string;

/** `idle`, or what the chiplet works at (patent claim 15). */
export type ChipletMode = 'idle' | 'visibility' | 'coarse-bin-rendering';

/** Most spans of one bin or visibility phase: a few for each module of a chip. */
export const MAX_UNIT_SPANS = 512;

/**
 * What one unit of a chip did in a stretch of a run. The three sums add up to the stretch; the spans of a unit
 * follow each other without gaps from the start of the run to its end.
 */
export interface UnitSpan {
  /** Path of the unit in the chip, such as `raster.tileTraversal` or `shading.shaderCore[2]`. */
  readonly unit: string;
  /** From the start of the run. */
  readonly startCycle: number;
  readonly endCycle: number;
  readonly busyCycles: number;
  readonly starvedCycles: number;
  readonly stalledCycles: number;
}

/** What the visibility phase knows of one coarse bin; the cost model's input. */
export interface BinSummary {
  readonly binId: CoarseBinId;
  /** Primitives listed. */
  readonly primitives: number;
  readonly streamBytes: number;
  /** Sum over the listed primitives of their covered area in the bin, estimated from bounding boxes. */
  readonly estimatedFragments: number;
  /** The same, each fragment weighted with the instructions of its shader. */
  readonly estimatedFragmentInstructions: number;
  /** Vertices of the listed primitives (without reuse), weighted with the vertex shader's instructions. */
  readonly estimatedVertexInstructions: number;
}

/** What chiplet 0 tells the coordinator when the visibility phase of a pass is over. */
export interface VisibilitySummary {
  readonly passIndex: number;
  readonly bins: readonly BinSummary[];
  /** `visibility.*` counters and, with `timing: cycle`, the cycles of the units in the phase. */
  readonly counters: Counters;
  /** Instructions that the shaders of the phase and of its early bin took; 0 where nobody counted. */
  readonly shaderInstructions?: number | undefined;
  /** Simulated cycles until the streams have left; null when nothing was simulated in time. */
  readonly cycles: number | null;
  /** What the units did in that time and that of `earlyBin`; empty without cycles. */
  readonly spans: readonly UnitSpan[];
  /**
   * The bin that chiplet 0 rendered in this phase already, which nobody renders again. Its cycles are those
   * from the end of `cycles` to its last pixel; its units' cycles and spans are among those of the phase.
   */
  readonly earlyBin: BinResult | null;
}

export interface RenderBinRequest {
  readonly frameId: FrameId;
  readonly passIndex: number;
  readonly binId: CoarseBinId;
  /** A part of the bin, cut on borders of fine bins; without it all of the bin. */
  readonly rect?: RectPx | undefined;
}

/** A finished coarse bin, or a part of one. */
export interface BinResult {
  readonly frameId: FrameId;
  readonly passIndex: number;
  readonly binId: CoarseBinId;
  readonly rect: RectPx;
  /** By colour attachment of the pass, of the rectangle: texels with their samples, row by row from the top. */
  readonly colors: readonly Uint8Array[];
  /** Depth and stencil as the buffers of `TargetContents` have them; `null` where no later pass loads them. */
  readonly depthStencil: Uint8Array | null;
  /** Counts of this bin alone. */
  readonly counters: Counters;
  /** Instructions that its shaders took; 0 where nobody counted. */
  readonly shaderInstructions?: number | undefined;
  /** Simulated cycles of this bin, from an empty pipeline to an empty one; null when not simulated. */
  readonly cycles: number | null;
  /** What the units did in that time; empty without cycles. */
  readonly spans: readonly UnitSpan[];
}

/** One chiplet of the GPU, wherever it runs. Calls fail with a `RenderError` or with a bug. */
export interface Chiplet {
  readonly id: ChipletId;
  /**
   * Runs the visibility phase of one pass and broadcasts commands, resources and visibility stream to
   * the other chiplets over the crosslink. Chiplet 0 only.
   */
  computeVisibility(
    frameId: FrameId,
    frame: PreparedFrame,
    passIndex: number,
  ): Promise<VisibilitySummary>;
  /**
   * Renders one coarse bin of a pass whose visibility was computed; waits for the broadcast if it is
   * still on its way. Requests are worked off in the order in which they were made.
   */
  renderBin(request: RenderBinRequest): Promise<BinResult>;
  /** Takes back the pixels of a result that nobody looks at any more, to use their memory again. */
  recycle?(result: BinResult): void;
  /**
   * Forgets the frame. Bins that were not begun are dropped: their promises reject with
   * FRAME_CANCELLED. Resources stay cached.
   */
  releaseFrame(frameId: FrameId): void;
}

/** What chiplet 0 sends to all others for one pass. */
export interface FrameBroadcast {
  readonly frameId: FrameId;
  readonly frame: PreparedFrame;
  readonly visibility: VisibilityStream;
}

/** The passive link between chiplets (patent ¶36): carries a broadcast from chiplet 0 to all others. */
export interface Crosslink {
  /** Resolves when the broadcast was handed to every connected chiplet's link. */
  broadcast(message: FrameBroadcast): Promise<void>;
}
