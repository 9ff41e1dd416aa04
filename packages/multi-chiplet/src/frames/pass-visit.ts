/**
 * One pass of a frame, ready to render bin by bin as often as needed, on one chiplet in this
 * thread. The passes before it are rendered first, because it may read what they drew.
 */
import {
  type CoarseBinGrid,
  type CoarseBinId,
  coarseBinCount,
  type Image,
  type PreparedFrame,
  RenderError,
  type TextureFormat,
  type VisibilityStream,
  type VisibilitySummary,
} from '@tessera/frame';
import { withEarlyBin } from '../passes/early-bin.ts';
import { PassComposition } from '../passes/pass-composition.ts';
import { type PassFrame, PassFrames } from '../passes/pass-frames.ts';
import { type ImmediateBin, type ImmediateChiplet, renderPassNow } from './render-frame-now.ts';

/** Index of a pass in the frame that the chiplet receives. */
const PASS_INDEX = 0;
/** Bins are rendered in the bin phase, so that all of them are visited in the same way. */
const IS_VISIBILITY_CHIPLET_RENDERING = false;

/** Options of a pass that is rendered with records. */
export interface RecordedPass {
  /** Whether chiplet 0 renders bins, which decides whether it renders one early. */
  readonly isVisibilityChipletRendering: boolean;
  /** Number of times that the costliest bin is halved. */
  readonly splits: number;
}

/** Renders one bin of the visited pass. */
export type RenderVisitedBin<Resident> = (
  frame: Resident,
  passIndex: number,
  binId: CoarseBinId,
  stream: Uint8Array,
) => ImmediateBin;

/** Pass after its visibility phase. */
export class PassVisit<Resident> {
  readonly #passFrames: PassFrames;
  readonly #passIndex: number;
  readonly #frame: PassFrame['frame'];
  /** The pass on the chiplet, as the only pass of a frame. */
  readonly resident: Resident;
  readonly #stream: VisibilityStream;
  readonly #summary: VisibilitySummary;

  /**
   * Renders the passes before `passIndex`, and its visibility phase.
   *
   * @param drawn Frames of the passes, if those before `passIndex` were rendered already.
   * @throws {RenderError} NOT_FOUND if there is no such pass, REQUEST_INVALID if it draws no
   *   pixels, and as `renderFrameNow`.
   */
  constructor(
    frame: PreparedFrame,
    passIndex: number,
    chiplet: ImmediateChiplet<Resident>,
    drawn?: PassFrames,
  ) {
    const passFrames = drawn ?? new PassFrames(frame);
    requirePass(frame, passIndex, passFrames.count);
    if (drawn === undefined) {
      for (let before = 0; before < passIndex; before++) renderPass(passFrames, before, chiplet);
    }
    this.#passFrames = passFrames;
    this.#passIndex = passIndex;
    this.#frame = withEarlyBin(passFrames.make(passIndex).frame, IS_VISIBILITY_CHIPLET_RENDERING);
    this.resident = chiplet.admitFrame(this.#frame);
    const { stream, summary } = chiplet.computeVisibility(this.resident, PASS_INDEX);
    this.#stream = stream;
    this.#summary = { ...summary, earlyBin: null };
  }

  /** Grid of coarse bins of the pass. */
  get grid(): CoarseBinGrid {
    return this.#frame.commands.grid;
  }

  /** Samples per pixel of the pass's targets. */
  get sampleCount(): number {
    return this.#frame.commands.passes[PASS_INDEX]!.sampleCount ?? 1;
  }

  /** Formats of the color targets; `null` for a missing one. */
  get colorFormats(): readonly (TextureFormat | null)[] {
    return this.#frame.commands.passes[PASS_INDEX]!.colorFormats ?? ['rgba8unorm'];
  }

  /**
   * Renders the pass as in a frame with cycle timing and records: with the early bin and parts of
   * bins, which determine its warps. The records are dropped.
   */
  renderRecorded(chiplet: ImmediateChiplet<Resident>, recorded: RecordedPass): void {
    const { isVisibilityChipletRendering, splits } = recorded;
    const commands = { ...this.#frame.commands, timing: 'cycle', coupling: 'exact' } as const;
    const frame = withEarlyBin({ ...this.#frame, commands }, isVisibilityChipletRendering);
    const resident = chiplet.admitFrame(frame);
    const { stream, summary, earlyBin } = chiplet.computeVisibility(resident, PASS_INDEX);
    const named = { frameId: '', passIndex: PASS_INDEX };
    const early = earlyBin === null ? null : { ...named, ...earlyBin };
    const composition = new PassComposition(frame, { ...summary, earlyBin: early }, splits);
    for (const { binId, rect } of composition.listWanted()) {
      const bin = chiplet.renderBin(resident, PASS_INDEX, binId, stream.bins[binId]!, rect);
      chiplet.recycle(bin);
    }
  }

  /** Renders one bin. */
  renderBin(binId: CoarseBinId, render: RenderVisitedBin<Resident>): ImmediateBin {
    return render(this.resident, PASS_INDEX, binId, this.#stream.bins[binId]!);
  }

  /** Renders all bins. */
  renderBins(render: RenderVisitedBin<Resident>): void {
    const count = coarseBinCount(this.grid);
    for (let binId = 0; binId < count; binId++) this.renderBin(binId, render);
  }

  /** Renders all bins and returns the image of the pass. May be called once. */
  renderImage(render: RenderVisitedBin<Resident>): Image {
    const composition = new PassComposition(this.#frame, this.#summary, 0);
    const named = { frameId: '', passIndex: PASS_INDEX };
    for (const { binId } of composition.listWanted()) {
      composition.place({ ...named, binId, ...this.renderBin(binId, render) });
    }
    const { targets } = composition.finish();
    return this.#passFrames.finish(this.#passIndex, targets, composition.parts)();
  }
}

/**
 * Visits the passes that draw pixels, in order. Each is rendered once more for those after it,
 * which ends its visit.
 *
 * @throws {RenderError} As `renderFrameNow`.
 */
export function* visitPasses<Resident>(
  frame: PreparedFrame,
  chiplet: ImmediateChiplet<Resident>,
): Generator<{ readonly pass: number; readonly visit: PassVisit<Resident> }, void> {
  const passFrames = new PassFrames(frame);
  for (const [pass, { isFeedback }] of frame.commands.passes.entries()) {
    if (!isFeedback) yield { pass, visit: new PassVisit(frame, pass, chiplet, passFrames) };
    if (pass < passFrames.count - 1) renderPass(passFrames, pass, chiplet);
  }
}

/** Renders a pass whose predecessors are rendered, and stores what it drew. */
function renderPass<Resident>(
  passFrames: PassFrames,
  passIndex: number,
  chiplet: ImmediateChiplet<Resident>,
): void {
  const options = { chiplet, isVisibilityChipletRendering: IS_VISIBILITY_CHIPLET_RENDERING };
  const rendered = renderPassNow(passFrames.make(passIndex).frame, options);
  passFrames.finish(passIndex, rendered.targets, rendered.parts);
}

function requirePass(frame: PreparedFrame, passIndex: number, passCount: number): void {
  if (passIndex >= passCount) {
    throw new RenderError(
      'NOT_FOUND',
      `pass: there is no pass ${passIndex}; the frame has passes 0 to ${passCount - 1}`,
    );
  }
  if (!frame.commands.passes[passIndex]!.isFeedback) return;
  throw new RenderError(
    'REQUEST_INVALID',
    `pass: pass ${passIndex} is transform feedback, which draws no pixels`,
  );
}
