/** Uploads of images: the selected part, its orientation and its alpha. */
import { describe, expect, it } from 'vitest';
import type { TesseraContext2 } from '../../create-context.ts';
import { createImageBitmap } from '../../dom/images/image-bitmap.ts';
import { ImageData } from '../../dom/images/image-data.ts';
import { makeContext2, readPixel } from '../../testing/small-context.ts';

const [RED, GREEN, BLUE, CLEAR] = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
  [255, 255, 255, 0],
] as const;

/** Image of 2×2 pixels: red and green above blue and a transparent white. */
const IMAGE = new ImageData(Uint8ClampedArray.of(...RED, ...GREEN, ...BLUE, ...CLEAR), 2);

function bindTarget(gl: TesseraContext2): void {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  const { FRAMEBUFFER, COLOR_ATTACHMENT0, TEXTURE_2D } = gl;
  gl.framebufferTexture2D(FRAMEBUFFER, COLOR_ATTACHMENT0, TEXTURE_2D, texture, 0);
}

function uploadPart(gl: TesseraContext2, width: number, height: number): void {
  const { TEXTURE_2D, RGBA, UNSIGNED_BYTE } = gl;
  const image = IMAGE as unknown as globalThis.ImageData;
  gl.texImage2D(TEXTURE_2D, 0, RGBA, width, height, 0, RGBA, UNSIGNED_BYTE, image);
}

describe('a part of an image', () => {
  it.each([
    [0, 0, false, RED],
    [1, 0, false, GREEN],
    [0, 1, false, BLUE],
    [0, 0, true, BLUE],
    [0, 1, true, RED],
    [1, 1, true, GREEN],
  ] as const)('at %i, %i, flipped: %s', (x, y, isFlipped, color) => {
    const gl = makeContext2();
    bindTarget(gl);
    gl.pixelStorei(gl.UNPACK_SKIP_PIXELS, x);
    gl.pixelStorei(gl.UNPACK_SKIP_ROWS, y);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, isFlipped);
    uploadPart(gl, 1, 1);
    expect(readPixel(gl)).toEqual(color);
  });

  it('is rejected past the edge of the image', () => {
    const gl = makeContext2();
    bindTarget(gl);
    gl.pixelStorei(gl.UNPACK_SKIP_ROWS, 1);
    uploadPart(gl, 1, 2);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('is divided into slices from top to bottom', () => {
    const gl = makeContext2();
    const texture = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D_ARRAY, texture);
    const image = IMAGE as unknown as globalThis.ImageData;
    const { TEXTURE_2D_ARRAY, RGBA, UNSIGNED_BYTE } = gl;
    gl.texImage3D(TEXTURE_2D_ARRAY, 0, RGBA, 1, 1, 2, 0, RGBA, UNSIGNED_BYTE, image);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    gl.framebufferTextureLayer(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, texture, 0, 1);
    expect(readPixel(gl)).toEqual(BLUE);
  });
});

describe('a bitmap', () => {
  it('is uploaded unchanged, regardless of pixelStorei', async () => {
    const gl = makeContext2();
    bindTarget(gl);
    const bitmap = await createImageBitmap(IMAGE, { premultiplyAlpha: 'none' });
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, true);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
    const { TEXTURE_2D, RGBA, UNSIGNED_BYTE } = gl;
    const image = bitmap as unknown as globalThis.ImageBitmap;
    gl.texImage2D(TEXTURE_2D, 0, RGBA, RGBA, UNSIGNED_BYTE, image);
    expect([readPixel(gl), readPixel(gl, 1, 1)]).toEqual([RED, CLEAR]);
    bitmap.close();
    gl.texImage2D(TEXTURE_2D, 0, RGBA, RGBA, UNSIGNED_BYTE, image);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
  });
});

it('rejects image uploads to other types', () => {
  const gl = makeContext2();
  bindTarget(gl);
  const image = IMAGE as unknown as globalThis.ImageData;
  const { TEXTURE_2D, R16UI, RED_INTEGER, UNSIGNED_SHORT } = gl;
  gl.texImage2D(TEXTURE_2D, 0, R16UI, RED_INTEGER, UNSIGNED_SHORT, image);
  expect(gl.getError()).toBe(gl.INVALID_ENUM);
  gl.texImage2D(TEXTURE_2D, 0, gl.DEPTH_COMPONENT32F, gl.DEPTH_COMPONENT, gl.FLOAT, image);
  expect(gl.getError()).toBe(gl.INVALID_ENUM);
});
