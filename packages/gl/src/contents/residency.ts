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
import type { FramebufferObject } from '../objects/framebuffers/framebuffer-object.ts';
import type { RenderbufferObject } from '../objects/framebuffers/renderbuffer-object.ts';
import { TextureObject } from '../objects/textures/texture-object.ts';
import type { DrawingBuffer } from '../recording/passes/drawing-buffer.ts';
import type { FrameAssembler } from '../recording/passes/frame-assembler.ts';
import { type PassAttachments, resolveAttachments } from '../recording/passes/pass-attachments.ts';
import type { PassList } from '../recording/passes/pass-list.ts';

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

/** Frames that were taken and not rendered here, of which something is still held: programs draw into targets in turn. */
const MAX_OWED_FRAMES = 3;

export class Residency {
  readonly drawingBuffer: DrawingBuffer;
  readonly #render: FrameRenderer;
  /** Frames that were taken, as long as it is not known what they drew; the last one is the youngest. */
  #owed: RecordedPasses[] = [];

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
    this.#owed.push(taken);
    if (this.#owed.length === 1) return;
    this.#owed = this.#owed.filter(
      ({ list }, age) => list === taken.list || this.#listHeld(age, null).length > 0,
    );
    if (this.#owed.length > MAX_OWED_FRAMES) this.#payOldest(null);
  }

  /** What objects still hold of what a frame drew. @param current What was recorded since all of them. */
  #listHeld(age: number, current: PassList | null): readonly DrawnObject[] {
    const younger = this.#owed.slice(age + 1).map(({ list }) => list);
    if (current !== null) younger.push(current);
    const drawn = this.#owed[age]!.list.listDrawn();
    return drawn.filter((object) => younger.every((list) => list.drawnIndexOf(object) === null));
  }

  /** Whether what an object holds was drawn by a frame that was taken. @param current What was recorded since. */
  isOwed(object: DrawnObject, current: PassList): boolean {
    return (
      this.#owed.some(({ list }) => list.drawnIndexOf(object) !== null) &&
      current.drawnIndexOf(object) === null
    );
  }

  /** Finds out what the frames drew that were taken. @param current What was recorded since; nothing of it is changed. */
  payOwed(current: PassList): void {
    while (this.#owed.length > 0) this.#payOldest(current);
  }

  #payOldest(current: PassList | null): void {
    const wanted = new Set(this.#listHeld(0, current));
    const { list } = this.#owed.shift()!;
    if (wanted.size > 0) this.renderPasses(list.select(wanted), (object) => wanted.has(object));
  }

  /** Takes what the frame drew that was taken last. */
  settle(drawnTextures: ReadonlyMap<number, TextureResource>, current: PassList): void {
    if (this.#owed.length === 0) return;
    const held = new Set(this.#listHeld(this.#owed.length - 1, current));
    this.#owed.pop()!.list.putBack(drawnTextures, (object) => held.has(object));
  }
}

/** Whether the texture holds more than one image, so that a pass into one leaves the others. */
export function hasOtherImages(object: DrawnObject): boolean {
  return object instanceof TextureObject && !object.isOneImage;
}
