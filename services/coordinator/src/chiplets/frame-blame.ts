/**
 * Whether it is a frame that ends the chiplets which work at it. Chiplets go away for other reasons too, so a frame is
 * to blame when several were lost at one piece of its work while few others were lost meanwhile.
 */
import type { FrameId } from '@tessera/frame';
import type { CurrentWork } from './chiplet-activity.ts';

/** So many times the usual limit are too many, however many chiplets are lost elsewhere. */
const HOSTILE_FACTOR = 4;

export class FrameBlame {
  readonly #limit: number;
  readonly #lossesByPiece = new Map<string, number>();
  /** Losses of the service before the first at this frame. */
  #lossesBefore = 0;
  #ownLosses = 0;

  /** @param limit Losses at one piece of work that are too many. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Takes note of a loss.
   *
   * @param serviceLosses Chiplets that the service lost since its start, this one included.
   * @returns What it is that ends chiplets; `null` if the frame may be innocent.
   */
  note(work: CurrentWork, serviceLosses: number): string | null {
    if (this.#ownLosses === 0) this.#lossesBefore = serviceLosses - 1;
    this.#ownLosses++;
    const piece = describePiece(work);
    const losses = (this.#lossesByPiece.get(piece) ?? 0) + 1;
    this.#lossesByPiece.set(piece, losses);
    const lossesElsewhere = serviceLosses - this.#lossesBefore - this.#ownLosses;
    // Between n losses lie n − 1 gaps: where as many others went in them, it is the place that is hostile.
    const isHostile = lossesElsewhere >= Math.max(losses - 1, 1);
    if (losses < (isHostile ? HOSTILE_FACTOR : 1) * this.#limit) return null;
    return `${piece}: ${losses} chiplets went away while they worked at it`;
  }

  /** The chiplet came back: it was cut off, not ended. */
  takeBack(work: CurrentWork): void {
    const piece = describePiece(work);
    const losses = this.#lossesByPiece.get(piece) ?? 0;
    if (losses > 0) this.#lossesByPiece.set(piece, losses - 1);
  }
}

/** The record of a rendering: `frameId` is the record's id, the number of the beginning and, of several, the pass. */
export function recordIdOf(frameId: FrameId): string {
  return frameId.split('/', 1)[0]!;
}

function describePiece({ frameId, passIndex, binId }: CurrentWork): string {
  const pass = frameId.split('/')[2] ?? String(passIndex);
  return `pass ${pass}, ${binId === null ? 'visibility phase' : `coarse bin ${binId}`}`;
}
