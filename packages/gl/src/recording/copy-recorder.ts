/** Records copies of rendered images into images of textures. */
import {
  defaultPipelineState,
  type RectPx,
  RenderError,
  type TargetCopy,
  TEXTURE_FORMATS,
  type TextureFormat,
} from '@tessera/frame';
import type { TextureObject } from '../objects/textures/texture-object.ts';
import type { BaseFormat } from '../texels/texel-formats.ts';
import { makeImageDraw } from './generated/image-draw.ts';
import { refuseSpreadSource } from './passes/color-stores.ts';
import {
  type BufferIdentity,
  type DrawnImage,
  type PassAttachments,
  type PassTarget,
  withoutEncoding,
} from './passes/pass-attachments.ts';
import type { Recording } from './recording.ts';

/**
 * Sources of the four channels of a copy, by base format of the texture. Other formats copy each
 * channel unchanged.
 */
const COPY_SWIZZLES: ReadonlyMap<BaseFormat, TargetCopy['swizzle']> = new Map<
  BaseFormat,
  TargetCopy['swizzle']
>([
  ['rgb', ['red', 'green', 'blue', 'one']],
  ['alpha', ['zero', 'zero', 'zero', 'alpha']],
  ['luminance', ['red', 'red', 'red', 'one']],
  ['luminance-alpha', ['red', 'red', 'red', 'alpha']],
  ['intensity', ['red', 'red', 'red', 'red']],
]);

/** Image of a texture, by level and slice. */
interface TextureImage {
  readonly texture: TextureObject;
  readonly level: number;
  readonly slice: number;
}

/** Destination of a copy that converts, with the size of its level. */
interface ConvertedCopy {
  readonly image: DrawnImage;
  /** Position of the lower left texel. */
  readonly to: { readonly x: number; readonly y: number };
  readonly swizzle: TargetCopy['swizzle'];
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Recorder of copies. */
export class CopyRecorder {
  readonly #parts: { readonly recording: Recording };

  constructor(parts: { readonly recording: Recording }) {
    this.#parts = parts;
  }

  /**
   * Records a copy of a rectangle. Texels that the source does not cover stay unchanged.
   *
   * @param rect Rectangle of the source. Row 0 is the lowest.
   * @param at Position in the texture of the rectangle's lower left corner.
   */
  copy(
    source: PassTarget,
    rect: RectPx,
    into: TextureImage,
    at: { readonly x: number; readonly y: number },
  ): void {
    const { recording } = this.#parts;
    const { texture, slice } = into;
    const level = texture.level(into.level, texture.dimension === 'cube' ? slice : 0);
    if (level === null) throw new Error('copy: the source level is not defined');
    recording.contents?.prepareCopy(source, into);
    if (!recording.isWanted && source.framebuffer === null) {
      // A skipped frame does not record draws to the screen, so the copied texels are unknown.
      recording.passes.contents.drop([texture]);
    } else {
      recording.flushBatch();
      const x = Math.max(0, rect.x);
      const y = Math.max(0, rect.y);
      const widthPx = Math.min(source.widthPx, rect.x + rect.width) - x;
      const heightPx = Math.min(source.heightPx, rect.y + rect.height) - y;
      if (widthPx <= 0 || heightPx <= 0) return;
      const swizzle = COPY_SWIZZLES.get(level.base);
      const attachments = recording.attachmentsOf(source, true);
      if (level.base !== 'depth') {
        refuseSpreadSource('copyTexImage', attachments.stores, [level.base]);
      }
      const part = { sourceX: x, sourceY: y, widthPx, heightPx };
      const to = { x: at.x + x - rect.x, y: at.y + y - rect.y };
      const image = { object: texture, level: into.level, slice, format: level.format };
      const [read] = attachments.colors;
      if (level.base !== 'depth' && !isCopiedRaw(read, level.format)) {
        this.#convert(attachments, part, { ...level, image, to, swizzle });
        texture.markDrawnInto();
        return;
      }
      recording.passes.copy(
        attachments,
        {
          source: level.base === 'depth' ? 'depth-stencil' : 0,
          ...part,
          intoX: to.x,
          intoY: to.y,
          ...(swizzle === undefined ? {} : { swizzle }),
        },
        image,
      );
    }
    texture.markDrawnInto();
  }

  /**
   * Records a copy between formats that the copy engine does not convert: the source becomes a
   * texture, which a draw into the destination samples.
   *
   * @throws {RenderError} FRAME_UNSUPPORTED for formats that a draw does not convert.
   */
  #convert(
    attachments: PassAttachments,
    part: Pick<TargetCopy, 'sourceX' | 'sourceY' | 'widthPx' | 'heightPx'>,
    { image, to, swizzle, ...size }: ConvertedCopy,
  ): void {
    const { passes, assembler } = this.#parts.recording;
    const format = formatOf(attachments.colors[0]);
    const { kind, isTarget } = TEXTURE_FORMATS[image.format];
    if (kind !== 'float' || !isTarget || TEXTURE_FORMATS[format].kind !== 'float') {
      const message = `copyTexImage: ${format} cannot be copied into ${image.format}`;
      throw new RenderError('FRAME_UNSUPPORTED', message);
    }
    const { widthPx, heightPx } = part;
    const content = passes.copyOut(
      attachments,
      { source: 0, ...part, intoX: 0, intoY: 0 },
      { format, widthPx, heightPx, levels: [], isMipmapGenerated: false },
    );
    const draw = makeImageDraw(
      {
        ...{ kind: 'texels', content, color: [0, 0, 0, 0], depth: 0, alphaTest: null },
        edges: [to.x, to.y, to.x + widthPx, to.y + heightPx],
        ...(swizzle === undefined ? {} : { swizzle }),
      },
      defaultPipelineState(size.widthPx, size.heightPx),
      size.widthPx,
      size.heightPx,
      assembler,
    );
    // Texels of sRGB formats are copied without decoding and encoding.
    const target = { colors: [image], hasAlpha: true, depth: null, stencil: null };
    passes.append(draw, withoutEncoding(target));
  }
}

/** Formats between which the copy engine copies. */
const BYTE_FORMATS: readonly TextureFormat[] = [
  ...(['r8unorm', 'rg8unorm', 'rgba8unorm', 'rgba8unorm-srgb'] as const),
];

/** Returns whether a copy of bytes, whose channels may be swizzled, converts nothing. */
function isCopiedRaw(read: BufferIdentity | null | undefined, into: TextureFormat): boolean {
  const from = formatOf(read);
  return BYTE_FORMATS.includes(from) ? BYTE_FORMATS.includes(into) : from === into;
}

function formatOf(read: BufferIdentity | null | undefined): TextureFormat {
  return read === 'screen' || read === null || read === undefined ? 'rgba8unorm' : read.format;
}
