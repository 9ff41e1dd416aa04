import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { draw, replay, startCapture, swap } from '../testing/small-capture.ts';

const FRAGMENT = 'uniform sampler2D map;';
const CLAMP_TO_BORDER = 0x812d;
const BORDER_COLOR = 0x1004;
const SWIZZLE_RGBA = 0x8e46;

function startTextured() {
  return startCapture('attribute vec2 at;', FRAGMENT)
    .call('glGenTextures', { n: 1, textures: [77] })
    .call('glBindTexture', { target: GL.TEXTURE_2D, texture: 77 })
    .call('glTexStorage2D', {
      target: GL.TEXTURE_2D,
      levels: 1,
      internalformat: 0x8058,
      width: 1,
      height: 1,
    });
}

function samplerOf(writer: ReturnType<typeof startTextured>) {
  return replay(swap(draw(writer))).draws[0]!.textures.map!.sampler;
}

describe('samplers and swizzles', () => {
  it('reads with the parameters of the sampler object of the unit', () => {
    const set = (pname: number, param: number) => ({ sampler: 8, pname, param });
    const writer = startTextured()
      .call('glGenSamplers', { count: 1, samplers: [8] })
      .call('glBindSampler', { unit: 0, sampler: 8 })
      .call('glSamplerParameteri', set(GL.TEXTURE_MAG_FILTER, GL.NEAREST))
      .call('glSamplerParameteri', set(GL.TEXTURE_WRAP_S, CLAMP_TO_BORDER))
      .call('glSamplerParameteri', set(GL.TEXTURE_LOD_BIAS, -5))
      .call('glSamplerParameterfv', { sampler: 8, pname: BORDER_COLOR, param: [1, 0.5, 0, 1] });
    const { magFilter, wrapS, borderColor, lodBias } = samplerOf(writer);
    expect([magFilter, wrapS, borderColor]).toEqual(['nearest', 'clamp-to-border', [1, 0.5, 0, 1]]);
    expect(lodBias).toBe(-5);
  });

  it('swizzles the channels of a texture', () => {
    const writer = startTextured().call('glTexParameteriv', {
      target: GL.TEXTURE_2D,
      pname: SWIZZLE_RGBA,
      params: [GL.ALPHA, GL.ONE, GL.NONE, GL.RED],
    });
    expect(samplerOf(writer).swizzle).toEqual(['alpha', 'one', 'zero', 'red']);
  });

  it('reads integers of a border as fractions, except those of integer functions', () => {
    const border = (name: string, params: number[]) =>
      samplerOf(
        startTextured()
          .call('glTexParameteri', {
            target: GL.TEXTURE_2D,
            pname: GL.TEXTURE_WRAP_S,
            param: CLAMP_TO_BORDER,
          })
          .call(name, { target: GL.TEXTURE_2D, pname: BORDER_COLOR, params }),
      ).borderColor;
    const most = 2 ** 31 - 1;
    expect(border('glTexParameteriv', [most, most, most, most])).toEqual([1, 1, 1, 1]);
    expect(border('glTexParameterIiv', [7, -7, 0, 1])).toEqual([7, -7, 0, 1]);
    expect(border('glTexParameterIuiv', [7, 9, 0, 1])).toEqual([7, 9, 0, 1]);
  });
});
