import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { draw, replay, startCapture, swap } from '../testing/small-capture.ts';

/** Texel of a texture of one pixel. */
const RED = Uint8Array.of(255, 0, 0, 255);

describe('calls that name their object', () => {
  it('change the same buffer as calls that bind it, and keep the binding', () => {
    const positions = new Uint8Array(Float32Array.of(0, 0, 1, 0, 0, 1).buffer);
    const moved = new Uint8Array(Float32Array.of(0.5).buffer);
    const writer = startCapture()
      .call('glCreateBuffers', { n: 1, buffers: [9] })
      .call('glNamedBufferData', { buffer: 9, size: 24, data: positions, usage: GL.STATIC_DRAW })
      .call('glNamedBufferSubData', { buffer: 9, offset: 8, size: 4, data: moved });
    // The buffer of the capture's vertex array is unchanged.
    const before = replay(swap(draw(startCapture()))).frame.buffers[0]!;
    expect(replay(swap(draw(writer))).frame.buffers[0]!.sha256).toBe(before.sha256);
    const copied = startCapture()
      .call('glCreateBuffers', { n: 1, buffers: [9] })
      .call('glNamedBufferData', { buffer: 9, size: 24, data: positions, usage: GL.STATIC_DRAW })
      .call('glNamedBufferSubData', { buffer: 9, offset: 8, size: 4, data: moved })
      .call('glBindBuffer', { target: GL.ARRAY_BUFFER, buffer: 9 })
      .call('glVertexAttribPointer', {
        ...{ index: 4, size: 2, type: GL.FLOAT, normalized: 0, stride: 0, pointer: 0 },
      });
    const { buffers } = replay(swap(draw(copied))).frame;
    const values = new Float32Array(buffers[0]!.bytes.slice().buffer);
    expect([...values]).toEqual([0, 0, 0.5, 0, 0, 1]);
  });

  it('fill textures without binding them, and refuse faces as layers', () => {
    const create = (target: number) =>
      startCapture()
        .call('glCreateTextures', { target, n: 1, textures: [9] })
        .call('glTextureStorage2D', {
          ...{ texture: 9, levels: 1, internalformat: GL.RGBA8, width: 1, height: 1 },
        });
    const upload = {
      ...{ texture: 9, level: 0, xoffset: 0, yoffset: 0, width: 1, height: 1 },
      ...{ format: GL.RGBA, type: GL.UNSIGNED_BYTE, pixels: RED },
    };
    const writer = create(GL.TEXTURE_2D)
      .call('glTextureSubImage2D', upload)
      .call('glTextureParameteri', { texture: 9, pname: GL.TEXTURE_MIN_FILTER, param: GL.NEAREST })
      .call('glCreateFramebuffers', { n: 1, framebuffers: [5] })
      .call('glNamedFramebufferTexture', {
        ...{ framebuffer: 5, attachment: GL.COLOR_ATTACHMENT0, texture: 9, level: 0 },
      })
      .call('glBlitNamedFramebuffer', {
        ...{ readFramebuffer: 5, drawFramebuffer: 0, mask: GL.COLOR_BUFFER_BIT },
        ...{ srcX0: 0, srcY0: 0, srcX1: 1, srcY1: 1, dstX0: 0, dstY0: 0, dstX1: 1, dstY1: 1 },
        filter: GL.NEAREST,
      });
    const { frame } = replay(swap(draw(writer)));
    expect(frame.textures.map(({ levels }) => [...levels[0]!])).toContainEqual([...RED]);
    expect(frame.passes.at(-1)!.target).toBeUndefined();
    const faces = create(GL.TEXTURE_CUBE_MAP).call('glTextureSubImage3D', {
      ...upload,
      ...{ zoffset: 0, depth: 1 },
    });
    expect(() => replay(swap(draw(faces)))).toThrow(/faces of a cube map as layers/);
  });
});
