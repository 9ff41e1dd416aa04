/** Reads pixels of framebuffers (OpenGL ES 3.0, section 4.3). */
import type { RectPx } from '@tessera/frame';
import { GL, nameOfEnum } from '../api/constants.ts';
import type { GlErrors } from '../api/gl-errors.ts';
import type { BufferState } from '../objects/buffers/buffer-objects.ts';
import { describeAttachment } from '../objects/framebuffers/attached-images.ts';
import type { Attachment, FramebufferObject } from '../objects/framebuffers/framebuffer-object.ts';
import type { FramebufferState } from '../objects/framebuffers/framebuffer-state.ts';
import type { DrawingBuffer } from '../recording/passes/drawing-buffer.ts';
import type { Recording } from '../recording/recording.ts';
import {
  INITIAL_PACK,
  isReadable,
  isReadEnum,
  measurePacked,
  nativeReadFormat,
  type PackLayout,
  packPixels,
  type ReadFormat,
  type ReadImage,
} from '../texels/read-formats.ts';
import type { TexelStorage } from '../texels/texel-storage.ts';

/** State that reads depend on. */
interface ReadParts {
  readonly errors: GlErrors;
  readonly framebuffers: FramebufferState;
  readonly buffers: BufferState;
  readonly targets: { readonly drawingBuffer: DrawingBuffer | null };
  readonly recording: Recording;
}

/** Reads of pixels in one context. */
export class PixelReads {
  readonly #parts: ReadParts;

  constructor(parts: ReadParts) {
    this.#parts = parts;
  }

  /** Returns the color image of the complete read framebuffer; `null` after an error. */
  source(caller: string): { attachment: Attachment; storage: TexelStorage & Size } | null {
    const status = this.#parts.framebuffers.checkStatus(GL.READ_FRAMEBUFFER);
    if (status !== GL.FRAMEBUFFER_COMPLETE) {
      this.#parts.errors.raise(
        GL.INVALID_FRAMEBUFFER_OPERATION,
        `${caller}: the read framebuffer is incomplete (${nameOfEnum(status)})`,
      );
      return null;
    }
    const framebuffer = this.#framebuffer();
    const attachment = framebuffer.attachments.get(framebuffer.readPoint);
    const storage = attachment === undefined ? null : describeAttachment(attachment);
    if (this.#parts.framebuffers.sampleCountOf(framebuffer) > 1) {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `${caller}: the read framebuffer is multisampled`,
      );
      return null;
    }
    if (attachment === undefined || storage === null) {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `${caller}: the read framebuffer has no color attachment to read`,
      );
      return null;
    }
    return { attachment, storage };
  }

  /** Returns the storage format and type of the color image; `null` without one. */
  nativeFormat(): ReadFormat | null {
    const framebuffer = this.#framebuffer();
    const attachment = framebuffer.attachments.get(framebuffer.readPoint);
    const storage = attachment === undefined ? null : describeAttachment(attachment);
    return storage === null ? null : nativeReadFormat(storage.format, hasAlpha(storage));
  }

  /**
   * Reads a rectangle of the color image.
   *
   * @param x Left edge of the rectangle. Pixels outside the framebuffer leave the destination
   *   unchanged.
   * @param y Lowest row.
   * @param destination Memory, or an offset into the buffer that is bound to
   *   `GL_PIXEL_PACK_BUFFER`.
   * @throws {Error} If the context has no renderer.
   */
  read(
    x: number,
    y: number,
    width: number,
    height: number,
    format: number,
    type: number,
    destination: Uint8Array | number,
    layout: PackLayout = INITIAL_PACK,
  ): void {
    const caller = 'readPixels';
    const rect: RectPx = { x, y, width, height };
    const wanted: ReadFormat = { format, type };
    const source = this.source(caller);
    if (source === null) return;
    if (rect.width < 0 || rect.height < 0) {
      this.#parts.errors.raise(
        GL.INVALID_VALUE,
        `${caller}: size ${rect.width}×${rect.height} is negative`,
      );
      return;
    }
    const names = `${nameOfEnum(format)}, ${nameOfEnum(type)}`;
    if (!isReadEnum(format, type)) {
      this.#parts.errors.raise(
        GL.INVALID_ENUM,
        `${caller}: format and type ${names} are not accepted`,
      );
      return;
    }
    const { storage, attachment } = source;
    if (!isReadable(storage.format, hasAlpha(storage), wanted)) {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `${caller}: an image of format ${storage.format} cannot be read as ${names}`,
      );
      return;
    }
    const { sizeBytes } = measurePacked(wanted, rect.width, rect.height, layout);
    const room = this.#roomOf(destination);
    if (room === null || sizeBytes > room) {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `${caller}: ${sizeBytes} bytes do not fit the destination of ${room} bytes`,
      );
      return;
    }
    if (sizeBytes === 0) return;
    const image = this.readImage(attachment, storage);
    if (typeof destination !== 'number') {
      packPixels(image, rect, wanted, layout, destination);
      return;
    }
    const buffer = this.#parts.buffers.bound(GL.PIXEL_PACK_BUFFER)!;
    const bytes = buffer.share().slice(destination, destination + sizeBytes);
    packPixels(image, rect, wanted, layout, bytes);
    buffer.write(destination, bytes);
  }

  /** Returns the contents of an attachment. */
  readImage(attachment: Attachment, storage: TexelStorage & Size): ReadImage {
    const { widthPx, heightPx, format } = storage;
    const image = { format, widthPx, heightPx, hasAlpha: hasAlpha(storage) };
    if (attachment.kind === 'renderbuffer') {
      this.#parts.recording.contents?.resolveObject(attachment.renderbuffer);
      return { ...image, texels: attachment.renderbuffer.texels };
    }
    const { texture, level, slice } = attachment;
    this.#parts.recording.contents?.resolveObject(texture);
    const isCube = texture.dimension === 'cube';
    const { texels, depthPx } = texture.level(level, isCube ? slice : 0)!;
    const sliceBytes = texels.length / (isCube ? 1 : depthPx);
    const start = isCube ? 0 : slice * sliceBytes;
    return { ...image, texels: texels.subarray(start, start + sliceBytes) };
  }

  #framebuffer(): FramebufferObject {
    const { framebuffers, targets, recording } = this.#parts;
    const bound = framebuffers.readFramebuffer;
    if (bound === null) recording.resolveSamples();
    const framebuffer = bound ?? targets.drawingBuffer?.resolved;
    if (framebuffer === undefined) throw new Error('readPixels: the context has no renderer');
    return framebuffer;
  }

  #roomOf(destination: Uint8Array | number): number | null {
    const buffer = this.#parts.buffers.bound(GL.PIXEL_PACK_BUFFER);
    if (typeof destination === 'number') {
      return buffer === null || destination < 0 ? null : buffer.sizeBytes - destination;
    }
    return buffer === null ? destination.length : null;
  }
}

interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

function hasAlpha({ base }: TexelStorage): boolean {
  return base === 'rgba' || base === 'srgb-alpha';
}
