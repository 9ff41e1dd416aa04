/** Converts uploads of one or more slices to the texels that a level stores. */
import { TEXTURE_FORMATS } from '@tessera/frame';
import { GL } from '../../api/constants.ts';
import { quantizeChannels } from '../../texels/quantize-channels.ts';
import {
  blankTexels,
  convertTexels,
  findSourceFormat,
  measureUpload,
  type UnpackLayout,
} from '../../texels/texel-formats.ts';
import {
  blankWideTexels,
  convertWideTexels,
  findWideSource,
  hasByteChannels,
  type TexelStorage,
} from '../../texels/texel-storage.ts';
import type { TextureLevel } from './texture-levels.ts';

/** Size and format of texels in client memory. */
export interface UploadShape {
  readonly widthPx: number;
  readonly heightPx: number;
  /** Number of slices; `undefined` for a 2D upload, which skips no images. */
  readonly depthPx?: number | undefined;
  readonly format: number;
  readonly type: number;
}

/** Returns whether format and type match each other and the storage of a level. */
export function isUploadReadable(storage: TexelStorage, format: number, type: number): boolean {
  if (hasByteChannels(storage.format)) return findSourceFormat(format, type) !== null;
  const source = findWideSource(format, type);
  const isDepth = format === GL.DEPTH_COMPONENT || format === GL.DEPTH_STENCIL;
  return (
    source !== null &&
    (source.verbatim === null || source.verbatim === storage.format) &&
    isDepth === (storage.base === 'depth')
  );
}

/**
 * Layout of an upload in bytes: offset of the first texel, sizes of a row and a slice, and total
 * size.
 */
interface UploadPlaces {
  readonly rowBytes: number;
  readonly sliceBytes: number;
  readonly startBytes: number;
  readonly sizeBytes: number;
}

/** Returns the layout of an upload in memory, or `null` if format and type do not match. */
export function measureTexels(shape: UploadShape, layout: UnpackLayout): UploadPlaces | null {
  const { format, type, widthPx, heightPx, depthPx = 1 } = shape;
  const source = findSourceFormat(format, type) ?? findWideSource(format, type);
  if (source === null) return null;
  const flat = measureUpload(source, widthPx, heightPx, layout);
  const rows = layout.imageHeightPx > 0 ? layout.imageHeightPx : heightPx;
  const sliceBytes = flat.rowBytes * rows;
  const skipped = shape.depthPx === undefined ? 0 : layout.skipImages * sliceBytes;
  const isEmpty = flat.sizeBytes === 0 || depthPx === 0;
  return {
    rowBytes: flat.rowBytes,
    sliceBytes,
    startBytes: flat.startBytes + skipped,
    sizeBytes: isEmpty ? 0 : skipped + (depthPx - 1) * sliceBytes + flat.sizeBytes,
  };
}

/**
 * Returns the texels in the storage format of the level, tightly packed.
 *
 * @param upload Upload that {@link isUploadReadable} accepts.
 * @param bytes At least as many bytes as {@link measureTexels} returns.
 */
export function convertUpload(
  storage: TexelStorage,
  upload: UploadShape,
  bytes: Uint8Array,
  layout: UnpackLayout,
): Uint8Array<ArrayBuffer> {
  const { format, type, widthPx, heightPx, depthPx = 1 } = upload;
  const places = measureTexels(upload, layout)!;
  if (!hasByteChannels(storage.format)) {
    const source = findWideSource(format, type)!;
    return convertWideTexels(storage, source, { widthPx, heightPx, depthPx }, bytes, places);
  }
  const source = findSourceFormat(format, type)!;
  const first = places.startBytes - measureUpload(source, widthPx, heightPx, layout).startBytes;
  const slices = Array.from({ length: depthPx }, (_, z) => {
    const rest = bytes.subarray(first + z * places.sliceBytes);
    return convertTexels(storage.base, source, widthPx, heightPx, rest, layout);
  });
  const texels = slices.length === 1 ? slices[0]! : concatenate(slices);
  if (storage.bits !== undefined) quantizeChannels(texels, storage.bits);
  return texels;
}

/** Returns the slices of tightly packed texels. */
export function splitSlices(texels: Uint8Array, count: number): Uint8Array[] {
  const bytes = texels.length / count;
  return Array.from({ length: count }, (_, i) => texels.subarray(i * bytes, (i + 1) * bytes));
}

function concatenate(slices: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(slices.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const slice of slices) {
    whole.set(slice, at);
    at += slice.length;
  }
  return whole;
}

/**
 * Returns the texels of a blank level. All components are 0, except that alpha is 1 if the format
 * does not store it.
 */
export function makeBlankTexels(storage: TexelStorage, texelCount: number): Uint8Array {
  return hasByteChannels(storage.format)
    ? blankTexels(storage.base, texelCount, 1)
    : blankWideTexels(storage, texelCount);
}

/**
 * Returns the texels of a level with a box replaced.
 *
 * @param texels Tightly packed texels of the box.
 */
export function insertTexels(
  level: TextureLevel,
  texels: Uint8Array,
  { x, y, z }: { readonly x: number; readonly y: number; readonly z: number },
  { widthPx, heightPx, depthPx = 1 }: UploadShape,
): TextureLevel {
  const whole = level.texels.slice();
  const { bytesPerTexel } = TEXTURE_FORMATS[level.format];
  const rowBytes = widthPx * bytesPerTexel;
  for (let slice = 0; slice < depthPx; slice++) {
    for (let row = 0; row < heightPx; row++) {
      const from = (slice * heightPx + row) * rowBytes;
      const line = (z + slice) * level.heightPx + y + row;
      const to = (line * level.widthPx + x) * bytesPerTexel;
      whole.set(texels.subarray(from, from + rowBytes), to);
    }
  }
  return { ...level, texels: whole };
}
