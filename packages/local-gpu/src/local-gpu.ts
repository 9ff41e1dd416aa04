/**
 * A whole simulated GPU in this process. It is the only place that joins the chiplets of `gpu` with
 * `multi-chiplet`.
 */

import {
  type ChipletSpec,
  DEFAULT_CHIPLET_SPEC,
  requireChipletSpec,
  summarizeSpec,
} from '@tessera/chiplet-spec';
import { defineEnergyOptions } from '@tessera/energy';
import type {
  Chiplet,
  Frame,
  FrameLimits,
  GridRequest,
  Image,
  PreparedFrame,
  Timing,
} from '@tessera/frame';
import {
  chooseCoarseBinGrid,
  DEFAULT_FRAME_LIMITS,
  DEFAULT_OPTIONS,
  IndexRanges,
  MAX_CHIPLETS,
  requireTimelineCycles,
} from '@tessera/frame';
import { createLocalChiplet, MachinePool, SimulatedChiplet } from '@tessera/gpu';
import {
  accountTogether,
  cyclesOnOneChiplet,
  type FrameAccount,
  type FramePart,
  type FrameProgress,
  type FrameRenderedNow,
  InProcessCrosslink,
  ProgramCache,
  prepareFrame,
  type RenderedFrame,
  type RenderedSequence,
  renderFrame,
  renderFrameNow,
  renderSequence,
  requireLink,
  requireOrganization,
  requirePlacement,
  requireVisibilityChiplets,
  requireVisibilityDelivery,
  type SimulatedGpuOptions,
} from '@tessera/multi-chiplet';
import type { FrameFeatures } from '@tessera/sampling';
import type { LocalGpuOptions, RenderOptions } from './local-gpu-options.ts';
import { FrameProbe } from './probe/frame-probe.ts';
import { FeatureCounter } from './sampling/count-features.ts';
import { type SampleOptions, sampleSequence } from './sampling/sample-sequence.ts';
import type { SampledSequenceReport } from './sampling/sampled-report.ts';
import { wallClock } from './time/wall-clock.ts';

/** Options of one frame. */
export interface FrameOptions extends RenderOptions {
  /**
   * Specifications whose cycles are measured in the same rendering, at most MAX_ALTERNATIVE_SPECS.
   * They may differ from that of the GPU in all parameters but RECORD_PARAMETERS of
   * `@tessera/chiplet-spec`. They need cycle timing. `measurementWith` returns the measurement of
   * each. With `coupling: exact` it has records, and `simulateFrames` times them on machines of
   * that specification.
   */
  readonly alternativeSpecs?: readonly ChipletSpec[] | undefined;
  /** Called when a phase begins and after each bin. */
  readonly onProgress?: ((progress: FrameProgress) => void) | undefined;
}

/** Options of a sequence of frames. */
export interface SequenceOptions extends RenderOptions {
  /** Number of frames that may be in progress on the simulated GPU. */
  readonly framesInFlight?: number | undefined;
  /** Called for each frame in order. */
  readonly onFrame: (rendered: RenderedFrame, index: number) => Promise<void> | void;
}

/** Options of a sampled sequence. */
export interface SampledSequenceOptions extends Omit<RenderOptions, 'timing'>, SampleOptions {}

const DEFAULT_GRID: GridRequest = { kind: 'bins', count: DEFAULT_OPTIONS.bins };

/** Limits of a frame that is part of another one. It may draw only into textures. */
const PART_LIMITS: FrameLimits = { ...DEFAULT_FRAME_LIMITS, isScreenOptional: true };

/**
 * N simulated chiplets in this process. Images and reports, except `wall`, are those of the
 * service.
 *
 * @example
 * const gpu = new LocalGpu({ chipletCount: 4 });
 * const { image, report } = await gpu.render(frame, { timing: 'cycle' });
 */
export class LocalGpu {
  /**
   * Compiled programs, kept from frame to frame. Code that makes frames may compile through it too.
   */
  readonly programs = new ProgramCache();
  readonly #chipletCount: number;
  readonly #spec: ChipletSpec;
  readonly #hostCount: number;
  readonly #indexRanges = new IndexRanges();
  readonly #machines: MachinePool;
  readonly #features = new FeatureCounter();
  /** Render hosts; null until the first frame that needs them. */
  #hosts: readonly Chiplet[] | null = null;
  /** Chiplet of `renderNow`; null until the first call. */
  #immediateChiplet: SimulatedChiplet | null = null;
  #frameNumber = 0;

  /** @throws {RangeError} If an option or a field of the specification is out of its range. */
  constructor(options: LocalGpuOptions = {}) {
    this.#chipletCount = requireChipletCount(options.chipletCount ?? DEFAULT_OPTIONS.chiplets);
    this.#spec = requireChipletSpec(options.spec ?? DEFAULT_CHIPLET_SPEC);
    this.#hostCount = options.hostCount ?? 1;
    this.#machines = new MachinePool(this.#spec);
  }

  /**
   * Renders a frame through the same flow as the service.
   *
   * @throws {RenderError} As `renderFrame`.
   */
  async render(frame: Frame, options: FrameOptions = {}): Promise<RenderedFrame> {
    const startMs = wallClock.now();
    const prepared = this.#prepare(frame, options);
    const alternativeSpecs = (options.alternativeSpecs ?? []).map(summarizeSpec);
    const commands = { ...prepared.commands, alternativeSpecs };
    return renderFrame(
      { ...prepared, commands },
      {
        ...this.#describe(options),
        frameId: `local-${this.#frameNumber++}`,
        hosts: this.#connectHosts(),
        readClockMs: () => wallClock.now(),
        prepareMs: wallClock.now() - startMs,
        onProgress: options.onProgress,
      },
    );
  }

  /**
   * Renders a frame synchronously. The frame may be a part of another one and draw only into
   * textures. Image and drawn textures are those of `render`; {@link accountParts} makes the
   * report.
   *
   * @throws {RenderError} As `prepareFrame` and `renderFrameNow`.
   */
  renderNow(frame: Frame, options: RenderOptions = {}): FrameRenderedNow {
    const prepared = this.#prepare(frame, options, PART_LIMITS);
    this.#immediateChiplet ??= new SimulatedChiplet(this.#spec);
    const { splits, isVisibilityChipletRendering } = options;
    const chiplet = this.#immediateChiplet;
    return renderFrameNow(prepared, { chiplet, splits, isVisibilityChipletRendering });
  }

  /**
   * Returns report and timeline of frames of `renderNow`, as if they were one frame, with
   * the hash of the last one.
   *
   * @param parts At least one, in the order in which they were rendered.
   * @param image Image on the screen after the last part.
   * @param wallMs Time that rendering all parts took, in milliseconds.
   */
  accountParts(
    parts: readonly FramePart[],
    image: Image,
    wallMs: number,
    options: RenderOptions = {},
  ): FrameAccount {
    const wall = {
      prepareMs: 0,
      visibilityMs: 0,
      binsMs: wallMs,
      totalMs: wallMs,
      retriedBins: 0,
      checkedBins: 0,
    };
    return accountTogether(parts, image, { ...this.#describe(options), wall });
  }

  /**
   * Renders frames in order. Each is made when its turn comes.
   *
   * @throws {RenderError} As `renderSequence`.
   */
  renderSequence(
    frames: readonly (() => Promise<Frame>)[],
    options: SequenceOptions,
  ): Promise<RenderedSequence> {
    return renderSequence(
      frames.map((make) => async () => this.#prepare(await make(), options)),
      {
        ...this.#describe(options),
        sequenceId: `local-${this.#frameNumber++}`,
        hosts: this.#connectHosts(),
        framesInFlight: options.framesInFlight,
        onFrame: options.onFrame,
        readClockMs: () => wallClock.now(),
      },
    );
  }

  /**
   * Counts the features by which a sample divides frames into strata, from the visibility phases of
   * the frame.
   *
   * @throws {RenderError} As `prepareFrame`, and LIMIT_EXCEEDED (the chiplet's memory).
   */
  countFeatures(frame: Frame, options: RenderOptions = {}): FrameFeatures {
    this.#immediateChiplet ??= new SimulatedChiplet(this.#spec);
    const untimed = { ...options, timing: 'functional' } as const;
    return this.#features.count(frame, this.#prepare(frame, untimed), this.#immediateChiplet);
  }

  /**
   * Runs the visibility phases of all frames, and renders a sample of them with cycles, until the
   * figures of all frames are known within an interval. Frames do not overlap.
   *
   * @throws {RenderError} As `sampleSequence`.
   *
   * @example
   * const goal = { halfWidthShare: 0.01, confidence: 0.95 };
   * const { figures } = await gpu.sampleSequence(frames, { goal, figures: ['cycles'] });
   */
  sampleSequence(
    frames: readonly (() => Promise<Frame>)[],
    options: SampledSequenceOptions,
  ): Promise<SampledSequenceReport> {
    // Link and placement matter to cycles alone, and some of them are refused without.
    const timed: RenderOptions = { ...options, timing: 'cycle' };
    const untimed: RenderOptions = {
      ...options,
      timing: 'functional',
      interconnect: undefined,
      placement: undefined,
      timelineCycles: undefined,
    };
    const sampledGpu = {
      render: (frame: Frame, timing: Timing) =>
        this.render(frame, timing === 'cycle' ? timed : untimed),
      countFeatures: (frame: Frame) => this.countFeatures(frame, untimed),
      cyclesOnOneChiplet: ({ measurement }: RenderedFrame) =>
        cyclesOnOneChiplet(measurement, (...machine) => this.#machines.take(...machine)),
    };
    return sampleSequence(frames, sampledGpu, options);
  }

  /**
   * Returns a probe of a frame: heat maps, histories of pixels, draws, costs of shaders.
   *
   * @throws {RenderError} As `prepareFrame`.
   */
  probe(frame: Frame, options: RenderOptions = {}): FrameProbe {
    const prepared = this.#prepare(frame, options, PART_LIMITS);
    return new FrameProbe(prepared, {
      spec: this.#spec,
      gpu: this.#describe(options),
      sources: frame.programs,
    });
  }

  #connectHosts(): readonly Chiplet[] {
    if (this.#hosts !== null) return this.#hosts;
    const crosslink = new InProcessCrosslink();
    this.#hosts = Array.from({ length: this.#hostCount }, (_, id) => {
      const chiplet = createLocalChiplet({ id, spec: this.#spec, crosslink });
      if (id > 0) crosslink.connect(chiplet);
      return chiplet;
    });
    return this.#hosts;
  }

  #prepare(frame: Frame, options: RenderOptions, limits?: FrameLimits): PreparedFrame {
    const { widthPx, heightPx } = frame;
    const { grid = DEFAULT_GRID, isVisibilityChipletRendering = true } = options;
    const rendererCount = Math.max(1, this.#chipletCount - (isVisibilityChipletRendering ? 0 : 1));
    return prepareFrame(frame, {
      grid: chooseCoarseBinGrid(grid, widthPx, heightPx, rendererCount, this.#spec.fineBinPx),
      visibilityShader: options.visibilityShader ?? DEFAULT_OPTIONS.visibility,
      visibilitySwitches: options.visibilitySwitches,
      visibilityChiplets: requireVisibilityChiplets(options, this.#chipletCount),
      organization: requireOrganization(options),
      visibilityDelivery: requireVisibilityDelivery(options),
      timing: options.timing ?? DEFAULT_OPTIONS.libraryTiming,
      coupling: options.coupling ?? DEFAULT_OPTIONS.coupling,
      programs: this.programs,
      limits,
      indexRanges: this.#indexRanges,
    });
  }

  /** @throws {RenderError} REQUEST_INVALID if options do not fit each other. */
  #describe(options: RenderOptions): SimulatedGpuOptions {
    const { placement } = options;
    if (placement !== undefined) requirePlacement(placement);
    requireLink(options);
    requireTimelineCycles(options);
    return {
      chipletCount: this.#chipletCount,
      policy: options.policy ?? DEFAULT_OPTIONS.policy,
      isVisibilityChipletRendering: options.isVisibilityChipletRendering ?? true,
      interconnect: options.interconnect,
      splits: options.splits,
      overlap: options.overlap,
      organization: requireOrganization(options),
      spec: summarizeSpec(this.#spec),
      makeMachine: (...machine) => this.#machines.take(...machine),
      timelineCycles: options.timelineCycles,
      placement,
      energy: defineEnergyOptions(options.energy),
    };
  }
}

function requireChipletCount(count: number): number {
  if (Number.isInteger(count) && count >= 1 && count <= MAX_CHIPLETS) return count;
  throw new RangeError(`chipletCount: ${count} is not an integer from 1 to ${MAX_CHIPLETS}`);
}
