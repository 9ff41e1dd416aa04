/** A whole GPU in this process: N simulated chiplets joined by an in-process crosslink. */
import type { Chiplet, Frame, Timing, VisibilityShader } from '@tessera/frame';
import { chooseGridShape, makeCoarseBinGrid } from '@tessera/frame';
import {
  type ChipletSpec,
  createLocalChiplet,
  DEFAULT_CHIPLET_SPEC,
  summarizeSpec,
} from '@tessera/gpu';
import {
  InProcessCrosslink,
  ProgramCache,
  prepareFrame,
  type RenderedFrame,
  renderFrame,
} from '@tessera/multi-chiplet';

export interface LocalRenderOptions {
  readonly policy: string;
  /** Coarse bins wanted. */
  readonly binCount: number;
  readonly visibilityShader: VisibilityShader;
  readonly timing?: Timing;
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
    options: LocalRenderOptions = DEFAULT_LOCAL_RENDER_OPTIONS,
  ): Promise<RenderedFrame> {
    const startMs = performance.now();
    const { widthPx, heightPx } = frame;
    const shape = chooseGridShape(options.binCount, widthPx, heightPx);
    const prepared = prepareFrame(frame, {
      grid: makeCoarseBinGrid(widthPx, heightPx, shape.columns, shape.rows, this.#spec.fineBinPx),
      visibilityShader: options.visibilityShader,
      timing: options.timing ?? 'functional',
      programs: this.programs,
    });
    return renderFrame(prepared, {
      frameId: `local-${this.#frameNumber++}`,
      hosts: this.#hosts,
      chipletCount: this.#chipletCount,
      policy: options.policy,
      isVisibilityChipletRendering: true,
      spec: summarizeSpec(this.#spec),
      readClockMs: () => performance.now(),
      prepareMs: performance.now() - startMs,
    });
  }
}
