/** Tests of framebuffer completeness, and of the passes that draws into framebuffers produce. */
import { type Frame, validateFrame } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { GL } from '../../api/constants.ts';
import type { GlContext } from '../../context.ts';
import { bindNewBuffer, bytesOf, makeContext, useProgram } from '../../testing/small-context.ts';

const TRIANGLE = bytesOf(Float32Array.of(0, 0, 1, 0, 0, 1, 1, 1));

/** Makes a context with a program and a `vec2` array of four vertices. */
function setUp(dialect: 'gl' | 'gles2' | 'webgl1' = 'gles2') {
  const made = makeContext(dialect);
  useProgram(made.gl, 'attribute vec2 at; uniform vec4 tint;', 'uniform sampler2D map;');
  bindNewBuffer(made.gl, GL.ARRAY_BUFFER, TRIANGLE);
  made.gl.vertexArrays.enable(0);
  made.gl.vertexArrays.setPointer(0, 2, GL.FLOAT, false, 0, 0);
  return made;
}

function takeValidFrame(gl: GlContext): Frame {
  const frame = gl.frames.take();
  validateFrame(frame);
  return frame;
}

describe('framebuffer objects', () => {
  function bindTarget(gl: GlContext, internal: number = GL.RGBA): number {
    const format = [GL.INTENSITY, 0x8f97].includes(internal) ? GL.RGBA : internal;
    const texture = gl.textures.generate(1)[0]!;
    gl.textures.bind(GL.TEXTURE_2D, texture);
    gl.textures.setParameter(GL.TEXTURE_2D, GL.TEXTURE_MIN_FILTER, GL.NEAREST);
    const size = { target: GL.TEXTURE_2D, level: 0, widthPx: 8, heightPx: 8 };
    gl.textures.uploads.image(internal, { ...size, format, type: GL.UNSIGNED_BYTE, bytes: null });
    gl.framebuffers.bind(GL.FRAMEBUFFER, gl.framebuffers.generate(1)[0]!);
    gl.framebuffers.attachTexture(GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.TEXTURE_2D, texture, 0);
    return texture;
  }

  it('are complete with attachments of one size', () => {
    const { gl } = setUp();
    const status = () => gl.framebuffers.checkStatus(GL.FRAMEBUFFER);
    expect(status()).toBe(GL.FRAMEBUFFER_COMPLETE);
    gl.framebuffers.bind(GL.FRAMEBUFFER, 7);
    expect(status()).toBe(GL.FRAMEBUFFER_INCOMPLETE_MISSING_ATTACHMENT);
    bindTarget(gl);
    expect(status()).toBe(GL.FRAMEBUFFER_COMPLETE);
    gl.renderbuffers.bind(GL.RENDERBUFFER, gl.renderbuffers.generate(1)[0]!);
    gl.framebuffers.attachRenderbuffer(GL.FRAMEBUFFER, GL.DEPTH_ATTACHMENT, GL.RENDERBUFFER, 1);
    expect(status()).toBe(GL.FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    gl.renderbuffers.setStorage(GL.RENDERBUFFER, GL.DEPTH_COMPONENT16, 8, 4);
    expect(status()).toBe(GL.FRAMEBUFFER_INCOMPLETE_DIMENSIONS);
    gl.renderbuffers.setStorage(GL.RENDERBUFFER, GL.DEPTH_COMPONENT16, 8, 8);
    expect(status()).toBe(GL.FRAMEBUFFER_COMPLETE);
    gl.framebuffers.attachRenderbuffer(GL.FRAMEBUFFER, GL.COLOR_ATTACHMENT0, GL.RENDERBUFFER, 1);
    expect(status()).toBe(GL.FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
    expect(gl.errors.take()).toBe(GL.NO_ERROR);
  });

  /** Draws a triangle that samples the bound texture. */
  const drawTriangle = (gl: GlContext) => gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
  const bindScreen = (gl: GlContext) => gl.framebuffers.bind(GL.FRAMEBUFFER, 0);

  function attachDepth(gl: GlContext): void {
    gl.renderbuffers.bind(GL.RENDERBUFFER, gl.renderbuffers.generate(1)[0]!);
    gl.renderbuffers.setStorage(GL.RENDERBUFFER, GL.DEPTH_COMPONENT16, 8, 8);
    gl.framebuffers.attachRenderbuffer(GL.FRAMEBUFFER, GL.DEPTH_ATTACHMENT, GL.RENDERBUFFER, 1);
  }

  it('become passes into textures that later passes sample', () => {
    const { gl, messages } = setUp();
    const texture = bindTarget(gl);
    gl.textures.bind(GL.TEXTURE_2D, 0);
    gl.raster.setClearColor(1, 0, 0, 1);
    gl.clears.clear(GL.COLOR_BUFFER_BIT);
    drawTriangle(gl);
    bindScreen(gl);
    gl.textures.bind(GL.TEXTURE_2D, texture);
    gl.capabilities.enable(GL.DEPTH_TEST);
    drawTriangle(gl);
    const { passes, textures } = takeValidFrame(gl);
    expect(messages).toEqual([]);
    expect(textures).toMatchObject([{ widthPx: 8, heightPx: 8, levels: [] }]);
    expect(passes[0]!.target).toEqual({ kind: 'texture', textureIndex: 0 });
    expect(passes[0]!.clear.color).toEqual([1, 0, 0, 1]);
    expect(passes[1]!.target).toBeUndefined();
    expect(passes[1]!.draws[0]!.textures.map!.textureIndex).toBe(0);
    expect(passes[1]!.draws[0]!.state.depth.isTestEnabled).toBe(true);
  });

  it('without depth and alpha are drawn into without test and with alpha 1', () => {
    const { gl } = setUp();
    bindTarget(gl, GL.RGB);
    gl.textures.bind(GL.TEXTURE_2D, 0);
    gl.capabilities.enable(GL.DEPTH_TEST);
    gl.raster.setClearColor(0, 0.5, 0, 0);
    gl.clears.clear(GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT);
    drawTriangle(gl);
    const [pass] = takeValidFrame(gl).passes;
    expect(pass!.clear.color).toEqual([0, 0.5, 0, 1]);
    const { state } = pass!.draws[0]!;
    expect(state.depth.isTestEnabled).toBe(false);
    expect(state.colorMask).toEqual([true, true, true, false]);
  });

  it('of one spread channel store red where the format has it', () => {
    const stored = (format: number) => {
      const { gl } = setUp('gl');
      bindTarget(gl, format);
      gl.textures.bind(GL.TEXTURE_2D, 0);
      expect(gl.framebuffers.checkStatus(GL.FRAMEBUFFER)).toBe(GL.FRAMEBUFFER_COMPLETE);
      gl.raster.setClearColor(0.25, 0.5, 0.75, 1);
      gl.raster.setColorMask(true, true, true, true);
      gl.clears.clear(GL.COLOR_BUFFER_BIT);
      gl.raster.setColorMask(true, false, false, true);
      drawTriangle(gl);
      const [pass] = takeValidFrame(gl).passes;
      return [pass!.clear.colors, pass!.draws[0]!.state.colorTargets];
    };
    expect(stored(GL.ALPHA)).toEqual([
      [[0, 0, 0, 1]],
      [{ colorMask: [false, false, false, true] }],
    ]);
    expect(stored(GL.LUMINANCE)).toEqual([
      [[0.25, 0.25, 0.25, 1]],
      [{ colorMask: [true, true, true, false], redSpread: 'rgb' }],
    ]);
    expect(stored(GL.INTENSITY)).toEqual([
      [[0.25, 0.25, 0.25, 0.25]],
      [{ colorMask: [true, true, true, true], redSpread: 'rgba' }],
    ]);
  });

  it('of one spread channel are incomplete in OpenGL ES', () => {
    const { gl } = setUp();
    bindTarget(gl, GL.LUMINANCE);
    const status = gl.framebuffers.checkStatus(GL.FRAMEBUFFER);
    expect(status).toBe(GL.FRAMEBUFFER_INCOMPLETE_ATTACHMENT);
  });

  it('of signed fractions clamp fragment colors unless the program asks otherwise', () => {
    const { gl } = setUp('gl');
    bindTarget(gl, 0x8f97);
    gl.textures.bind(GL.TEXTURE_2D, 0);
    drawTriangle(gl);
    gl.raster.setClampColor(0x891b, 0);
    drawTriangle(gl);
    const { draws } = takeValidFrame(gl).passes[0]!;
    expect(draws.map(({ state }) => state.colorTargets?.[0]?.isSourceClamped)).toEqual([
      true,
      undefined,
    ]);
  });

  it('have a mask and blending for each draw buffer', () => {
    const { gl } = setUp('gl');
    bindTarget(gl);
    gl.textures.bind(GL.TEXTURE_2D, 0);
    gl.raster.setTargetMask(1, [false, true, false, true]);
    gl.raster.setTargetBlending(0, true);
    gl.raster.setBlendFactors(1, 1, 1, 1, 0);
    drawTriangle(gl);
    gl.raster.setColorMask(true, true, true, true);
    gl.raster.unsetTargetBlending();
    gl.raster.setBlendFactors(1, 0, 1, 0);
    drawTriangle(gl);
    const [first, last] = takeValidFrame(gl).passes[0]!.draws.map(({ state }) => state);
    expect(first!.blend.isEnabled).toBe(false);
    expect(first!.colorTargets![0]!.blend).toMatchObject({
      isEnabled: true,
      color: { source: 'one', destination: 'one' },
    });
    expect(last!.colorTargets).toBeUndefined();
  });

  it('go on with what was drawn, and load only what is neither cleared nor known', () => {
    const { gl } = setUp();
    const texture = bindTarget(gl);
    attachDepth(gl);
    gl.textures.bind(GL.TEXTURE_2D, 0);
    gl.capabilities.enable(GL.DEPTH_TEST);
    drawTriangle(gl);
    bindScreen(gl);
    gl.textures.bind(GL.TEXTURE_2D, texture);
    drawTriangle(gl);
    gl.textures.bind(GL.TEXTURE_2D, 0);
    gl.framebuffers.bind(GL.FRAMEBUFFER, 1);
    drawTriangle(gl);
    bindScreen(gl);
    gl.clears.clear(GL.COLOR_BUFFER_BIT);
    drawTriangle(gl);
    const { passes } = takeValidFrame(gl);
    // The texture has no stencil, and nothing was drawn to the stencil of the screen.
    expect(passes.map(({ loads }) => loads)).toEqual([
      undefined,
      undefined,
      ['color', 'depth'],
      ['depth'],
    ]);
  });

  it('load texels that were uploaded, unless they have one color', () => {
    const { gl } = setUp();
    for (const isUniform of [true, false]) {
      const texture = bindTarget(gl);
      const bytes = new Uint8Array(256).fill(51);
      if (!isUniform) bytes[0] = 1;
      const size = { target: GL.TEXTURE_2D, level: 0, widthPx: 8, heightPx: 8 };
      gl.textures.uploads.image(GL.RGBA, {
        ...size,
        format: GL.RGBA,
        type: GL.UNSIGNED_BYTE,
        bytes,
      });
      gl.textures.bind(GL.TEXTURE_2D, 0);
      drawTriangle(gl);
      gl.textures.remove([texture]);
    }
    const { passes, textures } = takeValidFrame(gl);
    expect(passes.map(({ loads }) => loads)).toEqual([undefined, ['color'], undefined]);
    expect(passes[0]!.clear.color).toEqual([0.2, 0.2, 0.2, 0.2]);
    expect(textures.map(({ levels }) => levels.length)).toEqual([0, 1]);
  });

  it('have generated levels where these are sampled and up to date', () => {
    const { gl } = setUp();
    const texture = bindTarget(gl);
    gl.textures.setParameter(GL.TEXTURE_2D, GL.TEXTURE_MIN_FILTER, GL.LINEAR_MIPMAP_LINEAR);
    gl.textures.bind(GL.TEXTURE_2D, 0);
    drawTriangle(gl);
    gl.textures.bind(GL.TEXTURE_2D, texture);
    gl.textures.uploads.generateMipmap(GL.TEXTURE_2D);
    bindScreen(gl);
    drawTriangle(gl);
    expect(takeValidFrame(gl).textures[0]!.isMipmapGenerated).toBe(true);

    gl.framebuffers.bind(GL.FRAMEBUFFER, 1);
    gl.textures.bind(GL.TEXTURE_2D, 0);
    drawTriangle(gl);
    bindScreen(gl);
    gl.textures.bind(GL.TEXTURE_2D, texture);
    expect(() => drawTriangle(gl)).toThrow(/levels changed since glGenerateMipmap/);
  });

  it('leave out passes that nobody sees', () => {
    const { gl } = setUp();
    gl.clears.clear(GL.COLOR_BUFFER_BIT);
    bindTarget(gl);
    gl.clears.clear(GL.COLOR_BUFFER_BIT);
    bindScreen(gl);
    gl.textures.bind(GL.TEXTURE_2D, 0);
    gl.clears.clear(GL.COLOR_BUFFER_BIT);
    drawTriangle(gl);
    expect(takeValidFrame(gl).passes.map(({ draws }) => draws.length)).toEqual([1]);
  });

  it('refuse by name to sample what they draw into', () => {
    const { gl } = setUp();
    bindTarget(gl);
    expect(() => drawTriangle(gl)).toThrow(/texture 1 is also the target of the draw/);
  });

  it('share depth buffers', () => {
    const { gl } = setUp();
    bindTarget(gl);
    gl.textures.bind(GL.TEXTURE_2D, 0);
    attachDepth(gl);
    gl.capabilities.enable(GL.DEPTH_TEST);
    drawTriangle(gl);
    bindTarget(gl);
    gl.framebuffers.attachRenderbuffer(GL.FRAMEBUFFER, GL.DEPTH_ATTACHMENT, GL.RENDERBUFFER, 1);
    gl.textures.bind(GL.TEXTURE_2D, 0);
    drawTriangle(gl);
    const { passes, textures } = takeValidFrame(gl);
    expect(textures.map(({ format }) => format)).toEqual([
      'rgba8unorm',
      'depth24unorm-stencil8',
      'rgba8unorm',
    ]);
    const depthStencil = { textureIndex: 1 };
    expect(passes.slice(0, 2)).toMatchObject([
      { target: { kind: 'images', colors: [{ textureIndex: 0 }], depthStencil } },
      { target: { kind: 'images', colors: [{ textureIndex: 2 }], depthStencil }, loads: ['depth'] },
    ]);
  });

  it('draw into depth textures alone, into faces and levels, and into several colors', () => {
    const { gl, messages } = setUp();
    const attach = (
      texture: number,
      target: number,
      level: number,
      point: number = GL.COLOR_ATTACHMENT0,
    ) => gl.framebuffers.attachTexture(GL.FRAMEBUFFER, point, target, texture, level);
    const [depth, cube, color] = gl.textures.generate(3);
    gl.textures.bind(GL.TEXTURE_2D, depth!);
    gl.textures.uploads.storage(GL.TEXTURE_2D, 1, GL.DEPTH_COMPONENT24, 8, 8);
    gl.textures.bind(GL.TEXTURE_CUBE_MAP, cube!);
    gl.textures.uploads.storage(GL.TEXTURE_CUBE_MAP, 2, 0x881a, 8, 8);
    gl.textures.bind(GL.TEXTURE_2D, color!);
    gl.textures.uploads.storage(GL.TEXTURE_2D, 1, GL.RGBA8, 8, 8);
    gl.textures.bind(GL.TEXTURE_2D, 0);
    gl.framebuffers.bind(GL.FRAMEBUFFER, 1);
    attach(depth!, GL.TEXTURE_2D, 0, GL.DEPTH_ATTACHMENT);
    expect(gl.framebuffers.checkStatus(GL.FRAMEBUFFER)).toBe(GL.FRAMEBUFFER_COMPLETE);
    drawTriangle(gl);
    gl.framebuffers.bind(GL.FRAMEBUFFER, 2);
    attach(cube!, GL.TEXTURE_CUBE_MAP_POSITIVE_X + 3, 1);
    drawTriangle(gl);
    gl.framebuffers.bind(GL.FRAMEBUFFER, 3);
    attach(cube!, GL.TEXTURE_CUBE_MAP_POSITIVE_X, 0);
    attach(color!, GL.TEXTURE_2D, 0, GL.COLOR_ATTACHMENT0 + 1);
    gl.framebuffers.setDrawBuffers([GL.COLOR_ATTACHMENT0, GL.COLOR_ATTACHMENT0 + 1]);
    drawTriangle(gl);
    const { passes, textures } = takeValidFrame(gl);
    expect(messages).toEqual([]);
    expect(textures).toMatchObject([
      { format: 'depth24unorm-stencil8' },
      { format: 'rgba16float', dimension: 'cube', levelCount: 2, levels: [] },
      { format: 'rgba8unorm' },
    ]);
    expect(passes.slice(0, 3).map(({ target }) => target)).toEqual([
      { kind: 'images', colors: [null], depthStencil: { textureIndex: 0 } },
      { kind: 'texture', textureIndex: 1, level: 1, slice: 3 },
      { kind: 'images', colors: [{ textureIndex: 1 }, { textureIndex: 2 }], depthStencil: null },
    ]);
  });

  it('are copied into textures, channels as these store them', () => {
    const { gl, messages } = setUp();
    drawTriangle(gl);
    const texture = gl.textures.generate(1)[0]!;
    gl.textures.bind(GL.TEXTURE_2D, texture);
    gl.textures.setParameter(GL.TEXTURE_2D, GL.TEXTURE_MIN_FILTER, GL.NEAREST);
    gl.copies.image(GL.TEXTURE_2D, 0, GL.LUMINANCE, -2, 1, 6, 4);
    gl.copies.subImage(GL.TEXTURE_2D, 0, 1, 2, 3, 3, 2, 2);
    drawTriangle(gl);
    const { passes, textures } = takeValidFrame(gl);
    expect(messages).toEqual([]);
    expect(textures).toMatchObject([{ widthPx: 6, heightPx: 4 }]);
    const swizzle = ['red', 'red', 'red', 'one'];
    const into = { textureIndex: 0 };
    expect(passes[0]!.copies).toMatchObject([
      {
        source: 0,
        sourceX: 0,
        sourceY: 1,
        widthPx: 4,
        heightPx: 4,
        into,
        intoX: 2,
        intoY: 0,
        swizzle,
      },
      {
        source: 0,
        sourceX: 3,
        sourceY: 3,
        widthPx: 2,
        heightPx: 2,
        into,
        intoX: 1,
        intoY: 2,
        swizzle,
      },
    ]);
    expect(passes[1]).toMatchObject({ loads: ['color'] });
    expect(passes[1]!.draws[0]!.textures.map!.textureIndex).toBe(0);
    gl.copies.subImage(GL.TEXTURE_2D, 0, 5, 0, 0, 0, 2, 2);
    expect(gl.errors.take()).toBe(GL.INVALID_VALUE);
  });

  function uploadPart(gl: GlContext, format: number): void {
    const part = { target: GL.TEXTURE_2D, level: 0, widthPx: 1, heightPx: 2 };
    const bytes = new Uint8Array(8);
    gl.textures.uploads.subImage(3, 4, { ...part, format, type: GL.UNSIGNED_BYTE, bytes });
  }

  it('take uploads of a part of what was drawn as a draw', () => {
    const { gl, messages } = setUp();
    const texture = bindTarget(gl);
    gl.clears.clear(GL.COLOR_BUFFER_BIT);
    uploadPart(gl, GL.RGBA);
    bindScreen(gl);
    gl.textures.bind(GL.TEXTURE_2D, texture);
    drawTriangle(gl);
    const { passes, textures } = takeValidFrame(gl);
    expect(messages).toEqual([]);
    const [target] = passes;
    const source = target!.draws.at(-1)!.textures.image!;
    expect(textures[source.textureIndex]).toMatchObject({ widthPx: 1, heightPx: 2 });
    expect(target!.target).toMatchObject({ kind: 'texture' });
  });

  it('take uploads of a part of what was drawn in sRGB as a draw without encoding', () => {
    const { gl } = setUp();
    const texture = bindTarget(gl, GL.SRGB_ALPHA);
    gl.clears.clear(GL.COLOR_BUFFER_BIT);
    uploadPart(gl, GL.SRGB_ALPHA);
    bindScreen(gl);
    gl.textures.bind(GL.TEXTURE_2D, texture);
    drawTriangle(gl);
    const { passes, textures } = takeValidFrame(gl);
    const raw = passes.find((pass) => 'isSrgbRaw' in (pass.target ?? {}))!;
    const source = raw.draws.at(-1)!.textures.image!;
    expect(textures[source.textureIndex]).toMatchObject({ format: 'rgba8unorm', heightPx: 2 });
  });

  it('leave a texture of an earlier frame unknown when a part of it is uploaded', () => {
    const { gl } = setUp();
    bindTarget(gl);
    gl.clears.clear(GL.COLOR_BUFFER_BIT);
    bindScreen(gl);
    gl.frames.discard();
    uploadPart(gl, GL.RGBA);
    expect(() => drawTriangle(gl)).toThrow(/sampled after something was drawn/);
  });

  it('make their textures unknown until they are uploaded again', () => {
    const { gl } = setUp();
    bindTarget(gl);
    gl.clears.clear(GL.COLOR_BUFFER_BIT);
    gl.framebuffers.bind(GL.FRAMEBUFFER, 0);
    gl.frames.discard();
    expect(() => gl.draws.drawArrays(GL.TRIANGLES, 0, 3)).toThrow(
      /sampled after something was drawn/,
    );
  });
});
