/** Uploads that define levels or replace parts of them (OpenGL ES 2.0, section 3.7). */
import { RenderError, TEXTURE_FORMATS } from '@tessera/frame';
import { GL, nameOfEnum } from '../../api/constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import type { ApiRules } from '../../rules/api-rules.ts';
import {
  areWholeBlocks,
  compressedBytes,
  compressedFormatOf,
  decompressSlices,
  isBptc,
  isInsideLevel,
} from '../../texels/compressed/compressed-formats.ts';
import { refuseNarrowCopy } from '../../texels/quantize-channels.ts';
import { storedSizeOf } from '../../texels/stored-size.ts';
import {
  isSizedFormat,
  storageOf,
  type TexelStorage,
  UPLOAD_BY_KIND,
} from '../../texels/texel-storage.ts';
import type { ByteBudget } from '../byte-budget.ts';
import { bindingTargetOf, dimensionOf, faceOf } from '../samplers/texture-parameters.ts';
import type { PixelStore } from './pixel-store.ts';
import {
  convertUpload,
  insertTexels,
  isUploadReadable,
  makeBlankTexels,
  measureTexels,
  splitSlices,
} from './texel-upload.ts';
import type { TextureContents } from './texture-contents.ts';
import type { TextureObject } from './texture-object.ts';

/** Upper bound on the width and height of a level in pixels. */
export const MAX_TEXTURE_EDGE_PX = 8192;
/** Upper bound on the number of layers, and on the depth of 3D textures. */
export const MAX_TEXTURE_SLICES = 2048;

/** Internal formats of OpenGL ES 2.0. The format of the upload must be the same. */
const ES2_FORMATS: readonly number[] = [
  ...[GL.ALPHA, GL.RGB, GL.RGBA, GL.LUMINANCE, GL.LUMINANCE_ALPHA, GL.BGRA],
  ...[GL.DEPTH_COMPONENT, GL.DEPTH_STENCIL, GL.SRGB, GL.SRGB_ALPHA],
];

/** Size, format and texels of an upload. */
export interface Upload {
  readonly target: number;
  readonly level: number;
  readonly widthPx: number;
  readonly heightPx: number;
  /** Depth of a 3D texture, or number of layers of an array. Default: 1. */
  readonly depthPx?: number | undefined;
  readonly format: number;
  readonly type: number;
  /** Texels in the layout set by `pixelStorei`. `null` for undefined contents. */
  readonly bytes: Uint8Array | null;
}

/** Size and compressed blocks of an upload. */
export type CompressedUpload = Omit<Upload, 'format' | 'type'>;

/** Texture uploads of one context. */
export class TextureUploads {
  readonly #errors: GlErrors;
  readonly #budget: ByteBudget;
  readonly #store: PixelStore;
  readonly #rules: ApiRules;
  readonly #bound: (target: number) => TextureObject;
  /** Operations on contents that passes have drawn. */
  readonly contents: TextureContents;

  /** @param bound Returns the texture bound to a target of the active unit. */
  constructor(
    errors: GlErrors,
    budget: ByteBudget,
    store: PixelStore,
    rules: ApiRules,
    bound: (target: number) => TextureObject,
    contents: TextureContents,
  ) {
    this.#errors = errors;
    this.#budget = budget;
    this.#store = store;
    this.#rules = rules;
    this.#bound = bound;
    this.contents = contents;
  }

  /** Defines a level, or one face of a cube map's level. Without bytes the level is blank. */
  image(internalFormat: number, upload: Upload): void {
    this.#prepare(upload, true);
    this.#define(internalFormat, upload);
  }

  #define(internalFormat: number, upload: Upload): void {
    const { widthPx, heightPx, depthPx = 1 } = upload;
    const caller = depthPx === 1 ? 'texImage2D' : 'texImage3D';
    const place = this.#target(caller, upload.target);
    if (place === null) return;
    const storage = storageOf(internalFormat, upload.type, this.#rules.isUploadFormatStrict);
    if (storage === null) {
      this.#errors.raise(
        this.#rules.isUploadFormatStrict ? GL.INVALID_VALUE : GL.INVALID_ENUM,
        `${caller}: internal format ${nameOfEnum(internalFormat)} is not accepted`,
      );
      return;
    }
    const isFitting = ES2_FORMATS.includes(upload.format) && internalFormat === upload.format;
    if (this.#rules.isUploadFormatStrict && !isFitting && !isSizedFormat(internalFormat)) {
      this.#errors.raise(
        GL.INVALID_OPERATION,
        `${caller}: internal format ${nameOfEnum(internalFormat)} does not match format ${nameOfEnum(upload.format)}`,
      );
      return;
    }
    if (!this.#isSize(caller, upload, place.texture)) return;
    const { texture, face } = place;
    if (!this.#isShapeable(caller, texture)) return;
    this.#requireReplaceable(caller, texture);
    const texelCount = widthPx * heightPx * depthPx;
    const oldBytes = texture.level(upload.level, face)?.texels.length ?? 0;
    const newBytes = texelCount * TEXTURE_FORMATS[storage.format].bytesPerTexel;
    if (!this.#isReadable(caller, storage, upload)) return;
    if (!this.#budget.exchange(oldBytes, newBytes)) {
      this.#errors.raise(
        GL.OUT_OF_MEMORY,
        `${caller}: ${widthPx}×${heightPx}×${depthPx} texels exceed the memory limit`,
      );
      return;
    }
    const texels =
      upload.bytes === null
        ? makeBlankTexels(storage, texelCount)
        : this.#convert(caller, storage, upload, upload.bytes);
    if (texels === null) return;
    const isUnsizedDepth = storage.base === 'depth' && !isSizedFormat(internalFormat);
    const isEs = this.#rules.isUploadFormatStrict;
    const stored = storedSizeOf(internalFormat, upload.type, storage, isEs);
    const level = { widthPx, heightPx, depthPx, ...storage, texels, ...stored };
    texture.setLevel(upload.level, isUnsizedDepth ? { ...level, isUnsizedDepth } : level, face);
  }

  /** Defines a level from compressed blocks of texels, which are decompressed immediately. */
  compressedImage(internalFormat: number, upload: CompressedUpload): void {
    this.#prepare(upload, true);
    const { widthPx, heightPx, depthPx = 1, level, bytes } = upload;
    const caller = depthPx === 1 ? 'compressedTexImage2D' : 'compressedTexImage3D';
    const place = this.#target(caller, upload.target);
    if (place === null) return;
    const compressed = compressedFormatOf(internalFormat);
    if (compressed === null) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `${caller}: internal format ${nameOfEnum(internalFormat)} is not accepted`,
      );
      return;
    }
    if (!this.#isSize(caller, upload, place.texture)) return;
    const { storage, blocks } = compressed;
    if (bytes !== null && bytes.length < depthPx * compressedBytes(compressed, widthPx, heightPx)) {
      this.#errors.raise(GL.INVALID_VALUE, `${caller}: ${bytes.length} bytes are too few`);
      return;
    }
    const { texture, face } = place;
    if (texture.dimension === '3d' && !isBptc(internalFormat)) {
      this.#errors.raise(GL.INVALID_OPERATION, `${caller}: the blocks are not those of volumes`);
      return;
    }
    if (!this.#isShapeable(caller, texture)) return;
    this.#requireReplaceable(caller, texture);
    const { bytesPerTexel } = TEXTURE_FORMATS[storage.format];
    const oldBytes = texture.level(level, face)?.texels.length ?? 0;
    const texelCount = widthPx * heightPx * depthPx;
    if (!this.#budget.exchange(oldBytes, texelCount * bytesPerTexel)) {
      this.#errors.raise(
        GL.OUT_OF_MEMORY,
        `${caller}: ${widthPx}×${heightPx}×${depthPx} texels exceed the memory limit`,
      );
      return;
    }
    const texels =
      bytes === null
        ? makeBlankTexels(storage, texelCount)
        : decompressSlices(compressed, bytesPerTexel, { widthPx, heightPx, depthPx }, bytes);
    texture.setLevel(level, { widthPx, heightPx, depthPx, ...storage, texels, blocks }, face);
  }

  /** Replaces whole compressed blocks of a level. */
  compressedSubImage(x: number, y: number, format: number, upload: CompressedUpload, z = 0): void {
    this.#prepare(upload, false);
    const { widthPx, heightPx, depthPx = 1, bytes } = upload;
    const caller = depthPx === 1 ? 'compressedTexSubImage2D' : 'compressedTexSubImage3D';
    const place = this.#target(caller, upload.target);
    if (place === null) return;
    const { texture, face } = place;
    const level = texture.level(upload.level, face);
    const compressed = compressedFormatOf(format);
    if (compressed === null || level?.blocks !== compressed.blocks) {
      this.#errors.raise(
        GL.INVALID_OPERATION,
        `${caller}: format ${nameOfEnum(format)} does not match the compressed level`,
      );
      return;
    }
    const areSlices = Math.min(z, depthPx) >= 0 && z + depthPx <= level.depthPx;
    const isInside = areSlices && isInsideLevel(x, y, upload, level);
    if (!isInside || !areWholeBlocks(compressed, x, y, upload, level)) {
      this.#errors.raise(
        isInside ? GL.INVALID_OPERATION : GL.INVALID_VALUE,
        `${caller}: the rectangle ${widthPx}×${heightPx} at ${x}, ${y} is outside the level or not aligned to blocks`,
      );
      return;
    }
    if (bytes === null) return;
    if (bytes.length < depthPx * compressedBytes(compressed, widthPx, heightPx)) {
      this.#errors.raise(GL.INVALID_VALUE, `${caller}: ${bytes.length} bytes are too few`);
      return;
    }
    this.#requireReplaceable(caller, texture);
    const { bytesPerTexel } = TEXTURE_FORMATS[level.format];
    const size = { widthPx, heightPx, depthPx };
    const texels = decompressSlices(compressed, bytesPerTexel, size, bytes);
    const box = { ...size, format, type: 0 };
    texture.setLevel(upload.level, insertTexels(level, texels, { x, y, z }, box), face);
  }

  /** Allocates all levels of an immutable texture. Their contents are blank. */
  storage(
    target: number,
    levelCount: number,
    internalFormat: number,
    widthPx: number,
    heightPx: number,
    depthPx = 1,
  ): void {
    const caller = depthPx === 1 ? 'texStorage2D' : 'texStorage3D';
    const dimension = dimensionOf(target);
    const storage = isSizedFormat(internalFormat) ? storageOf(internalFormat, 0, true) : null;
    if (dimension === null || storage === null) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `${caller}: internal format ${nameOfEnum(internalFormat)} is not accepted`,
      );
      return;
    }
    const bindTarget = dimension === 'cube' ? GL.TEXTURE_CUBE_MAP : target;
    const texture = this.#bound(bindTarget);
    if (texture.name === 0) {
      this.#errors.raise(GL.INVALID_OPERATION, `${caller}: no texture is bound`);
      return;
    }
    if (!this.#isShapeable(caller, texture)) return;
    const deepPx = dimension === '3d' ? depthPx : 1;
    const chain = 32 - Math.clz32(Math.max(widthPx, heightPx, deepPx));
    if (levelCount < 1 || Math.min(widthPx, heightPx, depthPx) < 1 || levelCount > chain) {
      this.#errors.raise(
        GL.INVALID_VALUE,
        `${caller}: ${levelCount} levels do not match a size of ${widthPx}×${heightPx}`,
      );
      return;
    }
    const { format, type } = UPLOAD_BY_KIND[TEXTURE_FORMATS[storage.format].kind];
    const faces = dimension === 'cube' ? 6 : 1;
    const firstTarget = dimension === 'cube' ? GL.TEXTURE_CUBE_MAP_POSITIVE_X : target;
    for (let level = 0; level < levelCount; level++) {
      const half = (size: number): number => Math.max(1, size >> level);
      const size = { widthPx: half(widthPx), heightPx: half(heightPx) };
      const depth = dimension === '3d' ? half(depthPx) : depthPx;
      for (let face = 0; face < faces; face++) {
        const upload = { ...size, target: firstTarget + face, level, format, type, bytes: null };
        this.image(internalFormat, { ...upload, depthPx: depth });
      }
    }
    if (texture.level(levelCount - 1) !== null) texture.makeImmutable(levelCount);
  }

  /**
   * Prepares a level as the destination of a copy. With `internalFormat`, it defines the level.
   * Otherwise the level must exist.
   *
   * @returns Texture and slice of the destination, or `null` after an error.
   * @throws {RenderError} FRAME_UNSUPPORTED for a format of OpenGL with fewer than 8 bits.
   */
  copyTarget(
    target: number,
    level: number,
    internalFormat: number | null,
    widthPx: number,
    heightPx: number,
  ): { readonly texture: TextureObject; readonly slice: number } | null {
    const caller = internalFormat === null ? 'copyTexSubImage2D' : 'copyTexImage2D';
    const place = this.#target(caller, target);
    if (place === null) return null;
    const { texture, face } = place;
    if (internalFormat !== null) {
      if (!this.#isShapeable(caller, texture)) return null;
      const isStrict = this.#rules.isUploadFormatStrict;
      const storage = storageOf(internalFormat, GL.UNSIGNED_BYTE, isStrict);
      if (storage === null) {
        this.#errors.raise(
          GL.INVALID_ENUM,
          `${caller}: internal format ${nameOfEnum(internalFormat)} is not accepted`,
        );
        return null;
      }
      if (storage.bits !== undefined) refuseNarrowCopy(caller, internalFormat);
      const before = texture.level(level, face);
      const isSame =
        before?.widthPx === widthPx && before.heightPx === heightPx && before.base === storage.base;
      if (!isSame) {
        const { format, type } = UPLOAD_BY_KIND[TEXTURE_FORMATS[storage.format].kind];
        const upload = { target, level, widthPx, heightPx, type, bytes: null };
        this.#define(internalFormat, {
          ...upload,
          format: isStrict && !isSizedFormat(internalFormat) ? internalFormat : format,
        });
      }
    }
    if (texture.level(level, face) === null) {
      this.#errors.raise(GL.INVALID_OPERATION, `${caller}: level ${level} is not defined`);
      return null;
    }
    return { texture, slice: face };
  }

  /**
   * Replaces a box of texels in a level. `x`, `y` and `z` are offsets in texels from the first row
   * of the first slice.
   */
  subImage(x: number, y: number, upload: Upload, z = 0): void {
    this.#prepare(upload, false);
    const { widthPx, heightPx, depthPx = 1 } = upload;
    const caller = depthPx === 1 ? 'texSubImage2D' : 'texSubImage3D';
    const place = this.#target(caller, upload.target);
    if (place === null) return;
    const { texture, face } = place;
    const level = texture.level(upload.level, face);
    if (level === null) {
      this.#errors.raise(GL.INVALID_OPERATION, `${caller}: level ${upload.level} is not defined`);
      return;
    }
    const isInside =
      Math.min(x, y, z, widthPx, heightPx, depthPx) >= 0 &&
      x + widthPx <= level.widthPx &&
      y + heightPx <= level.heightPx &&
      z + depthPx <= level.depthPx;
    if (!isInside) {
      this.#errors.raise(
        GL.INVALID_VALUE,
        `${caller}: ${widthPx}×${heightPx} texels at ${x}, ${y} are outside the level of ${level.widthPx}×${level.heightPx}`,
      );
      return;
    }
    if (!this.#isReadable(caller, level, upload) || upload.bytes === null) return;
    const isWhole =
      widthPx === level.widthPx && heightPx === level.heightPx && depthPx === level.depthPx;
    const texels = this.#convert(caller, level, upload, upload.bytes);
    if (texels === null) return;
    if (texture.isDrawnInto && !(isWhole && texture.levels.isOne)) {
      const { format } = level;
      const slices = depthPx === 1 ? [texels] : splitSlices(texels, depthPx);
      slices.forEach((each, i) => {
        const image = { object: texture, level: upload.level, slice: face + z + i, format };
        const size = { widthPx: level.widthPx, heightPx: level.heightPx };
        this.contents.replaceTexels(
          { ...size, ...image },
          { x, y, widthPx, heightPx, texels: each },
        );
      });
      return;
    }
    texture.setLevel(upload.level, insertTexels(level, texels, { x, y, z }, upload), face);
  }

  /** Returns the texture bound to an upload target, or `null` for an unknown target. */
  textureOf(target: number): TextureObject | null {
    const bindTarget = bindingTargetOf(target);
    return dimensionOf(bindTarget) === null ? null : this.#bound(bindTarget);
  }

  generateMipmap(target: number): void {
    const bound = this.textureOf(target);
    if (bound !== null) this.contents.prepareMipmaps(bound);
    const place = this.#target('generateMipmap', target);
    if (place === null) return;
    const { texture } = place;
    const size = texture.baseSize();
    const isRefused =
      this.#rules.isPowerOfTwoOnly &&
      size !== null &&
      ((size.widthPx & (size.widthPx - 1)) !== 0 || (size.heightPx & (size.heightPx - 1)) !== 0);
    if (isRefused || !texture.canGenerateMipmaps()) {
      this.#errors.raise(
        GL.INVALID_OPERATION,
        'generateMipmap: the size or format of the base level does not allow mipmaps',
      );
      return;
    }
    texture.generateMipmaps();
  }

  #prepare({ target, level }: Pick<Upload, 'target' | 'level'>, isNewLevel: boolean): void {
    const texture = this.textureOf(target);
    if (texture !== null) this.contents.prepareUpload(texture, level, isNewLevel);
  }

  /** Returns the texture and cube face of an upload target, or `null` after an error. */
  #target(caller: string, target: number): { texture: TextureObject; face: number } | null {
    const texture = this.textureOf(target);
    const isWholeCube = target === GL.TEXTURE_CUBE_MAP && caller !== 'generateMipmap';
    if (texture === null || isWholeCube) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `${caller}: ${nameOfEnum(target)} is not a texture target`,
      );
      return null;
    }
    return { texture, face: faceOf(target) };
  }

  #isSize(
    caller: string,
    upload: Pick<Upload, 'widthPx' | 'heightPx' | 'depthPx' | 'level'>,
    { dimension }: TextureObject,
  ): boolean {
    const { widthPx, heightPx, depthPx = 1, level } = upload;
    const maxPx = MAX_TEXTURE_EDGE_PX;
    const maxSlices = dimension === '3d' || dimension === '2d-array' ? MAX_TEXTURE_SLICES : 1;
    const isFitting =
      Math.min(widthPx, heightPx, depthPx) >= 0 &&
      Math.max(widthPx, heightPx) <= maxPx &&
      depthPx <= maxSlices &&
      (dimension !== 'cube' || widthPx === heightPx) &&
      level >= 0 &&
      level < 14;
    if (isFitting) return true;
    this.#errors.raise(
      GL.INVALID_VALUE,
      `${caller}: size ${widthPx}×${heightPx}×${depthPx} or level ${level} is out of range`,
    );
    return false;
  }

  /** Whether levels may change their size and format. Raises an error if they may not. */
  #isShapeable(caller: string, { immutableLevels, name }: TextureObject): boolean {
    if (immutableLevels === null) return true;
    this.#errors.raise(GL.INVALID_OPERATION, `${caller}: texture ${name} is immutable`);
    return false;
  }

  /**
   * Rejects a new level beside levels that passes have drawn, because the contents of those levels
   * are not known here.
   */
  #requireReplaceable(caller: string, texture: TextureObject): void {
    if (!texture.isDrawnInto || texture.levels.isOne) return;
    throw new RenderError('FRAME_UNSUPPORTED', `${caller}: one image of several that were drawn`);
  }

  /**
   * Whether format and type of an upload match each other and the level. Raises an error if they do
   * not.
   */
  #isReadable(caller: string, storage: TexelStorage, { format, type }: Upload): boolean {
    if (isUploadReadable(storage, format, type)) return true;
    this.#errors.raise(
      GL.INVALID_OPERATION,
      `${caller}: format ${nameOfEnum(format)} and type ${nameOfEnum(type)} do not match the level`,
    );
    return false;
  }

  #convert(
    caller: string,
    storage: TexelStorage,
    upload: Upload,
    bytes: Uint8Array,
  ): Uint8Array<ArrayBuffer> | null {
    const { sizeBytes } = measureTexels(upload, this.#store.unpackLayout)!;
    if (bytes.length >= sizeBytes)
      return convertUpload(storage, upload, bytes, this.#store.unpackLayout);
    this.#errors.raise(
      GL.INVALID_OPERATION,
      `${caller}: ${bytes.length} bytes of data are fewer than the ${sizeBytes} required`,
    );
    return null;
  }
}
