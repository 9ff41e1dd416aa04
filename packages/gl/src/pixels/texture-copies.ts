/** Copies of framebuffers into textures (OpenGL ES 2.0, section 3.7.2; ES 3.0, section 3.8.5). */
import { type RectPx, TEXTURE_FORMATS, type TextureFormat } from '@tessera/frame';
import { GL } from '../api/constants.ts';
import type { GlErrors } from '../api/gl-errors.ts';
import type { Attachment } from '../objects/framebuffers/framebuffer-objects.ts';
import { insertTexels } from '../objects/textures/texel-upload.ts';
import type { TextureObject } from '../objects/textures/texture-object.ts';
import type { DrawRecorder } from '../recording/draw-recorder.ts';
import type { PassTarget } from '../recording/passes/pass-attachments.ts';
import type { ReadImage } from '../texels/read-formats.ts';
import { makeChannels, texelReader, writeTexel } from '../texels/texel-channels.ts';
import type { BaseFormat } from '../texels/texel-formats.ts';
import { storageOf, type TexelStorage } from '../texels/texel-storage.ts';
import type { PixelReads } from './pixel-reads.ts';

/** Channels that a texture of each base takes, and that a colour of it has. */
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
  depth: 'd',
};

/** Formats that passes copy into each other. */
const BYTE_FORMATS: readonly TextureFormat[] = ['r8unorm', 'rg8unorm', 'rgba8unorm'];

/** Where a copy goes. */
export interface CopyPlace {
  readonly texture: TextureObject;
  readonly level: number;
  /** Of the level: a face, layer or slice. */
  readonly slice: number;
  readonly x: number;
  readonly y: number;
}

/** What is copied. */
export interface CopySource {
  readonly attachment: Attachment;
  readonly storage: TexelStorage & { readonly widthPx: number; readonly heightPx: number };
  readonly target: PassTarget;
}

export class TextureCopies {
  readonly #errors: GlErrors;
  readonly #reads: PixelReads;
  readonly #recorder: DrawRecorder;

  constructor(errors: GlErrors, reads: PixelReads, recorder: DrawRecorder) {
    this.#errors = errors;
    this.#reads = reads;
    this.#recorder = recorder;
  }

  /** Whether a texture of a format takes what is read; raises the error if not. */
  isFitting(
    where: string,
    { storage }: CopySource,
    into: TexelStorage | null,
    isNewLevel: boolean,
  ): boolean {
    if (into === null) return true; // the upload says what is wrong
    const given = CHANNELS[storage.base];
    const areThere = [...CHANNELS[into.base]].every((channel) => given.includes(channel));
    const areAlike = isNewLevel || classOf(storage.format) === classOf(into.format);
    if (areThere && areAlike && kindOf(storage.format) === kindOf(into.format)) return true;
    this.#errors.raise(
      GL.INVALID_OPERATION,
      `${where}: ${storage.base} of ${storage.format} into ${into.base} of ${into.format}`,
    );
    return false;
  }

  /** Whether a copy reads what it writes. */
  isLoop({ attachment }: CopySource, { texture, level, slice }: CopyPlace): boolean {
    return (
      attachment.kind === 'texture' &&
      attachment.texture === texture &&
      attachment.level === level &&
      attachment.slice === slice
    );
  }

  /** Copies a rectangle, of which what lies outside of the source is left out. @param rect Rows from the lowest. */
  copy(source: CopySource, rect: RectPx, into: CopyPlace): void {
    const { texture, level, slice } = into;
    const face = texture.dimension === 'cube' ? slice : 0;
    const held = texture.level(level, face)!;
    const isOfPasses =
      texture.hasChainTo(level) &&
      isAllReached(source) &&
      (source.storage.format === held.format
        ? held.base === 'rgba' || held.base === 'red' || held.base === 'rg' || isPlainByte(held)
        : isPlainByte(held) && BYTE_FORMATS.includes(source.storage.format));
    if (isOfPasses) {
      this.#recorder.copy(source.target, rect, { texture, level, slice }, into);
      return;
    }
    const image = this.#reads.readImage(source.attachment, source.storage);
    this.#recorder.known?.resolveObject(texture);
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

/** Whether a pass reaches all of the image: one with images of other sizes may not. */
function isAllReached({ storage, target }: CopySource): boolean {
  return storage.widthPx === target.widthPx && storage.heightPx === target.heightPx;
}

const isPlainByte = ({ format }: TexelStorage): boolean => BYTE_FORMATS.includes(format);

/** What of a rectangle lies in an image; `null`: nothing. */
function cutOut({ widthPx, heightPx }: ReadImage, rect: RectPx): RectPx | null {
  const x = Math.max(0, rect.x);
  const y = Math.max(0, rect.y);
  const width = Math.min(widthPx, rect.x + rect.width) - x;
  const height = Math.min(heightPx, rect.y + rect.height) - y;
  return width > 0 && height > 0 ? { x, y, width, height } : null;
}

/** A part of an image as texels of another format, tightly packed. */
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

/** Channels as a texture of the base stores them. */
function spread(base: BaseFormat, channels: Float64Array): void {
  if (base === 'alpha') channels.fill(0, 0, 3);
  if (base.startsWith('luminance')) channels.fill(channels[0]!, 0, 3);
  if (base === 'rgb' || base === 'srgb' || base === 'luminance') channels[3] = 1;
}

/** Normalised, float, and the two kinds of integers are not made into each other. */
function kindOf(format: TextureFormat): string {
  return TEXTURE_FORMATS[format].kind;
}

function classOf(format: TextureFormat): string {
  if (format.includes('float')) return 'float';
  return format.endsWith('srgb') ? 'srgb' : kindOf(format);
}

/** What a level of an internal format stores; `null` if there is no such. */
export function copiedStorage(internalFormat: number): TexelStorage | null {
  return storageOf(internalFormat, GL.UNSIGNED_BYTE, true);
}
