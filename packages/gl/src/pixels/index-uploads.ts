/** Uploads of color indices, which the pixel maps convert to colors (OpenGL 2.1, section 3.6.4). */
import { GL } from '../api/constants.ts';
import { measureUpload, type UnpackLayout } from '../texels/texel-formats.ts';
import { type PixelMaps, readIndices } from './pixel-maps.ts';

/** Image of color indices in client memory; `bytes` is `null` for an image without contents. */
interface IndexUpload {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly type: number;
  readonly bytes: Uint8Array | null;
}

/**
 * Converts indices to an upload of RGBA bytes in the same layout. Too few indices become an upload
 * of too few bytes.
 */
export function convertIndices<Upload extends IndexUpload>(
  upload: Upload,
  maps: PixelMaps,
  layout: UnpackLayout & { readonly isLeastBitFirst: boolean },
): Upload & { readonly format: number } {
  const { widthPx, heightPx, type, bytes } = upload;
  const converted = { ...upload, format: GL.RGBA, type: GL.UNSIGNED_BYTE };
  if (bytes === null || widthPx === 0 || heightPx === 0) return converted;
  const indices = readIndices(type, widthPx, heightPx, bytes, layout);
  if (indices === null) return { ...converted, bytes: new Uint8Array(0) };
  const colors = maps.colorsOf(indices);
  const source = { bytesPerTexel: 4 };
  const { rowBytes, startBytes, sizeBytes } = measureUpload(source, widthPx, heightPx, layout);
  const placed = new Uint8Array(sizeBytes);
  for (let row = 0; row < heightPx; row++) {
    const from = row * widthPx * 4;
    placed.set(colors.subarray(from, from + widthPx * 4), startBytes + row * rowBytes);
  }
  return { ...converted, bytes: placed };
}
