/** A fake chiplet for tests of links and services. */
import {
  type BinResult,
  type Chiplet,
  type ChipletId,
  type Crosslink,
  coarseBinCount,
  coarseBinRect,
  type FrameBroadcast,
  type FrameId,
  type PreparedFrame,
  type RenderBinRequest,
  type VisibilitySummary,
} from '@tessera/frame';

/** A chiplet with predictable results: its bins are filled with their own number. */
export class FakeChiplet implements Chiplet {
  readonly id: ChipletId;
  readonly released: FrameId[] = [];
  readonly broadcasts: FrameBroadcast[] = [];
  /** Error that the next request throws instead of answering. */
  nextError: Error | null = null;
  readonly #crosslink: Crosslink | null;
  readonly #waiting = new Map<FrameId, (() => void)[]>();

  constructor(id: ChipletId, crosslink: Crosslink | null = null) {
    this.id = id;
    this.#crosslink = crosslink;
  }

  async computeVisibility(
    frameId: FrameId,
    frame: PreparedFrame,
    passIndex: number,
  ): Promise<VisibilitySummary> {
    this.#throwNext();
    const binCount = coarseBinCount(frame.commands.grid);
    const bins = Array.from({ length: binCount }, (_, binId) => Uint8Array.of(1, 0, binId));
    const broadcast = { frameId, frame, visibility: { passIndex, bins } };
    this.receiveBroadcast(broadcast);
    await this.#crosslink?.broadcast(broadcast);
    return {
      passIndex,
      bins: bins.map((stream, binId) => ({
        binId,
        primitives: 1,
        streamBytes: stream.length,
        estimatedFragments: 0.5,
        estimatedFragmentInstructions: 2,
        estimatedVertexInstructions: 3,
      })),
      counters: { 'visibility.primitivesIn': binCount },
      cycles: null,
      spans: [],
      earlyBin: null,
    };
  }

  /** Waits for the broadcast, as a real chiplet does. */
  async renderBin({ frameId, passIndex, binId }: RenderBinRequest): Promise<BinResult> {
    this.#throwNext();
    while (!this.broadcasts.some((broadcast) => broadcast.frameId === frameId)) {
      await new Promise<void>((resolve) => {
        this.#waiting.set(frameId, [...(this.#waiting.get(frameId) ?? []), resolve]);
      });
    }
    const { frame } = this.broadcasts.find((broadcast) => broadcast.frameId === frameId)!;
    const rect = coarseBinRect(frame.commands.grid, binId);
    const rgba = new Uint8Array(rect.width * rect.height * 4).fill(binId + 1);
    return {
      frameId,
      passIndex,
      binId,
      rect,
      colors: [rgba],
      depthStencil: null,
      counters: { 'output.binPixels': rgba.length / 4 },
      cycles: null,
      spans: [],
    };
  }

  releaseFrame(frameId: FrameId): void {
    this.released.push(frameId);
  }

  receiveBroadcast(broadcast: FrameBroadcast): void {
    this.broadcasts.push(broadcast);
    for (const wake of this.#waiting.get(broadcast.frameId) ?? []) wake();
  }

  #throwNext(): void {
    const error = this.nextError;
    this.nextError = null;
    if (error !== null) throw error;
  }
}
