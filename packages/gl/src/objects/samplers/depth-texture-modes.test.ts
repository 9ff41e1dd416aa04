import { describe, expect, it } from 'vitest';
import { GL } from '../../api/constants.ts';
import { makeContext } from '../../testing/small-context.ts';

const D2 = GL.TEXTURE_2D;

describe('depth texture modes', () => {
  const spread = ['red', 'red', 'red', 'one'];
  it.each<[string, number, string[] | undefined, string[] | undefined]>([
    ['LUMINANCE', GL.LUMINANCE, spread, undefined],
    ['INTENSITY', GL.INTENSITY, Array(4).fill('red'), Array(4).fill('red')],
    ['ALPHA', GL.ALPHA, ['zero', 'zero', 'zero', 'red'], ['zero', 'zero', 'zero', 'red']],
    ['RED', GL.RED, undefined, ['red', 'zero', 'zero', 'one']],
  ])('%s selects channels of depths and of comparisons', (_name, mode, ofDepth, ofComparison) => {
    const { gl } = makeContext('gl');
    const texture = gl.textures.bound(0, D2);
    gl.textures.uploads.image(GL.DEPTH_COMPONENT, {
      ...{ target: D2, level: 0, widthPx: 1, heightPx: 1 },
      ...{ format: GL.DEPTH_COMPONENT, type: GL.UNSIGNED_SHORT, bytes: new Uint8Array(2) },
    });
    gl.textures.setParameter(D2, 0x884b, mode);
    expect(texture.sampler().swizzle).toEqual(ofDepth);
    gl.textures.setParameter(D2, GL.TEXTURE_COMPARE_MODE, 0x884e);
    expect(texture.sampler().swizzle).toEqual(ofComparison);
    // Another mode for a draw does not change that of the texture.
    expect(texture.sampler(undefined, GL.INTENSITY).swizzle).toEqual(Array(4).fill('red'));
    expect(texture.sampler().swizzle).toEqual(ofComparison);
  });
});
