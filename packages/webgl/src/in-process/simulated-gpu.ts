/**
 * A simulated GPU of N chiplets in this process and thread: renders what it is given at once, and draws up one report for all
 * that was rendered since the last.
 */
import {
  chooseCoarseBinGrid,
  DEFAULT_FRAME_LIMITS,
  type Frame,
  type GridRequest,
  type Image,
  IndexRanges,
  type Report,
  type Timing,
  type VisibilityShader,
} from '@tessera/frame';
import {
  type ChipletSpec,
  DEFAULT_CHIPLET_SPEC,
  SimulatedChiplet,
  summarizeSpec,
} from '@tessera/gpu';
import {
  accountTogether,
  type FrameAccount,
  type FramePart,
  type FrameRenderedNow,
  type InterconnectSpec,
  type OverlapMode,
  ProgramCache,
  prepareFrame,
  renderFrameNow,
} from '@tessera/multi-chiplet';
import { checkGpuChoice } from '../options/check-options.ts';

/** What is simulated, and how it shares out its work. */
export interface SimulatedGpuChoice {
  /** Chiplets, chiplet 0 among them; 1 by default. The picture does not depend on it. */
  readonly chipletCount?: number | undefined;
  /** A policy of bin assignment; `dynamic` by default. */
  readonly policy?: string | undefined;
  /** `functional` by default: pictures and counts, without time. */
  readonly timing?: Timing | undefined;
  /** 32 coarse bins by default. */
  readonly grid?: GridRequest | undefined;
  readonly visibilityShader?: VisibilityShader | undefined;
  readonly spec?: ChipletSpec | undefined;
  readonly interconnect?: InterconnectSpec | undefined;
  readonly overlap?: OverlapMode | undefined;
  readonly splits?: number | undefined;
}

/** Parts of frames may draw into textures alone. */
const WITHOUT_SCREEN = { ...DEFAULT_FRAME_LIMITS, isScreenOptional: true };
const DEFAULT_GRID: GridRequest = { kind: 'bins', count: 32 };
/** Parts of one report; a program that renders more without asking for a frame gets none for them. */
const MAX_PARTS = 512;

export class SimulatedGpu {
  /** Programs that were compiled; a context may compile through it too. */
  readonly programs = new ProgramCache();
  readonly #choice: SimulatedGpuChoice;
  readonly #spec: ChipletSpec;
  readonly #chipletCount: number;
  readonly #indexRanges = new IndexRanges();
  #chiplet: SimulatedChiplet | null = null;
  #parts: FramePart[] = [];
  #wallMs = 0;
  #areAllKept = true;

  /** @throws {TypeError | RangeError} For an option that there is not, or a value out of its range. */
  constructor(choice: SimulatedGpuChoice = {}) {
    checkGpuChoice(choice);
    this.#choice = choice;
    this.#spec = choice.spec ?? DEFAULT_CHIPLET_SPEC;
    this.#chipletCount = choice.chipletCount ?? 1;
  }

  /** Renders a frame, or a part of one. @throws {RenderError} As `prepareFrame` and `renderFrameNow`. */
  render(frame: Frame): FrameRenderedNow {
    const startMs = performance.now();
    const { grid = DEFAULT_GRID, visibilityShader = 'minimal', timing, splits } = this.#choice;
    const { widthPx, heightPx } = frame;
    const { fineBinPx } = this.#spec;
    const prepared = prepareFrame(frame, {
      grid: chooseCoarseBinGrid(grid, widthPx, heightPx, this.#chipletCount, fineBinPx),
      visibilityShader,
      timing: timing ?? 'functional',
      programs: this.programs,
      limits: WITHOUT_SCREEN,
      indexRanges: this.#indexRanges,
    });
    this.#chiplet ??= new SimulatedChiplet(this.#spec);
    const rendered = renderFrameNow(prepared, { chiplet: this.#chiplet, splits });
    this.#areAllKept = this.#areAllKept && this.#parts.length < MAX_PARTS;
    const { passes, drawers, frame: accounted } = rendered;
    if (this.#areAllKept) this.#parts.push({ passes, drawers, frame: accounted });
    else this.#parts = [];
    this.#wallMs += performance.now() - startMs;
    return rendered;
  }

  /**
   * The account of all that was rendered since the last call, as one frame; `null` if that was nothing, or too many parts.
   *
   * @param image On the screen in the end.
   */
  finishFrame(image: Image): FrameAccount | null {
    const parts = this.#parts;
    const totalMs = this.#wallMs;
    this.forgetParts();
    if (parts.length === 0) return null;
    const wall: Report['wall'] = {
      prepareMs: 0,
      visibilityMs: 0,
      binsMs: totalMs,
      totalMs,
      retriedBins: 0,
      checkedBins: 0,
    };
    return accountTogether(parts, image, {
      chipletCount: this.#chipletCount,
      policy: this.#choice.policy ?? 'dynamic',
      isVisibilityChipletRendering: true,
      interconnect: this.#choice.interconnect,
      splits: this.#choice.splits,
      overlap: this.#choice.overlap,
      spec: summarizeSpec(this.#spec),
      wall,
    });
  }

  /** Begins an account anew. */
  forgetParts(): void {
    this.#parts = [];
    this.#wallMs = 0;
    this.#areAllKept = true;
  }
}
