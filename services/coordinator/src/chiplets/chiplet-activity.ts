/** What one connected chiplet does: its requests pass through here on their way. */
import {
  type BinResult,
  type Chiplet,
  type ChipletId,
  type FrameId,
  type PreparedFrame,
  type RenderBinRequest,
  RenderError,
  type VisibilitySummary,
} from '@tessera/frame';

/** A piece of work of a chiplet. */
export interface CurrentWork {
  readonly frameId: FrameId;
  readonly passIndex: number;
  /** Null for a visibility phase. */
  readonly binId: number | null;
}

/** A coarse bin that is done. */
export interface FinishedBin {
  readonly frameId: FrameId;
  readonly passIndex: number;
  readonly binId: number;
  /** Number of the chiplet in the service. */
  readonly chiplet: ChipletId;
  /** Null when nothing was simulated in time. */
  readonly cycles: number | null;
}

export interface ActivityListener {
  onChange(): void;
  /** Whether it may be given bins at the moment. */
  isTakingBins(): boolean;
  /** The chiplet went away, or does not answer; this is what it was at. Called once. */
  onLost(work: CurrentWork): void;
}

export class ChipletActivity {
  readonly #chiplet: Chiplet;
  readonly #listener: ActivityListener;
  /** Chiplets answer in the order they are asked, so the oldest is the one that is worked at. */
  readonly #pending = new Set<CurrentWork>();
  #cyclesDone = 0;
  #isLost = false;

  constructor(chiplet: Chiplet, listener: ActivityListener) {
    this.#chiplet = chiplet;
    this.#listener = listener;
  }

  get current(): CurrentWork | null {
    for (const work of this.#pending) return work;
    return null;
  }

  /** Simulated cycles of all that was answered. */
  get cyclesDone(): number {
    return this.#cyclesDone;
  }

  /** The chiplet under the number that it has within one frame. */
  chipletOf(id: ChipletId): Chiplet {
    return {
      id,
      computeVisibility: (frameId, frame, passIndex) =>
        this.#computeVisibility(frameId, frame, passIndex),
      renderBin: (request) => this.#renderBin(request),
      releaseFrame: (frameId) => this.#chiplet.releaseFrame(frameId),
    };
  }

  #computeVisibility(
    frameId: FrameId,
    frame: PreparedFrame,
    passIndex: number,
  ): Promise<VisibilitySummary> {
    return this.#follow({ frameId, passIndex, binId: null }, () =>
      this.#chiplet.computeVisibility(frameId, frame, passIndex),
    );
  }

  async #renderBin(request: RenderBinRequest): Promise<BinResult> {
    if (!this.#listener.isTakingBins()) {
      throw new RenderError('NO_CHIPLETS', `chiplet ${this.#chiplet.id} takes no bins any more`);
    }
    return await this.#follow(request, () => this.#chiplet.renderBin(request));
  }

  async #follow<T extends { readonly cycles: number | null }>(
    { frameId, passIndex, binId }: CurrentWork,
    ask: () => Promise<T>,
  ): Promise<T> {
    const work = { frameId, passIndex, binId };
    this.#pending.add(work);
    this.#listener.onChange();
    try {
      const answer = await ask();
      this.#cyclesDone += answer.cycles ?? 0;
      return answer;
    } catch (error) {
      if (isLoss(error) && !this.#isLost && this.current === work) {
        this.#isLost = true;
        this.#listener.onLost(work);
      }
      throw error;
    } finally {
      this.#pending.delete(work);
      this.#listener.onChange();
    }
  }
}

/** Whether a request failed since its chiplet is lost. */
export function isLoss(error: unknown): error is RenderError {
  return (
    error instanceof RenderError &&
    (error.code === 'CHIPLET_LOST' || error.code === 'CHIPLET_TIMEOUT')
  );
}
