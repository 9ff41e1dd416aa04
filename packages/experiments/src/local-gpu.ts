/** A whole GPU in this process: N simulated chiplets joined by an in-process crosslink. */
import type {
  Chiplet,
  Frame,
  GridRequest,
  PreparedFrame,
  Timing,
  VisibilityShader,
  VisibilitySwitches,
} from '@tessera/frame';
import { chooseCoarseBinGrid, IndexRanges } from '@tessera/frame';
import {
  type ChipletSpec,
  createLocalChiplet,
  DEFAULT_CHIPLET_SPEC,
  summarizeSpec,
} from '@tessera/gpu';
import {
  type FrameProgress,
  InProcessCrosslink,
  type InterconnectSpec,
  type OverlapMode,
  ProgramCache,
  prepareFrame,
  type RenderedFrame,
  type RenderedSequence,
  renderFrame,
  renderSequence,
  type SimulatedGpuOptions,
} from '@tessera/multi-chiplet';

export interface LocalRenderOptions {
  readonly policy: string;
  /** Coarse bins wanted. */
  readonly binCount: number;
  /** Another request instead. */
  readonly grid?: GridRequest | undefined;
  /** How often the costliest bin is halved after the visibility phase; 0 by default. */
  readonly splits?: number | undefined;
  readonly visibilityShader: VisibilityShader;
  readonly visibilitySwitches?: Partial<VisibilitySwitches> | undefined;
  readonly timing?: Timing;
  /** True by default. */
  readonly isVisibilityChipletRendering?: boolean | undefined;
  readonly interconnect?: InterconnectSpec | undefined;
  readonly overlap?: OverlapMode | undefined;
}

export interface LocalFrameOptions extends LocalRenderOptions {
  readonly onProgress?: ((progress: FrameProgress) => void) | undefined;
}

export interface LocalSequenceOptions extends LocalRenderOptions {
  readonly framesInFlight?: number | undefined;
  /** Called for each frame in order. */
  readonly onFrame: (rendered: RenderedFrame, index: number) => Promise<void> | void;
}

export const DEFAULT_LOCAL_RENDER_OPTIONS: LocalRenderOptions = Object.freeze({
  policy: 'dynamic',
  binCount: 32,
  visibilityShader: 'minimal',
});

export class LocalGpu {
  readonly #chipletCount: number;
  readonly #hosts: readonly Chiplet[];
  readonly #spec: ChipletSpec;
  /** Programs that were compiled; whoever makes frames may compile through it too. */
  readonly programs = new ProgramCache();
  readonly #indexRanges = new IndexRanges();
  #frameNumber = 0;

  /**
   * @param chipletCount At least 1; chiplet 0 computes visibility and renders bins too.
   * @param hostCount Who renders, all in this thread: more than one is slower and gives the same.
   */
  constructor(chipletCount: number, spec: ChipletSpec = DEFAULT_CHIPLET_SPEC, hostCount = 1) {
    const crosslink = new InProcessCrosslink();
    this.#spec = spec;
    this.#chipletCount = chipletCount;
    this.#hosts = Array.from({ length: hostCount }, (_, id) => {
      const chiplet = createLocalChiplet({ id, spec, crosslink });
      if (id > 0) crosslink.connect(chiplet);
      return chiplet;
    });
  }

  /** Renders a frame through the same flow as the service. @throws {RenderError} As `renderFrame`. */
  async render(
    frame: Frame,
    options: LocalFrameOptions = DEFAULT_LOCAL_RENDER_OPTIONS,
  ): Promise<RenderedFrame> {
    const startMs = performance.now();
    const prepared = this.#prepare(frame, options);
    return renderFrame(prepared, {
      ...this.#gpuOptions(options),
      frameId: `local-${this.#frameNumber++}`,
      hosts: this.#hosts,
      readClockMs: () => performance.now(),
      prepareMs: performance.now() - startMs,
      onProgress: options.onProgress,
    });
  }

  /** Renders frames in order, each made when its turn comes. @throws {RenderError} As `renderSequence`. */
  renderSequence(
    frames: readonly (() => Promise<Frame>)[],
    options: LocalSequenceOptions,
  ): Promise<RenderedSequence> {
    return renderSequence(
      frames.map((make) => async () => this.#prepare(await make(), options)),
      {
        ...this.#gpuOptions(options),
        sequenceId: `local-${this.#frameNumber++}`,
        hosts: this.#hosts,
        framesInFlight: options.framesInFlight,
        onFrame: options.onFrame,
        readClockMs: () => performance.now(),
      },
    );
  }

  #prepare(frame: Frame, options: LocalRenderOptions): PreparedFrame {
    const { widthPx, heightPx } = frame;
    const request = options.grid ?? { kind: 'bins', count: options.binCount };
    const renderers = this.#chipletCount - (options.isVisibilityChipletRendering === false ? 1 : 0);
    return prepareFrame(frame, {
      grid: chooseCoarseBinGrid(
        request,
        widthPx,
        heightPx,
        Math.max(1, renderers),
        this.#spec.fineBinPx,
      ),
      visibilityShader: options.visibilityShader,
      visibilitySwitches: options.visibilitySwitches,
      timing: options.timing ?? 'functional',
      programs: this.programs,
      indexRanges: this.#indexRanges,
    });
  }

  #gpuOptions(options: LocalRenderOptions): SimulatedGpuOptions {
    return {
      chipletCount: this.#chipletCount,
      policy: options.policy,
      isVisibilityChipletRendering: options.isVisibilityChipletRendering ?? true,
      interconnect: options.interconnect,
      splits: options.splits,
      overlap: options.overlap,
      spec: summarizeSpec(this.#spec),
    };
  }
}
