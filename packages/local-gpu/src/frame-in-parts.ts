/**
 * A frame that a program draws in parts. Each part is rendered when the program needs its result,
 * and all parts have one report.
 */
import type { Frame, Image } from '@tessera/frame';
import type {
  FrameAccount,
  FramePart,
  FrameRenderedNow,
  ProgramCache,
} from '@tessera/multi-chiplet';
import type { LocalGpu } from './local-gpu.ts';
import type { RenderOptions } from './local-gpu-options.ts';
import { wallClock } from './time/wall-clock.ts';

/** Upper bound on the parts of one report. A frame of more parts is rendered and gets no report. */
const MAX_PARTS = 512;

/** Receives a part of a frame. Its resources must not be changed. */
export type PartObserver = (part: Frame) => void;

/**
 * Renders parts of a frame on a local GPU and keeps what their common report needs.
 *
 * @example
 * const frame = new FrameInParts(new LocalGpu());
 * const { drawnTextures } = frame.render(part); // once per part
 * const account = frame.finish(image);
 */
export class FrameInParts {
  readonly #gpu: LocalGpu;
  readonly #options: RenderOptions;
  readonly #onPart: PartObserver;
  #parts: FramePart[] = [];
  #wallMs = 0;
  #isWithinLimit = true;

  /** @param onPart Called with each part before it is rendered. */
  constructor(gpu: LocalGpu, options: RenderOptions = {}, onPart: PartObserver = () => {}) {
    this.#gpu = gpu;
    this.#options = options;
    this.#onPart = onPart;
  }

  /** Compiled programs of the GPU. */
  get programs(): ProgramCache {
    return this.#gpu.programs;
  }

  /**
   * Renders a part.
   *
   * @throws {RenderError} As `LocalGpu.renderNow`.
   */
  render(part: Frame): FrameRenderedNow {
    this.#onPart(part);
    const startMs = wallClock.now();
    const rendered = this.#gpu.renderNow(part, this.#options);
    this.#isWithinLimit = this.#isWithinLimit && this.#parts.length < MAX_PARTS;
    const { passes, drawers, frame } = rendered;
    if (this.#isWithinLimit) this.#parts.push({ passes, drawers, frame });
    else this.#parts = [];
    this.#wallMs += wallClock.now() - startMs;
    return rendered;
  }

  /**
   * Finishes the frame and returns the report of its parts, or null if there were none or more than
   * 512.
   *
   * @param image Image on the screen after the last part.
   */
  finish(image: Image): FrameAccount | null {
    const parts = this.#parts;
    const wallMs = this.#wallMs;
    this.discard();
    return parts.length === 0 ? null : this.#gpu.accountParts(parts, image, wallMs, this.#options);
  }

  /** Discards the parts and starts a new frame. */
  discard(): void {
    this.#parts = [];
    this.#wallMs = 0;
    this.#isWithinLimit = true;
  }
}
