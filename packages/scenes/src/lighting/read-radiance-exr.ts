/** Reader of OpenEXR images (.exr) of one part with rows. */
import { RenderError } from '@tessera/frame';
import { readExrChunk } from './exr-chunks.ts';
import { readExrHeader, viewOf } from './exr-header.ts';
import type { RadianceImage } from './radiance-image.ts';
import type { RadianceLimits } from './read-radiance-hdr.ts';

/**
 * Reads an image with the channels R, G and B, or Y. Values below 0, which colors outside of sRGB
 * have, become 0.
 *
 * @throws {RenderError} MODEL_INVALID, naming the chunk or pixel at fault; MODEL_UNSUPPORTED for
 *   deep, tiled and multi-part images, other compressions and primaries; LIMIT_EXCEEDED.
 */
export function readRadianceExr(bytes: Uint8Array, limits: RadianceLimits): RadianceImage {
  const header = readExrHeader(bytes);
  const { widthPx, heightPx, compression, channels, valueBytes } = header;
  if (widthPx * heightPx > limits.maxPixels) {
    throw new RenderError(
      'LIMIT_EXCEEDED',
      `environment: ${widthPx}×${heightPx} pixels; at most ${limits.maxPixels}`,
    );
  }
  const colors = ['R', 'G', 'B'].map((name) => {
    const index = channels.indexOf(name);
    return index < 0 ? channels.indexOf('Y') : index;
  });
  const rgb = new Float32Array(widthPx * heightPx * 3);
  for (let first = 0; first < heightPx; first += compression.rowsPerChunk) {
    const rows = readExrChunk(bytes, header, first / compression.rowsPerChunk);
    const view = viewOf(rows);
    const last = Math.min(first + compression.rowsPerChunk, heightPx);
    for (let y = first; y < last; y++) {
      for (const [c, channel] of colors.entries()) {
        let at = ((y - first) * channels.length + channel) * widthPx * valueBytes;
        for (let x = 0; x < widthPx; x++, at += valueBytes) {
          const value = valueBytes === 2 ? view.getFloat16(at, true) : view.getFloat32(at, true);
          if (Number.isNaN(value)) {
            throw new RenderError('MODEL_INVALID', `environment: pixel ${x},${y} is not a number`);
          }
          rgb[(y * widthPx + x) * 3 + c] = Math.max(0, value);
        }
      }
    }
  }
  return { widthPx, heightPx, rgb };
}
