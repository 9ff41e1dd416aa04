/** Results of rendering a coarse bin, alone or within the visibility phase. */
import type { CoarseBinId, Counters, RecordedRun, RectPx, UnitSpan } from '@tessera/frame';
import type { FinishedRun } from './bin-recorder.ts';

/** Rendered coarse bin. */
export interface RenderedBin {
  readonly rect: RectPx;
  /**
   * Texels per color attachment, in its format, row by row from the top: all samples, or their
   * means if the pass is resolved.
   */
  readonly colors: readonly Uint8Array[];
  /** One word of depth and stencil per pixel, if a later pass loads them; otherwise `null`. */
  readonly depthStencil: Uint8Array | null;
  readonly counters: Counters;
  /** Fragments that passed, by query of the pass; missing if the pass has none. */
  readonly queryCounts?: readonly number[] | undefined;
  /**
   * Shader instructions; see InstructionMeter. Those of an early bin count with the visibility
   * phase.
   */
  readonly shaderInstructions: number;
  /** Simulated cycles; `null` with `timing: functional`. */
  readonly cycles: number | null;
  /** The same with each alternative specification; missing if there are none. */
  readonly alternativeCycles?: readonly number[] | undefined;
  readonly spans: readonly UnitSpan[];
  /** Records that are timed later; missing if there are none. */
  readonly records?: RecordedRun | undefined;
}

/** Coarse bin rendered within the visibility phase. */
export interface EarlyBin extends RenderedBin {
  readonly binId: CoarseBinId;
}

/** Early bin with the run that contains it. */
export interface EarlyRun {
  readonly bin: EarlyBin;
  /** The run; `null` with `timing: functional`. */
  readonly run: FinishedRun | null;
}

/** Bytes of a query's count that leave the chiplet with the bin. */
const COUNT_BYTES = 8;

/** Part of a rendered bin that leaves the chiplet. */
export type OutputOfBin = Pick<RenderedBin, 'colors' | 'depthStencil' | 'queryCounts'>;

/** Returns the number of bytes that leave the chiplet with a bin. */
export function outputBytesOf({ colors, depthStencil, queryCounts = [] }: OutputOfBin): number {
  const colorBytes = colors.reduce((sum, { length }) => sum + length, 0);
  return colorBytes + (depthStencil?.length ?? 0) + COUNT_BYTES * queryCounts.length;
}
