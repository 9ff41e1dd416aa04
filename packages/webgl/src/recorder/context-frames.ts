/**
 * Frames of a context: what was drawn since the last one, rendered by simulated chiplets in this process or by a service, with
 * its report.
 */
import { type Image, RenderError, type Report } from '@tessera/frame';
import { encodePng } from '@tessera/frame/png';
import type { GlContext } from '@tessera/gl';
import type { Timeline } from '@tessera/multi-chiplet';
import { ImageDecoder } from '@tessera/scenes/images';
import type { SimulatedGpu } from '../in-process/simulated-gpu.ts';
import type { ServiceFrame, ServiceRenderer } from '../service/service-renderer.ts';

/** A frame that was rendered. */
export interface ContextFrame {
  /** The drawing buffer, rows from the top; a service gives it opaque. */
  readonly image: Image;
  readonly png: Uint8Array;
  readonly report: Report;
  /** Null with functional timing, and where a service has it. */
  readonly timeline: Timeline | null;
  /** What the service made of it; null in this process. */
  readonly service: Pick<ServiceFrame, 'id' | 'sentBytes'> | null;
}

/** Bytes that decoding a picture may take. */
const MAX_DECODE_BYTES = 2 ** 30;

export class ContextFrames {
  readonly #gl: GlContext;
  readonly #gpu: SimulatedGpu;
  readonly #service: ServiceRenderer | null;

  /**
   * @param gpu The one that the context asks when it must know what was drawn.
   * @param service Renders the frames where it is given.
   */
  constructor(gl: GlContext, gpu: SimulatedGpu, service: ServiceRenderer | null) {
    this.#gl = gl;
    this.#gpu = gpu;
    this.#service = service;
  }

  /**
   * Ends the frame. The drawing buffer is cleared for the next one unless the context preserves it.
   *
   * @throws {RenderError} What a frame cannot hold, and what a shader does. @throws {TesseraError} What the service refuses.
   */
  async take(): Promise<ContextFrame> {
    return this.#service === null ? this.#takeHere() : this.#takeFrom(this.#service);
  }

  async #takeHere(): Promise<ContextFrame> {
    const frame = this.#gl.takeFrame();
    const { image, drawnTextures } = this.#gpu.render(frame);
    this.#gl.settleFrame(drawnTextures);
    if (image === null) throw new Error('a frame of a context that draws nothing on the screen');
    const account = this.#gpu.finishFrame(image);
    if (account === null) {
      const message = 'a program that renders so much before it asks for a frame gets no report';
      throw new RenderError('LIMIT_EXCEEDED', message);
    }
    const { report, timeline } = account;
    return { image, png: await encodePng(image), report, timeline, service: null };
  }

  async #takeFrom(service: ServiceRenderer): Promise<ContextFrame> {
    const frame = this.#gl.takeFrame();
    const { id, png, report, sentBytes } = await service.render(frame);
    this.#gpu.forgetParts();
    const limits = {
      maxTextureEdgePx: Math.max(frame.widthPx, frame.heightPx),
      maxTextureTexels: frame.widthPx * frame.heightPx,
      maxDecodeBytes: MAX_DECODE_BYTES,
    };
    const image = new ImageDecoder(limits).decode(`frame ${id}`, png);
    // The service's own document has the same fields.
    return {
      image,
      png,
      report: report as unknown as Report,
      timeline: null,
      service: { id, sentBytes },
    };
  }
}
