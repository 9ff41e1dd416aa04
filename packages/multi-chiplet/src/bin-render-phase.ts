/**
 * The coarse-bin rendering phase (patent US 12,051,154, ¶43): every chiplet renders its ordered list of
 * bins, all of them at once. The bins a lost chiplet still owed are rendered by the others; a bin is a
 * pure function of the frame, so neither the picture nor the counts tell who did it in the end.
 */
import {
  type BinResult,
  type Chiplet,
  type ChipletId,
  type CoarseBinId,
  type FrameId,
  RenderError,
} from '@tessera/frame';
import type { ChipletBins } from './bin-assignment/policy.ts';
import { throwIfCancelled } from './cancellation.ts';

/** A bin that outlived this many chiplets is taken for the reason of their end. */
const MAX_CHIPLETS_LOST_PER_BIN = 3;

export interface BinRenderPhase {
  readonly frameId: FrameId;
  readonly passIndex: number;
  /** Chiplets that render bins. */
  readonly chiplets: readonly Chiplet[];
  readonly assignment: readonly ChipletBins[];
  /** Called once per bin, in order of arrival. */
  readonly onBin: (result: BinResult) => void;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Renders all bins of the assignment.
 *
 * @returns How many bins were run again since their chiplet went away.
 * @throws {RenderError} CHIPLET_LOST when a bin lost three chiplets or none is left; FRAME_CANCELLED on
 *   abort; else what a chiplet threw.
 */
export async function renderBins(phase: BinRenderPhase): Promise<{ retriedBins: number }> {
  const chipletById = new Map(phase.chiplets.map((chiplet) => [chiplet.id, chiplet]));
  const lost = new Set<ChipletId>();
  let retriedBins = 0;

  const renderOne = async (chipletId: ChipletId, binId: CoarseBinId): Promise<void> => {
    let renderer: ChipletId = chipletId;
    for (let lostCount = 0; ; ) {
      throwIfCancelled(phase.signal);
      const chiplet = chipletById.get(renderer);
      if (chiplet === undefined) throw new Error(`chiplet ${renderer} is not in the frame`);
      try {
        const { frameId, passIndex } = phase;
        const result = await chiplet.renderBin({ frameId, passIndex, binId });
        throwIfCancelled(phase.signal);
        phase.onBin(result);
        return;
      } catch (error) {
        if (!isChipletLost(error)) throw error;
        lost.add(renderer);
        lostCount++;
        if (lostCount >= MAX_CHIPLETS_LOST_PER_BIN) {
          throw new RenderError(
            'CHIPLET_LOST',
            `coarse bin ${binId}: ${lostCount} chiplets went away while they rendered it`,
            { cause: error },
          );
        }
        renderer = pickReplacement(phase.chiplets, lost, binId);
        retriedBins++;
      }
    }
  };

  const renderings = phase.assignment.flatMap(({ chipletId, binIds }) =>
    binIds.map((binId) => renderOne(chipletId, binId)),
  );
  try {
    await Promise.all(renderings);
  } catch (error) {
    // Nothing of this frame runs on after its failure was reported.
    for (const chiplet of phase.chiplets) chiplet.releaseFrame(phase.frameId);
    await Promise.allSettled(renderings);
    throw error;
  }
  return { retriedBins };
}

function isChipletLost(error: unknown): boolean {
  return (
    error instanceof RenderError &&
    (error.code === 'CHIPLET_LOST' || error.code === 'CHIPLET_TIMEOUT')
  );
}

/** Spreads the bins of a lost chiplet over those that are left. */
function pickReplacement(
  chiplets: readonly Chiplet[],
  lost: ReadonlySet<ChipletId>,
  binId: CoarseBinId,
): ChipletId {
  const left = chiplets.filter((chiplet) => !lost.has(chiplet.id));
  if (left.length === 0) {
    throw new RenderError('CHIPLET_LOST', 'all chiplets went away while the frame was rendered');
  }
  return left[binId % left.length]!.id;
}
