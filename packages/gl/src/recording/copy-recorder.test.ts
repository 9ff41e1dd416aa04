import { expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { makeContext } from '../testing/small-context.ts';

const RGBA16F = 0x881a;
const RGB32F = 0x8815;

/** Copies 4×2 pixels of the screen into a texture and returns the frame that also draws. */
function copyScreen(internalFormat: number) {
  const { gl, messages } = makeContext('gl');
  gl.textures.bind(GL.TEXTURE_2D, gl.textures.generate(1)[0]!);
  gl.copies.image(GL.TEXTURE_2D, 0, internalFormat, 3, 1, 4, 2);
  expect(messages).toEqual([]);
  const { passes, textures } = gl.frames.take();
  const copies = passes.flatMap((pass) => pass.copies ?? []);
  return { passes, textures, copies };
}

it('copies bytes without a draw', () => {
  const { passes, copies, textures } = copyScreen(GL.RGBA);
  expect(copies).toHaveLength(1);
  expect(textures[copies[0]!.into.textureIndex]!.format).toBe('rgba8unorm');
  expect(passes.flatMap(({ draws }) => draws)).toEqual([]);
});

it.each([
  [RGBA16F, 'rgba16float', undefined],
  [RGB32F, 'rgba32float', ['red', 'green', 'blue', 'one']],
])('converts to internal format %i by a draw', (internalFormat, format, swizzle) => {
  const { passes, copies, textures } = copyScreen(internalFormat);
  expect(copies).toMatchObject([{ sourceX: 3, sourceY: 1, widthPx: 4, heightPx: 2 }]);
  const { textureIndex } = copies[0]!.into;
  expect(textures[textureIndex]!.format).toBe('rgba8unorm');
  const into = passes.find(({ draws }) => draws.length > 0)!;
  const { image } = into.draws[0]!.textures;
  expect(image!.textureIndex).toBe(textureIndex);
  expect(image!.sampler.swizzle).toEqual(swizzle);
  expect(into.target).toMatchObject({ kind: 'texture' });
  const target = into.target as { readonly textureIndex: number };
  expect(textures[target.textureIndex]!.format).toBe(format);
});
