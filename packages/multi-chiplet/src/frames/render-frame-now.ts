/**
 * One frame at once, on one chiplet in this thread: the same passes, bins and accounts as in render-frame.ts, without
 * anything to wait for. The report is that of any number of chiplets, as everywhere: it follows from what was measured.
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

/** The index of a pass in the frame that it is to the chiplet. */
const PASS_INDEX = 0;

type ImmediateBin = Omit<BinResult, 'frameId' | 'passIndex' | 'binId'>;

/**
 * A chiplet that answers at once; `SimulatedChiplet` is one.
 *
 * @typeParam Resident What a frame is on it.
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
  };
  renderBin(
    frame: Resident,
    passIndex: number,
    binId: CoarseBinId,
    stream: Uint8Array,
    part?: RectPx,
  ): ImmediateBin;
  /** Takes back the pixels of a bin that nobody looks at any more. */
  recycle(bin: ImmediateBin): void;
}

export interface RenderNowOptions<Resident> {
  readonly chiplet: ImmediateChiplet<Resident>;
  /** Of the simulated GPU; they say which bin is rendered early. */
  readonly isVisibilityChipletRendering?: boolean | undefined;
  /** How often the costliest bin of a pass is halved; 0 by default. */
  readonly splits?: number | undefined;
}

/** What is kept of a frame to account for it with others. */
export interface FramePart {
  readonly frame: AccountedFrame;
  readonly passes: readonly PassAccount[];
  /** By hash of a texture that was drawn into, the passes that drew it. */
  readonly drawers: ReadonlyMap<Sha256, readonly number[]>;
}

/** What rendering a frame gave. */
export interface FrameRenderedNow extends FramePart {
  /** `null` where no pass draws to the screen. */
  readonly image: Image | null;
  /** Textures as passes left them, by index: colours, depths and copies, in their formats. */
  readonly drawnTextures: ReadonlyMap<number, TextureResource>;
  readonly measurement: FrameMeasurement;
}

/**
 * Renders a prepared frame. Picture, drawn textures and measurement are those of `renderFrame`.
 *
 * @throws {RenderError} SHADER_BUDGET_EXCEEDED, LIMIT_EXCEEDED (the chiplet's memory).
 */
export function renderFrameNow<Resident>(
  frame: PreparedFrame,
  options: RenderNowOptions<Resident>,
): FrameRenderedNow {
  const passFrames = new PassFrames(frame);
  const passes: PassAccount[] = [];
  for (let passIndex = 0; passIndex < passFrames.count; passIndex++) {
    const pass = passFrames.make(passIndex);
    const rendered = renderPassNow(pass.frame, options);
    passFrames.finish(passIndex, rendered.targets);
    passes.push(accountPass({ ...pass, ...rendered }, passIndex));
  }
  const { drawnTextures } = passFrames;
  return {
    image: passFrames.screen,
    drawnTextures,
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

/** @param frame With one pass. */
function renderPassNow<Resident>(
  frame: PassFrame['frame'],
  options: RenderNowOptions<Resident>,
): Pick<RenderedPass, 'targets' | 'bins' | 'parts' | 'summary'> {
  const { chiplet, isVisibilityChipletRendering = true, splits = 0 } = options;
  const admitted = withEarlyBin(frame, isVisibilityChipletRendering);
  const resident = chiplet.admitFrame(admitted);
  const { stream, ...visibility } = chiplet.computeVisibility(resident, PASS_INDEX);
  const named = { frameId: '', passIndex: PASS_INDEX };
  const { earlyBin } = visibility;
  const summary: VisibilitySummary = {
    ...visibility.summary,
    earlyBin: earlyBin === null ? null : { ...named, ...earlyBin },
  };
  const composition = new PassComposition(frame, summary, splits);
  if (summary.earlyBin !== null) composition.place(summary.earlyBin);
  for (const { binId, rect } of composition.listWanted()) {
    const bin = chiplet.renderBin(resident, PASS_INDEX, binId, stream.bins[binId]!, rect);
    composition.place({ ...named, binId, ...bin });
    chiplet.recycle(bin);
  }
  return { ...composition.finish(), parts: composition.parts, summary };
}

/**
 * Report and timeline of frames that were rendered one after the other as if they were one: the last names it and has
 * its picture.
 *
 * @param image On the screen in the end.
 * @param wall Times of a clock that the caller reads.
 */
export function accountTogether(
  parts: readonly FramePart[],
  image: Image,
  options: SimulatedGpuOptions & { readonly wall: Report['wall'] },
): FrameAccount & { readonly measurement: FrameMeasurement } {
  const last = parts.at(-1);
  if (last === undefined) throw new Error('an account of no frames');
  const passes = joinPasses(parts.map(({ passes, drawers }) => ({ passes, drawn: drawers })));
  const account = accountFrame(last.frame, passes, { ...options, image });
  return { ...account, measurement: measurementOf(passes) };
}
