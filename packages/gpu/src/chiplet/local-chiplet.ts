/**
 * Simulated chiplet in this process behind the `Chiplet` interface. Requests wait for their turn
 * and for the broadcast. The event loop runs between bins.
 */

import { type ChipletSpec, DEFAULT_CHIPLET_SPEC, requireChipletSpec } from '@tessera/chiplet-spec';
import {
  type BinResult,
  type Chiplet,
  type ChipletId,
  type ChipletMode,
  type Crosslink,
  type FrameBroadcast,
  type FrameId,
  type FrameStop,
  type PreparedFrame,
  type RenderBinRequest,
  RenderError,
  type SpecSummary,
  StopWords,
  type VisibilityStream,
  type VisibilitySummary,
} from '@tessera/frame';
import type { ResidentFrame } from '../command/resident-frame.ts';
import { specOf } from '../modes/bin-recorders.ts';
import { SimulatedChiplet } from './simulated-chiplet.ts';

/** Options of a local chiplet. */
export interface LocalChipletOptions {
  /** Id of the chiplet; 0 is the visibility chiplet. */
  readonly id: ChipletId;
  readonly spec?: ChipletSpec;
  /** Link from chiplet 0 to the others; without one it is alone. */
  readonly crosslink?: Crosslink;
  /** Called whenever the mode changes. */
  readonly onMode?: (mode: ChipletMode) => void;
  /** Signal by which another thread stops work on a frame; without it work cannot be stopped. */
  readonly stop?: FrameStop;
}

/** `Chiplet` that also receives broadcasts of chiplet 0. */
export interface LocalChiplet extends Chiplet {
  /** Receives the commands, resources and visibility stream of one pass. */
  receiveBroadcast(message: FrameBroadcast): void;
}

/** Number of specifications for which a chiplet keeps memory and kernels. */
const MAX_SIMULATED_CHIPLETS = 3;

/**
 * Creates a chiplet with its own memory.
 *
 * @throws {RangeError} If a field of the specification is missing or out of range.
 * @example createLocalChiplet({ id: 1 })
 */
export function createLocalChiplet(options: LocalChipletOptions): LocalChiplet {
  return new QueuedChiplet(options);
}

interface QueuedBin {
  readonly request: RenderBinRequest;
  readonly resolve: (result: BinResult) => void;
  readonly reject: (error: unknown) => void;
}

/** Frame on this chiplet, with the streams of its passes that have arrived. */
interface HeldFrame {
  readonly chiplet: SimulatedChiplet;
  readonly resident: ResidentFrame;
  readonly streamByPass: Map<number, VisibilityStream>;
}

class QueuedChiplet implements LocalChiplet {
  readonly id: ChipletId;
  readonly #spec: ChipletSpec;
  /** Chiplets by the parameters of their specification, the most recently used last. */
  readonly #chipletBySpec = new Map<string, SimulatedChiplet>();
  readonly #crosslink: Crosslink | null;
  readonly #onMode: (mode: ChipletMode) => void;
  readonly #stop: FrameStop;
  readonly #heldFrames = new Map<FrameId, HeldFrame>();
  #queue: QueuedBin[] = [];
  #isWorking = false;
  #isRendering = false;

  constructor({ id, spec = DEFAULT_CHIPLET_SPEC, crosslink, onMode, stop }: LocalChipletOptions) {
    this.id = id;
    this.#spec = requireChipletSpec(spec);
    this.#crosslink = crosslink ?? null;
    this.#onMode = onMode ?? (() => {});
    this.#stop = stop ?? { words: new StopWords(), ticketOf: () => 1 };
  }

  async computeVisibility(
    frameId: FrameId,
    frame: PreparedFrame,
    passIndex: number,
  ): Promise<VisibilitySummary> {
    if (this.id !== 0) throw new Error(`chiplet ${this.id}: only chiplet 0 computes visibility`);
    await nextTurn();
    this.#onMode('visibility');
    let visibility: VisibilityStream;
    let summary: VisibilitySummary;
    try {
      const result = this.#workOn(frameId, () => {
        const held = this.#hold(frameId, frame);
        return held.chiplet.computeVisibility(held.resident, passIndex);
      });
      visibility = result.stream;
      const { earlyBin } = result;
      summary = {
        ...result.summary,
        earlyBin: earlyBin === null ? null : { frameId, passIndex, ...earlyBin },
      };
    } finally {
      // Bins of an earlier frame may be waiting for their turn.
      this.#onMode(this.#isRendering ? 'coarse-bin-rendering' : 'idle');
    }
    this.receiveBroadcast({ frameId, frame, visibility });
    await this.#crosslink?.broadcast({ frameId, frame, visibility });
    return summary;
  }

  receiveBroadcast({ frameId, frame, visibility }: FrameBroadcast): void {
    this.#hold(frameId, frame).streamByPass.set(visibility.passIndex, visibility);
    this.#startWorking();
  }

  renderBin(request: RenderBinRequest): Promise<BinResult> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ request, resolve, reject });
      this.#startWorking();
    });
  }

  recycle({ frameId, colors }: BinResult): void {
    this.#heldFrames.get(frameId)?.chiplet.recycle({ colors });
  }

  releaseFrame(frameId: FrameId): void {
    this.#heldFrames.delete(frameId);
    const dropped = this.#queue.filter(({ request }) => request.frameId === frameId);
    this.#queue = this.#queue.filter(({ request }) => request.frameId !== frameId);
    for (const { request, reject } of dropped) {
      const what = `pass ${request.passIndex}, bin ${request.binId}`;
      reject(
        new RenderError('FRAME_CANCELLED', `frame ${frameId}: the request for ${what} was dropped`),
      );
    }
    // The request at the head may have blocked the others.
    this.#startWorking();
  }

  #hold(frameId: FrameId, frame: PreparedFrame): HeldFrame {
    const found = this.#heldFrames.get(frameId);
    if (found !== undefined) return found;
    const chiplet = this.#chipletFor(frame.commands.spec);
    const held = { chiplet, resident: chiplet.admitFrame(frame), streamByPass: new Map() };
    this.#heldFrames.set(frameId, held);
    return held;
  }

  /**
   * Returns the chiplet of a specification, created on first use. A frame keeps its chiplet while
   * it is held.
   */
  #chipletFor(summary: SpecSummary | null): SimulatedChiplet {
    const spec = summary === null ? this.#spec : specOf(summary);
    // The name changes nothing that the chiplet does.
    const key = JSON.stringify({ ...spec, name: '' });
    const chiplet = this.#chipletBySpec.get(key) ?? new SimulatedChiplet(spec, this.#stop.words);
    this.#chipletBySpec.delete(key);
    this.#chipletBySpec.set(key, chiplet);
    if (this.#chipletBySpec.size > MAX_SIMULATED_CHIPLETS) {
      this.#chipletBySpec.delete(this.#chipletBySpec.keys().next().value!);
    }
    return chiplet;
  }

  /** Starts work, which lasts until the queue is empty or its head waits for a broadcast. */
  #startWorking(): void {
    if (this.#isWorking) return;
    this.#isWorking = true;
    const work = async (): Promise<void> => {
      await nextTurn();
      let bin = this.#takeReadyBin();
      this.#isRendering = bin !== null;
      if (this.#isRendering) this.#onMode('coarse-bin-rendering');
      while (bin !== null) {
        this.#runBin(bin);
        await nextTurn();
        bin = this.#takeReadyBin();
      }
      this.#isWorking = false;
      if (this.#isRendering) this.#onMode('idle');
      this.#isRendering = false;
    };
    // `work` reports failures of a bin to the bin's own promise. Anything else is a bug.
    void work();
  }

  #takeReadyBin(): QueuedBin | null {
    const head = this.#queue[0];
    if (head === undefined || this.#streamOf(head.request) === null) return null;
    this.#queue.shift();
    return head;
  }

  #streamOf({ frameId, passIndex }: RenderBinRequest): VisibilityStream | null {
    return this.#heldFrames.get(frameId)?.streamByPass.get(passIndex) ?? null;
  }

  /**
   * Runs work that another thread may stop.
   *
   * @throws {RenderError} FRAME_CANCELLED if it was stopped.
   */
  #workOn<T>(frameId: FrameId, work: () => T): T {
    const { words, ticketOf } = this.#stop;
    words.begin(ticketOf(frameId));
    try {
      return work();
    } finally {
      words.end();
    }
  }

  #runBin({ request, resolve, reject }: QueuedBin): void {
    const { frameId, passIndex, binId, rect } = request;
    const held = this.#heldFrames.get(frameId)!;
    const stream = this.#streamOf(request)!.bins[binId];
    try {
      if (stream === undefined)
        throw new Error(`chiplet ${this.id}: coarse bin ${binId} does not exist`);
      const rendered = this.#workOn(frameId, () =>
        held.chiplet.renderBin(held.resident, passIndex, binId, stream, rect),
      );
      resolve({ frameId, passIndex, binId, ...rendered });
    } catch (error) {
      reject(error);
    }
  }
}

/** Waits until the event loop has handled other events. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
