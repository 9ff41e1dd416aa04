/** Copies of framebuffers into textures (OpenGL ES 2.0, section 3.7.2; ES 3.0, section 3.8.5). */
import { type RectPx, TEXTURE_FORMATS, type TextureFormat } from '@tessera/frame';
import { GL } from '../api/constants.ts';
import type { GlErrors } from '../api/gl-errors.ts';
import type { DrawTargets } from '../draw/draw-targets.ts';
import type { Attachment } from '../objects/framebuffers/framebuffer-object.ts';
import type { FramebufferState } from '../objects/framebuffers/framebuffer-state.ts';
import { faceOf } from '../objects/samplers/texture-parameters.ts';
import { insertTexels } from '../objects/textures/texel-upload.ts';
import type { TextureLevel } from '../objects/textures/texture-levels.ts';
import type { TextureObject } from '../objects/textures/texture-object.ts';
import type { TextureState } from '../objects/textures/texture-state.ts';
import { CopyRecorder } from '../recording/copy-recorder.ts';
import type { PassTarget } from '../recording/passes/pass-attachments.ts';
import type { Recording } from '../recording/recording.ts';
import type { ReadImage } from '../texels/read-formats.ts';
import { makeChannels, texelReader, writeTexel } from '../texels/texel-channels.ts';
import type { BaseFormat } from '../texels/texel-formats.ts';
import { storageOf, type TexelStorage } from '../texels/texel-storage.ts';
import type { PixelReads } from './pixel-reads.ts';

/** Channels that a texture of each base format copies, and that its source must have. */
const CHANNELS: Readonly<Record<BaseFormat, string>> = {
  red: 'r',
  rg: 'rg',
  rgb: 'rgb',
  rgba: 'rgba',
  alpha: 'a',
  luminance: 'r',
  'luminance-alpha': 'ra',
  intensity: 'r',
  srgb: 'rgb',
  'srgb-alpha': 'rgba',
  sluminance: 'r',
  'sluminance-alpha': 'ra',
  depth: 'd',
};

/** Formats between which passes can copy. */
const BYTE_FORMATS: readonly TextureFormat[] = ['r8unorm', 'rg8unorm', 'rgba8unorm'];

/** Texel of a level; `z` counts layers or slices. */
interface TexelPlace {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** Destination of a copy. */
interface CopyPlace {
  readonly texture: TextureObject;
  readonly level: number;
  /** Face, layer or slice of the level. */
  readonly slice: number;
  readonly x: number;
  readonly y: number;
}

/** Source of a copy. */
interface CopySource {
  readonly attachment: Attachment;
  readonly storage: TexelStorage & { readonly widthPx: number; readonly heightPx: number };
  readonly target: PassTarget;
}

/** State that copies depend on. */
interface CopyParts {
  readonly errors: GlErrors;
  readonly framebuffers: FramebufferState;
  readonly textures: TextureState;
  readonly targets: DrawTargets;
  readonly reads: PixelReads;
  readonly recording: Recording;
}

/**
 * Copies into textures of one context. With a renderer, any format can be copied. Otherwise a pass
 * must be able to copy it.
 */
export class TextureCopies {
  readonly #parts: CopyParts;
  readonly #recorder: CopyRecorder;

  constructor(parts: CopyParts) {
    this.#parts = parts;
    this.#recorder = new CopyRecorder(parts);
  }

  /** Defines a level by a rectangle of the read framebuffer (`glCopyTexImage2D`). */
  image(
    target: number,
    level: number,
    internalFormat: number,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void {
    const at = { x: 0, y: 0, z: 0 };
    this.#copy('copyTexImage2D', target, level, internalFormat, at, { x, y, width, height });
  }

  /** Replaces a part of a level (`glCopyTexSubImage2D`). */
  subImage(
    target: number,
    level: number,
    intoX: number,
    intoY: number,
    ...[x, y, width, height]: readonly [number, number, number, number]
  ): void {
    const at = { x: intoX, y: intoY, z: 0 };
    this.#copy('copyTexSubImage2D', target, level, null, at, { x, y, width, height });
  }

  /** Replaces a part of a slice of a level (`glCopyTexSubImage3D`). */
  subImage3d(
    target: number,
    level: number,
    intoX: number,
    intoY: number,
    intoZ: number,
    ...[x, y, width, height]: readonly [number, number, number, number]
  ): void {
    const at = { x: intoX, y: intoY, z: intoZ };
    this.#copy('copyTexSubImage2D', target, level, null, at, { x, y, width, height });
  }

  #copy(
    caller: string,
    target: number,
    level: number,
    internalFormat: number | null,
    at: TexelPlace,
    rect: RectPx,
  ): void {
    if (this.#parts.targets.drawingBuffer === null) {
      this.#copyInPass(caller, target, level, internalFormat, at, rect);
    } else {
      this.#copyResident(caller, target, level, internalFormat, at, rect);
    }
  }

  /** Records a copy by the pass that draws the source. */
  #copyInPass(
    caller: string,
    target: number,
    level: number,
    internalFormat: number | null,
    at: TexelPlace,
    rect: RectPx,
  ): void {
    const { framebuffers, textures, targets } = this.#parts;
    const { width, height } = rect;
    const source = framebuffers.readFramebuffer;
    if (framebuffers.checkStatus(GL.READ_FRAMEBUFFER) !== GL.FRAMEBUFFER_COMPLETE) {
      const message = `${caller}: the read framebuffer is incomplete`;
      this.#parts.errors.raise(GL.INVALID_FRAMEBUFFER_OPERATION, message);
      return;
    }
    if (framebuffers.sampleCountOf(source) > 1) {
      const message = `${caller}: the read framebuffer is multisampled`;
      this.#parts.errors.raise(GL.INVALID_OPERATION, message);
      return;
    }
    if (Math.min(width, height, at.x, at.y) < 0) {
      this.#parts.errors.raise(
        GL.INVALID_VALUE,
        `${caller}: the rectangle ${width}×${height} at ${at.x}, ${at.y} has a negative size or position`,
      );
      return;
    }
    const into = textures.uploads.copyTarget(target, level, internalFormat, width, height);
    if (into === null) return;
    const face = into.texture.dimension === 'cube' ? into.slice : 0;
    if (!this.#isInside(caller, into.texture.level(level, face)!, at, rect)) return;
    const size = source === null ? targets : framebuffers.sizeOf(source, true);
    const { widthPx, heightPx } = size;
    const from = { framebuffer: source, widthPx, heightPx, isSrgbRaw: targets.isSrgbRaw };
    this.#recorder.copy(from, rect, { ...into, level, slice: into.slice + at.z }, at);
  }

  /** Copies by a pass if possible. Otherwise reads the source and uploads the texels. */
  #copyResident(
    caller: string,
    target: number,
    level: number,
    internalFormat: number | null,
    at: TexelPlace,
    rect: RectPx,
  ): void {
    const { textures, reads } = this.#parts;
    const { uploads } = textures;
    const found = reads.source(caller);
    if (found === null) return;
    const { width, height } = rect;
    if (Math.min(width, height, at.x, at.y, at.z) < 0) {
      this.#parts.errors.raise(
        GL.INVALID_VALUE,
        `${caller}: the rectangle ${width}×${height} at ${at.x}, ${at.y} has a negative size or position`,
      );
      return;
    }
    const source = { ...found, target: this.#readTarget() };
    const texture = uploads.textureOf(target);
    const face = faceOf(target);
    const held = texture?.level(level, face) ?? null;
    const storage = internalFormat === null ? held : copiedStorage(internalFormat);
    if (!this.#isFitting(caller, source, storage, internalFormat !== null)) return;
    const place = { level, slice: face + at.z, x: at.x, y: at.y };
    if (texture !== null && isLoop(source, { ...place, texture })) {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `${caller}: the source and the destination are the same image`,
      );
      return;
    }
    if (texture !== null) uploads.contents.prepareUpload(texture, level, internalFormat !== null);
    // A new level is blank where the rectangle is outside the source.
    const isCut = !isWithin(rect, found.storage);
    if (internalFormat !== null && isCut && held !== null && texture !== null) {
      const none = { ...held, widthPx: 0, heightPx: 0, texels: new Uint8Array(0) };
      texture.setLevel(level, none, face);
    }
    const into = uploads.copyTarget(target, level, internalFormat, width, height);
    if (into === null) return;
    if (!this.#isInside(caller, into.texture.level(level, face)!, at, rect)) return;
    this.#copyTexels(source, rect, { ...place, texture: into.texture });
  }

  #readTarget(): PassTarget {
    const { framebuffers, targets } = this.#parts;
    const framebuffer = framebuffers.readFramebuffer ?? targets.drawingBuffer!.resolved;
    return { framebuffer, ...framebuffers.sizeOf(framebuffer, true) };
  }

  #isInside(
    caller: string,
    size: TextureLevel,
    at: TexelPlace,
    { width, height }: RectPx,
  ): boolean {
    const isInside =
      at.x + width <= size.widthPx &&
      at.y + height <= size.heightPx &&
      at.z >= 0 &&
      at.z < size.depthPx;
    if (!isInside)
      this.#parts.errors.raise(GL.INVALID_VALUE, `${caller}: the rectangle is outside the level`);
    return isInside;
  }

  /** Returns whether a texture of a format can take the source; raises an error if not. */
  #isFitting(
    caller: string,
    { storage }: CopySource,
    into: TexelStorage | null,
    isNewLevel: boolean,
  ): boolean {
    if (into === null) return true; // The upload raises the error.
    const given = CHANNELS[storage.base];
    const areThere = [...CHANNELS[into.base]].every((channel) => given.includes(channel));
    const areAlike = isNewLevel || classOf(storage.format) === classOf(into.format);
    if (areThere && areAlike && kindOf(storage.format) === kindOf(into.format)) return true;
    this.#parts.errors.raise(
      GL.INVALID_OPERATION,
      `${caller}: ${storage.base} of format ${storage.format} cannot be copied into ${into.base} of format ${into.format}`,
    );
    return false;
  }

  /**
   * Copies the part of a rectangle that is inside the source.
   *
   * @param rect Rectangle with rows counted from the lowest.
   */
  #copyTexels(source: CopySource, rect: RectPx, into: CopyPlace): void {
    const { reads, recording } = this.#parts;
    const { texture, level, slice } = into;
    const face = texture.dimension === 'cube' ? slice : 0;
    const held = texture.level(level, face)!;
    const isOfPasses =
      texture.levels.hasChainTo(level) &&
      isAllReached(source) &&
      (source.storage.format === held.format
        ? held.base === 'rgba' || held.base === 'red' || held.base === 'rg' || isPlainByte(held)
        : isPlainByte(held) && BYTE_FORMATS.includes(source.storage.format));
    if (isOfPasses) {
      this.#recorder.copy(source.target, rect, { texture, level, slice }, into);
      return;
    }
    const image = reads.readImage(source.attachment, source.storage);
    recording.contents?.resolveObject(texture);
    const part = cutOut(image, rect);
    if (part === null) return;
    const texels = convert(image, part, held);
    const at = {
      x: into.x + part.x - rect.x,
      y: into.y + part.y - rect.y,
      z: texture.dimension === 'cube' ? 0 : slice,
    };
    const box = { widthPx: part.width, heightPx: part.height, format: 0, type: 0 };
    texture.setLevel(level, insertTexels(texture.level(level, face)!, texels, at, box), face);
  }
}

/** Whether a copy reads the image that it writes. */
function isLoop({ attachment }: CopySource, { texture, level, slice }: CopyPlace): boolean {
  return (
    attachment.kind === 'texture' &&
    attachment.texture === texture &&
    attachment.level === level &&
    attachment.slice === slice
  );
}

function isWithin({ x, y, width, height }: RectPx, size: CopySource['storage']): boolean {
  return x >= 0 && y >= 0 && x + width <= size.widthPx && y + height <= size.heightPx;
}

/** Whether a pass covers the whole image. A pass with images of other sizes may not. */
function isAllReached({ storage, target }: CopySource): boolean {
  return storage.widthPx === target.widthPx && storage.heightPx === target.heightPx;
}

const isPlainByte = ({ format }: TexelStorage): boolean => BYTE_FORMATS.includes(format);

/** Returns the part of a rectangle inside an image; `null` if there is none. */
function cutOut({ widthPx, heightPx }: ReadImage, rect: RectPx): RectPx | null {
  const x = Math.max(0, rect.x);
  const y = Math.max(0, rect.y);
  const width = Math.min(widthPx, rect.x + rect.width) - x;
  const height = Math.min(heightPx, rect.y + rect.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** Converts a part of an image to tightly packed texels of another format. */
function convert(image: ReadImage, part: RectPx, { base, format }: TexelStorage): Uint8Array {
  const { bytesPerTexel } = TEXTURE_FORMATS[format];
  const sourceBytes = TEXTURE_FORMATS[image.format].bytesPerTexel;
  const read = texelReader(image.format);
  const output = new Uint8Array(part.width * part.height * bytesPerTexel);
  const target = new DataView(output.buffer);
  const { texels } = image;
  const source = texels && new DataView(texels.buffer, texels.byteOffset, texels.byteLength);
  const channels = makeChannels();
  let to = 0;
  for (let y = part.y; y < part.y + part.height; y++) {
    for (let x = part.x; x < part.x + part.width; x++, to += bytesPerTexel) {
      channels.fill(0);
      if (source !== null) read(source, (y * image.widthPx + x) * sourceBytes, channels);
      if (!image.hasAlpha) channels[3] = 1;
      spread(base, channels);
      writeTexel(format, channels, target, to);
    }
  }
  return output;
}

/** Reduces channels to those that a texture of the base format stores. */
function spread(base: BaseFormat, channels: Float64Array): void {
  if (base === 'alpha') channels.fill(0, 0, 3);
  if (base.startsWith('luminance')) channels.fill(channels[0]!, 0, 3);
  if (base === 'rgb' || base === 'srgb' || base === 'luminance') channels[3] = 1;
}

/**
 * Returns the kind of a format. Normalized formats, floats and the two kinds of integers are not
 * converted into each other.
 */
function kindOf(format: TextureFormat): string {
  return TEXTURE_FORMATS[format].kind;
}

function classOf(format: TextureFormat): string {
  if (format.includes('float')) return 'float';
  return format.endsWith('srgb') ? 'srgb' : kindOf(format);
}

/** Returns the storage of a level of an internal format; `null` for an unknown format. */
function copiedStorage(internalFormat: number): TexelStorage | null {
  return storageOf(internalFormat, GL.UNSIGNED_BYTE, true);
}
