import { describe, expect, it } from 'vitest';
import { GL } from '../../api/constants.ts';
import type { GlContext } from '../../context.ts';
import { makeContext } from '../../testing/small-context.ts';

describe('compressed blocks', () => {
  it('are those of each slice of an array, and no slices of a volume', () => {
    const { gl } = makeContext('gl');
    const red = [0x00, 0xf8, 0, 0, 0, 0, 0, 0];
    const green = [0xe0, 0x07, 0, 0, 0, 0, 0, 0];
    const whole = { target: 0x8c1a, level: 0, widthPx: 4, heightPx: 4, depthPx: 3 };
    const put = (target: number, ...bytes: number[]) =>
      gl.textures.uploads.compressed.image(0x83f0, {
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
    gl.textures.uploads.compressed.subImage(0, 0, 0x83f0, part, 1);
    expect(slices()).toEqual([r, r, g]);
    expect(gl.errors.take()).toBe(GL.NO_ERROR);
    gl.textures.uploads.compressed.subImage(0, 0, 0x83f0, part, 2);
    expect(gl.errors.take()).toBe(GL.INVALID_VALUE);
    put(0x806f, ...red, ...green, ...red);
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
  });
});

const D2 = GL.TEXTURE_2D;
const EAC = 0x9272;

/** Defines a level of a 2D texture by blocks of zeros. */
function putZeros(gl: GlContext, format: number, level: number, edgePx: number): void {
  const size = { widthPx: edgePx, heightPx: edgePx };
  const bytes = new Uint8Array(Math.ceil(edgePx / 4) ** 2 * 16);
  gl.textures.uploads.compressed.image(format, { target: D2, level, ...size, bytes });
}

describe('levels of compressed formats', () => {
  it.each([
    // Formats whose blocks of zeros are black, the color of modifier 2, and the error color.
    [0x83f0, [0, 0, 0, 255]],
    [0x9274, [2, 2, 2, 255]],
    [0x93b1, [255, 0, 255, 255]],
  ])('of storage of format %i are blocks of zeros', (format, texel) => {
    const { gl } = makeContext('webgl2');
    gl.textures.bind(D2, gl.textures.generate(1)[0]!);
    gl.textures.uploads.storage(D2, 3, format, 7, 5);
    expect(gl.errors.take()).toBe(GL.NO_ERROR);
    const { immutableLevels } = gl.textures.bound(0, D2);
    expect(immutableLevels).toBe(3);
    const sizes = [35, 6, 1];
    sizes.forEach((count, i) => {
      const { texels } = gl.textures.bound(0, D2).level(i)!;
      expect([...texels]).toEqual(Array.from({ length: count }, () => texel).flat());
    });
  });

  it('are filterable, although their texels are floats', () => {
    const { gl } = makeContext('webgl2');
    gl.textures.setParameter(D2, GL.TEXTURE_MIN_FILTER, GL.LINEAR);
    gl.textures.uploads.image(0x8230, {
      ...{ target: D2, level: 0, widthPx: 4, heightPx: 4 },
      ...{ format: GL.RG, type: GL.FLOAT, bytes: null },
    });
    expect(gl.textures.bound(0, D2).isComplete()).toBe(false);
    putZeros(gl, EAC, 0, 4);
    expect(gl.textures.bound(0, D2).level(0)?.format).toBe('rg32float');
    expect(gl.textures.bound(0, D2).isComplete()).toBe(true);
  });

  it('are complete only with levels of their own format', () => {
    const { gl } = makeContext('webgl2');
    const [dxt3, dxt5] = [0x83f2, 0x83f3];
    putZeros(gl, dxt3, 0, 4);
    putZeros(gl, dxt3, 1, 2);
    for (const [format, isComplete] of [
      [dxt5, false],
      [dxt3, true],
    ] as const) {
      putZeros(gl, format, 2, 1);
      expect(gl.textures.bound(0, D2).isComplete()).toBe(isComplete);
      expect(gl.textures.bound(0, D2).contentForSampling() !== null).toBe(isComplete);
    }
  });

  it('accept blocks after texels in desktop OpenGL', () => {
    const { gl } = makeContext('gl');
    const place = { target: D2, level: 0, widthPx: 4, heightPx: 4 };
    const texels = { format: GL.RGBA, type: GL.UNSIGNED_BYTE, bytes: null };
    gl.textures.uploads.image(0x83f3, { ...place, ...texels });
    const white = [255, 0, 0, 0, 0, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0];
    const bytes = Uint8Array.from(white);
    gl.textures.uploads.compressed.subImage(0, 0, 0x83f3, { ...place, bytes });
    expect(gl.errors.take()).toBe(GL.NO_ERROR);
    const { texels: found } = gl.textures.bound(0, D2).level(0)!;
    expect([...found]).toEqual(new Array(64).fill(255));
  });
});
