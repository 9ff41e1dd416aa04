/**
 * Frames rendered by a service. Results that the program needs at once are rendered in this
 * process, with identical pixels.
 */
import type { Image, Report } from '@tessera/frame';
import type { GlContext } from '@tessera/gl';
import { FrameInParts, LocalGpu } from '@tessera/local-gpu';
import { ImageDecoder } from '@tessera/scenes/images';
import { dropReplacedContents } from './drop-replaced-contents.ts';
import { type ServiceFrame, type ServiceOptions, ServiceRenderer } from './service-renderer.ts';

/** Frame rendered by a service. */
export interface ServedFrame extends Pick<ServiceFrame, 'id' | 'sentBytes'> {
  /** Contents of the drawing buffer, top row first, opaque. */
  readonly image: Image;
  readonly report: Report;
  /** Returns the image as PNG, opaque: the bytes that the service sent. */
  png(): Promise<Uint8Array>;
}

/** Maximum number of bytes for decoding an image. */
const MAX_DECODE_BYTES = 2 ** 30;

/** Frames of a context, rendered by a service. */
export class ServiceSource {
  /** Renders the results that the program reads synchronously. */
  readonly gpu = new FrameInParts(new LocalGpu());
  readonly #renderer: ServiceRenderer;
  readonly hasSimulatedTime: boolean;

  constructor(options: ServiceOptions) {
    this.#renderer = new ServiceRenderer(options);
    this.hasSimulatedTime = options.parameters?.timing === 'cycle';
  }

  skipFrame(gl: GlContext): void {
    gl.frames.endSkipped();
    this.gpu.discard();
  }

  /**
   * Ends the recorded frame and renders it.
   *
   * @throws {TesseraError} If the service rejects the frame.
   * @throws {RenderError} If rendering failed.
   */
  async finishFrame(gl: GlContext): Promise<ServedFrame> {
    const frame = gl.frames.take();
    const { id, png, report, sentBytes } = await this.#renderer.render(dropReplacedContents(frame));
    gl.frames.adoptCounts(frame, report.passes);
    gl.frames.adoptTimes(report.passes, report.spec.clockHz);
    this.gpu.discard();
    const decoder = new ImageDecoder({
      maxTextureEdgePx: Math.max(frame.widthPx, frame.heightPx),
      maxTextureTexels: frame.widthPx * frame.heightPx,
      maxDecodeBytes: MAX_DECODE_BYTES,
    });
    const image = decoder.decode(`frame ${id}`, png);
    // The types of the service's OpenAPI document and of the frame package describe the same
    // report.
    return {
      id,
      sentBytes,
      image,
      report: report as unknown as Report,
      png: async () => png,
    };
  }
}
