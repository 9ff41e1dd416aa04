import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { draw, replay, startCapture, swap } from '../testing/small-capture.ts';
import { swapBytes } from './swap-bytes.ts';

const BYTES = Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8);

describe('GL_UNPACK_SWAP_BYTES', () => {
  it.each([
    ['bytes', GL.UNSIGNED_BYTE, [1, 2, 3, 4, 5, 6, 7, 8]],
    ['packed bytes', 0x8032, [1, 2, 3, 4, 5, 6, 7, 8]],
    ['shorts', GL.SHORT, [2, 1, 4, 3, 6, 5, 8, 7]],
    ['packed shorts', 0x8363, [2, 1, 4, 3, 6, 5, 8, 7]],
    ['floats', GL.FLOAT, [4, 3, 2, 1, 8, 7, 6, 5]],
    ['packed integers', 0x8035, [4, 3, 2, 1, 8, 7, 6, 5]],
    ['floats with a stencil value', 0x8dad, [4, 3, 2, 1, 8, 7, 6, 5]],
  ])('reverses the bytes of %s', (_, type, expected) => {
    expect([...swapBytes(BYTES, type)]).toEqual(expected);
    expect([...BYTES]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('applies to uploads of a capture while it is set', () => {
    const upload = { target: GL.TEXTURE_2D, level: 0, internalformat: GL.RGBA8 };
    const size = { width: 1, height: 1, border: 0, format: GL.RGBA, type: 0x8035 };
    const pixels = Uint8Array.of(10, 20, 30, 40);
    const texelOf = (isSwapped: number) => {
      const writer = startCapture('attribute vec2 at;', 'uniform sampler2D map;')
        .call('glTexParameteri', { target: GL.TEXTURE_2D, pname: 0x2801, param: GL.NEAREST })
        .call('glPixelStorei', { pname: GL.UNPACK_SWAP_BYTES, param: 1 })
        .call('glPixelStorei', { pname: GL.UNPACK_SWAP_BYTES, param: isSwapped })
        .call('glTexImage2D', { ...upload, ...size, pixels });
      return [...replay(swap(draw(writer))).frame.textures[0]!.levels[0]!];
    };
    // The type has red in its highest byte, which is the last one in memory.
    expect(texelOf(0)).toEqual([40, 30, 20, 10]);
    expect(texelOf(1)).toEqual([10, 20, 30, 40]);
  });
});
