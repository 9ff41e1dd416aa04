/**
 * Checks uploads of compressed blocks by WebGL's rules (OpenGL ES 3.0, section 3.8.6, and the
 * extensions of the formats). The calls are in compressed-calls.ts.
 */
import { areWholeBlocks, compressedBytes, isInsideLevel } from '@tessera/gl';
import type { ContextCore } from '../../context/context-core.ts';
import { enumName, GL } from '../../interface/constants.ts';
import { LIMITS } from '../../interface/limits.ts';
import {
  findCompressedFormat,
  isCompressedSize,
  isCompressedTarget,
  isReplaceable,
} from '../../rules/compressed-formats.ts';
import { isUsable } from '../../rules/feedback-conflicts.ts';
import { sliceView } from '../buffers/buffer-calls.ts';
import { isLevelSize, type UploadCall, uploadTarget } from './texture-upload.ts';

/** Arguments of an upload without its data. */
export type CompressedCall = Omit<UploadCall, 'type'>;

/** Data of an upload: elements of a view, or bytes of the buffer bound to PIXEL_UNPACK_BUFFER. */
export type BlockSource =
  | {
      readonly kind: 'view';
      readonly view: ArrayBufferView;
      readonly offset?: unknown;
      readonly length?: unknown;
    }
  | { readonly kind: 'buffer'; readonly sizeBytes: number; readonly offsetBytes: number };

/** Defines a level. */
export function defineBlocks(
  core: ContextCore,
  call: CompressedCall,
  [border, dimension]: readonly [number, '2d' | '3d'],
  source: BlockSource,
): void {
  const { caller, target, level, widthPx, heightPx, depthPx, format } = call;
  const place = uploadTarget(core, caller, target, dimension);
  if (place === null) return;
  const compressed = findCompressedFormat(core, format);
  if (compressed === null) {
    core.rejectEnum(caller, 'internal format', format);
    return;
  }
  const bytes = readBlocks(core, caller, source);
  if (bytes === null || !isLevelSize(core, call)) return;
  if (border !== 0) {
    core.raise(GL.INVALID_VALUE, caller, `border ${border} must be 0`);
    return;
  }
  if (!isCompressedTarget(core, caller, target, format)) return;
  if (!isCompressedSize(core, caller, format, call)) return;
  const { texture, face } = place;
  if (texture.isImmutable) {
    core.raise(GL.INVALID_OPERATION, caller, 'the texture is immutable');
    return;
  }
  const neededBytes = depthPx * compressedBytes(compressed, widthPx, heightPx);
  if (!isSize(core, caller, bytes, neededBytes)) return;
  const size = { widthPx, heightPx, depthPx };
  const before = core.errorCount;
  core.gl.textures.uploads.compressed.image(format, { target, level, ...size, bytes });
  if (core.errorCount !== before) return;
  texture.setImage(level, face, { internalFormat: format, format: 0, type: 0, ...size });
}

/** Replaces whole blocks of a level. */
export function replaceBlocks(
  core: ContextCore,
  call: CompressedCall,
  [x, y, z, dimension]: readonly [number, number, number, '2d' | '3d'],
  source: BlockSource,
): void {
  const { caller, target, level, widthPx, heightPx, depthPx, format } = call;
  const place = uploadTarget(core, caller, target, dimension);
  if (place === null) return;
  const compressed = findCompressedFormat(core, format);
  if (compressed === null) {
    core.rejectEnum(caller, 'format', format);
    return;
  }
  const bytes = readBlocks(core, caller, source);
  if (bytes === null) return;
  const smallest = Math.min(level, x, y, z, widthPx, heightPx, depthPx);
  if (smallest < 0 || level >= LIMITS.textureLevels) {
    core.raise(
      GL.INVALID_VALUE,
      caller,
      `size ${widthPx}×${heightPx}×${depthPx}, offset ${x}, ${y}, ${z} or level ${level} is out of range`,
    );
    return;
  }
  const image = place.texture.imageAt(level, place.face);
  if (image === null || image.internalFormat !== format) {
    const found = image === null ? 'not defined' : `of ${enumName(image.internalFormat)}`;
    const message = `level ${level} of the texture is ${found}, not of ${enumName(format)}`;
    core.raise(GL.INVALID_OPERATION, caller, message);
    return;
  }
  if (!isReplaceable(core, caller, format)) return;
  const isInside = isInsideLevel(x, y, call, image) && z + depthPx <= image.depthPx;
  if (!isInside || !areWholeBlocks(compressed, x, y, call, image)) {
    const { blockWidthPx = 4, blockHeightPx = 4 } = compressed.blocks;
    const rule = isInside
      ? `is not aligned to blocks of ${blockWidthPx}×${blockHeightPx} texels`
      : `exceeds the level of ${image.widthPx}×${image.heightPx}×${image.depthPx}`;
    const message = `${widthPx}×${heightPx}×${depthPx} at ${x}, ${y}, ${z} ${rule}`;
    core.raise(isInside ? GL.INVALID_OPERATION : GL.INVALID_VALUE, caller, message);
    return;
  }
  const neededBytes = depthPx * compressedBytes(compressed, widthPx, heightPx);
  if (!isSize(core, caller, bytes, neededBytes)) return;
  const upload = { target, level, widthPx, heightPx, depthPx, bytes };
  core.gl.textures.uploads.compressed.subImage(x, y, format, upload, z);
}

/** Returns the bytes that a call provides, or `null` after an error. */
function readBlocks(core: ContextCore, caller: string, source: BlockSource): Uint8Array | null {
  const unpackBuffer = core.boundBuffers.get(GL.PIXEL_UNPACK_BUFFER);
  if (source.kind === 'view') {
    if (unpackBuffer === undefined) {
      return sliceView(core, caller, source.view, source.offset, source.length);
    }
    core.raise(GL.INVALID_OPERATION, caller, 'a buffer is bound to PIXEL_UNPACK_BUFFER');
    return null;
  }
  if (unpackBuffer === undefined) {
    core.raise(GL.INVALID_OPERATION, caller, 'no buffer is bound to PIXEL_UNPACK_BUFFER');
    return null;
  }
  if (!isUsable(core, caller, unpackBuffer)) return null;
  const { sizeBytes, offsetBytes } = source;
  if (sizeBytes < 0) {
    core.raise(GL.INVALID_VALUE, caller, `size ${sizeBytes} is negative`);
    return null;
  }
  const bytes = core.gl.buffers.bound(GL.PIXEL_UNPACK_BUFFER)!.share();
  if (offsetBytes < 0 || offsetBytes + sizeBytes > bytes.length) {
    const message = `${sizeBytes} bytes at ${offsetBytes} exceed the buffer of ${bytes.length} bytes`;
    core.raise(GL.INVALID_OPERATION, caller, message);
    return null;
  }
  return bytes.subarray(offsetBytes, offsetBytes + sizeBytes);
}

/** Returns whether the data have exactly the size of the blocks. Raises the error otherwise. */
function isSize(
  core: ContextCore,
  caller: string,
  bytes: Uint8Array,
  neededBytes: number,
): boolean {
  if (bytes.length === neededBytes) return true;
  const message = `the blocks have ${neededBytes} bytes, but the data have ${bytes.length}`;
  core.raise(GL.INVALID_VALUE, caller, message);
  return false;
}
