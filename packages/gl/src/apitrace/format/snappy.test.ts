import { RenderError } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packLiterals } from '../capture-writer.ts';
import { decompressSnappy } from './snappy.ts';

function decompress(...block: number[]): number[] {
  return [...decompressSnappy(Uint8Array.from(block), 'test', 1000)];
}

describe('snappy', () => {
  it('gives literals of every length form back', () => {
    expect(decompress(3, 2 << 2, 7, 8, 9)).toEqual([7, 8, 9]);
    expect(decompress(2, 60 << 2, 1, 7, 8)).toEqual([7, 8]);
    expect(decompress(2, 61 << 2, 1, 0, 7, 8)).toEqual([7, 8]);
    expect(decompress(2, 63 << 2, 1, 0, 0, 0, 7, 8)).toEqual([7, 8]);
  });

  it('copies with offsets of one, two and four bytes', () => {
    const literal = [3 << 2, 1, 2, 3, 4];
    expect(decompress(8, ...literal, 1, 4)).toEqual([1, 2, 3, 4, 1, 2, 3, 4]);
    expect(decompress(7, ...literal, (2 << 2) | 2, 3, 0)).toEqual([1, 2, 3, 4, 2, 3, 4]);
    expect(decompress(5, ...literal, 3, 2, 0, 0, 0)).toEqual([1, 2, 3, 4, 3]);
  });

  it('repeats the pattern where a copy overlaps itself', () => {
    expect(decompress(9, 1 << 2, 5, 6, (6 << 2) | 2, 2, 0)).toEqual([5, 6, 5, 6, 5, 6, 5, 6, 5]);
  });

  it.each([
    ['a length without end', [255, 255, 255, 255, 255, 255], /length has no end/],
    ['more bytes announced than can come', [255, 255, 3, 0, 7], /more than 5 bytes can hold/],
    ['a literal cut off', [4, 3 << 2, 1, 2], /literal is cut off/],
    ['a copy cut off', [8, 0, 7, 1], /copy is cut off/],
    ['a copy from before the start', [8, 0, 7, 1, 2], /reaches 2 bytes back/],
    ['a copy from nowhere', [8, 0, 7, 1, 0], /reaches 0 bytes back/],
    ['a copy past the length', [4, 0, 7, 1, 1], /more bytes than announced/],
    ['a literal past the length', [1, 1 << 2, 7, 8], /more bytes than announced/],
    ['too few bytes', [4, 0, 7], /1 bytes, 4 announced/],
  ])('refuses %s', (_what, block, message) => {
    expect(() => decompress(...block)).toThrow(message);
  });

  it('refuses to make more than the caller allows', () => {
    const block = Uint8Array.from(packLiterals(new Uint8Array(11)));
    expect(decompressSnappy(block, 'test', 11)).toHaveLength(11);
    expect(() => decompressSnappy(block, 'test', 10)).toThrow(
      expect.objectContaining({ code: 'LIMIT_EXCEEDED' }),
    );
  });

  it('answers any bytes with bytes or a RenderError', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (block) => {
        try {
          decompressSnappy(block, 'test', 1000);
        } catch (error) {
          expect(error).toBeInstanceOf(RenderError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
