/** Attachments of a pass: images with their formats, sizes and keys. */
import {
  drawnFormatOf,
  type Image,
  levelSizeOf,
  type PassLink,
  type PassTarget,
  type TargetCopy,
  type TargetImage,
  TEXTURE_FORMATS,
  type TextureFormat,
  type TextureImage,
  type TextureResource,
} from '@tessera/frame';
import { resolveSamples } from './resolve-samples.ts';

/** Color attachment: an image of a texture, or the screen (`image` is null). */
export interface ColorAttachment {
  readonly image: TextureImage | null;
  readonly format: TextureFormat;
}

/** Attachments of one pass. */
export interface PassAttachments {
  /** Color attachments; null for an unused one. */
  readonly colors: readonly (ColorAttachment | null)[];
  /**
   * Depth and stencil: an image, or a buffer that belongs to the color with the key `ownedBy`, or
   * null for none.
   */
  readonly depthStencil: TextureImage | { readonly ownedBy: string } | null;
  /** Size common to all images. The pass draws into the lower left part of a larger image. */
  readonly widthPx: number;
  readonly heightPx: number;
  /** Number of samples per pixel. */
  readonly sampleCount: number;
}

/** Size of the screen, and number of samples of its pixels. */
export interface ScreenSize {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly sampleCount: number;
}

/** Link of the only pass of a frame that draws to the screen. */
export const SCREEN_LINK: PassLink = { target: { kind: 'screen' }, loads: [], copies: [] };

/** Index that stands for the screen among the indices of textures. */
export const SCREEN_INDEX = -1;

/** Returns the format of the attachment that a copy reads, or `undefined` if there is none. */
export function copiedFormatOf(
  { source }: TargetCopy,
  { colors }: PassAttachments,
): TextureFormat | undefined {
  return source === 'depth-stencil' ? 'depth24unorm-stencil8' : colors[source]?.format;
}

/** Returns a key that is equal for equal images. */
export function imageKey({ textureIndex, level = 0, slice = 0 }: TextureImage): string {
  return `${textureIndex} ${level} ${slice}`;
}

/** Resolves a pass's target to attachments. */
export function resolveAttachments(
  target: PassTarget,
  screen: ScreenSize,
  textures: readonly TextureResource[],
): PassAttachments {
  const color = (image: TargetImage): ColorAttachment => ({
    image,
    format: drawnFormatOf(textures[image.textureIndex]!, image),
  });
  const sizeOf = ({ textureIndex, level = 0 }: TextureImage) => {
    const texture = textures[textureIndex]!;
    const { widthPx, heightPx } = levelSizeOf(texture, level);
    return { widthPx, heightPx, sampleCount: texture.sampleCount ?? 1 };
  };
  switch (target.kind) {
    case 'screen': {
      const colors = [{ image: null, format: 'rgba8unorm' } as const];
      return { colors, depthStencil: { ownedBy: 'screen' }, ...screen };
    }
    case 'texture':
      return {
        colors: [color(target)],
        depthStencil: { ownedBy: imageKey(target) },
        ...sizeOf(target),
      };
    case 'images': {
      const { colors, depthStencil } = target;
      const sizes = [...colors, depthStencil].filter((image) => image !== null).map(sizeOf);
      return {
        colors: colors.map((image) => (image === null ? null : color(image))),
        depthStencil,
        widthPx: Math.min(...sizes.map(({ widthPx }) => widthPx)),
        heightPx: Math.min(...sizes.map(({ heightPx }) => heightPx)),
        sampleCount: sizes[0]!.sampleCount,
      };
    }
    case 'feedback':
      return { colors: [], depthStencil: null, widthPx: 1, heightPx: 1, sampleCount: 1 };
  }
}

/**
 * Lists the indices of the textures that the pass draws into, and {@link SCREEN_INDEX} for the
 * screen.
 */
export function drawnIndices({ colors, depthStencil }: PassAttachments): number[] {
  const indices = colors.flatMap((color) =>
    color === null ? [] : [color.image?.textureIndex ?? SCREEN_INDEX],
  );
  if (depthStencil !== null && 'textureIndex' in depthStencil) {
    indices.push(depthStencil.textureIndex);
  }
  return indices;
}

/**
 * Converts a pass's target to an image for display: its first color, 8 bits per channel, clamped to
 * 0…1 and resolved. The image is black if that color has neither float nor 8-bit channels.
 *
 * @param colors Texels by attachment, row by row from the top.
 * @param sampleCount Number of samples of these texels.
 */
export function toImage(
  { colors: attachments, widthPx, heightPx }: PassAttachments,
  colors: readonly Uint8Array[],
  sampleCount: number,
): Image {
  const index = attachments.findIndex((color) => color !== null);
  const format = attachments[index]?.format;
  const held = colors[index];
  if (format?.startsWith('rgba8unorm') && held !== undefined && sampleCount === 1) {
    return { widthPx, heightPx, rgba: held };
  }
  const rgba = new Uint8Array(widthPx * heightPx * 4);
  if (format === undefined || held === undefined) return { widthPx, heightPx, rgba };
  const texels = sampleCount === 1 ? held : resolveSamples(held, format, sampleCount);
  const { channels, bytesPerTexel, kind } = TEXTURE_FORMATS[format];
  if (bytesPerTexel === 4 && channels === 4 && format.startsWith('rgba8unorm')) {
    return { widthPx, heightPx, rgba: texels };
  }
  const values = kind === 'float' ? bytesOfChannels(texels, bytesPerTexel / channels) : null;
  for (let pixel = 0; pixel < widthPx * heightPx; pixel++) {
    rgba[pixel * 4 + 3] = 255;
    if (values === null) continue;
    for (let c = 0; c < channels; c++) rgba[pixel * 4 + c] = values[pixel * channels + c]!;
  }
  return { widthPx, heightPx, rgba };
}

/** Returns float or 8-bit channels as bytes, or null for channels of other sizes. */
function bytesOfChannels(texels: Uint8Array, channelBytes: number): Uint8Array | null {
  if (channelBytes === 1) return texels;
  if (channelBytes !== 2 && channelBytes !== 4) return null;
  const bytes = new Uint8Array(texels.length / channelBytes);
  const { buffer } = texels.slice();
  if (channelBytes === 4) {
    const floats = new Float32Array(buffer);
    for (let i = 0; i < bytes.length; i++) bytes[i] = byteOf(floats[i]!);
    return bytes;
  }
  byteByHalf ??= listHalves();
  const halves = new Uint16Array(buffer);
  for (let i = 0; i < bytes.length; i++) bytes[i] = byteByHalf[halves[i]!]!;
  return bytes;
}

/** Byte by the bits of a half-precision float; null until an image needs it. */
let byteByHalf: Uint8Array | null = null;

function listHalves(): Uint8Array {
  const bits = Uint16Array.from({ length: 2 ** 16 }, (_, half) => half);
  return Uint8Array.from(new Float16Array(bits.buffer), byteOf);
}

function byteOf(value: number): number {
  return Math.round(Math.min(1, Math.max(0, value)) * 255);
}
