/** Uploads that define levels or replace parts of them (OpenGL ES 2.0, section 3.7). */
import { TEXTURE_FORMATS } from '@tessera/frame';
import { GL, nameOfEnum } from '../../api/constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import type { ApiRules } from '../../rules/api-rules.ts';
import { compressedFormatOf } from '../../texels/compressed/compressed-formats.ts';
import { refuseNarrowCopy } from '../../texels/quantize-channels.ts';
import { storedSizeOf } from '../../texels/stored-size.ts';
import {
  isSizedFormat,
  storageOf,
  type TexelStorage,
  UPLOAD_BY_KIND,
} from '../../texels/texel-storage.ts';
import type { ByteBudget } from '../byte-budget.ts';
import { dimensionOf } from '../samplers/texture-parameters.ts';
import { CompressedUploads } from './compressed-uploads.ts';
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
import { type UploadPlace, UploadTargets } from './upload-targets.ts';

/** Internal formats of OpenGL ES 2.0. The format of the upload must be the same. */
const ES2_FORMATS: readonly number[] = [
  ...[GL.ALPHA, GL.RGB, GL.RGBA, GL.LUMINANCE, GL.LUMINANCE_ALPHA, GL.BGRA],
  ...[GL.DEPTH_COMPONENT, GL.DEPTH_STENCIL, GL.SRGB, GL.SRGB_ALPHA],
];

/** Size, format and texels of an upload. */
export interface Upload extends UploadPlace {
  readonly format: number;
  readonly type: number;
  /** Texels in the layout set by `pixelStorei`. `null` for undefined contents. */
  readonly bytes: Uint8Array | null;
}

/** Texture uploads of one context. */
export class TextureUploads {
  readonly #errors: GlErrors;
  readonly #store: PixelStore;
  readonly #rules: ApiRules;
  readonly #bound: (target: number) => TextureObject;
  readonly #targets: UploadTargets;
  /** Uploads of compressed blocks. */
  readonly compressed: CompressedUploads;
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
    this.#store = store;
    this.#rules = rules;
    this.#bound = bound;
    this.contents = contents;
    this.#targets = new UploadTargets(errors, budget, bound, contents);
    this.compressed = new CompressedUploads(errors, this.#targets);
  }

  /** Returns the texture bound to an upload target, or `null` for an unknown target. */
  textureOf(target: number): TextureObject | null {
    return this.#targets.textureOf(target);
  }

  /** Defines a level, or one face of a cube map's level. Without bytes the level is blank. */
  image(internalFormat: number, upload: Upload): void {
    this.#targets.prepare(upload, true);
    this.#define(internalFormat, upload);
  }

  #define(internalFormat: number, upload: Upload): void {
    const { widthPx, heightPx, depthPx = 1 } = upload;
    const caller = depthPx === 1 ? 'texImage2D' : 'texImage3D';
    const place = this.#targets.find(caller, upload.target);
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
    if (!this.#targets.isSize(caller, upload, place.texture)) return;
    const { texture, face } = place;
    if (!this.#targets.isShapeable(caller, texture)) return;
    this.#targets.requireReplaceable(caller, texture);
    if (!this.#isReadable(caller, storage, upload)) return;
    if (!this.#targets.reserve(caller, upload, place, storage)) return;
    const texels =
      upload.bytes === null
        ? makeBlankTexels(storage, widthPx * heightPx * depthPx)
        : this.#convert(caller, storage, upload, upload.bytes);
    if (texels === null) return;
    const isUnsizedDepth = storage.base === 'depth' && !isSizedFormat(internalFormat);
    const isEs = this.#rules.isUploadFormatStrict;
    const stored = storedSizeOf(internalFormat, upload.type, storage, isEs);
    const compressed = compressedFormatOf(internalFormat);
    texture.setLevel(
      upload.level,
      {
        ...{ widthPx, heightPx, depthPx, ...storage, texels, ...stored },
        ...(isUnsizedDepth ? { isUnsizedDepth } : {}),
        ...(compressed === null ? {} : { compressedFormat: internalFormat }),
      },
      face,
    );
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
    const isCompressed = compressedFormatOf(internalFormat) !== null;
    const storage = isSizedFormat(internalFormat) ? storageOf(internalFormat, 0, true) : null;
    if (dimension === null || (storage === null && !isCompressed)) {
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
    if (!this.#targets.isShapeable(caller, texture)) return;
    const deepPx = dimension === '3d' ? depthPx : 1;
    const chain = 32 - Math.clz32(Math.max(widthPx, heightPx, deepPx));
    if (levelCount < 1 || Math.min(widthPx, heightPx, depthPx) < 1 || levelCount > chain) {
      this.#errors.raise(
        GL.INVALID_VALUE,
        `${caller}: ${levelCount} levels do not match a size of ${widthPx}×${heightPx}`,
      );
      return;
    }
    const faces = dimension === 'cube' ? 6 : 1;
    const firstTarget = dimension === 'cube' ? GL.TEXTURE_CUBE_MAP_POSITIVE_X : target;
    for (let level = 0; level < levelCount; level++) {
      const half = (size: number): number => Math.max(1, size >> level);
      const size = { widthPx: half(widthPx), heightPx: half(heightPx) };
      const depth = dimension === '3d' ? half(depthPx) : depthPx;
      for (let face = 0; face < faces; face++) {
        const place = { ...size, depthPx: depth, target: firstTarget + face, level, bytes: null };
        if (storage === null) this.compressed.image(internalFormat, place);
        else {
          const kind = UPLOAD_BY_KIND[TEXTURE_FORMATS[storage.format].kind];
          this.image(internalFormat, { ...place, ...kind });
        }
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
    const place = this.#targets.find(caller, target);
    if (place === null) return null;
    const { texture, face } = place;
    if (internalFormat !== null) {
      if (!this.#targets.isShapeable(caller, texture)) return null;
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
    this.#targets.prepare(upload, false);
    const { widthPx, heightPx, depthPx = 1 } = upload;
    const caller = depthPx === 1 ? 'texSubImage2D' : 'texSubImage3D';
    const place = this.#targets.find(caller, upload.target);
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

  generateMipmap(target: number): void {
    const bound = this.textureOf(target);
    if (bound !== null) this.contents.prepareMipmaps(bound);
    const place = this.#targets.find('generateMipmap', target);
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
