/**
 * What textures and renderbuffers hold, known at once where that is asked for: the passes that were recorded are
 * rendered, and what they drew is given to the objects. Of frames that were taken it stays owed until somebody wants
 * it, or whoever rendered the frame gives it.
 */
import {
  type Counters,
  DEFAULT_FRAME_LIMITS,
  type Draw,
  type Frame,
  primitivesPerInstance,
  type TextureResource,
} from '@tessera/frame';
import type { FramebufferObject, RenderbufferObject } from '../state/framebuffer-objects.ts';
import { TextureObject } from '../state/texture-object.ts';
import type { DrawingBuffer } from './drawing-buffer.ts';
import type { FrameAssembler } from './frame-assembler.ts';
import { type PassAttachments, resolveAttachments } from './pass-attachments.ts';
import type { PassList } from './pass-list.ts';

/** Renders a frame at once, which may draw into textures alone; gives these as passes left them, by index. */
export type FrameRenderer = (frame: Frame) => {
  readonly drawnTextures: ReadonlyMap<number, TextureResource>;
  /** What was counted in each bin of each pass. Missing: there are no occlusion queries. */
  readonly passes?: readonly { readonly bins: readonly { readonly counters: Counters }[] }[];
};

type DrawnObject = TextureObject | RenderbufferObject;

/** Passes and what they name. */
export interface RecordedPasses {
  readonly list: PassList;
  readonly assembler: FrameAssembler;
}

/** How much of what a frame may have is recorded before it is rendered. */
const FULL_SHARE = 0.75;

/** What is recorded, measured by the limits of frames. */
export class RecordedLoad {
  #draws = 0;
  #primitives = 0;
  #passes = 0;
  #targetPixels = 0;

  count({ topology, count, instanceCount }: Draw): void {
    this.#draws++;
    this.#primitives += primitivesPerInstance(topology, count) * instanceCount;
  }

  /** Whether it is time to render what there is. @param target Of what is recorded next. */
  isFull({ passCount }: PassList, { widthPx, heightPx }: SizePx): boolean {
    const { maxDraws, maxPrimitives, maxPasses, maxTargetPixels } = DEFAULT_FRAME_LIMITS;
    // Passes are counted with the size of the target that follows them, and two images.
    this.#targetPixels += (passCount - this.#passes) * widthPx * heightPx * 2;
    this.#passes = passCount;
    return (
      this.#draws >= maxDraws * FULL_SHARE ||
      this.#primitives >= maxPrimitives * FULL_SHARE ||
      passCount >= maxPasses * FULL_SHARE ||
      this.#targetPixels >= maxTargetPixels * FULL_SHARE
    );
  }
}

interface SizePx {
  readonly widthPx: number;
  readonly heightPx: number;
}

export class Residency {
  readonly drawingBuffer: DrawingBuffer;
  readonly #render: FrameRenderer;
  /** The frame that was taken last, as long as it is not known what it drew. */
  #owed: RecordedPasses | null = null;

  constructor(render: FrameRenderer, drawingBuffer: DrawingBuffer) {
    this.#render = render;
    this.drawingBuffer = drawingBuffer;
  }

  /** What a framebuffer is now; the drawing buffer may be the screen. */
  attachmentsOf(framebuffer: FramebufferObject, isRead = false): PassAttachments {
    const { drawingBuffer } = this;
    const isOnScreen = framebuffer === drawingBuffer.framebuffer && drawingBuffer.isOnScreen;
    return isOnScreen ? drawingBuffer.screen : resolveAttachments(framebuffer, isRead);
  }

  /** Renders passes and gives what they drew to whom it belongs. Returns how many fragments reached a target. */
  renderPasses(
    { list, assembler }: RecordedPasses,
    isWanted: (object: DrawnObject) => boolean = () => true,
  ): number {
    const { widthPx, heightPx } = this.drawingBuffer;
    const frame = assembler.build(widthPx, heightPx, list.finish(null));
    const { drawnTextures, passes = [] } = this.#render(frame);
    list.putBack(drawnTextures, isWanted);
    let fragments = 0;
    for (const { bins } of passes) {
      for (const { counters } of bins) fragments += counters['output.fragmentsWritten'] ?? 0;
    }
    return fragments;
  }

  /** Notes the passes of a frame that was taken: what they drew is not known. */
  owe(taken: RecordedPasses): void {
    this.payOwed(taken.list);
    this.#owed = taken;
  }

  /** Whether what an object holds was drawn by a frame that was taken. @param current What was recorded since. */
  isOwed(object: DrawnObject, current: PassList): boolean {
    return (
      this.#owed !== null &&
      this.#owed.list.drawnIndexOf(object) !== null &&
      current.drawnIndexOf(object) === null
    );
  }

  /** Finds out what the frame drew that was taken. @param current What was recorded since; nothing of it is changed. */
  payOwed(current: PassList): void {
    const owed = this.#owed;
    if (owed === null) return;
    const objects = owed.list.listDrawn().filter((object) => this.isOwed(object, current));
    this.#owed = null;
    if (objects.length === 0) return;
    const wanted = new Set(objects);
    this.renderPasses(owed.list.select(wanted), (object) => wanted.has(object));
  }

  /** Takes what the frame drew that was taken. */
  settle(drawnTextures: ReadonlyMap<number, TextureResource>, current: PassList): void {
    this.#owed?.list.putBack(drawnTextures, (object) => this.isOwed(object, current));
    this.#owed = null;
  }

  forgetOwed(): void {
    this.#owed = null;
  }
}

/** Whether the texture holds more than one image, so that a pass into one leaves the others. */
export function hasOtherImages(object: DrawnObject): boolean {
  return object instanceof TextureObject && !object.isOneImage;
}
