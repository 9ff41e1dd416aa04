/**
 * Uploads of compressed blocks, which are decompressed immediately (OpenGL ES 3.0, section 3.8.6).
 */
import { TEXTURE_FORMATS } from '@tessera/frame';
import { GL, nameOfEnum } from '../../api/constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import {
  areWholeBlocks,
  blankBlockTexels,
  type CompressedFormat,
  compressedBytes,
  compressedFormatOf,
  decompressSlices,
  isBptc,
  isInsideLevel,
} from '../../texels/compressed/compressed-formats.ts';
import { insertTexels } from './texel-upload.ts';
import type { UploadPlace, UploadTargets } from './upload-targets.ts';

/** Size and compressed blocks of an upload. */
export interface CompressedUpload extends UploadPlace {
  /** Blocks, row after row and slice after slice. `null` for blocks of zeros. */
  readonly bytes: Uint8Array | null;
}

/** Compressed uploads of one context. */
export class CompressedUploads {
  readonly #errors: GlErrors;
  readonly #targets: UploadTargets;

  constructor(errors: GlErrors, targets: UploadTargets) {
    this.#errors = errors;
    this.#targets = targets;
  }

  /** Defines a level, or one face of a cube map's level. */
  image(internalFormat: number, upload: CompressedUpload): void {
    this.#targets.prepare(upload, true);
    const { widthPx, heightPx, depthPx = 1, level, bytes } = upload;
    const caller = depthPx === 1 ? 'compressedTexImage2D' : 'compressedTexImage3D';
    const place = this.#targets.find(caller, upload.target);
    if (place === null) return;
    const compressed = compressedFormatOf(internalFormat);
    if (compressed === null) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `${caller}: internal format ${nameOfEnum(internalFormat)} is not accepted`,
      );
      return;
    }
    if (!this.#targets.isSize(caller, upload, place.texture)) return;
    const { storage, blocks } = compressed;
    if (!this.#isLong(caller, compressed, upload)) return;
    const { texture, face } = place;
    if (texture.dimension === '3d' && !isBptc(internalFormat)) {
      this.#errors.raise(GL.INVALID_OPERATION, `${caller}: the blocks are not those of volumes`);
      return;
    }
    if (!this.#targets.isShapeable(caller, texture)) return;
    this.#targets.requireReplaceable(caller, texture);
    const { bytesPerTexel } = TEXTURE_FORMATS[storage.format];
    const size = { widthPx, heightPx, depthPx };
    if (!this.#targets.reserve(caller, upload, place, storage)) return;
    const texels =
      bytes === null
        ? blankBlockTexels(compressed, bytesPerTexel, size)
        : decompressSlices(compressed, bytesPerTexel, size, bytes);
    const compressedFormat = internalFormat;
    texture.setLevel(level, { ...size, ...storage, texels, blocks, compressedFormat }, face);
  }

  /** Replaces whole blocks of a level. */
  subImage(x: number, y: number, format: number, upload: CompressedUpload, z = 0): void {
    this.#targets.prepare(upload, false);
    const { widthPx, heightPx, depthPx = 1, bytes } = upload;
    const caller = depthPx === 1 ? 'compressedTexSubImage2D' : 'compressedTexSubImage3D';
    const place = this.#targets.find(caller, upload.target);
    if (place === null) return;
    const { texture, face } = place;
    const level = texture.level(upload.level, face);
    const compressed = compressedFormatOf(format);
    if (compressed === null || level?.compressedFormat !== format) {
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
    if (bytes === null || !this.#isLong(caller, compressed, upload)) return;
    this.#targets.requireReplaceable(caller, texture);
    const { bytesPerTexel } = TEXTURE_FORMATS[level.format];
    const size = { widthPx, heightPx, depthPx };
    const texels = decompressSlices(compressed, bytesPerTexel, size, bytes);
    const box = { ...size, format, type: 0 };
    texture.setLevel(upload.level, insertTexels(level, texels, { x, y, z }, box), face);
  }

  /** Returns whether the bytes suffice for all blocks. Raises an error if they do not. */
  #isLong(caller: string, compressed: CompressedFormat, upload: CompressedUpload): boolean {
    const { widthPx, heightPx, depthPx = 1, bytes } = upload;
    const neededBytes = depthPx * compressedBytes(compressed, widthPx, heightPx);
    if (bytes === null || bytes.length >= neededBytes) return true;
    this.#errors.raise(GL.INVALID_VALUE, `${caller}: ${bytes.length} bytes are too few`);
    return false;
  }
}
