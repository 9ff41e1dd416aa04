/**
 * Contents of targets that persist between passes: converts rows of pixels to the quad-tiled
 * targets of a bin, and back.
 */

import {
  type BufferResource,
  type RectPx,
  type TargetContents,
  TEXTURE_FORMATS,
} from '@tessera/frame';
import type { ChipletMemory } from '../../memory/chiplet-memory.ts';
import { DEPTH_24_MAX } from '../../records/depth-24.ts';
import { type BinSize, putBinWords, takeBinWords, writeBinTexels } from './bin-pixels.ts';
import type { TargetLayout } from './target-layout.ts';

const STENCIL_SHIFT = 24;

/**
 * Loads a bin's part of the target's contents.
 *
 * @param quadsPerRow Number of quads in a row of the bin's targets.
 * @param targetWidthPx Width of the whole target, as stored in the buffers.
 * @throws {Error} If a buffer is smaller than the target.
 */
export function loadTarget(
  memory: ChipletMemory,
  layout: TargetLayout,
  quadsPerRow: number,
  rect: RectPx,
  targetWidthPx: number,
  contents: TargetContents,
  buffers: readonly BufferResource[],
): void {
  const { colorBufferIndices, depthStencilBufferIndex, isDepthLoaded, isStencilLoaded } = contents;
  const size: BinSize = { quadsPerRow, widthPx: rect.width, heightPx: rect.height };
  layout.targets.forEach((target, t) => {
    const bufferIndex = colorBufferIndices[t] ?? null;
    if (target === null || bufferIndex === null) return;
    const pixelBytes = TEXTURE_FORMATS[target.format].bytesPerTexel * layout.sampleCount;
    const texels = takeRows(buffers[bufferIndex], targetWidthPx, rect, pixelBytes);
    writeBinTexels(memory.memory, memory.binColorPtr, layout, target, size, texels);
  });
  if (depthStencilBufferIndex === null) return;
  const { sampleCount } = layout;
  const bytes = takeRows(buffers[depthStencilBufferIndex], targetWidthPx, rect, 4 * sampleCount);
  const words = new Int32Array(bytes.buffer);
  if (isDepthLoaded) {
    const depths = words.map((word) => word & DEPTH_24_MAX);
    putBinWords(memory.memory, memory.binDepthPtr, size, sampleCount, depths);
  }
  if (isStencilLoaded) {
    const stencils = words.map((word) => word >>> STENCIL_SHIFT);
    putBinWords(memory.memory, memory.binStencilPtr, size, sampleCount, stencils);
  }
}

/**
 * Returns depth and stencil of a bin: one little-endian word per sample, row by row from the top.
 */
export function readDepthStencil(
  { memory, binDepthPtr, binStencilPtr }: ChipletMemory,
  quadsPerRow: number,
  { width, height }: RectPx,
  sampleCount: number,
): Uint8Array {
  const size: BinSize = { quadsPerRow, widthPx: width, heightPx: height };
  const words = takeBinWords(memory, binDepthPtr, size, sampleCount);
  const stencil = takeBinWords(memory, binStencilPtr, size, sampleCount);
  // Depth leaves the high byte of its word unused.
  for (let at = 0; at < words.length; at++)
    words[at] = words[at]! | (stencil[at]! << STENCIL_SHIFT);
  return new Uint8Array(words.buffer);
}

/** Returns the pixels of a rectangle in a new buffer. */
function takeRows(
  buffer: BufferResource | undefined,
  targetWidthPx: number,
  { x, y, width, height }: RectPx,
  bytesPerPixel: number,
): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(width * height * bytesPerPixel);
  const end = ((y + height - 1) * targetWidthPx + x + width) * bytesPerPixel;
  if (buffer === undefined || end > buffer.bytes.length) {
    throw new Error(
      `target contents: ${buffer?.bytes.length} bytes, but the bin ends at byte ${end}`,
    );
  }
  const rowBytes = width * bytesPerPixel;
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * targetWidthPx + x) * bytesPerPixel;
    bytes.set(buffer.bytes.subarray(from, from + rowBytes), row * rowBytes);
  }
  return bytes;
}
