/** Attachments of a pass, resolved from a framebuffer when a draw is recorded. */
import { RenderError, type TextureFormat } from '@tessera/frame';
import {
  type AttachedImage,
  describeAttachment,
  listColorPoints,
  listSizes,
} from '../../objects/framebuffers/attached-images.ts';
import type {
  Attachment,
  AttachmentPoint,
  FramebufferObject,
} from '../../objects/framebuffers/framebuffer-object.ts';
import type { RenderbufferObject } from '../../objects/framebuffers/renderbuffer-object.ts';
import type { TextureObject } from '../../objects/textures/texture-object.ts';
import { type ColorStore, isSigned, storeOf } from './color-stores.ts';

/** Framebuffer that a pass draws into, with its size. `framebuffer` is `null` for the screen. */
export interface PassTarget {
  readonly framebuffer: FramebufferObject | null;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Whether colors are stored in sRGB images without encoding. Default: false. */
  readonly isSrgbRaw?: boolean;
}

/** Image that passes draw into: a slice of a level of a texture, or a renderbuffer. */
export interface DrawnImage {
  readonly object: TextureObject | RenderbufferObject;
  readonly level: number;
  readonly slice: number;
  /** Format that passes draw with. */
  readonly format: TextureFormat;
  /** Whether the image is an sRGB image that passes draw into without encoding. */
  readonly isSrgbRaw?: boolean;
}

/** Image that an attachment refers to, or the screen. */
export type BufferIdentity = 'screen' | DrawnImage;

/** Images that a pass draws into. */
export interface PassAttachments {
  /** Color attachments by index. An entry is `null` if nothing is attached there. */
  readonly colors: readonly (BufferIdentity | null)[];
  /** Whether colors store alpha; whether the first does if they differ. */
  readonly hasAlpha: boolean;
  /**
   * Channels that the colors store by index, if they differ or are not red, green, blue and, with
   * `hasAlpha`, alpha.
   */
  readonly stores?: readonly ColorStore[];
  /**
   * Whether all colors are fixed-point and some signed, so that fragment colors are clamped to 0…1
   * by default (OpenGL 3.0, section 3.8).
   */
  readonly isFixedSigned?: boolean;
  /** Depth attachment. Without one (`null`), the depth test passes and no depth is written. */
  readonly depth: BufferIdentity | null;
  readonly stencil: BufferIdentity | null;
  /**
   * Whether the images differ in size. Draws and clears affect only the area that all images share.
   */
  readonly isUneven?: boolean;
  /** Whether the images are one view of a framebuffer with several views (OVR_multiview2). */
  readonly isView?: boolean;
}

/** Attachments of a pass to the screen. */
export const SCREEN: PassAttachments = Object.freeze({
  colors: Object.freeze(['screen'] as const),
  hasAlpha: true,
  depth: 'screen',
  stencil: 'screen',
});

/** Target of draws of transform feedback, whose size means nothing. */
export const FEEDBACK_TARGET: PassTarget = Object.freeze({
  framebuffer: null,
  widthPx: 1,
  heightPx: 1,
});
/** Attachments of a pass of transform feedback: no images. */
export const FEEDBACK: PassAttachments = Object.freeze({
  colors: Object.freeze([]),
  hasAlpha: true,
  depth: null,
  stencil: null,
});

/** Cached attachments of a framebuffer at its last draw. */
interface KnownAttachments {
  readonly colorPoints: readonly AttachmentPoint[];
  readonly points: readonly AttachmentPoint[];
  /** Attachments of the color, depth and stencil points, in the order of `points`. */
  readonly attached: readonly (Attachment | undefined)[];
  readonly described: readonly (AttachedImage | null | undefined)[];
  readonly resolved: PassAttachments;
}

const knownByFramebuffer = new WeakMap<FramebufferObject, KnownAttachments>();

/** Whether a framebuffer still has the cached images and formats at the same points. */
function isUnchanged(framebuffer: FramebufferObject, known: KnownAttachments): boolean {
  const { points, attached, described } = known;
  const { attachments, colorPoints } = framebuffer;
  if (colorPoints !== known.colorPoints) return false;
  for (let i = 0; i < points.length; i++) {
    const attachment = attachments.get(points[i]!);
    if (attachment !== attached[i]) return false;
    if (attachment !== undefined && describeAttachment(attachment) !== described[i]) return false;
  }
  return true;
}

/**
 * Returns the attachments of a framebuffer for a pass.
 *
 * @param isRead Whether to use the read buffer instead of the draw buffers.
 * @throws {RenderError} FRAME_UNSUPPORTED for attachments that frames cannot draw into.
 */
export function resolveAttachments(
  framebuffer: FramebufferObject | null,
  isRead = false,
): PassAttachments {
  if (framebuffer === null) return SCREEN;
  const { attachments, name } = framebuffer;
  const known = isRead ? undefined : knownByFramebuffer.get(framebuffer);
  if (known !== undefined && isUnchanged(framebuffer, known)) return known.resolved;
  const colorPoints = listColorPoints(framebuffer, isRead);
  const imageOf = (attachment: Attachment | undefined): DrawnImage | null =>
    attachment === undefined ? null : drawnImage(attachment);
  const colors = colorPoints.map((point) => imageOf(attachments.get(point)));
  const depth = imageOf(attachments.get('depth'));
  const stencil = imageOf(attachments.get('stencil'));
  if (depth !== null && stencil !== null && !isSameBuffer(depth, stencil)) {
    throw new RenderError(
      'FRAME_UNSUPPORTED',
      `framebuffer ${name}: depth and stencil are two images`,
    );
  }
  const isUneven = listSizes(framebuffer, isRead).some(
    ({ widthPx, heightPx }, _, [one]) => widthPx !== one!.widthPx || heightPx !== one!.heightPx,
  );
  const resolved = {
    ...{ colors, depth, stencil, ...storesOf(framebuffer, colorPoints) },
    ...(isUneven ? { isUneven } : {}),
    ...(framebuffer.isView ? { isView: true } : {}),
    ...(isFixedSigned(colors) ? { isFixedSigned: true } : {}),
  };
  if (!isRead) {
    const points = [...colorPoints, 'depth', 'stencil'] as const;
    const attached = points.map((point) => attachments.get(point));
    const images = attached.map((each) => each && describeAttachment(each));
    const asNow = { colorPoints, points, attached, described: images, resolved };
    knownByFramebuffer.set(framebuffer, asNow);
  }
  return resolved;
}

function isFixedSigned(colors: readonly (DrawnImage | null)[]): boolean {
  return (
    colors.some(isSigned) &&
    colors.every((color) => color === null || color.format.includes('norm'))
  );
}

/** Returns what the colors of a framebuffer store. Missing colors store what the first does. */
function storesOf(
  { attachments }: FramebufferObject,
  colorPoints: readonly AttachmentPoint[],
): Pick<PassAttachments, 'hasAlpha' | 'stores'> {
  const given = colorPoints.map((point) => attachments.get(point));
  const first = given.find((attachment) => attachment !== undefined);
  const ofFirst = first === undefined ? 'rgba' : storeOf(describeAttachment(first));
  const stores = given.map((each) =>
    each === undefined ? ofFirst : storeOf(describeAttachment(each)),
  );
  const hasAlpha = ofFirst !== 'rgb';
  const plain = hasAlpha ? 'rgba' : 'rgb';
  return stores.every((store) => store === plain) ? { hasAlpha } : { hasAlpha, stores };
}

function drawnImage(attachment: Attachment): DrawnImage | null {
  const found = describeAttachment(attachment);
  if (found === null) return null;
  const { format } = found;
  return attachment.kind === 'renderbuffer'
    ? { object: attachment.renderbuffer, level: 0, slice: 0, format }
    : {
        object: attachment.texture,
        level: attachment.level,
        slice: attachment.slice,
        format,
      };
}

/** Returns whether two attachments refer to the same image. */
export function isSameBuffer(a: BufferIdentity | null, b: BufferIdentity | null): boolean {
  if (a === null || b === null || a === 'screen' || b === 'screen') return a === b;
  return a.object === b.object && a.level === b.level && a.slice === b.slice;
}

const rawAttachments = new WeakMap<PassAttachments, PassAttachments>();

/** Returns the attachments with sRGB colors that passes draw into without encoding. */
export function withoutEncoding(attachments: PassAttachments): PassAttachments {
  const isSrgb = (color: BufferIdentity | null) =>
    color !== null && color !== 'screen' && color.format === 'rgba8unorm-srgb';
  if (!attachments.colors.some(isSrgb)) return attachments;
  let raw = rawAttachments.get(attachments);
  if (raw === undefined) {
    const colors = attachments.colors.map((color) => (isSrgb(color) ? asRaw(color) : color));
    raw = { ...attachments, colors };
    rawAttachments.set(attachments, raw);
  }
  return raw;
}

function asRaw(color: BufferIdentity | null): BufferIdentity | null {
  if (color === null || color === 'screen') return color;
  return { ...color, format: 'rgba8unorm', isSrgbRaw: true };
}

/** Returns whether a pass draws into two attachments alike. */
export function isSameColor(a: BufferIdentity | null, b: BufferIdentity | null): boolean {
  return isSameBuffer(a, b) && isRaw(a) === isRaw(b);
}

/** Whether an attachment is an sRGB image that passes draw into without encoding. */
export function isRaw(buffer: BufferIdentity | null | undefined): boolean {
  return typeof buffer === 'object' && buffer?.isSrgbRaw === true;
}

/** Returns whether two passes have the same attachments. */
export function isSameTarget(a: PassAttachments, b: PassAttachments): boolean {
  if (a === b) return true;
  return (
    a.colors.length === b.colors.length &&
    a.colors.every((color, i) => isSameColor(color, b.colors[i]!)) &&
    isSameBuffer(a.depth, b.depth) &&
    isSameBuffer(a.stencil, b.stencil)
  );
}

/**
 * Returns whether two passes draw views of the same images, so that draws into one do not depend on
 * those into the other.
 */
export function areViews(a: PassAttachments, b: PassAttachments): boolean {
  if (a.isView !== true || b.isView !== true) return false;
  const [images, others] = [imagesOf(a), imagesOf(b)];
  return (
    images.length === others.length &&
    images.every(({ object, level }, i) => {
      const other = others[i]!;
      return object === other.object && level === other.level;
    })
  );
}

const knownImages = new WeakMap<PassAttachments, readonly DrawnImage[]>();

const NO_IMAGES: readonly DrawnImage[] = [];

/** Returns the images of a target without duplicates. */
export function imagesOf(attachments: PassAttachments): readonly DrawnImage[] {
  if (attachments.colors[0] === 'screen') return NO_IMAGES;
  let images = knownImages.get(attachments);
  if (images === undefined) {
    images = listImages(attachments);
    knownImages.set(attachments, images);
  }
  return images;
}

function listImages({ colors, depth, stencil }: PassAttachments): DrawnImage[] {
  const images: DrawnImage[] = [];
  for (const buffer of [...colors, depth, stencil]) {
    if (buffer === null || buffer === 'screen') continue;
    if (!images.some((image) => isSameBuffer(image, buffer))) images.push(buffer);
  }
  return images;
}

/** Returns whether a target has any image: color, depth or stencil. */
export function hasImages({ colors, depth, stencil }: PassAttachments): boolean {
  return depth !== null || stencil !== null || colors.some((color) => color !== null);
}
