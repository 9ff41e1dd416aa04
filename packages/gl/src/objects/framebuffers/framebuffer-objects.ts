/**
 * Framebuffer and renderbuffer objects (OpenGL ES 2.0, section 4.4; EXT_framebuffer_object). Both are in one file with what
 * images are described by, since whether a framebuffer is complete depends on all of these.
 */
import { TEXTURE_FORMATS, type TextureFormat, type TextureResource } from '@tessera/frame';
import { GL, nameOfEnum } from '../../api/constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import type { ApiRules } from '../../rules/api-rules.ts';
import { targetFormatOf } from '../../texels/depth-texels.ts';
import type { BaseFormat } from '../../texels/texel-formats.ts';
import { storageOf } from '../../texels/texel-storage.ts';
import { ObjectTable } from '../object-table.ts';
import type { TextureContent, TextureObject } from '../textures/texture-object.ts';
import { MAX_TEXTURE_EDGE_PX } from '../textures/texture-uploads.ts';

export class RenderbufferObject {
  readonly name: number;
  widthPx = 0;
  heightPx = 0;
  internalFormat: number = GL.RGBA4;
  /** Of a pixel: 1, or MAX_SAMPLES. */
  sampleCount = 1;
  /** Another one: what was drawn is gone. */
  version = 0;
  /** What was drawn and put back. */
  #drawn: TextureResource | null = null;

  constructor(name: number) {
    this.name = name;
  }

  /** Takes what was drawn into it as what it holds. */
  putBack(drawn: TextureResource): void {
    this.#drawn = drawn;
    this.version++;
  }

  /** Gives it another size or format; what it held is gone. */
  setStorage(internalFormat: number, widthPx: number, heightPx: number, sampleCount = 1): void {
    Object.assign(this, { internalFormat, widthPx, heightPx, sampleCount });
    this.#drawn = null;
    this.version++;
  }

  /** Its texels, row 0 lowest; `null` where it holds nothing that is known here. */
  get texels(): Uint8Array | null {
    return this.#drawn?.levels[0] ?? null;
  }

  /** What it is as a texture of a frame; without levels where nothing is known of what it holds. */
  contentForDrawing(): TextureContent | null {
    const storage = renderbufferStorage(this.internalFormat);
    if (storage === null || this.widthPx === 0 || this.heightPx === 0) return null;
    const { widthPx, heightPx, sampleCount } = this;
    const drawn = this.#drawn;
    return {
      ...(sampleCount === 1 ? {} : { sampleCount }),
      ...{ format: storage.format, widthPx, heightPx, isMipmapGenerated: false },
      ...(drawn === null ? { levels: [] } : { levels: drawn.levels, sha256: drawn.sha256 }),
    };
  }
}

function renderbufferStorage(internalFormat: number) {
  if (internalFormat === GL.STENCIL_INDEX8) return storageOf(GL.DEPTH24_STENCIL8, 0, true);
  const storage = storageOf(internalFormat, 0, true);
  return storage && { ...storage, format: targetFormatOf(storage.format) };
}

export type Attachment =
  | {
      readonly kind: 'texture';
      readonly texture: TextureObject;
      readonly level: number;
      /** Face of a cube, layer, or slice of a 3D texture. */
      readonly slice: number;
    }
  | { readonly kind: 'renderbuffer'; readonly renderbuffer: RenderbufferObject };

export type AttachmentPoint = `color${number}` | 'depth' | 'stencil';

/** Colours that can be attached. */
export const MAX_COLOR_ATTACHMENTS = 8;

/** Samples a pixel that targets may have besides one; fewer are made these. */
export const MAX_SAMPLES = 4;

export class FramebufferObject {
  readonly name: number;
  readonly attachments = new Map<AttachmentPoint, Attachment>();
  /** What outputs of fragment shaders go to, by their number; a point that is not attached takes nothing. */
  colorPoints: readonly AttachmentPoint[] = ['color0'];
  /** What copies read. */
  readPoint: AttachmentPoint = 'color0';

  constructor(name: number) {
    this.name = name;
  }
}

const POINTS_BY_ENUM: ReadonlyMap<number, readonly AttachmentPoint[]> = new Map<
  number,
  readonly AttachmentPoint[]
>([
  ...Array.from(
    { length: MAX_COLOR_ATTACHMENTS },
    (_, i) => [GL.COLOR_ATTACHMENT0 + i, [`color${i}` as const]] as const,
  ),
  [GL.DEPTH_ATTACHMENT, ['depth']],
  [GL.STENCIL_ATTACHMENT, ['stencil']],
  [GL.DEPTH_STENCIL_ATTACHMENT, ['depth', 'stencil']],
]);

export class FramebufferState {
  readonly #errors: GlErrors;
  readonly #renderbuffers: ObjectTable<RenderbufferObject>;
  readonly #rules: ApiRules;
  readonly #framebuffers = new ObjectTable<FramebufferObject>();
  #drawFramebuffer: FramebufferObject | null = null;
  #readFramebuffer: FramebufferObject | null = null;
  #renderbuffer: RenderbufferObject | null = null;

  constructor(errors: GlErrors, renderbuffers: ObjectTable<RenderbufferObject>, rules: ApiRules) {
    this.#errors = errors;
    this.#renderbuffers = renderbuffers;
    this.#rules = rules;
  }

  /** What draws go to; `null` is the screen. */
  get drawFramebuffer(): FramebufferObject | null {
    return this.#drawFramebuffer;
  }

  get readFramebuffer(): FramebufferObject | null {
    return this.#readFramebuffer;
  }

  get renderbuffer(): RenderbufferObject | null {
    return this.#renderbuffer;
  }

  generateFramebuffers(count: number): number[] {
    return this.#framebuffers.reserve(count);
  }

  generateRenderbuffers(count: number): number[] {
    return this.#renderbuffers.reserve(count);
  }

  isFramebuffer(name: number): boolean {
    return this.#framebuffers.get(name) !== null;
  }

  isRenderbuffer(name: number): boolean {
    return this.#renderbuffers.get(name) !== null;
  }

  bindFramebuffer(target: number, name: number): void {
    const isDraw = target === GL.FRAMEBUFFER || target === GL.DRAW_FRAMEBUFFER;
    const isRead = target === GL.FRAMEBUFFER || target === GL.READ_FRAMEBUFFER;
    if (!isDraw && !isRead) {
      this.#errors.raise(GL.INVALID_ENUM, `bindFramebuffer: ${nameOfEnum(target)}`);
      return;
    }
    const framebuffer =
      name === 0 ? null : this.#framebuffers.obtain(name, (made) => new FramebufferObject(made));
    if (isDraw) this.#drawFramebuffer = framebuffer;
    if (isRead) this.#readFramebuffer = framebuffer;
  }

  bindRenderbuffer(target: number, name: number): void {
    if (target !== GL.RENDERBUFFER) {
      this.#errors.raise(GL.INVALID_ENUM, `bindRenderbuffer: ${nameOfEnum(target)}`);
      return;
    }
    this.#renderbuffer =
      name === 0 ? null : this.#renderbuffers.obtain(name, (made) => new RenderbufferObject(made));
  }

  removeFramebuffers(names: readonly number[]): void {
    for (const name of names) {
      const framebuffer = name === 0 ? null : this.#framebuffers.remove(name);
      if (framebuffer === null) continue;
      if (this.#drawFramebuffer === framebuffer) this.#drawFramebuffer = null;
      if (this.#readFramebuffer === framebuffer) this.#readFramebuffer = null;
    }
  }

  removeRenderbuffers(names: readonly number[]): void {
    for (const name of names) {
      const renderbuffer = name === 0 ? null : this.#renderbuffers.remove(name);
      if (renderbuffer === null) continue;
      if (this.#renderbuffer === renderbuffer) this.#renderbuffer = null;
      this.#detach(
        (attachment) =>
          attachment.kind === 'renderbuffer' && attachment.renderbuffer === renderbuffer,
      );
    }
  }

  /** Takes a deleted texture off the bound framebuffers. */
  detachTexture(texture: TextureObject): void {
    this.#detach((attachment) => attachment.kind === 'texture' && attachment.texture === texture);
  }

  /** @param samples Of a pixel at least, up to MAX_SAMPLES; 0 for one. */
  setRenderbufferStorage(
    target: number,
    internalFormat: number,
    widthPx: number,
    heightPx: number,
    samples = 0,
  ): void {
    const where = 'renderbufferStorage';
    if (target !== GL.RENDERBUFFER) {
      this.#errors.raise(GL.INVALID_ENUM, `${where}: ${nameOfEnum(target)}`);
      return;
    }
    if (renderbufferStorage(internalFormat) === null) {
      this.#errors.raise(GL.INVALID_ENUM, `${where}: ${nameOfEnum(internalFormat)}`);
      return;
    }
    const edgePx = Math.max(widthPx, heightPx);
    if (Math.min(widthPx, heightPx) < 0 || edgePx > MAX_TEXTURE_EDGE_PX) {
      this.#errors.raise(GL.INVALID_VALUE, `${where}: ${widthPx}×${heightPx}`);
      return;
    }
    if (this.#renderbuffer === null) {
      this.#errors.raise(GL.INVALID_OPERATION, `${where}: no renderbuffer is bound`);
      return;
    }
    const sampleCount = samples > 0 ? MAX_SAMPLES : 1;
    this.#renderbuffer.setStorage(internalFormat, widthPx, heightPx, sampleCount);
  }

  /**
   * Attaches an image of a texture.
   *
   * @param textureTarget `GL_TEXTURE_2D` or a face of a cube.
   * @param texture `null` detaches.
   */
  attachTexture(
    target: number,
    attachment: number,
    textureTarget: number,
    texture: TextureObject | null,
    level: number,
  ): void {
    const where = 'framebufferTexture2D';
    const face = textureTarget - GL.TEXTURE_CUBE_MAP_POSITIVE_X;
    const isFace = face >= 0 && textureTarget <= GL.TEXTURE_CUBE_MAP_NEGATIVE_Z;
    if (texture !== null) {
      if (textureTarget !== GL.TEXTURE_2D && !isFace) {
        this.#errors.raise(GL.INVALID_ENUM, `${where}: ${nameOfEnum(textureTarget)}`);
        return;
      }
      if (texture.target !== (isFace ? GL.TEXTURE_CUBE_MAP : GL.TEXTURE_2D)) {
        const kind = nameOfEnum(texture.target);
        this.#errors.raise(GL.INVALID_OPERATION, `${where}: texture ${texture.name} is a ${kind}`);
        return;
      }
    }
    const slice = isFace ? face : 0;
    this.#attach(
      where,
      target,
      attachment,
      texture === null ? null : { kind: 'texture', texture, level, slice },
    );
  }

  /** Attaches a layer of an array or a slice of a 3D texture. @param texture `null` detaches. */
  attachLayer(
    target: number,
    attachment: number,
    texture: TextureObject | null,
    level: number,
    layer: number,
  ): void {
    const where = 'framebufferTextureLayer';
    if (texture !== null && texture.dimension !== '3d' && texture.dimension !== '2d-array') {
      this.#errors.raise(GL.INVALID_OPERATION, `${where}: texture ${texture.name} has no layers`);
      return;
    }
    if (layer < 0 || level < 0) {
      this.#errors.raise(GL.INVALID_VALUE, `${where}: layer ${layer} of level ${level}`);
      return;
    }
    this.#attach(
      where,
      target,
      attachment,
      texture === null ? null : { kind: 'texture', texture, level, slice: layer },
    );
  }

  /** Says which attachments outputs of fragment shaders go to: `GL_NONE`, or `GL_COLOR_ATTACHMENTi`. */
  setDrawBuffers(buffers: readonly number[]): void {
    const framebuffer = this.#drawFramebuffer;
    if (framebuffer === null) return;
    const points = buffers.map((buffer, i): AttachmentPoint | null => {
      if (buffer === GL.NONE) return `color${MAX_COLOR_ATTACHMENTS + i}`;
      const point = POINTS_BY_ENUM.get(buffer)?.[0];
      return point?.startsWith('color') ? point : null;
    });
    if (points.length > MAX_COLOR_ATTACHMENTS || points.includes(null)) {
      this.#errors.raise(GL.INVALID_ENUM, `drawBuffers: ${buffers.map(nameOfEnum)}`);
      return;
    }
    framebuffer.colorPoints = points.filter((point) => point !== null);
  }

  /** Says which attachment of the framebuffer that is read copies are taken from. */
  setReadBuffer(buffer: number): void {
    const point = POINTS_BY_ENUM.get(buffer)?.[0];
    const framebuffer = this.#readFramebuffer;
    if (framebuffer === null || buffer === GL.NONE) return;
    if (point?.startsWith('color') !== true) {
      this.#errors.raise(GL.INVALID_ENUM, `readBuffer: ${nameOfEnum(buffer)}`);
      return;
    }
    framebuffer.readPoint = point;
  }

  /** @param renderbufferName 0 detaches. */
  attachRenderbuffer(
    target: number,
    attachment: number,
    renderbufferTarget: number,
    renderbufferName: number,
  ): void {
    const where = 'framebufferRenderbuffer';
    if (renderbufferTarget !== GL.RENDERBUFFER) {
      this.#errors.raise(GL.INVALID_ENUM, `${where}: ${nameOfEnum(renderbufferTarget)}`);
      return;
    }
    const renderbuffer = renderbufferName === 0 ? null : this.#renderbuffers.get(renderbufferName);
    if (renderbufferName !== 0 && renderbuffer === null) {
      this.#errors.raise(GL.INVALID_OPERATION, `${where}: no renderbuffer ${renderbufferName}`);
      return;
    }
    this.#attach(
      where,
      target,
      attachment,
      renderbuffer === null ? null : { kind: 'renderbuffer', renderbuffer },
    );
  }

  /** `GL_FRAMEBUFFER_COMPLETE`, or why the framebuffer bound to the target cannot be drawn into. */
  checkStatus(target: number): number {
    const framebuffer =
      target === GL.READ_FRAMEBUFFER ? this.#readFramebuffer : this.#drawFramebuffer;
    if (framebuffer === null) return GL.FRAMEBUFFER_COMPLETE;
    if (framebuffer.attachments.size === 0) return GL.FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT;
    let size: { widthPx: number; heightPx: number } | null = null;
    let samples = 1;
    for (const [point, attachment] of framebuffer.attachments) {
      const found = describeAttachment(attachment);
      if (found === null || found.widthPx === 0 || found.heightPx === 0) {
        return GL.FRAMEBUFFER_INCOMPLETE_ATTACHMENT;
      }
      const isFitting = point.startsWith('color') ? found.isColorTarget : found.isDepth;
      if (!isFitting) return GL.FRAMEBUFFER_INCOMPLETE_ATTACHMENT;
      const isOther =
        size !== null && (size.widthPx !== found.widthPx || size.heightPx !== found.heightPx);
      if (isOther && this.#rules.areAttachmentSizesEqual)
        return GL.FRAMEBUFFER_INCOMPLETE_DIMENSIONS;
      if (size !== null && samplesOf(attachment) !== samples) {
        return GL.FRAMEBUFFER_INCOMPLETE_MULTISAMPLE;
      }
      samples = samplesOf(attachment);
      size = found;
    }
    return GL.FRAMEBUFFER_COMPLETE;
  }

  /** Samples a pixel of a complete framebuffer; `null` is the screen. */
  sampleCountOf(framebuffer: FramebufferObject | null): number {
    const [attachment] = framebuffer?.attachments.values() ?? [];
    return attachment === undefined ? 1 : samplesOf(attachment);
  }

  /** What draws into a complete framebuffer, or (`isRead`) copies of it, can reach: what all images of it have. */
  sizeOf(framebuffer: FramebufferObject, isRead = false): ImageSize {
    const { attachments } = framebuffer;
    let widthPx = Number.POSITIVE_INFINITY;
    let heightPx = Number.POSITIVE_INFINITY;
    const take = (attachment: Attachment | undefined): void => {
      const image = attachment === undefined ? null : describeAttachment(attachment);
      if (image === null) return;
      widthPx = Math.min(widthPx, image.widthPx);
      heightPx = Math.min(heightPx, image.heightPx);
    };
    for (const point of listColorPoints(framebuffer, isRead)) take(attachments.get(point));
    take(attachments.get('depth'));
    take(attachments.get('stencil'));
    if (widthPx === Number.POSITIVE_INFINITY) attachments.forEach(take);
    if (widthPx === Number.POSITIVE_INFINITY) {
      throw new Error(`framebuffer ${framebuffer.name} has no attachments`);
    }
    return { widthPx, heightPx };
  }

  #attach(where: string, target: number, point: number, attachment: Attachment | null): void {
    const points = POINTS_BY_ENUM.get(point);
    if (points === undefined) {
      this.#errors.raise(GL.INVALID_ENUM, `${where}: ${nameOfEnum(point)}`);
      return;
    }
    const framebuffer =
      target === GL.READ_FRAMEBUFFER ? this.#readFramebuffer : this.#drawFramebuffer;
    if (framebuffer === null) {
      this.#errors.raise(GL.INVALID_OPERATION, `${where}: the screen has fixed buffers`);
      return;
    }
    for (const each of points) {
      if (attachment === null) framebuffer.attachments.delete(each);
      else framebuffer.attachments.set(each, attachment);
    }
  }

  #detach(isGone: (attachment: Attachment) => boolean): void {
    for (const framebuffer of [this.#drawFramebuffer, this.#readFramebuffer]) {
      for (const [point, attachment] of framebuffer?.attachments ?? []) {
        if (isGone(attachment)) framebuffer?.attachments.delete(point);
      }
    }
  }
}

/** The colours that are drawn into, or the one that is read. */
export function listColorPoints(
  { colorPoints, readPoint }: FramebufferObject,
  isRead: boolean,
): readonly AttachmentPoint[] {
  // A framebuffer that draws to what is read is read as it is, in the same pass.
  return isRead && colorPoints[0] !== readPoint ? [readPoint] : colorPoints;
}

interface ImageSize {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Sizes of what a pass has as its target: those colours, depth and stencil; where there are none, of all else. */
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

function samplesOf(attachment: Attachment): number {
  return attachment.kind === 'renderbuffer' ? attachment.renderbuffer.sampleCount : 1;
}

/** An image that is attached. */
export interface AttachedImage {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly base: BaseFormat;
  readonly format: TextureFormat;
  readonly isColorTarget: boolean;
  readonly isDepth: boolean;
}

/** By attachment, with what it was made from: the level, or the version of the renderbuffer. */
const described = new WeakMap<Attachment, { from: unknown; image: AttachedImage | null }>();

/** An attachment's image, `null` if it is not there; the same object while that does not change. */
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
  const isSpread = ['alpha', 'luminance', 'luminance-alpha', 'intensity'].includes(base);
  const isDepth = base === 'depth';
  return {
    ...found,
    format,
    isDepth,
    isColorTarget: TEXTURE_FORMATS[format].isTarget && !isDepth && !isSpread,
  };
}

/** Whether colours that are drawn are stored as sRGB. */
export function hasSrgbTarget({ attachments, colorPoints }: FramebufferObject): boolean {
  return colorPoints.some((point) => {
    const attachment = attachments.get(point);
    return (
      attachment !== undefined && describeAttachment(attachment)?.format.endsWith('srgb') === true
    );
  });
}

function findImage(attachment: Attachment) {
  if (attachment.kind === 'renderbuffer') {
    const { widthPx, heightPx, internalFormat } = attachment.renderbuffer;
    const storage = renderbufferStorage(internalFormat);
    return storage === null ? null : { widthPx, heightPx, ...storage };
  }
  const { texture, slice } = attachment;
  const found = levelOf(attachment);
  const isThere = found !== null && (texture.dimension === 'cube' || slice < found.depthPx);
  return isThere ? found : null;
}

function levelOf({ texture, level, slice }: Attachment & { readonly kind: 'texture' }) {
  return texture.level(level, texture.dimension === 'cube' ? slice : 0);
}
