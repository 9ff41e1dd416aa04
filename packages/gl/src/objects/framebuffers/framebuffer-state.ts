/**
 * Names, bindings, attachments and completeness of framebuffers (OpenGL ES 2.0, section 4.4;
 * EXT_framebuffer_object).
 */
import { RenderError } from '@tessera/frame';
import { GL, nameOfEnum } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import type { ApiRules } from '../../rules/api-rules.ts';
import { ObjectTable } from '../object-table.ts';
import { bindingTargetOf, faceOf, isFace } from '../samplers/texture-parameters.ts';
import type { TextureObject } from '../textures/texture-object.ts';
import {
  describeAttachment,
  type ImageSize,
  listColorPoints,
  samplesOf,
} from './attached-images.ts';
import {
  type Attachment,
  type AttachmentPoint,
  FramebufferObject,
  MAX_COLOR_ATTACHMENTS,
} from './framebuffer-object.ts';
import type { RenderbufferObject } from './renderbuffer-object.ts';

/** Attachment points by the enumerations of the API. */
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

/** Targets of textures with one image per level. */
const FLAT_TARGETS: readonly number[] = [
  ...[GL.TEXTURE_2D, FIXED.TEXTURE_1D, FIXED.TEXTURE_RECTANGLE],
];

/** Parts of a context that framebuffers refer to. */
interface FramebufferParts {
  readonly errors: GlErrors;
  readonly rules: ApiRules;
  readonly shared: {
    readonly textures: ObjectTable<TextureObject>;
    readonly renderbuffers: ObjectTable<RenderbufferObject>;
  };
  readonly targets: {
    /** Drawing buffer of the context, or `null` if it has none. */
    readonly drawingBuffer: {
      readonly framebuffer: FramebufferObject;
      readonly resolved: FramebufferObject;
    } | null;
  };
}

/** Operations on the contents of textures that attachments need. */
interface AttachedContents {
  /** Stores generated mipmaps of a texture, so that a pass can draw into a level above the base. */
  prepareLevels(texture: TextureObject): void;
}

/** Buffers of the screen: GL_FRONT_LEFT to GL_FRONT_AND_BACK. */
const SCREEN_BUFFERS: readonly number[] = Array.from({ length: 9 }, (_, i) => 0x400 + i);

/** Framebuffer names, bindings and attachments of one context. */
export class FramebufferState {
  readonly #parts: FramebufferParts;
  readonly #contents: AttachedContents;
  readonly #framebuffers = new ObjectTable<FramebufferObject>();
  #drawFramebuffer: FramebufferObject | null = null;
  #readFramebuffer: FramebufferObject | null = null;

  constructor(parts: FramebufferParts, contents: AttachedContents) {
    this.#parts = parts;
    this.#contents = contents;
  }

  /** Framebuffer that draws write to, or `null` for the screen. */
  get drawFramebuffer(): FramebufferObject | null {
    return this.#drawFramebuffer;
  }

  /** Framebuffer that reads and copies use as their source, or `null` for the screen. */
  get readFramebuffer(): FramebufferObject | null {
    return this.#readFramebuffer;
  }

  generate(count: number): number[] {
    return this.#framebuffers.reserve(count);
  }

  isFramebuffer(name: number): boolean {
    return this.#framebuffers.get(name) !== null;
  }

  bind(target: number, name: number): void {
    const isDraw = target === GL.FRAMEBUFFER || target === GL.DRAW_FRAMEBUFFER;
    const isRead = target === GL.FRAMEBUFFER || target === GL.READ_FRAMEBUFFER;
    if (!isDraw && !isRead) {
      this.#parts.errors.raise(
        GL.INVALID_ENUM,
        `bindFramebuffer: ${nameOfEnum(target)} is not a framebuffer target`,
      );
      return;
    }
    const framebuffer =
      name === 0 ? null : this.#framebuffers.obtain(name, (made) => new FramebufferObject(made));
    if (isDraw) this.#drawFramebuffer = framebuffer;
    if (isRead) this.#readFramebuffer = framebuffer;
  }

  remove(names: readonly number[]): void {
    for (const name of names) {
      const framebuffer = name === 0 ? null : this.#framebuffers.remove(name);
      if (framebuffer === null) continue;
      if (this.#drawFramebuffer === framebuffer) this.#drawFramebuffer = null;
      if (this.#readFramebuffer === framebuffer) this.#readFramebuffer = null;
    }
  }

  /** Detaches a deleted texture from the bound framebuffers. */
  detachTexture(texture: TextureObject): void {
    this.#detach((attachment) => attachment.kind === 'texture' && attachment.texture === texture);
  }

  /**
   * Attaches an image of a texture.
   *
   * @param textureTarget Target of a texture with one image per level, or a face of a cube map.
   * @param textureName Name of the texture. 0 detaches the current image.
   */
  attachTexture(
    target: number,
    attachment: number,
    textureTarget: number,
    textureName: number,
    level: number,
  ): void {
    const caller = 'framebufferTexture2D';
    const texture = this.#textureOf(caller, textureName);
    if (texture === undefined) return;
    if (texture !== null && level > 0) this.#contents.prepareLevels(texture);
    if (texture !== null) {
      if (!FLAT_TARGETS.includes(textureTarget) && !isFace(textureTarget)) {
        this.#parts.errors.raise(
          GL.INVALID_ENUM,
          `${caller}: ${nameOfEnum(textureTarget)} is not a texture target that can be attached`,
        );
        return;
      }
      if (texture.target !== bindingTargetOf(textureTarget)) {
        const kind = nameOfEnum(texture.target);
        this.#parts.errors.raise(
          GL.INVALID_OPERATION,
          `${caller}: texture ${texture.name} is of type ${kind}, not ${nameOfEnum(textureTarget)}`,
        );
        return;
      }
    }
    this.#attach(
      caller,
      target,
      attachment,
      texture === null ? null : { kind: 'texture', texture, level, slice: faceOf(textureTarget) },
    );
  }

  /**
   * Attaches a level of a texture with one image per level (`glFramebufferTexture`).
   *
   * @throws {RenderError} FRAME_UNSUPPORTED for a texture with several images per level, whose
   *   layers a geometry shader selects.
   */
  attachLevel(target: number, attachment: number, textureName: number, level: number): void {
    const textureTarget = this.#parts.shared.textures.get(textureName)?.target ?? GL.TEXTURE_2D;
    if (!FLAT_TARGETS.includes(textureTarget)) {
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `framebufferTexture: layers of ${nameOfEnum(textureTarget)} are not supported`,
      );
    }
    this.attachTexture(target, attachment, textureTarget, textureName, level);
  }

  /**
   * Attaches a layer of an array or a slice of a 3D texture.
   *
   * @param textureName Name of the texture. 0 detaches the current image.
   * @param viewCount Number of layers from `layer` on that are views of draws (OVR_multiview2); the
   *   texture is an array if there are several.
   */
  attachLayer(
    target: number,
    attachment: number,
    textureName: number,
    level: number,
    layer: number,
    viewCount = 1,
  ): void {
    const caller = 'framebufferTextureLayer';
    const texture = this.#textureOf(caller, textureName);
    if (texture === undefined) return;
    if (texture !== null && texture.dimension !== '3d' && texture.dimension !== '2d-array') {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `${caller}: texture ${texture.name} has no layers`,
      );
      return;
    }
    if (layer < 0 || level < 0) {
      this.#parts.errors.raise(
        GL.INVALID_VALUE,
        `${caller}: layer ${layer} or level ${level} is negative`,
      );
      return;
    }
    this.#attach(
      caller,
      target,
      attachment,
      texture === null ? null : { kind: 'texture', texture, level, slice: layer, viewCount },
    );
  }

  /**
   * Sets the destination of each fragment shader output. Each is `GL_NONE`, `GL_COLOR_ATTACHMENTi`
   * for a framebuffer object, or `GL_BACK` for the drawing buffer.
   */
  setDrawBuffers(buffers: readonly number[]): void {
    const framebuffer = this.#drawFramebuffer;
    if (framebuffer === null) {
      this.#setDefaultDrawBuffers(buffers);
      return;
    }
    const points = buffers.map((buffer, i): AttachmentPoint | null => {
      if (buffer === GL.NONE) return `color${MAX_COLOR_ATTACHMENTS + i}`;
      const point = POINTS_BY_ENUM.get(buffer)?.[0];
      return point?.startsWith('color') ? point : null;
    });
    if (points.length > MAX_COLOR_ATTACHMENTS || points.includes(null)) {
      this.#raiseBuffers(
        buffers,
        `drawBuffers: ${buffers.map(nameOfEnum)} are not all color attachments or GL_NONE`,
      );
      return;
    }
    framebuffer.colorPoints = points.filter((point) => point !== null);
  }

  #setDefaultDrawBuffers(buffers: readonly number[]): void {
    const framebuffer = this.#parts.targets.drawingBuffer?.framebuffer;
    if (framebuffer === undefined) return;
    const [buffer = GL.NONE] = buffers;
    if (buffers.length !== 1 || (buffer !== GL.BACK && buffer !== GL.NONE)) {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `drawBuffers: the default framebuffer accepts GL_BACK or GL_NONE, not ${buffers.map(nameOfEnum)}`,
      );
      return;
    }
    framebuffer.colorPoints = [buffer === GL.BACK ? 'color0' : 'color1'];
  }

  /** Sets the attachment that copies and reads use. `GL_NONE` selects none. */
  setReadBuffer(buffer: number): void {
    const framebuffer = this.#readFramebuffer;
    if (framebuffer === null) {
      this.#setDefaultReadBuffer(buffer);
      return;
    }
    const point =
      buffer === GL.NONE
        ? (`color${MAX_COLOR_ATTACHMENTS}` as const)
        : POINTS_BY_ENUM.get(buffer)?.[0];
    if (point?.startsWith('color') !== true) {
      this.#raiseBuffers(
        [buffer],
        `readBuffer: ${nameOfEnum(buffer)} is not a color attachment or GL_NONE`,
      );
      return;
    }
    framebuffer.readPoint = point;
  }

  /** Raises an error for buffers of which a framebuffer object may lack some. */
  #raiseBuffers(buffers: readonly number[], message: string): void {
    const { errors, rules } = this.#parts;
    const isOfScreen = buffers.some((buffer) => SCREEN_BUFFERS.includes(buffer));
    if (!isOfScreen || !rules.hasFixedFunctions) errors.raise(GL.INVALID_ENUM, message);
    // A framebuffer object has no buffer of the screen (OpenGL 3.0, sections 4.2.1 and 4.3.2).
    else errors.raiseCertain(GL.INVALID_OPERATION, message);
  }

  #setDefaultReadBuffer(buffer: number): void {
    const { drawingBuffer } = this.#parts.targets;
    if (drawingBuffer === null) return;
    if (buffer !== GL.BACK && buffer !== GL.NONE) {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `readBuffer: the default framebuffer accepts GL_BACK or GL_NONE, not ${nameOfEnum(buffer)}`,
      );
      return;
    }
    const point = buffer === GL.BACK ? 'color0' : 'color1';
    drawingBuffer.framebuffer.readPoint = point;
    drawingBuffer.resolved.readPoint = point;
  }

  /**
   * Attaches a renderbuffer.
   *
   * @param renderbufferName Name of the renderbuffer. 0 detaches the current image.
   */
  attachRenderbuffer(
    target: number,
    attachment: number,
    renderbufferTarget: number,
    renderbufferName: number,
  ): void {
    const caller = 'framebufferRenderbuffer';
    if (renderbufferTarget !== GL.RENDERBUFFER) {
      this.#parts.errors.raise(
        GL.INVALID_ENUM,
        `${caller}: ${nameOfEnum(renderbufferTarget)} is not GL_RENDERBUFFER`,
      );
      return;
    }
    const renderbuffer =
      renderbufferName === 0 ? null : this.#parts.shared.renderbuffers.get(renderbufferName);
    if (renderbufferName !== 0 && renderbuffer === null) {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `${caller}: renderbuffer ${renderbufferName} does not exist`,
      );
      return;
    }
    this.#attach(
      caller,
      target,
      attachment,
      renderbuffer === null ? null : { kind: 'renderbuffer', renderbuffer },
    );
  }

  /**
   * Returns `GL_FRAMEBUFFER_COMPLETE`, or the status that explains why the framebuffer bound to
   * `target` is incomplete.
   */
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
      const isDrawable =
        found.isColorTarget &&
        (!found.isDesktopTarget || this.#parts.rules.areLegacyFormatsDrawable);
      const isFitting = point.startsWith('color') ? isDrawable : found.isDepth;
      if (!isFitting) return GL.FRAMEBUFFER_INCOMPLETE_ATTACHMENT;
      const isOther =
        size !== null && (size.widthPx !== found.widthPx || size.heightPx !== found.heightPx);
      if (isOther && this.#parts.rules.areAttachmentSizesEqual)
        return GL.FRAMEBUFFER_INCOMPLETE_DIMENSIONS;
      if (size !== null && samplesOf(attachment) !== samples) {
        return GL.FRAMEBUFFER_INCOMPLETE_MULTISAMPLE;
      }
      samples = samplesOf(attachment);
      size = found;
    }
    return GL.FRAMEBUFFER_COMPLETE;
  }

  /**
   * Returns the number of samples per pixel of a complete framebuffer.
   *
   * @param framebuffer `null` for the screen.
   */
  sampleCountOf(framebuffer: FramebufferObject | null): number {
    const [attachment] = framebuffer?.attachments.values() ?? [];
    return attachment === undefined ? 1 : samplesOf(attachment);
  }

  /**
   * Returns the size of the area that draws into a complete framebuffer can reach. It is the size
   * of the smallest image.
   *
   * @param isRead Whether to use the read buffer instead of the draw buffers.
   */
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
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `framebuffer ${framebuffer.name} has no attachments`,
      );
    }
    return { widthPx, heightPx };
  }

  /** Detaches a deleted renderbuffer from the bound framebuffers. */
  detachRenderbuffer(renderbuffer: RenderbufferObject): void {
    this.#detach(
      (attachment) =>
        attachment.kind === 'renderbuffer' && attachment.renderbuffer === renderbuffer,
    );
  }

  /** Returns the named texture, `null` for name 0, or `undefined` after an error. */
  #textureOf(caller: string, name: number): TextureObject | null | undefined {
    if (name === 0) return null;
    const texture = this.#parts.shared.textures.get(name);
    if (texture !== null) return texture;
    this.#parts.errors.raise(GL.INVALID_OPERATION, `${caller}: texture ${name} does not exist`);
    return undefined;
  }

  #attach(caller: string, target: number, point: number, attachment: Attachment | null): void {
    const points = POINTS_BY_ENUM.get(point);
    if (points === undefined) {
      this.#parts.errors.raise(
        GL.INVALID_ENUM,
        `${caller}: ${nameOfEnum(point)} is not an attachment point`,
      );
      return;
    }
    const framebuffer =
      target === GL.READ_FRAMEBUFFER ? this.#readFramebuffer : this.#drawFramebuffer;
    if (framebuffer === null) {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `${caller}: attachments of the default framebuffer cannot be changed`,
      );
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
