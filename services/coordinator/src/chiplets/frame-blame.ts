/**
 * Decides whether a frame crashes the chiplets that render it. Chiplets are lost for other reasons
 * too, so a frame is to blame only if several were lost at the same bin or phase while few others
 * were lost in the meantime.
 */
import type { FrameId } from '@tessera/frame';
import type { CurrentWork } from './chiplet-activity.ts';

/** Factor on the limit while as many chiplets are lost elsewhere. */
const HOSTILE_FACTOR = 4;

/** Losses of chiplets by bin or phase of one frame. */
export class FrameBlame {
  readonly #limit: number;
  readonly #lossesByWork = new Map<string, number>();
  /** Number of chiplets that the service lost before this frame's first loss. */
  #lossesBefore = 0;
  #ownLosses = 0;

  /** @param limit Number of losses at one bin or phase for which the frame is to blame. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Records a loss.
   *
   * @param serviceLosses Chiplets that the service lost since its start, including this one.
   * @returns Description of the work that crashes chiplets; null if the frame may be innocent.
   */
  noteLoss(work: CurrentWork, serviceLosses: number): string | null {
    if (this.#ownLosses === 0) this.#lossesBefore = serviceLosses - 1;
    this.#ownLosses++;
    const description = describeWork(work);
    const losses = (this.#lossesByWork.get(description) ?? 0) + 1;
    this.#lossesByWork.set(description, losses);
    const lossesElsewhere = serviceLosses - this.#lossesBefore - this.#ownLosses;
    // n losses have n − 1 gaps between them. One other loss per gap points to a hostile
    // environment.
    const isHostile = lossesElsewhere >= Math.max(losses - 1, 1);
    if (losses < (isHostile ? HOSTILE_FACTOR : 1) * this.#limit) return null;
    return `${description}: ${losses} chiplets were lost while they rendered it`;
  }

  /** Withdraws a loss: the chiplet came back, so it was cut off and did not crash. */
  withdraw(work: CurrentWork): void {
    const description = describeWork(work);
    const losses = this.#lossesByWork.get(description) ?? 0;
    if (losses > 0) this.#lossesByWork.set(description, losses - 1);
  }
}

/**
 * Returns the record id in the name of a rendering. A name consists of the record id, the attempt
 * and, if the frame has several passes, the pass, separated by slashes.
 */
export function recordIdOf(frameId: FrameId): string {
  return frameId.split('/', 1)[0]!;
}

function describeWork({ frameId, passIndex, binId }: CurrentWork): string {
  const pass = frameId.split('/')[2] ?? String(passIndex);
  return `pass ${pass}, ${binId === null ? 'visibility phase' : `coarse bin ${binId}`}`;
}
