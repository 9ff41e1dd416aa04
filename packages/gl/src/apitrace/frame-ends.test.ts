import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { draw, replay, startCapture, swap } from '../testing/small-capture.ts';
import { readCalls } from './format/capture-reader.ts';

describe('frames that do not end with a swap', () => {
  it('ends a frame with the capture, or with a call, in programs that do not swap', () => {
    const writer = draw(startCapture());
    writer.call('glFinish', {});
    draw(draw(writer));
    for (const frame of [0, 'end'] as const) expect(replay(writer, frame).draws).toHaveLength(3);
    const finish = [...readCalls(writer.finish())].find(({ name }) => name === 'glFinish')!;
    expect(replay(writer, { call: finish.number }).draws).toHaveLength(1);
    expect(() => replay(writer, { call: 1000 })).toThrow(/call 1000: the capture ends before it/);
    expect(() => replay(writer, 1)).toThrow(/frame 1: the capture has only 0 frames/);
    // A frame after swaps begins after the last of them.
    draw(swap(writer));
    expect(replay(writer, 'end').draws).toHaveLength(1);
    expect(replay(writer, 1).draws).toHaveLength(1);
    expect(() => replay(swap(writer), 2)).toThrow(/frame 2: the capture has only 2 frames/);
  });

  it('shows the framebuffer that is bound when a frame does not end with a swap', () => {
    const size = { width: 16, height: 8 };
    const texture = { target: GL.TEXTURE_2D, level: 0, internalformat: GL.RGBA8, ...size };
    const attach = { attachment: GL.COLOR_ATTACHMENT0, textarget: GL.TEXTURE_2D, level: 0 };
    const writer = draw(startCapture())
      .call('glGenTextures', { n: 1, textures: [31] })
      .call('glBindTexture', { target: GL.TEXTURE_2D, texture: 31 })
      .call('glTexImage2D', {
        ...{ ...texture, border: 0, format: GL.RGBA, type: GL.UNSIGNED_BYTE, pixels: null },
      })
      .call('glGenFramebuffers', { n: 1, framebuffers: [41] })
      .call('glBindFramebuffer', { target: GL.FRAMEBUFFER, framebuffer: 41 })
      .call('glFramebufferTexture2D', { target: GL.FRAMEBUFFER, ...attach, texture: 31 })
      .call('glViewport', { x: 0, y: 0, ...size });
    draw(draw(writer));
    const { frame } = replay(writer, 'end');
    expect([frame.widthPx, frame.heightPx]).toEqual([16, 8]);
    // The pass to the screen before is left out, and another shows the texture.
    expect(frame.passes.map(({ target, draws }) => [target?.kind, draws.length])).toEqual([
      ['texture', 2],
      [undefined, 1],
    ]);
  });
});
