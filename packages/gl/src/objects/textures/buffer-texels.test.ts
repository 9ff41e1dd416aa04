import { levelSizeOf, TEXTURE_FORMATS } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { GL } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import { makeContext } from '../../testing/small-context.ts';
import { BufferObject } from '../buffers/buffer-objects.ts';
import { bufferLayoutOf } from './buffer-formats.ts';
import { BufferTexels } from './buffer-texels.ts';

const R8 = bufferLayoutOf(GL.R8)!;

function bufferOf(bytes: Uint8Array<ArrayBuffer>): BufferObject {
  const buffer = new BufferObject(1);
  buffer.replace(bytes);
  return buffer;
}

describe('texels of buffers', () => {
  it('fill rows of equal length in order', () => {
    for (const count of [1, 7, 8191, 8192, 8194, 9000, 65_536]) {
      const bytes = Uint8Array.from({ length: count }, (_, i) => (i * 7) % 251);
      const level = new BufferTexels(bufferOf(bytes), R8, null).read();
      expect(level.widthPx * level.heightPx).toBe(count);
      expect(Math.max(level.widthPx, level.heightPx)).toBeLessThanOrEqual(8192);
      expect(level.texels).toEqual(bytes);
    }
  });

  it('refuse a number that fills no such rows', () => {
    const texels = new BufferTexels(bufferOf(new Uint8Array(8209)), R8, null);
    expect(() => texels.read()).toThrow('a buffer texture of 8209 texels');
  });

  it('follow later writes, inside of their range', () => {
    const buffer = bufferOf(Uint8Array.of(1, 2, 3, 4, 5));
    const texels = new BufferTexels(buffer, R8, { offsetBytes: 1, sizeBytes: 3 });
    const first = texels.read();
    expect([...first.texels]).toEqual([2, 3, 4]);
    expect(texels.read()).toBe(first);
    buffer.write(2, Uint8Array.of(9));
    expect([...texels.read().texels]).toEqual([2, 9, 4]);
    expect([...first.texels]).toEqual([2, 3, 4]);
  });

  it('end with the last whole texel, and at 65,536', () => {
    const layout = bufferLayoutOf(0x8230)!;
    expect(new BufferTexels(bufferOf(new Uint8Array(23)), layout, null).read().widthPx).toBe(2);
    const { widthPx, heightPx } = new BufferTexels(
      bufferOf(new Uint8Array(70_000)),
      R8,
      null,
    ).read();
    expect(widthPx * heightPx).toBe(65_536);
    expect(new BufferTexels(null, R8, null).read().widthPx).toBe(0);
  });

  it.each([
    ['ALPHA8', 0x803c, [7], [0, 0, 0, 7]],
    ['LUMINANCE8_ALPHA8', 0x8045, [7, 8], [7, 7, 7, 8]],
    ['INTENSITY8', 0x804b, [7], [7, 7, 7, 7]],
    ['RGBA8I', 0x8d8e, [1, 2, 255, 4], [1, 2, 255, 4]],
    ['ALPHA8UI', 0x8d7e, [7], [0, 0, 0, 7]],
    ['INTENSITY8I', 0x8d91, [7], [7, 7, 7, 7]],
    ['LUMINANCE8UI', 0x8d80, [7], [7, 7, 7, 1]],
  ])('are those of %s', (_name, internalFormat, bytes, expected) => {
    const layout = bufferLayoutOf(internalFormat)!;
    const level = new BufferTexels(bufferOf(Uint8Array.from(bytes)), layout, null).read();
    expect([...level.texels]).toEqual(expected);
    const { bytesPerTexel } = TEXTURE_FORMATS[level.format];
    expect(levelSizeOf(level, 0).widthPx * bytesPerTexel).toBe(level.texels.length);
  });

  it('are attached to buffer textures in formats that these have', () => {
    const { gl } = makeContext('gl');
    gl.textures.bind(FIXED.TEXTURE_BUFFER, 3);
    gl.textures.attachBuffer(GL.TEXTURE_2D, GL.R8, null);
    expect(gl.errors.take()).toBe(GL.INVALID_ENUM);
    gl.textures.attachBuffer(FIXED.TEXTURE_BUFFER, GL.DEPTH_COMPONENT24, null);
    expect(gl.errors.take()).toBe(GL.INVALID_ENUM);
    gl.textures.attachBuffer(FIXED.TEXTURE_BUFFER, GL.R8, bufferOf(Uint8Array.of(5)));
    const texture = gl.textures.object(3)!;
    texture.buffer!.update(texture);
    expect(texture.contentForSampling()!.levels).toEqual([Uint8Array.of(5)]);
  });
});
