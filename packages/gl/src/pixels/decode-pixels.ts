/** Decodes the pixels of `glDrawPixels` (OpenGL 2.1, section 3.6.4). */
import { RenderError } from '@tessera/frame';
import { GL, nameOfEnum } from '../api/constants.ts';
import { FIXED } from '../api/fixed-constants.ts';
import {
  convertTexels,
  findSourceFormat,
  measureUpload,
  type UnpackLayout,
} from '../texels/texel-formats.ts';
import { findWideSource } from '../texels/texel-storage.ts';
import { type PixelMaps, readIndices } from './pixel-maps.ts';

/** Pixels in client memory. */
interface PackedPixels {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly bytes: Uint8Array;
  readonly layout: UnpackLayout & { readonly isLeastBitFirst: boolean };
}

/** Decoded pixels: RGBA bytes, depths as 32-bit floats, or stencil values as bytes. */
export type DecodedPixels =
  | { readonly kind: 'colors'; readonly texels: Uint8Array }
  | { readonly kind: 'depths'; readonly texels: Uint8Array }
  | { readonly kind: 'stencil'; readonly stencil: Uint8Array }
  | {
      readonly kind: 'depth-stencil';
      readonly texels: Uint8Array;
      readonly stencil: Uint8Array;
    };

const TOO_FEW = 'the data ends before the rectangle';

/**
 * Decodes pixels, the lowest row first. Returns the reason if the data is too short.
 *
 * @throws {RenderError} FRAME_UNSUPPORTED for a format or type that is not supported.
 */
export function decodePixels(
  format: number,
  type: number,
  pixels: PackedPixels,
  maps: PixelMaps,
): DecodedPixels | string {
  const { widthPx, heightPx, bytes, layout } = pixels;
  if (format === GL.STENCIL_INDEX || format === FIXED.COLOR_INDEX) {
    const indices = readIndices(type, widthPx, heightPx, bytes, layout);
    if (indices === null) return TOO_FEW;
    return format === GL.STENCIL_INDEX
      ? { kind: 'stencil', stencil: Uint8Array.from(indices, (value) => value & 255) }
      : { kind: 'colors', texels: maps.colorsOf(indices) };
  }
  if (format === GL.DEPTH_COMPONENT || format === GL.DEPTH_STENCIL) {
    return decodeDepths(format, type, pixels);
  }
  const source = findSourceFormat(format, type);
  if (source === null) return refuse(format, type);
  const { sizeBytes } = measureUpload(source, widthPx, heightPx, layout);
  if (bytes.length < sizeBytes) return TOO_FEW;
  const texels = convertTexels('rgba', source, widthPx, heightPx, bytes, layout);
  maps.mapColors(texels);
  return { kind: 'colors', texels };
}

function decodeDepths(
  format: number,
  type: number,
  { widthPx, heightPx, bytes, layout }: PackedPixels,
): DecodedPixels | string {
  const source = findWideSource(format, type);
  if (source === null) return refuse(format, type);
  const { rowBytes, startBytes, sizeBytes } = measureUpload(source, widthPx, heightPx, layout);
  if (bytes.length < sizeBytes) return TOO_FEW;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const depths = new Float32Array(widthPx * heightPx);
  const stencil = new Uint8Array(widthPx * heightPx);
  const channels = new Float64Array(6);
  for (let pixel = 0; pixel < depths.length; pixel++) {
    const row = startBytes + Math.floor(pixel / widthPx) * rowBytes;
    source.read(view, row + (pixel % widthPx) * source.bytesPerTexel, channels);
    depths[pixel] = Math.min(1, Math.max(0, channels[0]!));
    stencil[pixel] = channels[5]!;
  }
  const texels = new Uint8Array(depths.buffer);
  return format === GL.DEPTH_COMPONENT
    ? { kind: 'depths', texels }
    : { kind: 'depth-stencil', texels, stencil };
}

function refuse(format: number, type: number): never {
  throw new RenderError(
    'FRAME_UNSUPPORTED',
    `drawPixels: format ${nameOfEnum(format)} of type ${nameOfEnum(type)} is not supported`,
  );
}
