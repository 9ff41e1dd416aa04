import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { draw, replay, startCapture, swap } from '../testing/small-capture.ts';

function cubeSamplerAfter(...switches: readonly ('glEnable' | 'glDisable')[]) {
  const target = GL.TEXTURE_CUBE_MAP;
  const storage = { target, levels: 1, internalformat: 0x8058, width: 2, height: 2 };
  const writer = startCapture('attribute vec2 at;', 'uniform samplerCube map;')
    .call('glBindTexture', { target, texture: 77 })
    .call('glTexStorage2D', storage);
  for (const name of switches) writer.call(name, { cap: GL.TEXTURE_CUBE_MAP_SEAMLESS });
  return replay(swap(draw(draw(writer)))).draws.map(({ textures }) => textures.map!.sampler);
}

describe('GL_TEXTURE_CUBE_MAP_SEAMLESS', () => {
  it('makes cube maps of desktop OpenGL read across edges while it is on', () => {
    const [hard] = cubeSamplerAfter();
    expect(hard!.isCubeEdgeHard).toBe(true);
    const [seamless, again] = cubeSamplerAfter('glEnable');
    const { isCubeEdgeHard: _, ...others } = hard!;
    expect(seamless).toEqual(others);
    expect(again).toEqual(seamless);
    expect(cubeSamplerAfter('glEnable', 'glDisable')[0]).toEqual(hard);
  });
});
