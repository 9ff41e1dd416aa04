/** Descriptions of the images attached to a framebuffer, and their sizes. */
import { TEXTURE_FORMATS, type TextureFormat } from '@tessera/frame';
import { targetFormatOf } from '../../texels/depth-texels.ts';
import type { BaseFormat } from '../../texels/texel-formats.ts';
import type { Attachment, AttachmentPoint, FramebufferObject } from './framebuffer-object.ts';
import { renderbufferStorage } from './renderbuffer-object.ts';

/** Returns the attachment points of the draw buffers or of the read buffer. */
export function listColorPoints(
  { colorPoints, readPoint }: FramebufferObject,
  isRead: boolean,
): readonly AttachmentPoint[] {
  // If the first draw buffer is also the read buffer, draws and reads share a pass.
  return isRead && colorPoints[0] !== readPoint ? [readPoint] : colorPoints;
}

/** Size of an image in pixels. */
export interface ImageSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * Returns the sizes of the color, depth and stencil images that a pass uses. If there are none,
 * returns the sizes of all attachments.
 */
export function listSizes(framebuffer: FramebufferObject, isRead: boolean): readonly ImageSize[] {
  const { attachments } = framebuffer;
  const sizes: ImageSize[] = [];
  let usedCount = 0;
  const take = (attachment: Attachment | undefined) => {
    if (attachment === undefined) return;
    usedCount++;
    const image = describeAttachment(attachment);
    if (image !== null) sizes.push(image);
  };
  for (const point of listColorPoints(framebuffer, isRead)) take(attachments.get(point));
  take(attachments.get('depth'));
  take(attachments.get('stencil'));
  if (usedCount === 0) for (const attachment of attachments.values()) take(attachment);
  return sizes;
}

/** Returns the number of samples per pixel of an attached image. */
export function samplesOf(attachment: Attachment): number {
  return attachment.kind === 'renderbuffer' ? attachment.renderbuffer.sampleCount : 1;
}

/** Bases whose texels hold alpha alone, or one color in several channels. */
const SPREAD_BASES = ['alpha', 'luminance', 'luminance-alpha', 'intensity'] as const;
/** Name of a base of {@link SPREAD_BASES}. */
export type SpreadBase = (typeof SPREAD_BASES)[number];

/** Returns whether the texels of a base hold alpha alone, or one color in several channels. */
export function isSpread(base: BaseFormat): base is SpreadBase {
  return (SPREAD_BASES as readonly BaseFormat[]).includes(base);
}

/** Description of an attached image. */
export interface AttachedImage {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly base: BaseFormat;
  readonly format: TextureFormat;
  readonly isColorTarget: boolean;
  /** Whether only desktop OpenGL draws into the format, such as luminance or signed fractions. */
  readonly isDesktopTarget: boolean;
  readonly isDepth: boolean;
  /** Whether the texels hold an alpha that the format does not store. */
  readonly hasUnusedAlpha: boolean;
}

/**
 * Cached descriptions by attachment. `from` is the level or renderbuffer version that the
 * description was made from.
 */
const described = new WeakMap<Attachment, { from: unknown; image: AttachedImage | null }>();

/**
 * Returns the description of an attachment, or `null` if it has no image. Returns the same object
 * until the image changes.
 */
export function describeAttachment(attachment: Attachment): AttachedImage | null {
  const from =
    attachment.kind === 'renderbuffer' ? attachment.renderbuffer.version : levelOf(attachment);
  let known = described.get(attachment);
  if (known === undefined || known.from !== from) {
    known = { from, image: makeDescription(attachment) };
    described.set(attachment, known);
  }
  return known.image;
}

function makeDescription(attachment: Attachment): AttachedImage | null {
  const found = findImage(attachment);
  if (found === null) return null;
  const { base } = found;
  const format = targetFormatOf(found.format);
  const isDesktopTarget = isSpread(base) || format.endsWith('snorm');
  const isDepth = base === 'depth';
  return {
    ...found,
    format,
    isDepth,
    isColorTarget: TEXTURE_FORMATS[format].isTarget && !isDepth && !base.startsWith('sluminance'),
    isDesktopTarget,
    hasUnusedAlpha: (base === 'rgb' || base === 'srgb') && TEXTURE_FORMATS[format].channels === 4,
  };
}

function findImage(attachment: Attachment) {
  if (attachment.kind === 'renderbuffer') {
    const { widthPx, heightPx, internalFormat } = attachment.renderbuffer;
    const storage = renderbufferStorage(internalFormat);
    return storage === null ? null : { widthPx, heightPx, ...storage };
  }
  const { texture, slice, viewCount = 1 } = attachment;
  const found = levelOf(attachment);
  const isThere =
    found !== null && (texture.dimension === 'cube' || slice + viewCount <= found.depthPx);
  return isThere ? found : null;
}

function levelOf({ texture, level, slice }: Attachment & { readonly kind: 'texture' }) {
  return texture.level(level, texture.dimension === 'cube' ? slice : 0);
}
