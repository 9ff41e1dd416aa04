/** Renders recorded passes when a call depends on what they drew. */
import type { Counters, Frame, TextureResource } from '@tessera/frame';
import type { ImageObject } from '../contents/image-contents.ts';
import { PendingContents } from '../contents/pending-contents.ts';
import type { FramebufferObject } from '../objects/framebuffers/framebuffer-object.ts';
import type { DrawingBuffer } from './passes/drawing-buffer.ts';
import type { FrameAssembler } from './passes/frame-assembler.ts';
import { type PassAttachments, resolveAttachments } from './passes/pass-attachments.ts';
import type { PassList } from './passes/pass-list.ts';

/** Renders a frame that draws only into textures, and returns these textures by index. */
export type FrameRenderer = (frame: Frame) => {
  readonly drawnTextures: ReadonlyMap<number, TextureResource>;
  /** Counters of each bin of each pass. Missing: there are no occlusion queries. */
  readonly passes?: readonly { readonly bins: readonly { readonly counters: Counters }[] }[];
};

/** Recorded passes with the resources that they refer to. */
export interface RecordedPasses {
  readonly list: PassList;
  readonly assembler: FrameAssembler;
}

/** Renderer of one context, with its drawing buffer and the contents that are pending. */
export class PassRenderer {
  readonly drawingBuffer: DrawingBuffer;
  readonly pending = new PendingContents<RecordedPasses>(({ list }, wanted) => {
    this.render(list.select(wanted), (object) => wanted.has(object));
  });
  readonly #render: FrameRenderer;

  constructor(render: FrameRenderer, drawingBuffer: DrawingBuffer) {
    this.#render = render;
    this.drawingBuffer = drawingBuffer;
  }

  /** Returns the attachments of a framebuffer: the screen while the drawing buffer stands for it. */
  attachmentsOf(framebuffer: FramebufferObject, isRead = false): PassAttachments {
    const { drawingBuffer } = this;
    const isOnScreen = framebuffer === drawingBuffer.framebuffer && drawingBuffer.isOnScreen;
    return isOnScreen ? drawingBuffer.screen : resolveAttachments(framebuffer, isRead);
  }

  /** Renders passes and gives the wanted objects their contents. Returns the number of fragments written. */
  render(
    { list, assembler }: RecordedPasses,
    isWanted: (object: ImageObject) => boolean = () => true,
  ): number {
    const { widthPx, heightPx } = this.drawingBuffer;
    const frame = assembler.build(widthPx, heightPx, list.finish(null));
    const { drawnTextures, passes = [] } = this.#render(frame);
    list.contents.adopt(drawnTextures, isWanted);
    let fragments = 0;
    for (const { bins } of passes) {
      for (const { counters } of bins) fragments += counters['output.fragmentsWritten'] ?? 0;
    }
    return fragments;
  }
}
