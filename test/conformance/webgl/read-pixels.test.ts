/** Reads of drawn pixels, from the drawing buffer and from framebuffers of every format. */
import { GL } from '@tessera/gl';
import { describe, expect, it } from 'vitest';
import { ResidentContext } from './resident-context.ts';

const RED = [255, 0, 0, 255];
const GREEN = [0, 255, 0, 255];
const DST_ALPHA = 0x0304;
const NOTHING = [0, 0, 0, 0];

describe('the drawing buffer', () => {
  it('is transparent black before anything is drawn', () => {
    const context = new ResidentContext();
    expect(context.read(3, 3)).toEqual(NOTHING);
    expect(new ResidentContext({ buffer: { hasAlpha: false } }).read()).toEqual([0, 0, 0, 255]);
    expect(context.resolved).toEqual([]);
  });

  it('is read where it was drawn, lowest row first', () => {
    const context = new ResidentContext();
    context.fill([1, 0, 0, 1], [-1, -1, 0, 0]);
    context.fill([0, 1, 0, 1], [0, 0, 1, 1]);
    expect(context.read(7, 7)).toEqual(RED);
    expect(context.read(8, 8)).toEqual(GREEN);
    expect(context.read(8, 7)).toEqual(NOTHING);
    expect(context.read(7, 8)).toEqual(NOTHING);
  });

  it('keeps color, depth and stencil after a read', () => {
    const context = new ResidentContext({ buffer: { hasStencil: true } });
    const { gl } = context;
    gl.capabilities.enable(GL.DEPTH_TEST);
    gl.capabilities.enable(GL.STENCIL_TEST);
    gl.raster.setStencilOperations(GL.FRONT_AND_BACK, GL.KEEP, GL.KEEP, GL.INCR);
    context.fill([1, 0, 0, 1], [-1, -1, 0, 1], -0.5);
    expect(context.read(0, 0)).toEqual(RED);
    context.fill([0, 0, 1, 1], [-1, -1, 1, 1], 0.5);
    expect(context.read(0, 0)).toEqual(RED);
    expect(context.read(12, 0)).toEqual([0, 0, 255, 255]);
    gl.capabilities.disable(GL.DEPTH_TEST);
    gl.raster.setStencilFunction(GL.FRONT_AND_BACK, GL.EQUAL, 1, 255);
    gl.raster.setStencilOperations(GL.FRONT_AND_BACK, GL.KEEP, GL.KEEP, GL.KEEP);
    context.fill([0, 1, 0, 1]);
    expect(context.read(0, 0)).toEqual(GREEN);
    expect(context.read(12, 0)).toEqual(GREEN);
    const image = context.show();
    expect([...image.subarray(0, 4)]).toEqual(GREEN);
  });

  it('has alpha 1 without an alpha channel, for any draw and clear', () => {
    const context = new ResidentContext({ buffer: { hasAlpha: false } });
    context.clear([0.2, 0.4, 0.6, 0.5]);
    expect(context.read()).toEqual([51, 102, 153, 255]);
    context.fill([1, 0, 0, 0.25]);
    expect(context.read()).toEqual(RED);
    context.gl.capabilities.enable(GL.BLEND);
    context.gl.raster.setBlendFactors(DST_ALPHA, 0, 1, 0);
    context.fill([0, 1, 0, 0]);
    expect(context.read()).toEqual(GREEN);
    expect([...context.show().subarray(0, 4)]).toEqual(GREEN);
  });

  it('tests no depth without a depth buffer', () => {
    const context = new ResidentContext({ buffer: { hasDepth: false } });
    context.gl.capabilities.enable(GL.DEPTH_TEST);
    context.fill([1, 0, 0, 1], [-1, -1, 1, 1], -0.5);
    context.fill([0, 1, 0, 1], [-1, -1, 1, 1], 0.5);
    expect(context.read()).toEqual(GREEN);
  });

  it.each([true, false])('is cleared for the next frame unless it is preserved: %s', (isRead) => {
    for (const isPreserved of [false, true]) {
      const context = new ResidentContext({ buffer: { isPreserved } });
      context.gl.capabilities.enable(GL.DEPTH_TEST);
      context.fill([1, 0, 0, 1], [-1, -1, 0, 1], -0.5);
      if (isRead) expect(context.read()).toEqual(RED);
      expect([...context.show().subarray(0, 4)]).toEqual(RED);
      context.fill([0, 1, 0, 1], [-1, -1, 1, 1], 0.5);
      expect(context.read(0, 0)).toEqual(isPreserved ? RED : GREEN);
      expect(context.read(12, 0)).toEqual(GREEN);
    }
  });

  it("is preserved if the last frame's result is not adopted", () => {
    const context = new ResidentContext({ buffer: { isPreserved: true } });
    context.fill([1, 0, 0, 1], [-1, -1, 0, 1]);
    context.show(false);
    context.fill([0, 1, 0, 1], [0.5, -1, 1, 1]);
    context.show(false);
    expect(context.read(0, 0)).toEqual(RED);
    expect(context.read(9, 0)).toEqual(NOTHING);
    expect(context.read(14, 0)).toEqual(GREEN);
  });

  it('draws no color if the draw buffers are NONE', () => {
    const context = new ResidentContext();
    const { gl } = context;
    context.clear([0, 1, 0, 1], GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT);
    gl.capabilities.enable(GL.DEPTH_TEST);
    gl.framebuffers.setDrawBuffers([GL.NONE]);
    context.fill([1, 0, 0, 1], [-1, -1, 0, 1], -0.5);
    gl.framebuffers.setDrawBuffers([GL.BACK]);
    context.fill([0, 0, 1, 1], [-1, -1, 1, 1], 0);
    expect(context.read(0, 0)).toEqual(GREEN);
    expect(context.read(12, 0)).toEqual([0, 0, 255, 255]);
  });

  it('is empty after a resize', () => {
    const context = new ResidentContext();
    context.fill([1, 0, 0, 1]);
    context.gl.targets.resize(4, 4);
    context.gl.raster.setViewport(0, 0, 4, 4);
    expect(context.read()).toEqual(NOTHING);
    context.fill([0, 1, 0, 1]);
    expect(context.read(3, 3)).toEqual(GREEN);
    expect(context.show().length).toBe(64);
  });
});

describe('readPixels', () => {
  it('leaves memory unchanged outside the framebuffer and between packed rows', () => {
    const context = new ResidentContext();
    context.fill([1, 0, 0, 1]);
    const bytes = new Uint8Array(200).fill(9);
    const layout = { alignmentBytes: 8, rowLengthPx: 5, skipRows: 1, skipPx: 1 };
    context.gl.reads.read(-1, 14, 3, 3, GL.RGBA, GL.UNSIGNED_BYTE, bytes, layout);
    const expected = new Uint8Array(200).fill(9);
    for (const row of [0, 1]) {
      for (const x of [1, 2]) expected.set(RED, 24 + 4 + row * 24 + x * 4);
    }
    expect(bytes).toEqual(expected);
    expect(context.errors).toEqual([]);
  });

  it('writes to a buffer', () => {
    const context = new ResidentContext();
    const { gl } = context;
    context.fill([1, 0, 0, 1]);
    const [name = 0] = gl.buffers.generate(1);
    gl.buffers.bind(GL.PIXEL_PACK_BUFFER, name);
    gl.buffers.define(GL.PIXEL_PACK_BUFFER, 12, GL.STATIC_DRAW);
    gl.reads.read(0, 0, 1, 1, GL.RGBA, GL.UNSIGNED_BYTE, 8);
    expect([...gl.buffers.read(GL.PIXEL_PACK_BUFFER, 4, 8)!]).toEqual([...NOTHING, ...RED]);
    gl.reads.read(0, 0, 1, 1, GL.RGBA, GL.UNSIGNED_BYTE, 9);
    gl.reads.read(0, 0, 1, 1, GL.RGBA, GL.UNSIGNED_BYTE, new Uint8Array(4));
    expect(context.errors).toEqual([GL.INVALID_OPERATION, GL.INVALID_OPERATION]);
  });

  it('rejects what the specification rejects', () => {
    const context = new ResidentContext();
    const { gl, errors } = context;
    const bytes = new Uint8Array(64);
    gl.reads.read(0, 0, -1, 1, GL.RGBA, GL.UNSIGNED_BYTE, bytes);
    gl.reads.read(0, 0, 1, 1, 0x1234, GL.UNSIGNED_BYTE, bytes);
    gl.reads.read(0, 0, 1, 1, GL.RGBA, GL.FLOAT, bytes);
    gl.reads.read(0, 0, 5, 4, GL.RGBA, GL.UNSIGNED_BYTE, bytes);
    const depth = context.texture(4, 4, null, [GL.DEPTH_COMPONENT16, GL.DEPTH_COMPONENT, 0x1403]);
    const [framebuffer = 0] = gl.framebuffers.generate(1);
    gl.framebuffers.bind(GL.FRAMEBUFFER, framebuffer);
    gl.reads.read(0, 0, 1, 1, GL.RGBA, GL.UNSIGNED_BYTE, bytes);
    gl.framebuffers.attachTexture(GL.FRAMEBUFFER, GL.DEPTH_ATTACHMENT, GL.TEXTURE_2D, depth, 0);
    gl.reads.read(0, 0, 1, 1, GL.RGBA, GL.UNSIGNED_BYTE, bytes);
    expect(errors).toEqual([
      GL.INVALID_VALUE,
      GL.INVALID_ENUM,
      GL.INVALID_OPERATION,
      GL.INVALID_OPERATION,
      GL.INVALID_FRAMEBUFFER_OPERATION,
      GL.INVALID_OPERATION,
    ]);
    expect(context.resolved).toEqual([]);
  });

  const FLOAT = 0x1406;
  const HALF = 0x140b;
  const INT = 0x1404;
  const UINT = 0x1405;
  const RGBA_INTEGER = 0x8d99;
  const FORMATS: readonly (readonly [
    string,
    readonly [number, number, number],
    readonly [number, number],
    readonly number[],
  ])[] = [
    ['RGBA8', [0x8058, GL.RGBA, 0x1401], [GL.RGBA, 0x1401], [51, 102, 255, 128]],
    ['RGB8', [0x8051, GL.RGB, 0x1401], [GL.RGBA, 0x1401], [51, 102, 255, 255]],
    ['R8', [0x8229, GL.RED, 0x1401], [GL.RED, 0x1401], [51]],
    ['RG8', [0x822b, GL.RG, 0x1401], [GL.RGBA, 0x1401], [51, 102, 0, 255]],
    ['RGB10_A2', [0x8059, GL.RGBA, 0x8368], [GL.RGBA, 0x1401], [51, 102, 255, 170]],
    ['RGBA16F as floats', [0x881a, GL.RGBA, HALF], [GL.RGBA, FLOAT], [0.2, 0.4, 1.5, 0.5]],
    ['RGBA16F', [0x881a, GL.RGBA, HALF], [GL.RGBA, HALF], [0.2, 0.4, 1.5, 0.5]],
    ['R16F', [0x822d, GL.RED, HALF], [GL.RED, HALF], [0.2]],
    ['RGBA32F', [0x8814, GL.RGBA, FLOAT], [GL.RGBA, FLOAT], [0.2, 0.4, 1.5, 0.5]],
    ['R32F', [0x822e, GL.RED, FLOAT], [GL.RGBA, FLOAT], [0.2, 0, 0, 1]],
    ['R11F_G11F_B10F', [0x8c3a, GL.RGB, FLOAT], [GL.RGBA, FLOAT], [0.2, 0.4, 1.5, 1]],
  ];
  it.each(FORMATS)('reads %s', (_name, storage, [format, type], expected) => {
    const context = new ResidentContext();
    const { gl } = context;
    context.framebuffer(context.texture(4, 4, null, storage));
    gl.raster.setViewport(0, 0, 4, 4);
    context.fill([0.2, 0.4, 1.5, 0.5]);
    const bytes = new Uint8Array(16);
    gl.reads.read(1, 1, 1, 1, format, type, bytes);
    expect(context.messages).toEqual([]);
    const words = type === FLOAT ? new Float32Array(bytes.buffer) : new Float16Array(bytes.buffer);
    const values = type === 0x1401 ? bytes : words;
    for (const [i, value] of expected.entries()) {
      expect(Math.abs(values[i]! - value), `${i}: ${values[i]}`).toBeLessThan(0.006);
    }
  });

  it.each([
    ['RGBA8UI', 0x8d7c, UINT, 'uvec4', [3, 250, 7, 9]],
    ['RGBA32I', 0x8d82, INT, 'ivec4', [3, -250, 7, 9]],
    ['R16I', 0x8233, INT, 'ivec4', [3, 0, 0, 1]],
  ] as const)('reads integers: %s', (_name, internalFormat, type, vector, expected) => {
    const context = new ResidentContext();
    const { gl } = context;
    const [name = 0] = gl.textures.generate(1);
    gl.textures.bind(GL.TEXTURE_2D, name);
    gl.textures.uploads.storage(GL.TEXTURE_2D, 1, internalFormat, 4, 4);
    context.framebuffer(name);
    gl.raster.setViewport(0, 0, 4, 4);
    const program = gl.programs.create();
    for (const [kind, source] of [
      [
        GL.VERTEX_SHADER,
        '#version 300 es\nin vec2 corner; void main() { gl_Position = vec4(corner * 2.0 - 1.0, 0.0, 1.0); }',
      ],
      [
        GL.FRAGMENT_SHADER,
        `#version 300 es\nprecision highp float; precision highp int; out ${vector} result;
void main() { result = ${vector}(3, ${expected[1]}, 7, 9); }`,
      ],
    ] as const) {
      const shader = gl.shaders.create(kind);
      gl.shaders.setSource(shader, source);
      gl.shaders.compile(shader);
      gl.programs.attach(program, shader);
    }
    gl.programs.link(program);
    gl.programs.use(program);
    gl.draws.drawArrays(GL.TRIANGLE_STRIP, 0, 4);
    const words = new Int32Array(4);
    gl.reads.read(2, 2, 1, 1, RGBA_INTEGER, type, new Uint8Array(words.buffer));
    expect(context.messages).toEqual([]);
    expect([...words]).toEqual(expected);
  });

  it('reads the selected attachment', () => {
    const context = new ResidentContext();
    const { gl } = context;
    const [first, second] = [context.texture(2, 2), context.texture(2, 2)];
    context.framebuffer(first);
    gl.framebuffers.attachTexture(
      GL.FRAMEBUFFER,
      GL.COLOR_ATTACHMENT0 + 1,
      GL.TEXTURE_2D,
      second,
      0,
    );
    gl.raster.setViewport(0, 0, 2, 2);
    gl.framebuffers.setDrawBuffers([GL.NONE, GL.COLOR_ATTACHMENT0 + 1]);
    context.clear([0, 1, 0, 1]);
    expect(context.read()).toEqual(NOTHING);
    gl.framebuffers.setReadBuffer(GL.COLOR_ATTACHMENT0 + 1);
    expect(context.read()).toEqual(GREEN);
    gl.framebuffers.setReadBuffer(GL.NONE);
    context.read();
    expect(context.errors).toEqual([GL.INVALID_OPERATION]);
  });
});
