/** Clears: what the targets of a bin hold before the first draw of a pass. */
import type { PassClear } from '@tessera/frame';

/** The largest depth that a target holds. */
export const MAX_STORED_DEPTH = 0xffffff;

/** Words that a cleared target consists of. */
export interface ClearWords {
  /** RGBA8, red in the low byte, as int32. */
  readonly color: number;
  /** 24-bit unsigned normalised integer. */
  readonly depth: number;
  readonly stencil: number;
}

/** Values of a clear as the targets hold them: clamped to 0…1, rounded to nearest, NaN as 0. */
export function clearWords(clear: PassClear): ClearWords {
  const [red, green, blue, alpha] = clear.color.map((value) => toUnorm(value, 255));
  return {
    color: red! | (green! << 8) | (blue! << 16) | (alpha! << 24),
    depth: toUnorm(clear.depth, MAX_STORED_DEPTH),
    stencil: clear.stencil & 0xff,
  };
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
