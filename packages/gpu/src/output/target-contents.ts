/** Contents of a target that go on from pass to pass: from rows of pixels to the quad-tiled targets of a bin, and back. */
import type { BufferResource, RectPx, TargetContents } from '@tessera/frame';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';
import { readBinPixels } from './bin-pixels.ts';

const DEPTH_MASK = 0xffffff;
const STENCIL_SHIFT = 24;

/**
 * Takes a bin's share of what the pass loads.
 *
 * @param quadsPerRow Quads that a row of the bin's targets holds.
 * @param targetWidthPx Pixels in a row of the whole target, as the buffers hold it.
 * @throws {Error} If a buffer does not hold the whole target.
 */
export function loadTarget(
  memory: ChipletMemory,
  quadsPerRow: number,
  rect: RectPx,
  targetWidthPx: number,
  contents: TargetContents,
  buffers: readonly BufferResource[],
): void {
  const { colorBufferIndex, depthStencilBufferIndex, isDepthLoaded, isStencilLoaded } = contents;
  if (colorBufferIndex !== null) {
    const words = takeRows(buffers[colorBufferIndex], targetWidthPx, rect);
    writeTiled(memory.i32, memory.binColorPtr, quadsPerRow, rect, words);
  }
  if (depthStencilBufferIndex === null) return;
  const words = takeRows(buffers[depthStencilBufferIndex], targetWidthPx, rect);
  if (isDepthLoaded) {
    const depths = words.map((word) => word & DEPTH_MASK);
    writeTiled(memory.i32, memory.binDepthPtr, quadsPerRow, rect, depths);
  }
  if (isStencilLoaded) {
    const stencils = words.map((word) => word >>> STENCIL_SHIFT);
    writeTiled(memory.i32, memory.binStencilPtr, quadsPerRow, rect, stencils);
  }
}

/** Depth and stencil of a bin, a little-endian word a pixel, row by row from the top. */
export function readDepthStencil(
  { memory, binDepthPtr, binStencilPtr }: ChipletMemory,
  quadsPerRow: number,
  { width, height }: RectPx,
): Uint8Array {
  const depthStencil = new Uint8Array(width * height * 4);
  const stencil = new Uint8Array(depthStencil.length);
  readBinPixels(memory, binDepthPtr, quadsPerRow, width, height, depthStencil);
  readBinPixels(memory, binStencilPtr, quadsPerRow, width, height, stencil);
  // Depth leaves the high byte of its word free.
  for (let at = 0; at < stencil.length; at += 4) depthStencil[at + 3] = stencil[at]!;
  return depthStencil;
}

/** The words of a rectangle. */
function takeRows(
  buffer: BufferResource | undefined,
  targetWidthPx: number,
  { x, y, width, height }: RectPx,
): Int32Array {
  const bytes = new Uint8Array(width * height * 4);
  const end = ((y + height - 1) * targetWidthPx + x + width) * 4;
  if (buffer === undefined || end > buffer.bytes.length) {
    throw new Error(`target contents: ${buffer?.bytes.length} bytes, the bin ends at ${end}`);
  }
  for (let row = 0; row < height; row++) {
    const from = ((y + row) * targetWidthPx + x) * 4;
    bytes.set(buffer.bytes.subarray(from, from + width * 4), row * width * 4);
  }
  return new Int32Array(bytes.buffer);
}

/** Samples of a quad that lie outside of the rectangle keep what they hold. */
function writeTiled(
  i32: Int32Array,
  ptr: number,
  quadsPerRow: number,
  { width, height }: RectPx,
  words: Int32Array,
): void {
  let from = 0;
  for (let y = 0; y < height; y++) {
    // Lanes 0 and 1 of a quad are its upper row, 2 and 3 the lower one.
    const row = (ptr >> 2) + (y >> 1) * quadsPerRow * 4 + (y & 1) * 2;
    for (let x = 0; x < width; x++) i32[row + (x >> 1) * 4 + (x & 1)] = words[from++]!;
  }
}
