/** Renders recorded passes when a call depends on what they drew. */
import type { Frame, TextureResource } from '@tessera/frame';
import type { ImageObject } from '../contents/image-contents.ts';
import { PendingContents } from '../contents/pending-contents.ts';
import type { FramebufferObject } from '../objects/framebuffers/framebuffer-object.ts';
import type { DrawingBuffer } from './passes/drawing-buffer.ts';
import type { FrameAssembler } from './passes/frame-assembler.ts';
import { type PassAttachments, resolveAttachments } from './passes/pass-attachments.ts';
import type { PassList } from './passes/pass-list.ts';
import { PassTimes } from './passes/pass-time.ts';
import type { CountedPass } from './passes/query-part.ts';

/**
 * Renders a frame whose passes draw into textures or are transform feedback. Returns the drawn
 * textures by index in the frame.
 */
export type FrameRenderer = (frame: Frame) => {
  readonly drawnTextures: ReadonlyMap<number, TextureResource>;
  /** Results of the passes, for occlusion queries. Without them, queries count no fragments. */
  readonly passes?: readonly CountedPass[];
  /** Words that each draw of transform feedback wrote, in order. Default: none. */
  readonly feedback?: readonly Uint32Array[];
};

/** Recorded passes with their resources. */
export interface RecordedPasses {
  readonly list: PassList;
  readonly assembler: FrameAssembler;
}

/** Renders the passes of one context. Owns its drawing buffer and its pending contents. */
export class PassRenderer {
  readonly drawingBuffer: DrawingBuffer;
  readonly pending = new PendingContents<RecordedPasses>(({ list }, wanted) => {
    this.render(list.select(wanted), (object) => wanted.has(object));
  });
  readonly times = new PassTimes();
  readonly #render: FrameRenderer;

  constructor(render: FrameRenderer, drawingBuffer: DrawingBuffer) {
    this.#render = render;
    this.drawingBuffer = drawingBuffer;
  }

  /**
   * Returns the attachments of a framebuffer. The drawing buffer resolves to the screen while it is
   * on the screen.
   */
  attachmentsOf(framebuffer: FramebufferObject, isRead = false): PassAttachments {
    const { drawingBuffer } = this;
    const isOnScreen = framebuffer === drawingBuffer.framebuffer && drawingBuffer.isOnScreen;
    return isOnScreen ? drawingBuffer.screen : resolveAttachments(framebuffer, isRead);
  }

  /**
   * Renders passes and stores the drawn contents in the wanted objects, and the counts of queries.
   * Returns the words of the draws of transform feedback.
   */
  render(
    { list, assembler }: RecordedPasses,
    isWanted: (object: ImageObject) => boolean = () => true,
  ): readonly Uint32Array[] {
    const { widthPx, heightPx } = this.drawingBuffer;
    const frame = assembler.build(widthPx, heightPx, list.finish(null));
    this.times.add(list.timesOf('finished'));
    const { drawnTextures, passes = [], feedback = [] } = this.#render(frame);
    list.contents.adopt(drawnTextures, isWanted);
    list.adoptCounts(passes);
    return feedback;
  }
}
