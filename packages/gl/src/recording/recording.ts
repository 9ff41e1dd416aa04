/**
 * The frame in progress: its passes, their resources and its size. Recorders append draws and copies to it.
 * With a renderer, it renders the passes when a call depends on what they drew.
 */
import {
  DEFAULT_FRAME_LIMITS,
  type Draw,
  type Frame,
  RenderError,
  type TextureResource,
} from '@tessera/frame';
import type { TextureState } from '../objects/textures/texture-state.ts';
import { ContentResolver } from './content-resolver.ts';
import { makeScreenDraw } from './generated/image-draw.ts';
import type { ImmediateBatch } from './generated/immediate-batch.ts';
import type { PassRenderer } from './pass-renderer.ts';
import { ContentHashes, FrameAssembler } from './passes/frame-assembler.ts';
import {
  hasImages,
  type PassAttachments,
  type PassTarget,
  resolveAttachments,
} from './passes/pass-attachments.ts';
import { PassList } from './passes/pass-list.ts';
import { RecordedLoad } from './recorded-load.ts';

/** Upper bound on draws of earlier frames that are kept because textures hold what they drew. */
const MAX_EARLIER_DRAWS = 20_000;

/** Immediate-mode primitives that are not appended to their pass yet. */
interface PendingBatch {
  readonly target: PassTarget;
  readonly vertices: ImmediateBatch;
}

/** Recording of one context. */
export class Recording {
  /** Renderer of a context that reads back what it draws; `null` if only the client renders frames. */
  readonly renderer: PassRenderer | null;
  /** Resolver of contents in a context with a renderer, else `null`. */
  readonly contents: ContentResolver | null;
  readonly #maxFrameBytes: number;
  readonly #hashes = new ContentHashes();
  #assembler: FrameAssembler;
  #passes: PassList;
  #drawCount = 0;
  #load = new RecordedLoad();
  #batch: PendingBatch | null = null;
  #isWanted = true;
  #isCounting = false;
  #fragmentCount = 0;

  /** @param maxFrameBytes Upper bound on the bytes of buffers and textures in one frame. */
  constructor(
    parts: { readonly textures: TextureState },
    maxFrameBytes: number,
    renderer: PassRenderer | null,
  ) {
    this.#maxFrameBytes = maxFrameBytes;
    this.renderer = renderer;
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

  /** Whether the frame is wanted. Of a skipped frame only draws into textures are recorded, for later frames. */
  get isWanted(): boolean {
    return this.#isWanted;
  }

  set isWanted(isWanted: boolean) {
    this.#isWanted = isWanted;
    this.#passes.isEarlier = !isWanted;
  }

  /** Whether fragments are counted for a query. */
  get isCounting(): boolean {
    return this.#isCounting;
  }

  /** Primitives of immediate mode that wait for more of their kind. */
  get batch(): PendingBatch | null {
    return this.#batch;
  }

  set batch(batch: PendingBatch | null) {
    this.#batch = batch;
  }

  /** Runs `record`. In a skipped frame it only marks the target as drawn if a frame cannot hold the draw. */
  record<Result>(target: PassTarget, record: () => Result): Result | null {
    if (this.#isWanted) return record();
    markDrawnInto(target);
    if (target.framebuffer === null) return null;
    try {
      return record();
    } catch (error) {
      this.#dropContents(target, error);
      return null;
    }
  }

  /** Makes the contents of a target unknown, so that the error counts only if a draw samples them. */
  #dropContents({ framebuffer }: PassTarget, error: unknown): void {
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

  /** Returns the attachments of a target as they are at this point. */
  attachmentsOf({ framebuffer }: PassTarget, isRead = false): PassAttachments {
    return framebuffer === null || this.renderer === null
      ? resolveAttachments(framebuffer, isRead)
      : this.renderer.attachmentsOf(framebuffer, isRead);
  }

  /** Appends a draw to the pass of its target. @throws {RenderError} LIMIT_EXCEEDED for too many draws. */
  append(target: PassTarget, attachments: PassAttachments, draw: Draw): void {
    if (!hasImages(attachments)) return;
    const { maxDraws } = DEFAULT_FRAME_LIMITS;
    if (++this.#drawCount > maxDraws) {
      throw new RenderError('LIMIT_EXCEEDED', `the frame has more than ${maxDraws} draws`);
    }
    this.#load.count(draw);
    this.#passes.append(draw, attachments);
    markDrawnInto(target);
  }

  /** Appends the batch of immediate-mode primitives, which ends it. */
  flushBatch(): void {
    const batch = this.#batch;
    if (batch === null) return;
    this.#batch = null;
    const { target, vertices } = batch;
    this.append(target, this.attachmentsOf(target), vertices.finish(this.#assembler));
  }

  /** Renders the recorded passes, so that the contents of all images are known. */
  resolve(): void {
    const renderer = this.#requireRenderer();
    this.flushBatch();
    renderer.pending.resolve(this.#passes.contents);
    if (this.#passes.isEmpty) return;
    if (this.#passes.hasScreenPasses) this.contents?.leaveScreen();
    const recorded = { list: this.#passes, assembler: this.#assembler };
    this.#startOver();
    const fragments = renderer.render(recorded);
    if (this.#isCounting) this.#fragmentCount += fragments;
  }

  /**
   * Returns the number of fragments that reached a target while they were counted.
   *
   * @param isCounting Whether to count the fragments of later draws.
   * @throws {RenderError} FRAME_UNSUPPORTED without a renderer.
   */
  countFragments(isCounting: boolean): number {
    if (this.renderer === null) {
      throw new RenderError('FRAME_UNSUPPORTED', 'occlusion queries');
    }
    this.resolve();
    this.#isCounting = isCounting;
    return this.#fragmentCount;
  }

  /** Records draws whose fragments no query counts, such as those of clears. */
  withoutCounting<Result>(record: () => Result): Result {
    if (!this.#isCounting) return record();
    this.resolve();
    this.#isCounting = false;
    const result = record();
    this.resolve();
    this.#isCounting = true;
    return result;
  }

  /**
   * Records draws in a frame of their own and renders it. The frame in progress continues afterwards. The draws
   * must read no texture, and their targets must be their own.
   */
  renderApart<Result>(record: () => Result): Result {
    const renderer = this.#requireRenderer();
    this.flushBatch();
    const kept = [this.#passes, this.#assembler, this.#load, this.#drawCount] as const;
    this.#startOver();
    try {
      const result = record();
      if (!this.#passes.isEmpty) {
        renderer.render({ list: this.#passes, assembler: this.#assembler });
      }
      return result;
    } finally {
      [this.#passes, this.#assembler, this.#load, this.#drawCount] = kept;
    }
  }

  /** Adopts what the last frame taken drew, as its renderer returned it, by index of the frame's textures. */
  adoptFrame(drawnTextures: ReadonlyMap<number, TextureResource>): void {
    this.renderer?.pending.adopt(drawnTextures, this.#passes.contents);
  }

  /** Ends the frame and returns it. The next one starts empty. */
  takeFrame(widthPx: number, heightPx: number): Frame {
    this.flushBatch();
    if (this.#isCounting) this.resolve();
    if (this.renderer !== null) return this.#takeShown(this.renderer);
    const { list, assembler } = this.#passes.withoutUnread();
    const frame = assembler.build(widthPx, heightPx, list.finish());
    this.discardFrame();
    return frame;
  }

  /** Whether the screen or the drawing buffer holds anything that was drawn. */
  get hasImage(): boolean {
    if (this.renderer === null) return this.#passes.hasScreenPasses;
    const { isOnScreen, color } = this.renderer.drawingBuffer;
    if (isOnScreen) return this.#passes.hasScreenPasses;
    return color.texels !== null || this.#passes.contents.indexOf(color) !== null;
  }

  /** Returns the frame whose image is the drawing buffer. */
  #takeShown(renderer: PassRenderer): Frame {
    const { drawingBuffer } = renderer;
    const { widthPx, heightPx, screen, color } = drawingBuffer;
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
    this.#startNext(renderer);
    return frame;
  }

  /** Starts the next frame. What this one drew into textures is pending. */
  #startNext(renderer: PassRenderer): void {
    const recorded = { list: this.#passes, assembler: this.#assembler };
    renderer.drawingBuffer.startFrame();
    this.#startOver();
    renderer.pending.add(recorded);
  }

  /** Ends a frame that is not wanted. Keeps what it drew into textures. */
  endSkippedFrame(): void {
    if (this.renderer !== null) {
      this.flushBatch();
      if (this.#isCounting) this.resolve();
      this.#startNext(this.renderer);
      return;
    }
    this.#batch = null;
    const { list, assembler, draws } = this.#passes.keepForLater(MAX_EARLIER_DRAWS);
    this.#drawCount = draws;
    this.#assembler = assembler;
    this.#passes = list;
    this.#passes.isEarlier = !this.#isWanted;
  }

  /** Discards the frame in progress. */
  discardFrame(): void {
    this.#batch = null;
    this.#startOver();
  }

  #startOver(): void {
    this.#drawCount = 0;
    this.#load = new RecordedLoad();
    this.#assembler = new FrameAssembler(this.#maxFrameBytes, this.#hashes);
    this.#passes = new PassList(this.#assembler);
    this.#passes.isEarlier = !this.#isWanted;
  }

  #requireRenderer(): PassRenderer {
    if (this.renderer === null) throw new Error('the context has no renderer');
    return this.renderer;
  }
}

/** Marks the textures of a target as drawn into: their uploaded texels are outdated. */
export function markDrawnInto({ framebuffer }: PassTarget): void {
  // The drawing buffer has no textures.
  if (framebuffer === null || framebuffer.name === 0) return;
  for (const [point, attachment] of framebuffer.attachments) {
    const isColor = point !== 'depth' && point !== 'stencil';
    if (isColor && !framebuffer.colorPoints.includes(point)) continue;
    if (attachment.kind === 'texture') attachment.texture.markDrawnInto();
  }
}
