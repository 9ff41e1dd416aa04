import { describe, expect, it } from 'vitest';
import { readBinPixels } from './bin-pixels.ts';
import { clearWords, fillTarget } from './clear.ts';

describe('clearWords', () => {
  it('converts to the words of the targets', () => {
    const words = clearWords({ color: [1, 0.5, 0, 0.2], depth: 1, stencil: 200 });
    expect(words).toStrictEqual({ color: 0x330080ff, depth: 0xffffff, stencil: 200 });
  });

  it('clamps, and takes NaN as 0', () => {
    const words = clearWords({ color: [-1, 2, Number.NaN, Infinity], depth: -0.5, stencil: 0 });
    expect(words).toStrictEqual({ color: 0xff00ff00 | 0, depth: 0, stencil: 0 });
  });
});

describe('fillTarget', () => {
  it('fills the quads of the target and nothing else', () => {
    const memory = new WebAssembly.Memory({ initial: 1 });
    fillTarget(memory, 64, 3, -2);
    const words = new Int32Array(memory.buffer, 0, 64);
    expect([...words.keys()].filter((index) => words[index] === -2)).toStrictEqual(
      Array.from({ length: 12 }, (_, index) => 16 + index),
    );
  });
});

describe('readBinPixels', () => {
  /** Writes y × 256 + x + 1 to each pixel of a target of `quadsPerRow` quads per row. */
  function makeTarget(quadsPerRow: number, quadRows: number) {
    const memory = new WebAssembly.Memory({ initial: 1 });
    const words = new Int32Array(memory.buffer, 128);
    for (let y = 0; y < 2 * quadRows; y++) {
      for (let x = 0; x < 2 * quadsPerRow; x++) {
        const quad = (y >> 1) * quadsPerRow + (x >> 1);
        words[quad * 4 + (y & 1) * 2 + (x & 1)] = y * 256 + x + 1;
      }
    }
    return memory;
  }

  it.each([
    [6, 4],
    [5, 4],
    [6, 3],
    [5, 3],
    [1, 1],
    [2, 2],
  ])('gives %d×%d pixels row by row', (width, height) => {
    const memory = makeTarget(4, 2);
    const pixels = new Uint8Array(width * height * 4 + 4).subarray(4);
    readBinPixels(memory, 128, 4, width, height, pixels);
    const words = [...new Int32Array(pixels.slice().buffer)];
    const expected = Array.from(
      { length: width * height },
      (_, index) => Math.floor(index / width) * 256 + (index % width) + 1,
    );
    expect(words).toStrictEqual(expected);
  });

  it('refuses a wrong size', () => {
    const read = () => readBinPixels(makeTarget(2, 2), 128, 2, 3, 3, new Uint8Array(35));
    expect(read).toThrow('35 bytes for 3×3 pixels, wanted 36');
  });
});
