import { type Frame, validateFrame } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { GL } from './api/constants.ts';
import type { GlContext } from './context.ts';
import { readParameter } from './parameters/read-parameters.ts';
import { bindNewBuffer, bytesOf, makeContext, useProgram } from './testing/small-context.ts';

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

function drawsOf(gl: GlContext) {
  return takeValidFrame(gl).passes[0]!.draws;
}

describe('draws', () => {
  it('carry program, array, uniforms and state as they were', () => {
    const { gl, messages } = setUp();
    gl.programs.setFloats(gl.programs.uniformLocation(1, 'tint'), 4, [1, 2, 3, 4]);
    gl.raster.setViewport(4, 6, 20, 10);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    gl.programs.setFloats(gl.programs.uniformLocation(1, 'tint'), 4, [0, 0, 0, 0]);
    gl.buffers.update(GL.ARRAY_BUFFER, 8, new Uint8Array(8));
    gl.draws.drawArrays(GL.TRIANGLE_STRIP, 1, 3);
    const frame = takeValidFrame(gl);
    expect(messages).toEqual([]);
    expect(frame.buffers).toHaveLength(2);
    const [first, second] = frame.passes[0]!.draws;
    expect(first).toMatchObject({ topology: 'triangles', first: 0, count: 3, indices: null });
    expect([...first!.uniforms.tint!]).toEqual([1, 2, 3, 4]);
    expect(first!.attributes.at).toEqual({
      kind: 'buffer',
      bufferIndex: 0,
      offsetBytes: 0,
      strideBytes: 8,
      componentType: 'float32',
      componentCount: 2,
      isNormalized: false,
      instanceDivisor: 0,
    });
    // Frames count rows from the top: 32 − 6 − 10.
    expect(first!.state.viewport).toEqual({ x: 4, y: 16, width: 20, height: 10 });
    expect(second).toMatchObject({ topology: 'triangle-strip', first: 1, count: 3 });
    expect([...second!.uniforms.tint!]).toEqual([0, 0, 0, 0]);
    expect(second!.attributes.at).toMatchObject({ bufferIndex: 1 });
  });

  it('begin anew after a frame was taken', () => {
    const { gl } = setUp();
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    expect(drawsOf(gl)).toHaveLength(1);
    expect(drawsOf(gl)).toHaveLength(0);
  });

  it('read indices from buffers and from client memory', () => {
    const { gl, messages } = setUp();
    bindNewBuffer(gl, GL.ELEMENT_ARRAY_BUFFER, bytesOf(Uint16Array.of(9, 0, 1, 2)));
    gl.draws.drawElements(GL.TRIANGLES, 3, GL.UNSIGNED_SHORT, 2);
    gl.draws.drawElements(GL.TRIANGLES, 3, GL.UNSIGNED_BYTE, Uint8Array.of(3, 1, 0));
    expect(messages).toEqual([]);
    const [fromBuffer, fromClient] = drawsOf(gl);
    expect(fromBuffer).toMatchObject({
      first: 0,
      count: 3,
      indices: { offsetBytes: 2, componentType: 'uint16' },
    });
    expect(fromClient!.indices).toMatchObject({ offsetBytes: 0, componentType: 'uint8' });
  });

  it('read constants where the array is off', () => {
    const { gl } = setUp();
    gl.vertexArrays.disable(0);
    gl.fixedFunctions.attribute(0, [5, 6]);
    gl.draws.drawArrays(GL.POINTS, 0, 1);
    expect(drawsOf(gl)[0]!.attributes.at).toEqual({ kind: 'constant', value: [5, 6, 0, 1] });
  });

  it.each([
    ['fixed point', GL.FIXED, bytesOf(Int32Array.of(98304, -65536)), [1.5, -1]],
    ['half floats', GL.HALF_FLOAT_OES, bytesOf(Uint16Array.of(0x3e00, 0xbc00)), [1.5, -1]],
    ['doubles', GL.DOUBLE, bytesOf(Float64Array.of(1.5, -1)), [1.5, -1]],
  ])('turn %s into floats', (_what, type, bytes, expected) => {
    const { gl } = setUp();
    gl.buffers.bind(GL.ARRAY_BUFFER, 0);
    gl.vertexArrays.setPointer(0, 2, type, false, 0, bytes);
    gl.draws.drawArrays(GL.POINTS, 0, 1);
    const frame = takeValidFrame(gl);
    expect(frame.passes[0]!.draws[0]!.attributes.at).toMatchObject({ componentType: 'float32' });
    expect([...new Float32Array(frame.buffers[0]!.bytes.slice().buffer)]).toEqual(expected);
  });

  it.each([
    ['bytes', GL.UNSIGNED_BYTE, bytesOf(Uint8Array.of(255, 51, 0, 102))],
    ['packed words', GL.UNSIGNED_INT_2_10_10_10_REV, bytesOf(Uint32Array.of(1023))],
  ])('read %s in the order blue, green, red, alpha on the desktop', (_what, type, bytes) => {
    const { gl } = setUp('gl');
    gl.buffers.bind(GL.ARRAY_BUFFER, 0);
    gl.vertexArrays.setPointer(0, GL.BGRA, type, true, 0, bytes);
    gl.draws.drawArrays(GL.POINTS, 0, 1);
    const [x, , z] = new Float32Array(takeValidFrame(gl).buffers[0]!.bytes.slice().buffer);
    expect([x, z]).toEqual([0, 1]);
  });

  it('split quads on the desktop', () => {
    const { gl } = setUp('gl');
    gl.draws.drawArrays(GL.QUADS, 0, 4);
    const frame = takeValidFrame(gl);
    const draw = frame.passes[0]!.draws[0]!;
    expect(draw).toMatchObject({ topology: 'triangles', count: 6 });
    const { bytes } = frame.buffers[draw.indices!.bufferIndex]!;
    expect([...new Uint32Array(bytes.slice().buffer)]).toEqual([0, 1, 3, 1, 2, 3]);
  });

  it('bind complete textures to samplers by unit', () => {
    const { gl } = setUp();
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    gl.textures.activate(GL.TEXTURE0 + 2);
    gl.textures.bind(GL.TEXTURE_2D, gl.textures.generate(1)[0]!);
    gl.textures.setParameter(GL.TEXTURE_2D, GL.TEXTURE_MIN_FILTER, GL.LINEAR);
    const size = { target: GL.TEXTURE_2D, level: 0, widthPx: 1, heightPx: 1 };
    const bytes = Uint8Array.of(1, 2, 3, 4);
    gl.textures.uploads.image(GL.RGBA, { ...size, format: GL.RGBA, type: GL.UNSIGNED_BYTE, bytes });
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    gl.programs.setInts(gl.programs.uniformLocation(1, 'map'), 1, [2]);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    const [unbound, otherUnit, bound] = drawsOf(gl);
    expect(unbound!.textures).toEqual({});
    expect(otherUnit!.textures).toEqual({});
    expect(bound!.textures.map).toMatchObject({
      textureIndex: 0,
      sampler: { minFilter: 'linear' },
    });
  });

  it('read the attributes and uniforms that GLSL declares by itself', () => {
    const { gl, messages } = makeContext('gl');
    const program = useProgram(
      gl,
      `attribute vec4 gl_Vertex; attribute vec4 gl_Color; attribute vec2 own;
      uniform mat4 gl_ModelViewProjectionMatrix; uniform mat3 gl_NormalMatrix; uniform float tint;`,
    );
    expect(gl.programs.attributeLocation(program, 'own')).toBe(1);
    expect(gl.programs.uniformLocation(program, 'gl_NormalMatrix')).toBe(-1);
    expect(gl.programs.uniformLocation(program, 'tint')).toBe(0);
    bindNewBuffer(gl, GL.ARRAY_BUFFER, TRIANGLE);
    gl.vertexArrays.enable('gl_Vertex');
    gl.vertexArrays.setPointer('gl_Vertex', 2, GL.FLOAT, false, 0, 8);
    gl.matrices.scale(2, 4, 8);
    gl.matrices.setMode(GL.PROJECTION);
    gl.matrices.translate(1, 0, 0);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    expect(messages).toEqual([]);
    const [draw] = drawsOf(gl);
    expect(draw!.attributes).toMatchObject({
      gl_Vertex: { kind: 'buffer', offsetBytes: 8 },
      gl_Color: { kind: 'constant', value: [1, 1, 1, 1] },
      own: { kind: 'constant', value: [0, 0, 0, 1] },
    });
    expect(draw!.uniforms.gl_ModelViewProjectionMatrix).toEqual([
      ...[2, 0, 0, 0, 0, 4, 0, 0, 0, 0, 8, 0],
      ...[1, 0, 0, 1],
    ]);
    const normalMatrix = [...draw!.uniforms.gl_NormalMatrix!].map((value) => value + 0);
    expect(normalMatrix).toEqual([0.5, 0, 0, 0, 0.25, 0, 0, 0, 0.125]);
  });

  it('fail by name for built-in uniforms that the context does not keep', () => {
    const { gl } = makeContext('gl');
    useProgram(gl, 'uniform vec4 gl_FogColor;');
    expect(() => gl.draws.drawArrays(GL.TRIANGLES, 0, 3)).toThrow(/built-in uniform gl_FogColor/);
  });

  it('are not kept while nobody wants them', () => {
    const { gl } = setUp();
    gl.frames.isWanted = false;
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    gl.clears.clear(GL.COLOR_BUFFER_BIT);
    gl.frames.isWanted = true;
    expect(drawsOf(gl)).toEqual([]);
  });

  it.each<[string, number, (gl: GlContext) => void]>([
    ['an unknown mode', GL.INVALID_ENUM, (gl) => gl.draws.drawArrays(GL.QUADS, 0, 4)],
    ['a negative count', GL.INVALID_VALUE, (gl) => gl.draws.drawArrays(GL.TRIANGLES, 0, -1)],
    [
      'vertices past the array',
      GL.INVALID_OPERATION,
      (gl) => gl.draws.drawArrays(GL.TRIANGLES, 2, 3),
    ],
    [
      'an index past the array',
      GL.INVALID_OPERATION,
      (gl) => gl.draws.drawElements(GL.TRIANGLES, 3, GL.UNSIGNED_BYTE, Uint8Array.of(0, 1, 4)),
    ],
    [
      'no index buffer',
      GL.INVALID_OPERATION,
      (gl) => gl.draws.drawElements(GL.TRIANGLES, 3, GL.UNSIGNED_BYTE, 0),
    ],
    [
      'an unknown index type',
      GL.INVALID_ENUM,
      (gl) => gl.draws.drawElements(GL.TRIANGLES, 3, GL.FLOAT, 0),
    ],
    [
      'no program',
      GL.INVALID_OPERATION,
      (gl) => {
        gl.programs.use(0);
        gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
      },
    ],
    [
      'a deleted buffer',
      GL.INVALID_OPERATION,
      (gl) => {
        gl.buffers.remove([1]);
        gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
      },
    ],
    [
      'an incomplete framebuffer',
      GL.INVALID_FRAMEBUFFER_OPERATION,
      (gl) => {
        gl.framebuffers.bind(GL.FRAMEBUFFER, 1);
        gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
      },
    ],
  ])('are refused with %s', (_what, error, act) => {
    const { gl } = setUp();
    gl.draws.drawArrays(GL.TRIANGLES, 1, 3);
    act(gl);
    expect(gl.errors.take()).toBe(error);
    expect(drawsOf(gl)).toHaveLength(1);
  });

  it('translate all fixed-function state', () => {
    const { gl, messages } = setUp();
    for (const capability of [GL.BLEND, GL.CULL_FACE, GL.DEPTH_TEST, GL.SCISSOR_TEST])
      gl.capabilities.enable(capability);
    gl.capabilities.enable(GL.STENCIL_TEST);
    gl.capabilities.enable(GL.POLYGON_OFFSET_FILL);
    gl.raster.setScissor(1, 2, 3, 4);
    gl.raster.setDepthRange(0.25, 2);
    gl.raster.setCullFace(GL.FRONT);
    gl.raster.setFrontFace(GL.CW);
    gl.raster.setPolygonOffset(1.5, 2);
    gl.raster.setLineWidth(3);
    gl.raster.setDepthFunction(GL.GEQUAL);
    gl.raster.setDepthMask(false);
    gl.raster.setColorMask(true, false, true, false);
    gl.raster.setStencilFunction(GL.FRONT, GL.EQUAL, 300, 0x1ff);
    gl.raster.setStencilOperations(GL.FRONT, GL.REPLACE, GL.INCR, GL.DECR_WRAP);
    gl.raster.setStencilMask(GL.BACK, 3);
    gl.raster.setBlendEquations(GL.FUNC_SUBTRACT, GL.FUNC_ADD);
    gl.raster.setBlendFactors(GL.SRC_ALPHA, GL.ONE_MINUS_SRC_ALPHA, 1, 0);
    gl.raster.setBlendColor(0.5, 2, 0, 1);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    expect(messages).toEqual([]);
    expect(drawsOf(gl)[0]!.state).toEqual({
      viewport: { x: 0, y: 0, width: 64, height: 32 },
      depthRange: [0.25, 1],
      scissor: { x: 1, y: 26, width: 3, height: 4 },
      cullMode: 'front',
      frontFace: 'clockwise',
      polygonOffset: { isEnabled: true, factor: 1.5, units: 2 },
      depth: { isTestEnabled: true, isWriteEnabled: false, compare: 'greater-equal' },
      stencil: {
        isTestEnabled: true,
        front: {
          compare: 'equal',
          reference: 255,
          readMask: 255,
          writeMask: 255,
          onStencilFail: 'replace',
          onDepthFail: 'increment-clamp',
          onPass: 'decrement-wrap',
        },
        back: {
          compare: 'always',
          reference: 0,
          readMask: 255,
          writeMask: 3,
          onStencilFail: 'keep',
          onDepthFail: 'keep',
          onPass: 'keep',
        },
      },
      blend: {
        isEnabled: true,
        color: { equation: 'subtract', source: 'src-alpha', destination: 'one-minus-src-alpha' },
        alpha: { equation: 'add', source: 'one', destination: 'zero' },
        constant: [0.5, 1, 0, 1],
      },
      colorMask: [true, false, true, false],
      lineWidthPx: 3,
    });
  });

  it('give their state back by parameter', () => {
    const { gl } = setUp();
    gl.raster.setFrontFace(GL.CW);
    gl.raster.setCullFace(GL.FRONT);
    gl.raster.setDepthFunction(GL.LEQUAL);
    gl.raster.setBlendFactors(GL.SRC_ALPHA, GL.ONE_MINUS_SRC_ALPHA, 1, 0);
    gl.raster.setStencilFunction(GL.BACK, GL.GREATER, 7, 15);
    gl.raster.setViewport(1, 2, 3, 4);
    gl.textures.activate(GL.TEXTURE0 + 3);
    gl.capabilities.enable(GL.BLEND);
    const read = (...parameters: number[]) => parameters.map((each) => readParameter(gl, each));
    expect(read(0x0b46, 0x0b45, 0x0b74)).toEqual([GL.CW, GL.FRONT, GL.LEQUAL]);
    expect(read(0x80c9, 0x80c8, 0x80cb, 0x80ca)).toEqual([
      ...[GL.SRC_ALPHA, GL.ONE_MINUS_SRC_ALPHA, 1, 0],
    ]);
    expect(read(0x0b92, 0x8800, 0x8ca3, 0x8ca4)).toEqual([GL.ALWAYS, GL.GREATER, 7, 15]);
    expect(read(0x0ba2, 0x84e0, 0x8894, 0x8b8d)).toEqual([[1, 2, 3, 4], GL.TEXTURE0 + 3, 1, 1]);
    expect(read(GL.BLEND, GL.CULL_FACE, 0x1f00)).toEqual([true, false, null]);
  });

  it.each([
    ['gl', 1],
    ['gles2', 1],
    ['webgl1', 0],
  ] as const)('accept blend factors of a second color in WebGL only, %s', (dialect, errors) => {
    const { gl, messages } = setUp(dialect);
    gl.raster.setBlendFactors(1, GL.SRC1_COLOR, 1, GL.ONE_MINUS_SRC1_ALPHA);
    expect(messages).toHaveLength(errors);
    expect(gl.raster.secondColorUse(0)).toBe(errors === 0 ? 'disabled' : 'none');
  });

  it('fail by name with dashes of connected lines', () => {
    const { gl } = setUp('gl');
    gl.capabilities.enable(GL.LINE_STIPPLE);
    gl.raster.setLineStipple(1, 0x5555);
    expect(() => gl.draws.drawArrays(GL.LINE_STRIP, 0, 3)).toThrow(
      expect.objectContaining({
        code: 'FRAME_UNSUPPORTED',
        message: expect.stringContaining('GL_LINE_STIPPLE'),
      }),
    );
  });
});

describe('clears', () => {
  const ALL = GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT | GL.STENCIL_BUFFER_BIT;

  function setClearValues(gl: GlContext): void {
    gl.raster.setClearColor(0.25, 0.5, 2, 1);
    gl.raster.setClearDepth(0.75);
    gl.raster.setClearStencil(0x103);
  }

  it('of an untouched screen are the pass’s clear', () => {
    const { gl } = setUp();
    setClearValues(gl);
    gl.clears.clear(ALL);
    expect(takeValidFrame(gl).passes).toEqual([
      { clear: { color: [0.25, 0.5, 1, 1], depth: 0.75, stencil: 3 }, draws: [] },
    ]);
  });

  it('leave what they do not name, and what masks protect, to the next clear', () => {
    const { gl } = setUp();
    setClearValues(gl);
    gl.clears.clear(GL.DEPTH_BUFFER_BIT);
    gl.raster.setDepthMask(false);
    gl.raster.setClearDepth(0);
    gl.clears.clear(ALL);
    expect(takeValidFrame(gl).passes[0]!.clear).toMatchObject({ depth: 0.75, stencil: 3 });
  });

  it('in the middle, in part or under a mask are draws of their own', () => {
    const { gl } = setUp();
    setClearValues(gl);
    gl.capabilities.enable(GL.SCISSOR_TEST);
    gl.raster.setScissor(0, 0, 8, 8);
    gl.clears.clear(GL.COLOR_BUFFER_BIT);
    gl.capabilities.disable(GL.SCISSOR_TEST);
    gl.raster.setColorMask(true, false, true, true);
    gl.clears.clear(GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT);
    const { clear, draws } = takeValidFrame(gl).passes[0]!;
    expect(clear).toEqual({ color: [0, 0, 0, 0], depth: 1, stencil: 0 });
    expect(draws).toHaveLength(2);
    expect(draws[0]!.uniforms.color).toEqual([0.25, 0.5, 1, 1]);
    expect(draws[0]!.state).toMatchObject({
      scissor: { x: 0, y: 24, width: 8, height: 8 },
      colorMask: [true, true, true, true],
      depth: { isTestEnabled: false },
    });
    expect(draws[1]!.state).toMatchObject({
      scissor: null,
      colorMask: [true, false, true, true],
      depthRange: [0.75, 0.75],
      depth: { isTestEnabled: true, isWriteEnabled: true, compare: 'always' },
    });
  });

  it('refuse unknown bits', () => {
    const { gl } = setUp();
    gl.clears.clear(1);
    expect(gl.errors.take()).toBe(GL.INVALID_VALUE);
  });
});
