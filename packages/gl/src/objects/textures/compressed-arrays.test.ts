import { describe, expect, it } from 'vitest';
import { GL } from '../../api/constants.ts';
import { makeContext } from '../../testing/small-context.ts';

describe('compressed blocks', () => {
  it('are those of each slice of an array, and no slices of a volume', () => {
    const { gl } = makeContext('gl');
    const red = [0x00, 0xf8, 0, 0, 0, 0, 0, 0];
    const green = [0xe0, 0x07, 0, 0, 0, 0, 0, 0];
    const whole = { target: 0x8c1a, level: 0, widthPx: 4, heightPx: 4, depthPx: 3 };
    const put = (target: number, ...bytes: number[]) =>
      gl.textures.uploads.compressedImage(0x83f0, {
        ...{ ...whole, target },
        bytes: Uint8Array.from(bytes),
      });
    put(0x8c1a, ...red, ...green);
    expect(gl.errors.take()).toBe(GL.INVALID_VALUE);
    put(0x8c1a, ...red, ...green, ...red);
    const slices = () => {
      const { texels } = gl.textures.bound(0, 0x8c1a).level(0)!;
      return [0, 1, 2].map((z) => [...texels.subarray(z * 64 + 60, z * 64 + 63)]);
    };
    const [r, g] = [
      [255, 0, 0],
      [0, 255, 0],
    ];
    expect(slices()).toEqual([r, g, r]);
    const part = { ...whole, depthPx: 2, bytes: Uint8Array.from([...red, ...green]) };
    gl.textures.uploads.compressedSubImage(0, 0, 0x83f0, part, 1);
    expect(slices()).toEqual([r, r, g]);
    expect(gl.errors.take()).toBe(GL.NO_ERROR);
    gl.textures.uploads.compressedSubImage(0, 0, 0x83f0, part, 2);
    expect(gl.errors.take()).toBe(GL.INVALID_VALUE);
    put(0x806f, ...red, ...green, ...red);
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
  });
});
