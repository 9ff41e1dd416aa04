import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { startCapture } from '../testing/small-capture.ts';
import { DECLARATION_REFLECTION } from '../testing/small-context.ts';
import { CaptureFrames } from './capture-frames.ts';
import type { CaptureWriter } from './capture-writer.ts';
import { readCalls } from './format/capture-reader.ts';
import { replayFrame } from './replay.ts';

const FRAME_COUNT = 6;
const TARGET = { target: GL.TEXTURE_2D, level: 0, border: 0, width: 8, height: 8 };

/**
 * Writes a capture of frames that differ. Frame 1 draws into a texture that frames 3 and 4 sample.
 * With `copies`, frame 1 copies the screen into the texture instead.
 */
function writeCapture(copies: boolean): Uint8Array {
  const writer = startCapture('attribute vec2 at;', 'uniform sampler2D map;')
    .call('glGenTextures', { n: 2, textures: [66, 67] })
    .call('glGenFramebuffers', { n: 1, framebuffers: [77] });
  for (const texture of [66, 67]) {
    writer
      .call('glBindTexture', { target: GL.TEXTURE_2D, texture })
      .call('glTexParameteri', {
        target: GL.TEXTURE_2D,
        pname: GL.TEXTURE_MIN_FILTER,
        param: GL.NEAREST,
      })
      .call('glTexImage2D', {
        ...TARGET,
        internalformat: GL.RGBA,
        format: GL.RGBA,
        type: GL.UNSIGNED_BYTE,
        pixels: null,
      });
  }
  for (let frame = 0; frame < FRAME_COUNT; frame++) {
    writer
      .call('glBindTexture', { target: GL.TEXTURE_2D, texture: 67 })
      .call('glClearColor', { red: frame / 8, green: 0, blue: 0, alpha: 1 })
      .call('glClear', { mask: GL.COLOR_BUFFER_BIT });
    if (frame === 1) fillTexture(writer, copies);
    const isSampling = frame === 3 || frame === 4;
    writer
      .call('glBindTexture', { target: GL.TEXTURE_2D, texture: isSampling ? 66 : 67 })
      .call('glDrawArrays', { mode: GL.TRIANGLES, first: 0, count: 3 })
      .call('glXSwapBuffers', { dpy: 1, drawable: 7 });
  }
  return writer.finish();
}

function fillTexture(writer: CaptureWriter, copies: boolean): void {
  const framebuffer = { target: GL.FRAMEBUFFER };
  if (copies) {
    const place = { target: GL.TEXTURE_2D, level: 0, xoffset: 0, yoffset: 0, x: 0, y: 0 };
    writer
      .call('glBindTexture', { target: GL.TEXTURE_2D, texture: 66 })
      .call('glCopyTexSubImage2D', { ...place, width: 8, height: 8 });
    return;
  }
  writer
    .call('glBindFramebuffer', { ...framebuffer, framebuffer: 77 })
    .call('glFramebufferTexture2D', {
      ...framebuffer,
      attachment: GL.COLOR_ATTACHMENT0,
      textarget: GL.TEXTURE_2D,
      texture: 66,
      level: 0,
    })
    .call('glClear', { mask: GL.COLOR_BUFFER_BIT })
    .call('glDrawArrays', { mode: GL.TRIANGLES, first: 0, count: 3 })
    .call('glBindFramebuffer', { ...framebuffer, framebuffer: 0 });
}

/** Returns the calls in batches of a few. */
async function* inBatches(bytes: Uint8Array) {
  const calls = [...readCalls(bytes)];
  for (let at = 0; at < calls.length; at += 7) yield calls.slice(at, at + 7);
}

const OPTIONS = { reflection: DECLARATION_REFLECTION };

describe('the frames of a capture', () => {
  const bytes = writeCapture(false);
  const alone = Array.from({ length: FRAME_COUNT }, (_, frameIndex) =>
    replayFrame(readCalls(bytes), { ...OPTIONS, frame: frameIndex }),
  );

  it.each([
    ['all', [0, 1, 2, 3, 4, 5]],
    ['some', [0, 3, 5]],
    ['those after the texture was drawn', [1, 3, 4]],
    ['those that sample it', [3, 4]],
  ])('are those of a replay for each: %s', async (_, indices) => {
    const frames = new CaptureFrames(inBatches(bytes), OPTIONS);
    for (const index of indices) expect(await frames.take(index)).toEqual(alone[index]);
    expect(frames.nextIndex).toBe(indices.at(-1)! + 1);
  });

  it('contain the pass of an earlier frame whose texture they sample', () => {
    expect(alone.map(({ frame }) => frame.passes.length)).toEqual([1, 2, 1, 2, 2, 1]);
  });

  it('are refused if they sample a copy of the screen of an earlier frame', async () => {
    const frames = new CaptureFrames(inBatches(writeCapture(true)), OPTIONS);
    for (const index of [0, 1, 2]) await frames.take(index);
    await expect(frames.take(3)).rejects.toThrow(/call \d+ \(glDrawArrays\)/);
  });

  it('end with the capture', async () => {
    const frames = new CaptureFrames(inBatches(bytes), OPTIONS);
    await frames.take(5);
    await expect(frames.take(4)).rejects.toThrow('frame 4 is before frame 6');
    await expect(frames.take(6)).rejects.toThrow('frame 6: the capture has only 6 frames');
  });
});
