/**
 * Compressed texture formats: the extension that provides each, the targets that accept it and the
 * sizes of levels. The sources are the extensions of the WebGL registry, and for targets OpenGL ES
 * 3.0, section 3.8.6, with EXT_texture_compression_bptc and OES_compressed_ETC1_RGB8_texture.
 */
import { type CompressedFormat, compressedFormatOf, isBptc } from '@tessera/gl';
import type { ContextCore } from '../context/context-core.ts';
import { enumName, GL } from '../interface/constants.ts';
import { interfaceOf } from '../interface/newer-extensions.ts';

/** COMPRESSED_RGB_ETC1_WEBGL. */
const ETC1 = 0x8d64;

/** Extensions by whether level 0 must consist of whole blocks. */
const WHOLE_BLOCKS_BY_EXTENSION: Readonly<Record<string, boolean>> = {
  EXT_texture_compression_bptc: true,
  EXT_texture_compression_rgtc: true,
  WEBGL_compressed_texture_astc: false,
  WEBGL_compressed_texture_etc: false,
  WEBGL_compressed_texture_etc1: false,
  WEBGL_compressed_texture_s3tc: true,
  WEBGL_compressed_texture_s3tc_srgb: true,
};

/** Extension of each format. */
const EXTENSION_BY_FORMAT: ReadonlyMap<number, string> = new Map(
  Object.keys(WHOLE_BLOCKS_BY_EXTENSION).flatMap((name) =>
    Object.values(interfaceOf(name).constants).map((format) => [format, name] as const),
  ),
);

/** Returns the formats of the enabled extensions. */
export function listCompressedFormats({ extensions }: ContextCore): number[] {
  return [...EXTENSION_BY_FORMAT].flatMap(([format, name]) =>
    extensions.isEnabled(name) ? [format] : [],
  );
}

/** Returns a format of an enabled extension, or `null` for other values. */
export function findCompressedFormat(
  { extensions }: ContextCore,
  format: number,
): CompressedFormat | null {
  const name = EXTENSION_BY_FORMAT.get(format);
  return name !== undefined && extensions.isEnabled(name) ? compressedFormatOf(format) : null;
}

/**
 * Returns whether textures of a target can have the format. Raises the error otherwise. Only BPTC
 * has 3D textures, and ETC1 has no arrays.
 */
export function isCompressedTarget(
  core: ContextCore,
  caller: string,
  target: number,
  format: number,
): boolean {
  const isRefused =
    (target === GL.TEXTURE_3D && !isBptc(format)) ||
    (target === GL.TEXTURE_2D_ARRAY && format === ETC1);
  if (isRefused) {
    const message = `textures of ${enumName(target)} cannot have format ${enumName(format)}`;
    core.raise(GL.INVALID_OPERATION, caller, message);
  }
  return !isRefused;
}

/**
 * Returns whether a level can have this size. Raises the error otherwise. In most formats, the size
 * that it implies for level 0 must be a multiple of the block size.
 */
export function isCompressedSize(
  core: ContextCore,
  caller: string,
  format: number,
  { level, widthPx, heightPx }: Readonly<Record<'level' | 'widthPx' | 'heightPx', number>>,
): boolean {
  const isWholeOnly = WHOLE_BLOCKS_BY_EXTENSION[EXTENSION_BY_FORMAT.get(format) ?? ''] === true;
  const isRefused = isWholeOnly && ((widthPx << level) % 4 !== 0 || (heightPx << level) % 4 !== 0);
  if (isRefused) {
    const message = `${widthPx}×${heightPx} at level ${level} does not belong to a level 0 of whole blocks of 4×4 texels, as ${enumName(format)} requires`;
    core.raise(GL.INVALID_OPERATION, caller, message);
  }
  return !isRefused;
}

/**
 * Returns whether parts of a level can be replaced, which OES_compressed_ETC1_RGB8_texture does not
 * permit. Raises the error otherwise.
 */
export function isReplaceable(core: ContextCore, caller: string, format: number): boolean {
  if (format !== ETC1) return true;
  core.raise(GL.INVALID_OPERATION, caller, `images of ${enumName(format)} cannot be replaced`);
  return false;
}
