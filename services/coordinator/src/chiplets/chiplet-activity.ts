/** Tracks the work of one connected chiplet. All its requests pass through here. */
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

/** Unit of work of a chiplet. */
export interface CurrentWork {
  readonly frameId: FrameId;
  readonly passIndex: number;
  /** Index of the coarse bin; null for a visibility phase. */
  readonly binId: number | null;
}

/** Finished coarse bin. */
export interface FinishedBin {
  readonly frameId: FrameId;
  readonly passIndex: number;
  readonly binId: number;
  /** Id of the chiplet in the service. */
  readonly chiplet: ChipletId;
  /** Simulated cycles; null with functional timing. */
  readonly cycles: number | null;
}

/** Listener to the work of a chiplet. */
export interface ActivityListener {
  onChange(): void;
  /** Returns whether the chiplet may receive bins. */
  isTakingBins(): boolean;
  /**
   * Called with the time that the chiplet spent on a frame, when a request ends and when
   * {@link ChipletActivity.charge} is called.
   */
  onWorked?(frameId: FrameId, seconds: number): void;
  /** Called once when the chiplet is lost or does not answer, with its current work. */
  onLost(work: CurrentWork): void;
}

/** Work of one connected chiplet. */
export class ChipletActivity {
  readonly #chiplet: Chiplet;
  readonly #listener: ActivityListener;
  /** Unanswered requests. A chiplet answers in order, so the oldest one is in progress. */
  readonly #pending = new Set<CurrentWork>();
  readonly #readMs: () => number;
  /** Time from which the oldest request has not been reported to `onWorked`. */
  #workedSinceMs = 0;
  #cyclesDone = 0;
  #isLost = false;

  /** @param readMs Returns a monotonic time in milliseconds. */
  constructor(
    chiplet: Chiplet,
    listener: ActivityListener,
    readMs: () => number = () => performance.now(),
  ) {
    this.#readMs = readMs;
    this.#chiplet = chiplet;
    this.#listener = listener;
  }

  get current(): CurrentWork | null {
    for (const work of this.#pending) return work;
    return null;
  }

  /** Reports the time of the request in progress so far. */
  charge(): void {
    const nowMs = this.#readMs();
    const { current } = this;
    const seconds = (nowMs - this.#workedSinceMs) / 1000;
    this.#workedSinceMs = nowMs;
    if (current !== null && seconds > 0) this.#listener.onWorked?.(current.frameId, seconds);
  }

  /** Simulated cycles of all answered requests. */
  get cyclesDone(): number {
    return this.#cyclesDone;
  }

  /** Returns the chiplet with the id that it has within one frame. */
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
      throw new RenderError('NO_CHIPLETS', `chiplet ${this.#chiplet.id} accepts no bins`);
    }
    return await this.#follow(request, () => this.#chiplet.renderBin(request));
  }

  async #follow<T extends { readonly cycles: number | null }>(
    { frameId, passIndex, binId }: CurrentWork,
    ask: () => Promise<T>,
  ): Promise<T> {
    const work = { frameId, passIndex, binId };
    if (this.#pending.size === 0) this.#workedSinceMs = this.#readMs();
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
      // Only the oldest request was in progress; the next one is from now on.
      if (this.current === work) this.charge();
      this.#pending.delete(work);
      this.#listener.onChange();
    }
  }
}

/** Whether a request failed because its chiplet was lost. */
export function isLoss(error: unknown): error is RenderError {
  return (
    error instanceof RenderError &&
    (error.code === 'CHIPLET_LOST' || error.code === 'CHIPLET_TIMEOUT')
  );
}
