/** Errors and texels of compressed textures. Chromium 156 raises the same errors. */
import { describe, expect, it } from 'vitest';
import type { TesseraContext2 } from '../../create-context.ts';
import { compressedExtensions } from '../../extensions/compressed-extensions.ts';
import { linkProgram, makeContext, makeContext2, readPixel } from '../../testing/small-context.ts';

const [DXT1, DXT5, BC7, ETC1, ETC2, ASTC_5X4] = [0x83f0, 0x83f3, 0x8e8c, 0x8d64, 0x9278, 0x93b1];
const RED_BLOCK = [0x00, 0xf8, 0, 0, 0, 0, 0, 0];
const GREEN_BLOCK = [0xe0, 0x07, 0, 0, 0, 0, 0, 0];
const BLUE_BLOCK = [0x1f, 0x00, 0, 0, 0, 0, 0, 0];
const [RED, GREEN, BLUE, BLACK] = [
  [255, 0, 0, 255],
  [0, 255, 0, 255],
  [0, 0, 255, 255],
  [0, 0, 0, 255],
];

type Context = ReturnType<typeof makeContext> | TesseraContext2;

/** Enables all compressed formats and binds a texture. */
function prepare<T extends Context>(gl: T, target: number = gl.TEXTURE_2D): T {
  for (const name of Object.keys(compressedExtensions)) gl.getExtension(name);
  gl.bindTexture(target, gl.createTexture());
  return gl;
}

/** Defines a level of zeros. */
function image(gl: Context, format: number, level: number, width: number, height: number): void {
  const [blockWidth, blockBytes] = [format === ASTC_5X4 ? 5 : 4, format === ETC1 ? 8 : 16];
  const blocks = Math.ceil(width / blockWidth) * Math.ceil(height / 4);
  const bytes = new Uint8Array(blocks * blockBytes);
  gl.compressedTexImage2D(gl.TEXTURE_2D, level, format, width, height, 0, bytes);
}

/** Replaces a rectangle of the texture by zeros. */
function part(gl: Context, format: number, x: number, y: number, w: number, h: number): void {
  const blocks = Math.ceil(w / (format === ASTC_5X4 ? 5 : 4)) * Math.ceil(h / 4);
  const bytes = new Uint8Array(blocks * (format === ETC1 ? 8 : 16));
  gl.compressedTexSubImage2D(gl.TEXTURE_2D, 0, x, y, w, h, format, bytes);
}

type ErrorName = 'NO_ERROR' | 'INVALID_ENUM' | 'INVALID_VALUE' | 'INVALID_OPERATION';

describe('compressed formats', () => {
  it.each([1, 2] as const)('of WebGL %i are those of the enabled extensions', (version) => {
    const gl = version === 1 ? makeContext() : makeContext2();
    const listed = () => gl.getParameter(gl.COMPRESSED_TEXTURE_FORMATS) as Uint32Array;
    expect(listed()).toEqual(new Uint32Array(0));
    gl.getExtension('WEBGL_compressed_texture_s3tc');
    expect(listed()).toEqual(Uint32Array.of(0x83f0, 0x83f1, 0x83f2, 0x83f3));
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    image(gl, ETC2, 0, 4, 4);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    prepare(gl);
    expect(listed()).toHaveLength(4 + 4 + 4 + 4 + 10 + 1 + 28);
    for (const format of listed()) {
      const bytes = new Uint8Array([8, 16].find((count) => count === blockBytes(format))!);
      gl.compressedTexImage2D(gl.TEXTURE_2D, 0, format, 4, 4, 0, bytes);
      expect(gl.getError(), format.toString(16)).toBe(gl.NO_ERROR);
    }
  });

  it('of ASTC have a low dynamic range', () => {
    const astc = makeContext().getExtension('WEBGL_compressed_texture_astc')!;
    expect(astc.getSupportedProfiles()).toEqual(['ldr']);
  });
});

/** Returns the size of a block: 8 bytes for DXT1, one channel, ETC1 and ETC2 without alpha. */
function blockBytes(format: number): 8 | 16 {
  const small = [0x83f0, 0x83f1, 0x8c4c, 0x8c4d, 0x8dbb, 0x8dbc, 0x9270, 0x9271, ETC1];
  const isEtc2 = format >= 0x9274 && format <= 0x9277;
  return small.includes(format) || isEtc2 ? 8 : 16;
}

const CALLS: readonly (readonly [ErrorName, string, (gl: Context) => void])[] = [
  ['NO_ERROR', 'a level 0 of whole blocks', (gl) => image(gl, DXT5, 0, 8, 4)],
  ['INVALID_OPERATION', 'a level 0 of DXT5 with 3×4 texels', (gl) => image(gl, DXT5, 0, 3, 4)],
  ['INVALID_OPERATION', 'a level 0 of BC7 with 4×2 texels', (gl) => image(gl, BC7, 0, 4, 2)],
  ['INVALID_OPERATION', 'a level 1 of 1×1 texels of 2×2', (gl) => image(gl, DXT5, 1, 1, 1)],
  ['NO_ERROR', 'a level 1 of 2×2 texels of 4×4', (gl) => image(gl, DXT5, 1, 2, 2)],
  ['NO_ERROR', 'a level 0 of ETC2 with 3×5 texels', (gl) => image(gl, ETC2, 0, 3, 5)],
  ['NO_ERROR', 'a level 0 of ASTC with 7×5 texels', (gl) => image(gl, ASTC_5X4, 0, 7, 5)],
  ['NO_ERROR', 'an empty level', (gl) => image(gl, DXT5, 0, 0, 0)],
  ['INVALID_VALUE', 'a level of 8196 texels', (gl) => image(gl, DXT5, 0, 8196, 4)],
  ['INVALID_VALUE', 'level 14', (gl) => image(gl, ETC2, 14, 1, 1)],
  ['INVALID_VALUE', 'level -1', (gl) => image(gl, ETC2, -1, 4, 4)],
  [
    'INVALID_VALUE',
    'a border',
    (gl) => gl.compressedTexImage2D(gl.TEXTURE_2D, 0, DXT5, 4, 4, 1, new Uint8Array(16)),
  ],
  [
    'INVALID_VALUE',
    'a byte too few',
    (gl) => gl.compressedTexImage2D(gl.TEXTURE_2D, 0, DXT5, 4, 4, 0, new Uint8Array(15)),
  ],
  [
    'INVALID_VALUE',
    'a byte too many',
    (gl) => gl.compressedTexImage2D(gl.TEXTURE_2D, 0, DXT5, 4, 4, 0, new Uint8Array(17)),
  ],
  [
    'INVALID_ENUM',
    'an uncompressed format',
    (gl) => gl.compressedTexImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, new Uint8Array(64)),
  ],
  [
    'INVALID_ENUM',
    'all faces of a cube map at once',
    (gl) => gl.compressedTexImage2D(gl.TEXTURE_CUBE_MAP, 0, DXT5, 4, 4, 0, new Uint8Array(16)),
  ],
  [
    'INVALID_OPERATION',
    'a target without a texture',
    (gl) => {
      const { TEXTURE_CUBE_MAP_POSITIVE_X: face } = gl;
      gl.compressedTexImage2D(face, 0, DXT5, 4, 4, 0, new Uint8Array(16));
    },
  ],
];

const PARTS: readonly (readonly [ErrorName, number, readonly [number, number, number, number]])[] =
  [
    ['NO_ERROR', DXT5, [4, 4, 8, 4]],
    ['NO_ERROR', DXT5, [0, 0, 20, 20]],
    ['NO_ERROR', ETC2, [16, 0, 2, 4]],
    ['NO_ERROR', ASTC_5X4, [15, 4, 3, 8]],
    ['INVALID_OPERATION', ASTC_5X4, [4, 4, 5, 4]],
    ['INVALID_OPERATION', DXT5, [1, 0, 4, 4]],
    ['INVALID_OPERATION', DXT5, [0, 0, 4, 3]],
    ['INVALID_VALUE', DXT5, [20, 0, 4, 4]],
    ['INVALID_VALUE', DXT5, [-4, 0, 4, 4]],
    ['INVALID_OPERATION', ETC1, [0, 0, 20, 20]],
  ];

describe('compressedTexImage2D', () => {
  it.each(CALLS)('raises %s for %s', (error, _what, call) => {
    const gl = prepare(makeContext());
    call(gl);
    expect(gl.getError()).toBe(gl[error]);
  });

  it('throws for data that are no view, and ignores further arguments', () => {
    const gl = prepare(makeContext());
    const put = gl.compressedTexImage2D as unknown as (...given: unknown[]) => void;
    for (const data of [null, 16, new ArrayBuffer(16)]) {
      const call = () => put.call(gl, gl.TEXTURE_2D, 0, DXT5, 4, 4, 0, data);
      expect(call).toThrow(TypeError);
    }
    put.call(gl, gl.TEXTURE_2D, 0, DXT5, 4, 4, 0, new DataView(new ArrayBuffer(16)), 99);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });
});

describe('compressedTexSubImage2D', () => {
  it.each(PARTS)('raises %s in format %i at %j', (error, format, rect) => {
    const gl = prepare(makeContext2());
    const edge = format === DXT5 ? 20 : 18;
    image(gl, format, 0, format === ETC1 ? 20 : edge, format === ETC1 ? 20 : edge);
    part(gl, format, ...rect);
    expect(gl.getError()).toBe(gl[error]);
  });

  it('rejects a level of another format or without a definition', () => {
    const gl = prepare(makeContext());
    part(gl, DXT5, 0, 0, 4, 4);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    image(gl, ETC2, 0, 4, 4);
    part(gl, DXT5, 0, 0, 4, 4);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
    part(gl, DXT5, 0, 0, 4, 4);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });
});

const OTHERS: readonly (readonly [string, ErrorName, (gl: TesseraContext2) => void])[] = [
  [
    'texImage2D',
    'INVALID_OPERATION',
    (gl) => gl.texImage2D(gl.TEXTURE_2D, 0, DXT5, 4, 4, 0, gl.RGBA, gl.UNSIGNED_BYTE, null),
  ],
  [
    'texSubImage2D',
    'INVALID_OPERATION',
    (gl) => {
      const texels = new Uint8Array(64);
      gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 4, 4, gl.RGBA, gl.UNSIGNED_BYTE, texels);
    },
  ],
  [
    'copyTexImage2D',
    'INVALID_ENUM',
    (gl) => gl.copyTexImage2D(gl.TEXTURE_2D, 0, DXT5, 0, 0, 4, 4, 0),
  ],
  [
    'copyTexSubImage2D',
    'INVALID_OPERATION',
    (gl) => gl.copyTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 0, 0, 4, 4),
  ],
  ['generateMipmap', 'INVALID_OPERATION', (gl) => gl.generateMipmap(gl.TEXTURE_2D)],
];

describe('a compressed texture', () => {
  it.each(OTHERS)('is rejected by %s with %s', (_name, error, call) => {
    const gl = prepare(makeContext2());
    image(gl, DXT5, 0, 4, 4);
    call(gl);
    expect(gl.getError()).toBe(gl[error]);
  });

  it('is not an attachment', () => {
    const gl = prepare(makeContext2());
    image(gl, DXT5, 0, 4, 4);
    const texture = gl.getParameter(gl.TEXTURE_BINDING_2D);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    const { FRAMEBUFFER, COLOR_ATTACHMENT0, TEXTURE_2D } = gl;
    gl.framebufferTexture2D(FRAMEBUFFER, COLOR_ATTACHMENT0, TEXTURE_2D, texture, 0);
    const status = gl.checkFramebufferStatus(FRAMEBUFFER);
    expect(status).toBe(gl.FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it.each([
    ['TEXTURE_3D', DXT5, 'INVALID_OPERATION'],
    ['TEXTURE_3D', ASTC_5X4, 'INVALID_OPERATION'],
    ['TEXTURE_3D', BC7, 'NO_ERROR'],
    ['TEXTURE_2D_ARRAY', ETC1, 'INVALID_OPERATION'],
    ['TEXTURE_2D_ARRAY', DXT5, 'NO_ERROR'],
    ['TEXTURE_2D_ARRAY', ETC2, 'NO_ERROR'],
  ] as const)('of %s and format %i raises %s', (name, format, error) => {
    const gl = prepare(makeContext2());
    const target = gl[name];
    gl.bindTexture(target, gl.createTexture());
    const bytes = new Uint8Array(2 * blockBytes(format));
    gl.compressedTexImage3D(target, 0, format, 4, 4, 2, 0, bytes);
    expect(gl.getError()).toBe(gl[error]);
    gl.texStorage3D(target, 1, format, 4, 4, 2);
    expect(gl.getError()).toBe(gl[error]);
  });

  it('has storage of whole blocks in S3TC, RGTC and BPTC', () => {
    const gl = prepare(makeContext2());
    for (const [format, edge, error] of [
      [DXT5, 6, gl.INVALID_OPERATION],
      [BC7, 1, gl.INVALID_OPERATION],
      [ETC2, 6, gl.NO_ERROR],
    ] as const) {
      gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
      gl.texStorage2D(gl.TEXTURE_2D, 1, format, edge, edge);
      expect(gl.getError()).toBe(error);
    }
    image(gl, ETC2, 0, 6, 6);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });
});

/** Returns the color of the bound texture at a place, which is an expression in GLSL. */
function sample(gl: TesseraContext2, sampler: string, place: string): number[] {
  const vertex = `#version 300 es
void main() {
  gl_Position = vec4(vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0, 0.0, 1.0);
}`;
  const fragment = `#version 300 es
precision highp float; precision highp ${sampler};
uniform ${sampler} map; out vec4 color; void main() { color = texture(map, ${place}); }`;
  gl.useProgram(linkProgram(gl, vertex, fragment));
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  return readPixel(gl);
}

function setNearest(gl: TesseraContext2, target: number): void {
  gl.texParameteri(target, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
  gl.texParameteri(target, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
}

describe('compressed texels', () => {
  const left = 'vec2(0.2, 0.5)';
  const right = 'vec2(0.8, 0.5)';

  it('are those of the blocks, and of storage without uploads zeros', () => {
    const gl = prepare(makeContext2());
    setNearest(gl, gl.TEXTURE_2D);
    gl.texStorage2D(gl.TEXTURE_2D, 2, DXT1, 8, 4);
    expect(sample(gl, 'sampler2D', left)).toEqual(BLACK);
    const blocks = Uint8Array.from(GREEN_BLOCK);
    gl.compressedTexSubImage2D(gl.TEXTURE_2D, 0, 4, 0, 4, 4, DXT1, blocks);
    expect(sample(gl, 'sampler2D', left)).toEqual(BLACK);
    expect(sample(gl, 'sampler2D', right)).toEqual(GREEN);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('are converted from sRGB', () => {
    const gl = prepare(makeContext2());
    setNearest(gl, gl.TEXTURE_2D);
    // 16 of 31 and 32 of 63 steps expand to 132 and 130 of 255.
    const gray = Uint8Array.of(0x10, 0x84, 0, 0, 0, 0, 0, 0);
    gl.compressedTexImage2D(gl.TEXTURE_2D, 0, 0x8c4c, 4, 4, 0, gray);
    expect(sample(gl, 'sampler2D', left)).toEqual([59, 57, 59, 255]);
  });

  it('start at the element offset of the data', () => {
    const gl = prepare(makeContext2());
    setNearest(gl, gl.TEXTURE_2D);
    const { buffer } = Uint8Array.from([9, 9, ...RED_BLOCK, ...GREEN_BLOCK, 9, 9]);
    const halves = new Uint16Array(buffer);
    gl.compressedTexImage2D(gl.TEXTURE_2D, 0, DXT1, 8, 4, 0, halves, 1, 8);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    expect([left, right].map((place) => sample(gl, 'sampler2D', place))).toEqual([RED, GREEN]);
    gl.compressedTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 4, 4, DXT1, halves, 5, 4);
    expect(sample(gl, 'sampler2D', left)).toEqual(GREEN);
    gl.compressedTexImage2D(gl.TEXTURE_2D, 0, DXT1, 8, 4, 0, halves, 1);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
    gl.compressedTexImage2D(gl.TEXTURE_2D, 0, DXT1, 8, 4, 0, halves, 3, 8);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
  });

  it('come from the buffer bound to PIXEL_UNPACK_BUFFER', () => {
    const gl = prepare(makeContext2());
    setNearest(gl, gl.TEXTURE_2D);
    gl.compressedTexImage2D(gl.TEXTURE_2D, 0, DXT1, 4, 4, 0, 8, 0);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, gl.createBuffer());
    const bytes = Uint8Array.from([9, ...RED_BLOCK, ...BLUE_BLOCK]);
    gl.bufferData(gl.PIXEL_UNPACK_BUFFER, bytes, gl.STATIC_DRAW);
    const errors = [
      [8, 1, gl.NO_ERROR],
      [8, 9, gl.NO_ERROR],
      [8, 10, gl.INVALID_OPERATION],
      [8, -1, gl.INVALID_OPERATION],
      [7, 1, gl.INVALID_VALUE],
      [-8, 1, gl.INVALID_VALUE],
    ] as const;
    for (const [size, offset, error] of errors) {
      gl.compressedTexImage2D(gl.TEXTURE_2D, 0, DXT1, 4, 4, 0, size, offset);
      expect(gl.getError(), `${size} at ${offset}`).toBe(error);
    }
    expect(sample(gl, 'sampler2D', left)).toEqual(BLUE);
    gl.compressedTexSubImage2D(gl.TEXTURE_2D, 0, 0, 0, 4, 4, DXT1, 8, 1);
    expect(sample(gl, 'sampler2D', left)).toEqual(RED);
    gl.compressedTexImage2D(gl.TEXTURE_2D, 0, DXT1, 4, 4, 0, Uint8Array.from(RED_BLOCK));
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('are those of the layers of an array', () => {
    const gl = prepare(makeContext2(), 0x8c1a);
    const { TEXTURE_2D_ARRAY } = gl;
    setNearest(gl, TEXTURE_2D_ARRAY);
    const blocks = Uint8Array.from([...RED_BLOCK, ...GREEN_BLOCK, ...BLUE_BLOCK]);
    gl.compressedTexImage3D(TEXTURE_2D_ARRAY, 0, DXT1, 4, 4, 3, 0, blocks);
    const layers = () => [0, 1, 2].map((z) => sample(gl, 'sampler2DArray', `vec3(0.5, 0.5, ${z})`));
    expect(layers()).toEqual([RED, GREEN, BLUE]);
    const two = blocks.subarray(0, 16);
    gl.compressedTexSubImage3D(TEXTURE_2D_ARRAY, 0, 0, 0, 1, 4, 4, 2, DXT1, two);
    expect(layers()).toEqual([RED, RED, GREEN]);
    gl.compressedTexSubImage3D(TEXTURE_2D_ARRAY, 0, 0, 0, 2, 4, 4, 2, DXT1, two);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
  });

  it('are those of the faces of a cube', () => {
    const gl = prepare(makeContext2(), 0x8513);
    setNearest(gl, gl.TEXTURE_CUBE_MAP);
    [RED_BLOCK, GREEN_BLOCK, BLUE_BLOCK, RED_BLOCK, GREEN_BLOCK, BLUE_BLOCK].forEach((block, i) => {
      const face = gl.TEXTURE_CUBE_MAP_POSITIVE_X + i;
      gl.compressedTexImage2D(face, 0, DXT1, 4, 4, 0, Uint8Array.from(block));
    });
    const sides = ['vec3(1, 0, 0)', 'vec3(-1, 0, 0)', 'vec3(0, 1, 0)'];
    const colors = sides.map((side) => sample(gl, 'samplerCube', side));
    expect(colors).toEqual([RED, GREEN, BLUE]);
  });
});
