/**
 * Lines that the texture lookups of fragments fetch from the memories of other chiplets, by pixel.
 * The frame is rendered with records, and all chiplets are simulated again. Caches and reads that
 * are already on their way answer the other lookups, as in the frame: a line counts at the pixel
 * whose lookup caused its message.
 */
import { type ChipletId, type PreparedFrame, type RecordedRun, RenderError } from '@tessera/frame';
import type { ResidentFrame, SimulatedChiplet } from '@tessera/gpu';
import { LINE_BYTES, pixelsOfTraces } from '@tessera/gpu/probe';
import {
  type ImmediateChiplet,
  renderFrameNow,
  type SimulatedGpuOptions,
  sharedPlacement,
  simulateFrames,
  simulationOf,
} from '@tessera/multi-chiplet/rendering';

/** Pixels of the lines that a run's traces name. */
interface TracedPixels {
  /** Index of the pass. */
  readonly pass: number;
  /** Index of the pixel in its pass, row by row, by word of the traces. */
  readonly pixels: Int32Array;
}

/** Reads of other memories by texture lookups of one frame. */
export class TextureReads {
  /** Bytes by reader and home, as `link.remote.textureBytes` of the report. */
  readonly bytes: readonly (readonly number[])[];
  readonly #passes: readonly number[];
  readonly #pixels: readonly number[];
  readonly #homes: readonly ChipletId[];

  /** The three lists have an entry for each line. */
  constructor(
    bytes: readonly (readonly number[])[],
    passes: readonly number[],
    pixels: readonly number[],
    homes: readonly ChipletId[],
  ) {
    this.bytes = bytes;
    this.#passes = passes;
    this.#pixels = pixels;
    this.#homes = homes;
  }

  /**
   * Returns the bytes of a pass by pixel.
   *
   * @param home Chiplet whose memory has the lines; all by default.
   * @throws {RenderError} NOT_FOUND if there is no such chiplet.
   */
  bytesOf(pass: number, pixelCount: number, home?: ChipletId): Float64Array {
    const chipletCount = this.bytes.length;
    if (home !== undefined && home >= chipletCount) {
      const message = `home: there is no chiplet ${home}; the frame has chiplets 0 to ${chipletCount - 1}`;
      throw new RenderError('NOT_FOUND', message);
    }
    const values = new Float64Array(pixelCount);
    for (const [read, pixel] of this.#pixels.entries()) {
      if (this.#passes[read] !== pass) continue;
      if (home === undefined || this.#homes[read] === home) values[pixel]! += LINE_BYTES;
    }
    return values;
  }
}

/**
 * Renders and simulates a frame, and locates its reads of other memories.
 *
 * @param frame Frame with its grid.
 * @throws {RenderError} REQUEST_INVALID if every memory has copies of all resources, and the errors
 *   of rendering.
 */
export function locateTextureReads(
  frame: PreparedFrame,
  chiplet: SimulatedChiplet,
  gpu: SimulatedGpuOptions,
): TextureReads {
  if (sharedPlacement(gpu.placement, gpu.chipletCount) === null) {
    const message =
      'metric: remoteBytes needs a frame of several chiplets whose placement is not replicated';
    throw new RenderError('REQUEST_INVALID', message);
  }
  const { isVisibilityChipletRendering, splits } = gpu;
  const commands = { ...frame.commands, timing: 'cycle', coupling: 'exact' } as const;
  const observed = new ObservedChiplet(chiplet);
  const { measurement } = renderFrameNow(
    { ...frame, commands },
    { chiplet: observed, isVisibilityChipletRendering, splits },
  );
  const passes: number[] = [];
  const pixels: number[] = [];
  const homes: ChipletId[] = [];
  const { remote } = simulateFrames([measurement], {
    ...simulationOf(gpu),
    onTextureRead: (traceWords, word, _reader, home) => {
      const traced = observed.tracedByWords.get(traceWords)!;
      passes.push(traced.pass);
      pixels.push(traced.pixels[word]!);
      homes.push(home);
    },
  });
  return new TextureReads(remote!.textureBytes, passes, pixels, homes);
}

/** Chiplet that notes the pixels of the lines in its records. Frames have one pass each. */
class ObservedChiplet implements ImmediateChiplet<ResidentFrame> {
  /** Pixels of each run, by the words of its traces. */
  readonly tracedByWords = new Map<Int32Array, TracedPixels>();
  readonly #chiplet: SimulatedChiplet;
  #pass = -1;
  #widthPx = 0;

  constructor(chiplet: SimulatedChiplet) {
    this.#chiplet = chiplet;
  }

  admitFrame(frame: PreparedFrame): ResidentFrame {
    this.#pass++;
    this.#widthPx = frame.commands.grid.widthPx;
    return this.#chiplet.admitFrame(frame);
  }

  computeVisibility(...phase: Parameters<SimulatedChiplet['computeVisibility']>) {
    return this.#observe(
      () => this.#chiplet.computeVisibility(...phase),
      ({ summary }) => summary.records,
    );
  }

  renderBin(...bin: Parameters<SimulatedChiplet['renderBin']>) {
    return this.#observe(
      () => this.#chiplet.renderBin(...bin),
      ({ records }) => records,
    );
  }

  recycle(bin: Parameters<SimulatedChiplet['recycle']>[0]): void {
    this.#chiplet.recycle(bin);
  }

  #observe<Result>(
    render: () => Result,
    recordsOf: (result: Result) => RecordedRun | undefined,
  ): Result {
    const linePixels: number[] = [];
    const widthPx = this.#widthPx;
    this.#chiplet.lineObserver = (x, y, lines) => {
      for (let line = 0; line < lines; line++) linePixels.push(y * widthPx + x);
    };
    try {
      const result = render();
      const words = recordsOf(result)?.fragmentTraceWords;
      if (words !== undefined) {
        const pixels = pixelsOfTraces(words, linePixels);
        this.tracedByWords.set(words, { pass: this.#pass, pixels });
      }
      return result;
    } finally {
      this.#chiplet.lineObserver = null;
    }
  }
}
