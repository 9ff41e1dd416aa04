import { describe, expect, it } from 'vitest';
import type { TesseraContext, TesseraContext2 } from '../../create-context.ts';
import { makeContext, makeContext2, readPixel } from '../../testing/small-context.ts';

type Context = TesseraContext | TesseraContext2;

/** Binds a texture that is read back through a framebuffer. */
function bindTarget(gl: Context): WebGLTexture {
  const texture = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  const { FRAMEBUFFER, COLOR_ATTACHMENT0, TEXTURE_2D } = gl;
  gl.framebufferTexture2D(FRAMEBUFFER, COLOR_ATTACHMENT0, TEXTURE_2D, texture, 0);
  return texture;
}

function upload(gl: Context, width: number, height: number, texels: ArrayBufferView | null): void {
  const { TEXTURE_2D, RGBA, UNSIGNED_BYTE } = gl;
  gl.texImage2D(TEXTURE_2D, 0, RGBA, width, height, 0, RGBA, UNSIGNED_BYTE, texels);
}

describe('texImage2D', () => {
  const RED = [255, 0, 0, 255];
  const GREEN = [0, 255, 0, 128];

  it('uses the first row as the lowest, or flips rows', () => {
    const gl = makeContext();
    bindTarget(gl);
    upload(gl, 1, 2, Uint8Array.of(...RED, ...GREEN));
    expect(readPixel(gl, 0, 0)).toEqual(RED);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, true);
    upload(gl, 1, 2, Uint8Array.of(...RED, ...GREEN));
    expect(readPixel(gl, 0, 0)).toEqual(GREEN);
    expect(gl.getParameter(gl.UNPACK_FLIP_Y_WEBGL)).toBe(true);
  });

  it('premultiplies colors on request', () => {
    const gl = makeContext();
    bindTarget(gl);
    gl.pixelStorei(gl.UNPACK_PREMULTIPLY_ALPHA_WEBGL, true);
    upload(gl, 1, 1, Uint8Array.of(...GREEN));
    expect(readPixel(gl)).toEqual([0, 128, 0, 128]);
  });

  it('aligns rows, to four bytes by default', () => {
    const gl = makeContext();
    bindTarget(gl);
    const { TEXTURE_2D, RGB, UNSIGNED_BYTE } = gl;
    const rows = Uint8Array.of(1, 2, 3, 0, 4, 5, 6);
    gl.texImage2D(TEXTURE_2D, 0, RGB, 1, 2, 0, RGB, UNSIGNED_BYTE, rows);
    expect(readPixel(gl, 0, 1)).toEqual([4, 5, 6, 255]);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage2D(TEXTURE_2D, 0, RGB, 1, 2, 0, RGB, UNSIGNED_BYTE, rows);
    expect(readPixel(gl, 0, 1)).toEqual([0, 4, 5, 255]);
  });

  it('accepts images, top row first', () => {
    const gl = makeContext();
    bindTarget(gl);
    const image = { width: 1, height: 2, data: Uint8ClampedArray.of(...RED, ...GREEN) };
    const { TEXTURE_2D, RGBA, UNSIGNED_BYTE } = gl;
    gl.texImage2D(TEXTURE_2D, 0, RGBA, RGBA, UNSIGNED_BYTE, image as unknown as ImageData);
    expect(readPixel(gl, 0, 0)).toEqual(RED);
    expect(readPixel(gl, 0, 1)).toEqual(GREEN);
  });

  it('reads parts of memory in WebGL 2', () => {
    const gl = makeContext2();
    bindTarget(gl);
    gl.pixelStorei(gl.UNPACK_ROW_LENGTH, 2);
    gl.pixelStorei(gl.UNPACK_SKIP_PIXELS, 1);
    gl.pixelStorei(gl.UNPACK_SKIP_ROWS, 1);
    upload(gl, 1, 1, Uint8Array.of(...RED, ...RED, ...RED, ...GREEN));
    expect(readPixel(gl)).toEqual(GREEN);
  });

  it('rejects overlapping rows and slices', () => {
    const gl = makeContext2();
    bindTarget(gl);
    gl.pixelStorei(gl.UNPACK_SKIP_PIXELS, 1);
    upload(gl, 1, 1, new Uint8Array(64));
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    upload(gl, 1, 1, null);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    gl.pixelStorei(gl.UNPACK_SKIP_PIXELS, 0);
    gl.pixelStorei(gl.UNPACK_SKIP_ROWS, 1);
    upload(gl, 1, 1, new Uint8Array(64));
    expect(gl.getError()).toBe(gl.NO_ERROR);
    const { TEXTURE_2D_ARRAY, RGBA, UNSIGNED_BYTE } = gl;
    gl.bindTexture(TEXTURE_2D_ARRAY, gl.createTexture());
    const texels = new Uint8Array(64);
    gl.texImage3D(TEXTURE_2D_ARRAY, 0, RGBA, 1, 1, 2, 0, RGBA, UNSIGNED_BYTE, texels);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.pixelStorei(gl.UNPACK_SKIP_ROWS, 0);
    gl.texImage3D(TEXTURE_2D_ARRAY, 0, RGBA, 1, 1, 2, 0, RGBA, UNSIGNED_BYTE, texels);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('ignores slice parameters for textures without slices', () => {
    const gl = makeContext2();
    bindTarget(gl);
    gl.pixelStorei(gl.UNPACK_SKIP_IMAGES, 1);
    upload(gl, 1, 1, Uint8Array.of(...RED));
    expect(readPixel(gl)).toEqual(RED);
  });

  it('rejects flipping and premultiplying for buffers and slices', () => {
    const gl = makeContext2();
    bindTarget(gl);
    const { TEXTURE_2D, TEXTURE_3D, RGBA, UNSIGNED_BYTE } = gl;
    gl.bindTexture(TEXTURE_3D, gl.createTexture());
    const texels = new Uint8Array(8);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, true);
    gl.texImage3D(TEXTURE_3D, 0, RGBA, 1, 1, 2, 0, RGBA, UNSIGNED_BYTE, texels);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, gl.createBuffer());
    gl.bufferData(gl.PIXEL_UNPACK_BUFFER, 4, gl.STATIC_DRAW);
    gl.texImage2D(TEXTURE_2D, 0, RGBA, 1, 1, 0, RGBA, UNSIGNED_BYTE, 0);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.pixelStorei(gl.UNPACK_FLIP_Y_WEBGL, false);
    gl.texImage2D(TEXTURE_2D, 0, RGBA, 1, 1, 0, RGBA, UNSIGNED_BYTE, 0);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    // The bound buffer comes before an image that is not loaded.
    const empty = { takePixels: () => null } as unknown as ImageBitmap;
    gl.texSubImage2D(TEXTURE_2D, 0, 0, 0, RGBA, UNSIGNED_BYTE, empty);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, null);
    gl.texSubImage2D(TEXTURE_2D, 0, 0, 0, RGBA, UNSIGNED_BYTE, empty);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
  });

  it.each([
    ['too few bytes', 'INVALID_OPERATION', (gl) => upload(gl, 2, 2, new Uint8Array(15))],
    ['a view of another type', 'INVALID_OPERATION', (gl) => upload(gl, 1, 1, new Float32Array(4))],
    ['a negative size', 'INVALID_VALUE', (gl) => upload(gl, -1, 1, null)],
    ['a size that is too large', 'INVALID_VALUE', (gl) => upload(gl, 8193, 1, null)],
    [
      'floats without their extension',
      'INVALID_ENUM',
      (gl) => gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 0, gl.RGBA, gl.FLOAT, null),
    ],
    [
      'a format that is not the internal format',
      'INVALID_OPERATION',
      (gl) => gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB, 1, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, null),
    ],
    [
      'a border',
      'INVALID_VALUE',
      (gl) => gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 1, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, null),
    ],
  ] as const satisfies readonly (readonly [
    string,
    'INVALID_OPERATION' | 'INVALID_VALUE' | 'INVALID_ENUM',
    (gl: TesseraContext) => void,
  ])[])('rejects %s', (_what, error, call) => {
    const gl = makeContext();
    bindTarget(gl);
    call(gl);
    expect(gl.getError()).toBe(gl[error]);
  });

  it('rejects textures with immutable storage', () => {
    const gl = makeContext2();
    bindTarget(gl);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 2, 2);
    expect(gl.getTexParameter(gl.TEXTURE_2D, gl.TEXTURE_IMMUTABLE_FORMAT)).toBe(true);
    upload(gl, 2, 2, null);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });
});

describe('texture objects', () => {
  it('keep the target of their first binding', () => {
    const gl = makeContext();
    const texture = gl.createTexture();
    expect(gl.isTexture(texture)).toBe(false);
    gl.bindTexture(gl.TEXTURE_CUBE_MAP, texture);
    expect(gl.isTexture(texture)).toBe(true);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    expect(gl.getParameter(gl.TEXTURE_BINDING_2D)).toBeNull();
  });

  it('have generated mipmaps only for powers of two in WebGL 1', () => {
    const [gl, gl2] = [makeContext(), makeContext2()];
    for (const each of [gl, gl2]) {
      bindTarget(each);
      upload(each, 3, 3, null);
      each.generateMipmap(each.TEXTURE_2D);
    }
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    expect(gl2.getError()).toBe(gl2.NO_ERROR);
  });

  it('have only the parameters of their version', () => {
    const gl = makeContext();
    bindTarget(gl);
    gl.texParameteri(gl.TEXTURE_2D, 0x8072, gl.REPEAT);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    expect(gl.getTexParameter(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER)).toBe(gl.NEAREST_MIPMAP_LINEAR);
  });
});

describe('copyTexImage2D', () => {
  it('rejects channels that the framebuffer does not have', () => {
    const gl = makeContext({ alpha: false });
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.copyTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 0, 0, 1, 1, 0);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.copyTexImage2D(gl.TEXTURE_2D, 0, gl.RGB, 0, 0, 1, 1, 0);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it.each([
    ['size', 'RGBA', 1],
    ['format', 'RGB', 2],
  ] as const)('can have a level that does not match the %s of level 0', (_, base, edgePx) => {
    const gl = makeContext();
    const { TEXTURE_2D, RGBA, UNSIGNED_BYTE } = gl;
    gl.bindTexture(TEXTURE_2D, gl.createTexture());
    const texels = new Uint8Array(16).fill(255);
    gl.texImage2D(TEXTURE_2D, 0, gl[base], edgePx, edgePx, 0, gl[base], UNSIGNED_BYTE, texels);
    gl.copyTexImage2D(TEXTURE_2D, 1, RGBA, 0, 0, 1, 1, 0);
    gl.generateMipmap(TEXTURE_2D);
    gl.copyTexImage2D(TEXTURE_2D, 2, RGBA, 0, 0, 2, 0, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    const texture = gl.getParameter(gl.TEXTURE_BINDING_2D);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, TEXTURE_2D, texture, 0);
    expect(readPixel(gl)).toEqual([255, 255, 255, 255]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });
});
