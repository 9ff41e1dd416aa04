/**
 * Frame in progress: its passes, their resources and its size. Recorders append draws and copies.
 * With a renderer, the passes are rendered when a call depends on what they drew.
 */
import {
  type Draw,
  type Frame,
  RenderError,
  TEXTURE_FORMATS,
  type TextureResource,
} from '@tessera/frame';
import type { TextureState } from '../objects/textures/texture-state.ts';
import { ContentResolver } from './content-resolver.ts';
import { makeScreenDraw } from './generated/image-draw.ts';
import type { ImmediateBatch } from './generated/immediate-batch.ts';
import { markDrawnInto } from './mark-drawn-into.ts';
import type { FrameRenderer, PassRenderer } from './pass-renderer.ts';
import { readSwizzleOf } from './passes/color-stores.ts';
import { ContentHashes, FrameAssembler } from './passes/frame-assembler.ts';
import {
  FEEDBACK,
  FEEDBACK_TARGET,
  hasImages,
  type PassAttachments,
  type PassTarget,
  resolveAttachments,
  SCREEN,
  withoutEncoding,
} from './passes/pass-attachments.ts';
import { PassList } from './passes/pass-list.ts';
import type { PassTime } from './passes/pass-time.ts';
import type { CountedPass, QueryPart } from './passes/query-part.ts';
import { RecordedLoad } from './recorded-load.ts';

/** Upper bound on the draws of skipped frames that are kept for later frames. */
const MAX_EARLIER_DRAWS = 100_000;

/** Immediate-mode primitives that are not yet appended to a pass. */
interface PendingBatch {
  readonly target: PassTarget;
  readonly vertices: ImmediateBatch;
}

/** Recorder of the frame in progress of one context. */
export class Recording {
  /**
   * Renderer of a context that reads back rendered images. `null` if only the client renders
   * frames.
   */
  readonly renderer: PassRenderer | null;
  /** Resolver of contents in a context with a renderer, else `null`. */
  readonly contents: ContentResolver | null;
  readonly #feedbackRenderer: FrameRenderer | null;
  readonly #maxFrameBytes: number;
  /** Returns the size of the screen. */
  readonly #screenOf: () => { readonly widthPx: number; readonly heightPx: number };
  readonly #hashes = new ContentHashes();
  #assembler: FrameAssembler;
  #passes: PassList;
  #load = new RecordedLoad();
  #batch: PendingBatch | null = null;
  #isWanted = true;
  /** Parts of the active occlusion query; `null` if none counts. */
  #counted: QueryPart[] | null = null;
  /** Passes of the active timer query; `null` if none is active. */
  #timer: PassTime[] | null = null;
  /** Queries with draws that were not recorded. */
  readonly #incomplete = new WeakSet<readonly QueryPart[]>();
  /** Passes of the frames taken, whose counts may arrive later. */
  readonly #listByFrame = new WeakMap<Frame, PassList>();

  /**
   * @param maxFrameBytes Upper bound on the bytes of buffers and textures in one frame.
   * @param feedbackRenderer Renderer of transform feedback and of occlusion queries in a context
   *   without another renderer.
   */
  constructor(
    parts: {
      readonly textures: TextureState;
      readonly targets: { readonly widthPx: number; readonly heightPx: number };
    },
    maxFrameBytes: number,
    renderer: PassRenderer | null,
    feedbackRenderer: FrameRenderer | null,
  ) {
    this.#maxFrameBytes = maxFrameBytes;
    this.#screenOf = () => parts.targets;
    this.renderer = renderer;
    this.#feedbackRenderer = feedbackRenderer;
    const passesNow = () => this.#passes;
    this.contents =
      renderer &&
      new ContentResolver(
        renderer,
        {
          get passes() {
            return passesNow();
          },
          isFull: (target) => this.#load.isFull(this.#passes, target),
          resolve: () => this.resolve(),
        },
        parts.textures,
      );
    this.#assembler = new FrameAssembler(maxFrameBytes, this.#hashes);
    this.#passes = new PassList(this.#assembler);
  }

  get passes(): PassList {
    return this.#passes;
  }

  get assembler(): FrameAssembler {
    return this.#assembler;
  }

  /**
   * Whether the frame is wanted. In a skipped frame, only draws into textures are recorded, because
   * later frames may sample them.
   */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  set isWanted(isWanted: boolean) {
    this.#isWanted = isWanted;
    this.#passes.isEarlier = !isWanted;
  }

  /** Batch of immediate-mode primitives that further primitives may join. */
  get batch(): PendingBatch | null {
    return this.#batch;
  }

  set batch(batch: PendingBatch | null) {
    this.#batch = batch;
  }

  /**
   * Runs `record`. In a skipped frame, a draw that a frame cannot hold only makes the contents of
   * the target unknown.
   */
  record<Result>(target: PassTarget, record: () => Result): Result | null {
    if (this.#isWanted) return record();
    markDrawnInto(target);
    if (target.framebuffer === null) {
      if (this.#counted !== null) this.#incomplete.add(this.#counted);
      return null;
    }
    try {
      return record();
    } catch (error) {
      this.#dropContents(target, error);
      return null;
    }
  }

  /**
   * Makes the contents of a target unknown. The error is thrown only if a later draw samples them.
   */
  #dropContents({ framebuffer }: PassTarget, error: unknown): void {
    if (this.#counted !== null) this.#incomplete.add(this.#counted);
    if (!(error instanceof RenderError)) throw error;
    if (error.code === 'LIMIT_EXCEEDED') {
      this.discardFrame();
    } else if (error.code === 'FRAME_UNSUPPORTED') {
      const attachments = [...(framebuffer?.attachments.values() ?? [])];
      this.#passes.contents.drop(
        attachments.map((each) => (each.kind === 'texture' ? each.texture : each.renderbuffer)),
      );
    } else {
      throw error;
    }
  }

  /** Returns the current attachments of a target. */
  attachmentsOf(target: PassTarget, isRead = false): PassAttachments {
    if (target === FEEDBACK_TARGET) return FEEDBACK;
    const { framebuffer } = target;
    const attachments =
      framebuffer === null || this.renderer === null
        ? resolveAttachments(framebuffer, isRead)
        : this.renderer.attachmentsOf(framebuffer, isRead);
    return target.isSrgbRaw === true ? withoutEncoding(attachments) : attachments;
  }

  /**
   * Appends a draw to the pass of its target.
   *
   * @throws {RenderError} LIMIT_EXCEEDED if the frame gets too large.
   */
  append(target: PassTarget, attachments: PassAttachments, draw: Draw): void {
    if (attachments !== FEEDBACK && !hasImages(attachments)) return;
    this.#assembler.countDraws(1);
    this.#load.count(draw);
    this.#passes.append(draw, attachments, this.#counted);
    markDrawnInto(target);
  }

  /** Appends the pending batch of immediate-mode primitives to its pass. */
  flushBatch(): void {
    const batch = this.#batch;
    if (batch === null) return;
    this.#batch = null;
    const { target, vertices } = batch;
    this.append(target, this.attachmentsOf(target), vertices.finish(this.#assembler));
  }

  /**
   * Renders the recorded passes, so that the contents of all images are known. Returns the words of
   * draws of transform feedback.
   */
  resolve(): readonly Uint32Array[] {
    const renderer = this.#requireRenderer();
    this.flushBatch();
    renderer.pending.resolve(this.#passes.contents);
    if (this.#passes.isEmpty) return [];
    if (this.#passes.hasScreenPasses) this.contents?.leaveScreen();
    const recorded = { list: this.#passes, assembler: this.#assembler };
    this.#startOver();
    return renderer.render(recorded);
  }

  /**
   * Starts to count the fragments of draws and returns the parts of the query, which grow with the
   * draws.
   */
  startCounting(): readonly QueryPart[] {
    this.flushBatch();
    this.#counted = [];
    return this.#counted;
  }

  /** Stops counting. */
  stopCounting(): void {
    this.flushBatch();
    this.#counted = null;
  }

  /**
   * Returns the number of fragments that passed in the draws of a query. Renders passes that have
   * not been rendered. With a renderer, discarded passes count 0.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED in a context without a renderer, if draws of the query
   *   were not recorded.
   */
  countFragments(parts: readonly QueryPart[]): number {
    if (this.renderer === null) this.#countApart(parts);
    const isMissing = () => parts.some(({ count }) => count === null);
    if (isMissing()) this.#requireRenderer().pending.resolve(this.#passes.contents);
    if (isMissing()) this.resolve();
    return parts.reduce((sum, { count }) => sum + (count ?? 0), 0);
  }

  /** Counts the queries in a copy of the frame in progress, which continues unchanged. */
  #countApart(parts: readonly QueryPart[]): void {
    const isMissing = () => parts.some(({ count }) => count === null);
    if (isMissing() && this.#feedbackRenderer !== null) {
      this.flushBatch();
      const { list, assembler } = this.#passes.select(new Set());
      const { widthPx, heightPx } = this.#screenOf();
      const screen = list.hasScreenPasses ? SCREEN : null;
      const frame = assembler.build(widthPx, heightPx, list.finish(screen, true));
      list.adoptCounts(this.#feedbackRenderer(frame).passes ?? []);
    }
    if (isMissing() || this.#incomplete.has(parts)) {
      throw new RenderError('FRAME_UNSUPPORTED', 'the result of an occlusion query is not known');
    }
  }

  /** Starts to time passes and returns those of the query, whose number grows with the draws. */
  startTiming(): readonly PassTime[] {
    this.flushBatch();
    this.#timer = this.#passes.timer = [];
    return this.#timer;
  }

  stopTiming(): void {
    this.flushBatch();
    this.#timer = this.#passes.timer = null;
  }

  /** Runs `record` without counting the fragments of its draws, for example those of clears. */
  withoutCounting<Result>(record: () => Result): Result {
    const counted = this.#counted;
    if (counted === null) return record();
    this.flushBatch();
    this.#counted = null;
    try {
      return record();
    } finally {
      this.#counted = counted;
    }
  }

  /**
   * Records a draw of transform feedback and renders it. Returns the words that it wrote, or the
   * reason if `record` rejects the draw.
   *
   * @param isApart Whether the draw is rendered in a separate frame, after which the frame in
   *   progress continues. The draw must then read no textures.
   */
  renderFeedback(record: () => string | null, isApart: boolean): Uint32Array | string {
    if (this.renderer === null) this.#requireFeedbackRenderer(isApart);
    this.flushBatch();
    const kept = [this.#passes, this.#assembler, this.#load] as const;
    if (isApart) this.#startOver();
    this.#passes.isEarlier = false;
    try {
      return this.withoutCounting(() => {
        const problem = record();
        if (problem !== null) return problem;
        const words = isApart ? this.#renderFeedback() : this.resolve();
        return words.at(-1)!;
      });
    } finally {
      if (isApart) [this.#passes, this.#assembler, this.#load] = kept;
    }
  }

  #renderFeedback(): readonly Uint32Array[] {
    const recorded = { list: this.#passes, assembler: this.#assembler };
    if (this.renderer !== null) return this.renderer.render(recorded);
    const frame = this.#assembler.build(1, 1, this.#passes.finish(null));
    return this.#requireFeedbackRenderer(true)(frame).feedback ?? [];
  }

  #requireFeedbackRenderer(isApart: boolean): FrameRenderer {
    if (this.#feedbackRenderer !== null && isApart) return this.#feedbackRenderer;
    const rest = isApart ? '' : ' of a draw that reads textures';
    throw new RenderError('FRAME_UNSUPPORTED', `transform feedback${rest}`);
  }

  /**
   * Adopts the textures that the renderer returned for the last frame taken, by index in that
   * frame.
   */
  adoptFrame(drawnTextures: ReadonlyMap<number, TextureResource>): void {
    this.renderer?.pending.adopt(drawnTextures, this.#passes.contents);
  }

  /** Adopts the counts of queries that the renderer returned for a frame taken. */
  adoptCounts(frame: Frame, passes: readonly CountedPass[]): void {
    this.#listByFrame.get(frame)?.adoptCounts(passes);
  }

  /** Finishes the frame and returns it. The next frame can sample textures that this one drew. */
  takeFrame(widthPx: number, heightPx: number): Frame {
    this.flushBatch();
    if (this.renderer !== null) return this.#takeShown(this.renderer);
    this.#passes.dropQueries();
    const { list, assembler } = this.#passes.withoutUnread();
    const frame = assembler.build(widthPx, heightPx, list.finish());
    this.#keepForLater();
    return frame;
  }

  /**
   * Returns a frame that shows the first color image of a framebuffer, and has the passes that drew
   * it. Ends the recording.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED for an image that the screen cannot show.
   */
  takeFramebuffer(target: PassTarget, isRead: boolean): Frame {
    this.flushBatch();
    this.#passes.dropQueries();
    const { widthPx, heightPx } = target;
    const { colors, stores } = this.attachmentsOf(target, isRead);
    const first = colors.findIndex((color) => color !== null);
    const image = colors[first];
    if (image === undefined || image === null || image === 'screen') {
      throw new RenderError('FRAME_UNSUPPORTED', 'the bound framebuffer has no color image');
    }
    const { kind } = TEXTURE_FORMATS[image.format];
    if (kind !== 'float') {
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `the bound framebuffer has a color image of format ${image.format}, which shows no colors`,
      );
    }
    const { list, assembler } = this.#passes.select(new Set([image.object]));
    // Images that a draw cannot sample, such as slices, are copied. Texels that were never written
    // are zero.
    const textureIndex = list.sampledIndexOf(image) ?? list.copyOutOf(image, widthPx, heightPx);
    if (textureIndex === null) {
      const place = `level ${image.level}, slice ${image.slice}`;
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `the color image of the bound framebuffer (${place}) cannot be shown: its contents are not known`,
      );
    }
    const swizzle = readSwizzleOf(stores?.[first] ?? 'rgba');
    list.append(makeScreenDraw(textureIndex, widthPx, heightPx, assembler, swizzle), SCREEN);
    return assembler.build(widthPx, heightPx, list.finish());
  }

  /** Whether anything was drawn to the screen or the drawing buffer. */
  get hasImage(): boolean {
    if (this.renderer === null) return this.#passes.hasScreenPasses;
    const { isOnScreen, color } = this.renderer.drawingBuffer;
    if (isOnScreen) return this.#passes.hasScreenPasses;
    return color.texels !== null || this.#passes.contents.indexOf(color) !== null;
  }

  /** Returns a frame that shows the drawing buffer. */
  #takeShown(renderer: PassRenderer): Frame {
    const { drawingBuffer } = renderer;
    this.resolveSamples();
    const { widthPx, heightPx, screen, readColor: color } = drawingBuffer;
    if (!drawingBuffer.isOnScreen) {
      const { contents } = this.#passes;
      const drawn = contents.indexOf(color);
      const content = color.contentForDrawing();
      if (renderer.pending.isPending(color, contents)) renderer.pending.resolve(contents);
      if (drawn !== null || color.texels !== null) {
        const image = drawn ?? this.#assembler.addTexture(content!);
        this.#passes.append(makeScreenDraw(image, widthPx, heightPx, this.#assembler), screen);
      }
    }
    const frame = this.#assembler.build(widthPx, heightPx, this.#passes.finish(screen, true));
    renderer.times.add(this.#passes.timesOf('finished'));
    this.#listByFrame.set(frame, this.#passes);
    this.#startNext(renderer);
    return frame;
  }

  /**
   * Records the resolution of the drawing buffer's samples, unless nothing was drawn since the last
   * one.
   */
  resolveSamples(): void {
    const drawingBuffer = this.renderer?.drawingBuffer;
    if (drawingBuffer === undefined || !drawingBuffer.hasUnresolvedSamples) return;
    this.flushBatch();
    const { framebuffer, resolved, resolvedImage, widthPx, heightPx } = drawingBuffer;
    this.contents?.prepareClear({ framebuffer, widthPx, heightPx }, false);
    this.contents?.prepareTarget({ framebuffer: resolved, widthPx, heightPx }, 'all');
    const rect = { sourceX: 0, sourceY: 0, intoX: 0, intoY: 0, widthPx, heightPx };
    const area = { source: 0, ...rect };
    this.#passes.copy(drawingBuffer.renderbuffers, area, resolvedImage, true);
    drawingBuffer.markResolved();
  }

  /** Starts the next frame. Contents that the current frame drew into textures become pending. */
  #startNext(renderer: PassRenderer): void {
    const recorded = { list: this.#passes, assembler: this.#assembler };
    renderer.drawingBuffer.startFrame();
    this.#startOver();
    renderer.pending.add(recorded);
  }

  /** Finishes a skipped frame. Keeps the passes that drew into textures. */
  endSkippedFrame(): void {
    if (this.renderer !== null) {
      this.flushBatch();
      this.#dropTimes();
      this.#startNext(this.renderer);
      return;
    }
    this.#batch = null;
    this.#keepForLater();
  }

  /** Gives up the times of a frame without report. */
  #dropTimes(): void {
    this.renderer?.times.add(this.#passes.timesOf('all'));
    this.renderer?.times.adopt([], 1);
  }

  /** Starts the next frame with the passes that drew into textures. */
  #keepForLater(): void {
    const { list, assembler } = this.#passes.keepForLater(MAX_EARLIER_DRAWS);
    this.#assembler = assembler;
    this.#passes = list;
    this.#load = new RecordedLoad();
    this.#passes.isEarlier = !this.#isWanted;
  }

  /** Discards the frame in progress. */
  discardFrame(): void {
    this.#batch = null;
    this.#dropTimes();
    this.#startOver();
  }

  #startOver(): void {
    this.#load = new RecordedLoad();
    this.#assembler = new FrameAssembler(this.#maxFrameBytes, this.#hashes);
    this.#passes = new PassList(this.#assembler);
    this.#passes.isEarlier = !this.#isWanted;
    this.#passes.timer = this.#timer;
  }

  #requireRenderer(): PassRenderer {
    if (this.renderer === null) throw new Error('the context has no renderer');
    return this.renderer;
  }
}
