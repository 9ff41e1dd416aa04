/** Frames of a context that a service renders. What the program must know at once is rendered in this process, to the same pixels. */
import type { Image, Report } from '@tessera/frame';
import type { GlContext } from '@tessera/gl';
import { FrameInParts, LocalGpu } from '@tessera/local-gpu';
import { ImageDecoder } from '@tessera/scenes/images';
import { dropReplacedContents } from './drop-replaced-contents.ts';
import { type ServiceFrame, type ServiceOptions, ServiceRenderer } from './service-renderer.ts';

/** A frame that a service rendered. */
export interface ServedFrame extends Pick<ServiceFrame, 'id' | 'png' | 'sentBytes'> {
  /** The drawing buffer, top row first; opaque. */
  readonly image: Image;
  readonly report: Report;
}

/** Bytes that decoding a picture may take. */
const MAX_DECODE_BYTES = 2 ** 30;

export class ServiceSource {
  /** Renders what the program asks to know. */
  readonly gpu = new FrameInParts(new LocalGpu());
  readonly #renderer: ServiceRenderer;

  constructor(options: ServiceOptions) {
    this.#renderer = new ServiceRenderer(options);
  }

  skipFrame(gl: GlContext): void {
    gl.endSkippedFrame();
    this.gpu.discard();
  }

  /**
   * Ends the frame that was recorded.
   *
   * @throws {TesseraError} What the service refuses. @throws {RenderError} What became of a frame that failed.
   */
  async finishFrame(gl: GlContext): Promise<ServedFrame> {
    const frame = dropReplacedContents(gl.takeFrame());
    const { id, png, report, sentBytes } = await this.#renderer.render(frame);
    this.gpu.discard();
    const decoder = new ImageDecoder({
      maxTextureEdgePx: Math.max(frame.widthPx, frame.heightPx),
      maxTextureTexels: frame.widthPx * frame.heightPx,
      maxDecodeBytes: MAX_DECODE_BYTES,
    });
    const image = decoder.decode(`frame ${id}`, png);
    // The types of the service's document and of the frame package say the same.
    return { id, png, sentBytes, image, report: report as unknown as Report };
  }
}
