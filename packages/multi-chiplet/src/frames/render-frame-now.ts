/**
 * Renders one frame synchronously, on one chiplet in this thread. Passes, bins and report are those
 * of render-frame.ts. The report is valid for any number of chiplets, because it follows from
 * measurements.
 */
import type {
  BinResult,
  CoarseBinId,
  Image,
  PreparedFrame,
  RectPx,
  Report,
  Sha256,
  TextureResource,
  VisibilityStream,
  VisibilitySummary,
} from '@tessera/frame';
import { withEarlyBin } from '../passes/early-bin.ts';
import { PassComposition } from '../passes/pass-composition.ts';
import { type PassFrame, PassFrames } from '../passes/pass-frames.ts';
import type { RenderedPass } from '../passes/render-pass.ts';
import {
  type AccountedFrame,
  accountFrame,
  accountPass,
  describeFrame,
  type FrameAccount,
  joinPasses,
  measurementOf,
  type PassAccount,
  type SimulatedGpuOptions,
} from '../report/account-frame.ts';
import type { FrameMeasurement } from '../simulated-time/frame-measurement.ts';

/** Index of a pass in the frame that the chiplet receives. */
const PASS_INDEX = 0;

/** Bin that a chiplet rendered synchronously. */
export type ImmediateBin = Omit<BinResult, 'frameId' | 'passIndex' | 'binId'>;

/**
 * A chiplet that answers synchronously, such as `SimulatedChiplet`.
 *
 * @typeParam Resident Form of a frame on the chiplet.
 */
export interface ImmediateChiplet<Resident> {
  admitFrame(frame: PreparedFrame): Resident;
  computeVisibility(
    frame: Resident,
    passIndex: number,
  ): {
    readonly stream: VisibilityStream;
    readonly summary: Omit<VisibilitySummary, 'earlyBin'>;
    readonly earlyBin: (ImmediateBin & { readonly binId: CoarseBinId }) | null;
    readonly feedback: readonly Uint32Array[];
  };
  renderBin(
    frame: Resident,
    passIndex: number,
    binId: CoarseBinId,
    stream: Uint8Array,
    part?: RectPx,
  ): ImmediateBin;
  /** Reuses the pixel buffers of a bin after their last use. */
  recycle(bin: ImmediateBin): void;
}

/** Chiplet and options of one frame. */
export interface RenderNowOptions<Resident> {
  readonly chiplet: ImmediateChiplet<Resident>;
  /**
   * Whether the simulated chiplet 0 renders bins, which decides whether it renders one early; true
   * by default.
   */
  readonly isVisibilityChipletRendering?: boolean | undefined;
  /** Number of times that the costliest bin of a pass is halved; 0 by default. */
  readonly splits?: number | undefined;
}

/** Account of a frame that can be joined with those of others. */
export interface FramePart {
  readonly frame: AccountedFrame;
  readonly passes: readonly PassAccount[];
  /** Passes that drew a texture, by its hash. */
  readonly drawers: ReadonlyMap<Sha256, readonly number[]>;
}

/** Images and measurement of a frame. */
export interface FrameRenderedNow extends FramePart {
  /** Image on the screen; null if no pass draws to it. */
  readonly image: Image | null;
  /** Textures that passes drew into, by index: colors, depths and copies, in their formats. */
  readonly drawnTextures: ReadonlyMap<number, TextureResource>;
  /** Words that each draw of the passes of transform feedback wrote, in order. */
  readonly feedback: readonly Uint32Array[];
  readonly measurement: FrameMeasurement;
}

/**
 * Renders a prepared frame. Image, drawn textures and measurement are those of `renderFrame`.
 *
 * @throws {RenderError} SHADER_BUDGET_EXCEEDED, LIMIT_EXCEEDED (the chiplet's memory).
 */
export function renderFrameNow<Resident>(
  frame: PreparedFrame,
  options: RenderNowOptions<Resident>,
): FrameRenderedNow {
  const passFrames = new PassFrames(frame);
  const passes: PassAccount[] = [];
  const feedback: Uint32Array[] = [];
  for (let passIndex = 0; passIndex < passFrames.count; passIndex++) {
    const pass = passFrames.make(passIndex);
    const rendered = renderPassNow(pass.frame, options);
    passFrames.finish(passIndex, rendered.targets, rendered.parts);
    feedback.push(...rendered.feedback);
    passes.push(accountPass({ ...pass, ...rendered }, passIndex));
  }
  const { drawnTextures } = passFrames;
  return {
    image: passFrames.screen,
    drawnTextures,
    feedback,
    frame: describeFrame(frame),
    passes,
    drawers: new Map(
      [...drawnTextures].map(([textureIndex, { sha256 }]) => [
        sha256,
        passFrames.drawersOf(textureIndex),
      ]),
    ),
    measurement: measurementOf(passes),
  };
}

/**
 * Renders the only pass of a frame.
 *
 * @param frame Frame with one pass.
 */
export function renderPassNow<Resident>(
  frame: PassFrame['frame'],
  options: RenderNowOptions<Resident>,
): Pick<RenderedPass, 'targets' | 'bins' | 'parts' | 'summary'> & {
  readonly feedback: readonly Uint32Array[];
} {
  const { chiplet, isVisibilityChipletRendering = true, splits = 0 } = options;
  const admitted = withEarlyBin(frame, isVisibilityChipletRendering);
  const resident = chiplet.admitFrame(admitted);
  const { stream, feedback, ...visibility } = chiplet.computeVisibility(resident, PASS_INDEX);
  const named = { frameId: '', passIndex: PASS_INDEX };
  const { earlyBin } = visibility;
  const summary: VisibilitySummary = {
    ...visibility.summary,
    earlyBin: earlyBin === null ? null : { ...named, ...earlyBin },
  };
  if (frame.commands.passes[PASS_INDEX]!.isFeedback) {
    const targets = { colors: [], depthStencil: null };
    return { targets, bins: [], parts: [], summary, feedback };
  }
  const composition = new PassComposition(frame, summary, splits);
  if (summary.earlyBin !== null) composition.place(summary.earlyBin);
  for (const { binId, rect } of composition.listWanted()) {
    const bin = chiplet.renderBin(resident, PASS_INDEX, binId, stream.bins[binId]!, rect);
    composition.place({ ...named, binId, ...bin });
    chiplet.recycle(bin);
  }
  return { ...composition.finish(), parts: composition.parts, summary, feedback };
}

/**
 * Returns report and timeline of successive frames as if they were one frame, with the hash of the
 * last one.
 *
 * @param image Image on the screen after the last frame.
 * @param wall Wall times, measured by the caller.
 */
export function accountTogether(
  parts: readonly FramePart[],
  image: Image,
  options: SimulatedGpuOptions & { readonly wall: Report['wall'] },
): FrameAccount & { readonly measurement: FrameMeasurement } {
  const last = parts.at(-1);
  if (last === undefined) throw new Error('a report needs at least one frame');
  const passes = joinPasses(parts.map(({ passes, drawers }) => ({ passes, drawn: drawers })));
  const account = accountFrame(last.frame, passes, { ...options, image });
  return { ...account, measurement: measurementOf(passes) };
}
