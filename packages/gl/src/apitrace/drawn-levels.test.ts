import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { draw, replay, startCapture, swap } from '../testing/small-capture.ts';
import type { CaptureWriter } from './capture-writer.ts';

const FRAGMENT = 'uniform sampler2D map; void main() {}';
const TARGET = { target: GL.TEXTURE_2D };

/** Returns a capture with a texture of three levels, of which the upper two were drawn into. */
function startLevels(): CaptureWriter {
  const writer = startCapture(undefined, FRAGMENT)
    .call('glGenTextures', { n: 1, textures: [31] })
    .call('glGenFramebuffers', { n: 1, framebuffers: [41] });
  bind(writer, 31);
  for (const [level, edge] of [4, 2, 1].entries()) {
    writer.call('glTexImage2D', {
      ...{ ...TARGET, level, internalformat: GL.RGBA8, width: edge, height: edge, border: 0 },
      ...{ format: GL.RGBA, type: GL.UNSIGNED_BYTE, pixels: null },
    });
  }
  for (const level of [1, 2]) {
    drawInto(writer, level).call('glClear', { mask: GL.COLOR_BUFFER_BIT });
  }
  return writer;
}

const bind = (writer: CaptureWriter, texture: number) =>
  writer.call('glBindTexture', { ...TARGET, texture });

const setLevel = (writer: CaptureWriter, pname: number, param: number) =>
  writer.call('glTexParameteri', { ...TARGET, pname, param });

function drawInto(writer: CaptureWriter, level: number): CaptureWriter {
  return writer
    .call('glBindFramebuffer', { target: GL.FRAMEBUFFER, framebuffer: 41 })
    .call('glFramebufferTexture2D', {
      ...{ target: GL.FRAMEBUFFER, attachment: GL.COLOR_ATTACHMENT0, texture: 31 },
      ...{ textarget: GL.TEXTURE_2D, level },
    });
}

const drawOnScreen = (writer: CaptureWriter) =>
  draw(writer.call('glBindFramebuffer', { target: GL.FRAMEBUFFER, framebuffer: 0 }));

/** Levels that the draws of the last pass read. */
function levelsOf(writer: CaptureWriter) {
  return replay(swap(writer))
    .frame.passes.at(-1)!
    .draws.map(({ textures }) => {
      const { baseLevel, maxLevel } = textures.map!.sampler;
      return [baseLevel, maxLevel];
    });
}

describe('levels of a texture that were drawn into', () => {
  it('are sampled from a base level to a highest level', () => {
    const writer = drawOnScreen(startLevels());
    drawOnScreen(setLevel(writer, GL.TEXTURE_BASE_LEVEL, 1));
    drawOnScreen(setLevel(writer, GL.TEXTURE_MAX_LEVEL, 1));
    drawOnScreen(setLevel(writer, GL.TEXTURE_BASE_LEVEL, 0));
    expect(levelsOf(writer)).toEqual([
      [undefined, undefined],
      [1, undefined],
      [1, 1],
      [undefined, 1],
    ]);
  });

  it('are sampled while another level is drawn into', () => {
    const writer = setLevel(startLevels(), GL.TEXTURE_BASE_LEVEL, 1);
    draw(drawInto(setLevel(writer, GL.TEXTURE_MAX_LEVEL, 1), 2));
    drawOnScreen(writer);
    const [pass] = replay(swap(writer)).frame.passes.slice(-2);
    expect(pass).toMatchObject({ target: { level: 2 } });
    expect(pass!.draws[0]!.textures.map!.sampler).toMatchObject({ baseLevel: 1, maxLevel: 1 });
    const loop = () => replay(swap(draw(drawInto(writer, 1))), 1);
    expect(loop).toThrow(/is also the target of the draw/);
  });

  it('have no base level that is not defined', () => {
    const writer = drawOnScreen(setLevel(startLevels(), GL.TEXTURE_BASE_LEVEL, 3));
    expect(replay(swap(writer)).frame.passes.at(-1)!.draws[0]!.textures).toEqual({});
  });
});

describe('the highest level of a texture', () => {
  it('does not decide between filters for more and for fewer texels than pixels', () => {
    const writer = setLevel(startLevels(), GL.TEXTURE_MAX_LEVEL, 0);
    const nearest = setLevel(writer, GL.TEXTURE_MIN_FILTER, GL.NEAREST_MIPMAP_NEAREST);
    const { sampler } = replay(swap(drawOnScreen(nearest))).frame.passes.at(-1)!.draws[0]!.textures
      .map!;
    expect(sampler).toMatchObject({ magFilter: 'linear', minFilter: 'nearest', maxLevel: 0 });
    expect(sampler.maxLod).toBeUndefined();
  });
});
