import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { draw, replay, startCapture } from '../testing/small-capture.ts';
import type { CaptureWriter } from './capture-writer.ts';

const SRGB8_ALPHA8 = 0x8c43;
const SIZE = { width: 16, height: 8 };

/** Returns a capture with an sRGB texture as the target of draws. */
function startSrgb(): CaptureWriter {
  const target = GL.FRAMEBUFFER;
  const texture = { target: GL.TEXTURE_2D, level: 0, internalformat: SRGB8_ALPHA8, ...SIZE };
  return startCapture()
    .call('glGenTextures', { n: 1, textures: [31] })
    .call('glBindTexture', { target: GL.TEXTURE_2D, texture: 31 })
    .call('glTexImage2D', {
      ...{ ...texture, border: 0, format: GL.RGBA, type: GL.UNSIGNED_BYTE, pixels: null },
    })
    .call('glGenFramebuffers', { n: 1, framebuffers: [41] })
    .call('glBindFramebuffer', { target, framebuffer: 41 })
    .call('glFramebufferTexture2D', {
      ...{ target, attachment: GL.COLOR_ATTACHMENT0, textarget: GL.TEXTURE_2D, level: 0 },
      texture: 31,
    })
    .call('glViewport', { x: 0, y: 0, ...SIZE });
}

const setEncoding = (writer: CaptureWriter, isEnabled: boolean) =>
  writer.call(isEnabled ? 'glEnable' : 'glDisable', { cap: GL.FRAMEBUFFER_SRGB });

/** Passes into textures: whether they are without encoding, what they load, and their draws. */
function passesOf(writer: CaptureWriter) {
  return replay(writer, 'end').frame.passes.flatMap(({ target, loads = [], draws }) =>
    target?.kind === 'texture' && target.textureIndex === 0
      ? [{ isRaw: target.isSrgbRaw === true, loads, draws: draws.length }]
      : [],
  );
}

describe('targets in sRGB', () => {
  it('are drawn into without encoding while GL_FRAMEBUFFER_SRGB is disabled', () => {
    const writer = draw(setEncoding(draw(draw(startSrgb())), true));
    draw(setEncoding(writer, false));
    const first = { isRaw: true, loads: [], draws: 2 };
    const others = [false, true].map((isRaw) => ({ isRaw, loads: ['color'], draws: 1 }));
    expect(passesOf(writer)).toEqual([first, ...others]);
  });

  it('keep a clear without encoding when encoding is enabled after it', () => {
    const writer = startSrgb()
      .call('glClearColor', { red: 0.5, green: 0.5, blue: 0.5, alpha: 1 })
      .call('glClear', { mask: GL.COLOR_BUFFER_BIT });
    draw(setEncoding(writer, true));
    // A clear of the second pass would store 0.5 encoded.
    expect(passesOf(writer)).toEqual([
      { isRaw: true, loads: [], draws: 0 },
      { isRaw: false, loads: ['color'], draws: 1 },
      // Copies the image that is shown.
      { isRaw: true, loads: ['color'], draws: 0 },
    ]);
  });

  it('are shown without decoding', () => {
    const { frame } = replay(draw(setEncoding(startSrgb(), true)), 'end');
    const { copies } = frame.passes.find((pass) => pass.copies !== undefined)!;
    expect(frame.textures[copies![0]!.into.textureIndex]!.format).toBe('rgba8unorm');
    const shown = frame.passes.at(-1)!.draws[0]!.textures;
    expect(shown).toMatchObject({ image: { textureIndex: copies![0]!.into.textureIndex } });
  });
});
