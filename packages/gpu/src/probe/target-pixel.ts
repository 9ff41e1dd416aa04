/** Contents of a bin's targets at one sample. Layout: target-layout.ts. */
import type { RectPx, TargetPixel } from '@tessera/frame';
import type { ObservedBin } from '../modes/fragment-probe.ts';
import { type ColorTarget, storageBytes } from '../output/target/target-layout.ts';

const VECTOR_BYTES = 16;

/** Reads the targets at sample `sample` of pixel (x, y). */
export function readTargetPixel(
  { memory, rect, layout }: ObservedBin,
  x: number,
  y: number,
  sample: number,
): TargetPixel {
  const { sampleCount, quadBytes, targets } = layout;
  const place = quadSampleOf(rect, x, y, sample, sampleCount);
  const lane = ((y & 1) << 1) | (x & 1);
  const wordAt = (ptr: number) => memory.i32[(ptr >> 2) + lane]!;
  const colorPtr = memory.binColorPtr + place * quadBytes;
  return {
    colors: targets.map((target) =>
      target === null ? null : readColor(target, colorPtr + target.offsetBytes, memory, lane),
    ),
    depth: wordAt(memory.binDepthPtr + place * VECTOR_BYTES),
    stencil: wordAt(memory.binStencilPtr + place * VECTOR_BYTES),
  };
}

/** Returns the index of the vector of a pixel's quad and sample in targets of one vector. */
function quadSampleOf(
  rect: RectPx,
  x: number,
  y: number,
  sample: number,
  sampleCount: number,
): number {
  const quadsPerRow = Math.ceil(rect.width / 2);
  const quad = ((y - rect.y) >> 1) * quadsPerRow + ((x - rect.x) >> 1);
  return quad * sampleCount + sample;
}

function readColor(
  target: ColorTarget,
  ptr: number,
  memory: ObservedBin['memory'],
  lane: number,
): number[] {
  const { storage, format } = target;
  if (storageBytes(storage) === VECTOR_BYTES) {
    return [...memory.u8.subarray(ptr + 4 * lane, ptr + 4 * lane + 4)];
  }
  const isUnsigned = format.includes('uint');
  const words = storage === 'float' ? memory.f32 : isUnsigned ? memory.u32 : memory.i32;
  return [0, 1, 2, 3].map((channel) => words[((ptr + VECTOR_BYTES * channel) >> 2) + lane]!);
}
