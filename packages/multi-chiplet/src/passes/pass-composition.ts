/** A pass after its visibility phase: the bins to render, their order, and their targets. */
import {
  type BinResult,
  type CoarseBinId,
  type PreparedFrame,
  type RectPx,
  texelBytesOf,
  type VisibilitySummary,
} from '@tessera/frame';
import { orderLongestFirst } from '../bin-assignment/dynamic-policies.ts';
import { estimateBinCycles } from '../bins/bin-cost.ts';
import { type BinPart, splitCostliestBins } from '../bins/bin-splitting.ts';
import type { WantedBin } from '../dispatch/bin-job.ts';
import { type ComposedTargets, Compositor, DEPTH_STENCIL_BYTES } from './compositor.ts';

/** Predicted cycles added to every bin, because an empty bin takes time too. */
const BIN_OVERHEAD_COST = 10_000;

/** Bins and targets of one pass. */
export class PassComposition {
  /** Bins to render, or parts of the costliest bins. */
  readonly parts: readonly BinPart[];
  readonly #bins: BinResult[] = [];
  readonly #earlyBinId: CoarseBinId | undefined;
  readonly #compositor: Compositor;
  readonly #alternativeCount: number;
  readonly #queryCount: number;
  readonly #hasRecords: boolean;
  readonly #indexByPart: ReadonlyMap<string, number>;

  /** Lists the bins to render, the costliest first. */
  constructor(frame: PreparedFrame, summary: VisibilitySummary, splits: number) {
    const { grid, passes } = frame.commands;
    const { contents, sampleCount = 1, isResolved, queries = [] } = passes[0]!;
    const { colorFormats = ['rgba8unorm'] } = passes[0]!;
    const colorSamples = isResolved ? 1 : sampleCount;
    const pixelBytes = colorFormats.map((format) =>
      format === null ? 0 : texelBytesOf({ format, sampleCount: colorSamples }),
    );
    const depthStencilBytes = contents?.isDepthStencilStored
      ? DEPTH_STENCIL_BYTES * sampleCount
      : 0;
    const { earlyBin } = summary;
    this.#compositor = new Compositor(grid, pixelBytes, depthStencilBytes);
    this.#earlyBinId = earlyBin?.binId;
    this.#alternativeCount = countTimedAlternatives(frame);
    this.#queryCount = queries.length;
    this.#hasRecords = hasRecords(frame);
    this.parts = splitCostliestBins(grid, summary.bins, splits, earlyBin?.binId);
    this.#indexByPart = new Map(
      this.parts.map(({ binId, rect }, index) => [keyOf(binId, rect), index]),
    );
  }

  /** Lists the bins to render, the costliest first. */
  listWanted(): WantedBin[] {
    const predicted = this.parts.map((part) => ({
      predictedCycles: estimateBinCycles(part.summary),
    }));
    return orderLongestFirst(predicted)
      .filter((index) => this.parts[index]!.binId !== this.#earlyBinId)
      .map((index) => {
        const { binId, rect, isWhole } = this.parts[index]!;
        const cost = predicted[index]!.predictedCycles + BIN_OVERHEAD_COST;
        return isWhole ? { binId, cost } : { binId, rect, cost };
      });
  }

  /** Returns why a result does not answer a request, or null if it does. */
  findFault(result: BinResult, asked: Pick<WantedBin, 'binId' | 'rect'>): string | null {
    const isAsked =
      result.binId === asked.binId &&
      (asked.rect === undefined ||
        keyOf(asked.binId, asked.rect) === keyOf(result.binId, result.rect));
    if (!isAsked) return `coarse bin ${asked.binId}: the answer has another bin`;
    if (!this.#indexByPart.has(keyOf(result.binId, result.rect))) {
      return `coarse bin ${result.binId}: its rectangle was not requested`;
    }
    const { alternativeCycles = [], queryCounts = [] } = result;
    if (alternativeCycles.length !== this.#alternativeCount) {
      return `coarse bin ${result.binId}: cycles of ${alternativeCycles.length} alternatives, not ${this.#alternativeCount}`;
    }
    if (queryCounts.length !== this.#queryCount) {
      return `coarse bin ${result.binId}: counts of ${queryCounts.length} queries, not ${this.#queryCount}`;
    }
    // Records of the early bin are part of those of the phase.
    const isRecorded = this.#hasRecords && result.binId !== this.#earlyBinId;
    if ((result.records !== undefined) !== isRecorded) {
      return `coarse bin ${result.binId}: ${isRecorded ? 'no records' : 'unexpected records'}`;
    }
    return this.#compositor.findMisfit(result);
  }

  /**
   * Places a result.
   *
   * @returns Whether all of its bin is placed.
   */
  place(result: BinResult): boolean {
    const index = this.#indexByPart.get(keyOf(result.binId, result.rect));
    if (index === undefined) throw new Error(`coarse bin ${result.binId}: was not requested`);
    this.#compositor.place(result);
    this.#bins[index] = result;
    return this.#compositor.hasBin(result.binId);
  }

  /** Returns the complete targets, and the results in the order of `parts`. */
  finish(): { readonly targets: ComposedTargets; readonly bins: readonly BinResult[] } {
    return { targets: this.#compositor.finish(), bins: this.#bins };
  }
}

/** Returns the number of alternative specifications for which a pass has work of copy engines. */
export function countAlternatives({ commands }: PreparedFrame): number {
  return commands.timing === 'cycle' ? (commands.alternativeSpecs?.length ?? 0) : 0;
}

/**
 * Returns the number of alternative specifications for which phases and bins have cycles. Records
 * are timed later, whatever the specification.
 */
export function countTimedAlternatives(frame: PreparedFrame): number {
  return hasRecords(frame) ? 0 : countAlternatives(frame);
}

/** Whether phases and bins of a frame have records in place of cycles. */
export function hasRecords({ commands: { timing, coupling = 'none' } }: PreparedFrame): boolean {
  return timing === 'cycle' && coupling === 'exact';
}

function keyOf(binId: CoarseBinId, { x, y, width, height }: RectPx): string {
  return `${binId}: ${x}, ${y}, ${width}, ${height}`;
}
