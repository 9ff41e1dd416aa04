/** Clears the targets of a bin before the first draw of a pass. */

import type { PassClear } from '@tessera/frame';
import { toStoredDepth } from '../../records/depth-24.ts';
import { encodeSrgb } from './srgb-transfer.ts';
import { type ColorTarget, storageBytes, type TargetLayout } from './target-layout.ts';
import { clearTexel } from './target-texels.ts';

/** Words of cleared depth and stencil. */
export interface ClearWords {
  /** Depth as a 24-bit unsigned normalized integer. */
  readonly depth: number;
  readonly stencil: number;
}

/**
 * Returns the values of a clear as targets store them: clamped to 0…1, rounded to nearest, NaN as
 * 0. The depth is rounded like one that a fragment writes, so a test for equality finds it.
 */
export function clearWords(clear: PassClear): ClearWords {
  return { depth: toStoredDepth(Math.fround(clear.depth)), stencil: clear.stencil & 0xff };
}

/** Returns the words of a cleared quad of all color targets. */
export function clearQuad({ targets, quadBytes }: TargetLayout, clear: PassClear): Int32Array {
  const quad = new Int32Array(quadBytes / 4);
  targets.forEach((target, t) => {
    if (target === null) return;
    const color = clear.colors?.[t] ?? clear.color;
    const first = target.offsetBytes / 4;
    const words = clearVectors(target, color);
    words.forEach((word, c) => {
      quad.fill(word, first + 4 * c, first + 4 * c + 4);
    });
  });
  return quad;
}

/** Returns one word per vector that the target uses for a quad. */
function clearVectors(target: ColorTarget, color: readonly number[]): Int32Array {
  const { storage, channels } = target;
  if (storageBytes(storage) !== 16) return clearTexel(target, color);
  const bytes = color.map((value, c) => {
    if (c >= channels) return c === 3 ? 255 : 0;
    return storage === 'srgb8' && c < 3 ? toSrgb8(value) : toUnorm(value, 255);
  });
  const [red, green, blue, alpha] = bytes;
  return Int32Array.of(red! | (green! << 8) | (blue! << 16) | (alpha! << 24));
}

function toSrgb8(value: number): number {
  return toUnorm(encodeSrgb(value > 0 ? Math.min(value, 1) : 0), 255);
}

function toUnorm(value: number, max: number): number {
  if (!(value > 0)) return 0;
  return Math.floor(Math.min(value, 1) * max + 0.5);
}

/** Fills a quad-tiled target of `quadCount` quads at byte `ptr`, a multiple of 4. */
export function fillTarget(
  memory: WebAssembly.Memory,
  ptr: number,
  quadCount: number,
  word: number,
): void {
  new Int32Array(memory.buffer, ptr, quadCount * 4).fill(word);
}

/** Fills the color targets of `quadCount` quads with equal quads. */
export function fillColors(
  memory: WebAssembly.Memory,
  ptr: number,
  quadCount: number,
  quad: Int32Array,
): void {
  const [first = 0] = quad;
  const words = new Int32Array(memory.buffer, ptr, quadCount * quad.length);
  if (quad.every((word) => word === first)) {
    words.fill(first);
    return;
  }
  words.set(quad);
  // Each step doubles the filled part.
  for (let filled = quad.length; filled < words.length; filled *= 2) {
    words.copyWithin(filled, 0, Math.min(filled, words.length - filled));
  }
}
