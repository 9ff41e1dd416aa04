import { type Frame, validateFrame } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { GL } from './api/constants.ts';
import type { GlContext } from './context.ts';
import { bindNewBuffer, bytesOf, makeContext, useProgram } from './testing/small-context.ts';

const TRIANGLE = bytesOf(Float32Array.of(0, 0, 1, 0, 0, 1, 1, 1));

/** A program with one `vec2` array of four vertices. */
function setUp(dialect: 'gl' | 'gles2' | 'webgl1' = 'gles2') {
  const made = makeContext(dialect);
  useProgram(made.gl, 'attribute vec2 at; uniform vec4 tint;', 'uniform sampler2D map;');
  bindNewBuffer(made.gl, GL.ARRAY_BUFFER, TRIANGLE);
  made.gl.enableVertexAttribArray(0);
  made.gl.vertexAttribPointer(0, 2, GL.FLOAT, false, 0, 0);
  return made;
}

function takeValidFrame(gl: GlContext): Frame {
  const frame = gl.takeFrame();
  validateFrame(frame);
  return frame;
}

function drawsOf(gl: GlContext) {
  return takeValidFrame(gl).passes[0]!.draws;
}

describe('draws', () => {
  it('carry program, array, uniforms and state as they were', () => {
    const { gl, messages } = setUp();
    gl.uniformf(gl.getUniformLocation(1, 'tint'), 4, [1, 2, 3, 4]);
    gl.viewport(4, 6, 20, 10);
    gl.drawArrays(GL.TRIANGLES, 0, 3);
    gl.uniformf(gl.getUniformLocation(1, 'tint'), 4, [0, 0, 0, 0]);
    gl.bufferSubData(GL.ARRAY_BUFFER, 8, new Uint8Array(8));
    gl.drawArrays(GL.TRIANGLE_STRIP, 1, 3);
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
    // Rows of the frame count down: 32 − 6 − 10.
    expect(first!.state.viewport).toEqual({ x: 4, y: 16, width: 20, height: 10 });
    expect(second).toMatchObject({ topology: 'triangle-strip', first: 1, count: 3 });
    expect([...second!.uniforms.tint!]).toEqual([0, 0, 0, 0]);
    expect(second!.attributes.at).toMatchObject({ bufferIndex: 1 });
  });

  it('begin anew after a frame was taken', () => {
    const { gl } = setUp();
    gl.drawArrays(GL.TRIANGLES, 0, 3);
    expect(drawsOf(gl)).toHaveLength(1);
    expect(drawsOf(gl)).toHaveLength(0);
  });

  it('read indices from buffers and from client memory', () => {
    const { gl, messages } = setUp();
    bindNewBuffer(gl, GL.ELEMENT_ARRAY_BUFFER, bytesOf(Uint16Array.of(9, 0, 1, 2)));
    gl.drawElements(GL.TRIANGLES, 3, GL.UNSIGNED_SHORT, 2);
    gl.drawElements(GL.TRIANGLES, 3, GL.UNSIGNED_BYTE, Uint8Array.of(3, 1, 0));
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
    gl.disableVertexAttribArray(0);
    gl.vertexAttrib(0, [5, 6]);
    gl.drawArrays(GL.POINTS, 0, 1);
    expect(drawsOf(gl)[0]!.attributes.at).toEqual({ kind: 'constant', value: [5, 6, 0, 1] });
  });

  it.each([
    ['fixed point', GL.FIXED, bytesOf(Int32Array.of(98304, -65536)), [1.5, -1]],
    ['half floats', GL.HALF_FLOAT_OES, bytesOf(Uint16Array.of(0x3e00, 0xbc00)), [1.5, -1]],
    ['doubles', GL.DOUBLE, bytesOf(Float64Array.of(1.5, -1)), [1.5, -1]],
  ])('turn %s into floats', (_what, type, bytes, expected) => {
    const { gl } = setUp();
    gl.bindBuffer(GL.ARRAY_BUFFER, 0);
    gl.vertexAttribPointer(0, 2, type, false, 0, bytes);
    gl.drawArrays(GL.POINTS, 0, 1);
    const frame = takeValidFrame(gl);
    expect(frame.passes[0]!.draws[0]!.attributes.at).toMatchObject({ componentType: 'float32' });
    expect([...new Float32Array(frame.buffers[0]!.bytes.slice().buffer)]).toEqual(expected);
  });

  it('split quads on the desktop', () => {
    const { gl } = setUp('gl');
    gl.drawArrays(GL.QUADS, 0, 4);
    const frame = takeValidFrame(gl);
    const draw = frame.passes[0]!.draws[0]!;
    expect(draw).toMatchObject({ topology: 'triangles', count: 6 });
    const { bytes } = frame.buffers[draw.indices!.bufferIndex]!;
    expect([...new Uint32Array(bytes.slice().buffer)]).toEqual([0, 1, 3, 1, 2, 3]);
  });

  it('bind complete textures to samplers by unit', () => {
    const { gl } = setUp();
    gl.drawArrays(GL.TRIANGLES, 0, 3);
    gl.activeTexture(GL.TEXTURE0 + 2);
    gl.bindTexture(GL.TEXTURE_2D, gl.genTextures(1)[0]!);
    gl.texParameter(GL.TEXTURE_2D, GL.TEXTURE_MIN_FILTER, GL.LINEAR);
    const size = { target: GL.TEXTURE_2D, level: 0, widthPx: 1, heightPx: 1 };
    const bytes = Uint8Array.of(1, 2, 3, 4);
    gl.texImage2D(GL.RGBA, { ...size, format: GL.RGBA, type: GL.UNSIGNED_BYTE, bytes });
    gl.drawArrays(GL.TRIANGLES, 0, 3);
    gl.uniformi(gl.getUniformLocation(1, 'map'), 1, [2]);
    gl.drawArrays(GL.TRIANGLES, 0, 3);
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
    expect(gl.getAttribLocation(program, 'own')).toBe(1);
    expect(gl.getUniformLocation(program, 'gl_NormalMatrix')).toBe(-1);
    expect(gl.getUniformLocation(program, 'tint')).toBe(0);
    bindNewBuffer(gl, GL.ARRAY_BUFFER, TRIANGLE);
    gl.enableVertexAttribArray('gl_Vertex');
    gl.vertexAttribPointer('gl_Vertex', 2, GL.FLOAT, false, 0, 8);
    gl.matrices.scale(2, 4, 8);
    gl.matrices.setMode(GL.PROJECTION);
    gl.matrices.translate(1, 0, 0);
    gl.drawArrays(GL.TRIANGLES, 0, 3);
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
    expect(() => gl.drawArrays(GL.TRIANGLES, 0, 3)).toThrow(/built-in uniform gl_FogColor/);
  });

  it('are not kept while nobody wants them', () => {
    const { gl } = setUp();
    gl.setRecording(false);
    gl.drawArrays(GL.TRIANGLES, 0, 3);
    gl.clear(GL.COLOR_BUFFER_BIT);
    gl.setRecording(true);
    expect(drawsOf(gl)).toEqual([]);
  });

  it.each<[string, number, (gl: GlContext) => void]>([
    ['an unknown mode', GL.INVALID_ENUM, (gl) => gl.drawArrays(GL.QUADS, 0, 4)],
    ['a negative count', GL.INVALID_VALUE, (gl) => gl.drawArrays(GL.TRIANGLES, 0, -1)],
    ['vertices past the array', GL.INVALID_OPERATION, (gl) => gl.drawArrays(GL.TRIANGLES, 2, 3)],
    [
      'an index past the array',
      GL.INVALID_OPERATION,
      (gl) => gl.drawElements(GL.TRIANGLES, 3, GL.UNSIGNED_BYTE, Uint8Array.of(0, 1, 4)),
    ],
    [
      'no index buffer',
      GL.INVALID_OPERATION,
      (gl) => gl.drawElements(GL.TRIANGLES, 3, GL.UNSIGNED_BYTE, 0),
    ],
    [
      'an unknown index type',
      GL.INVALID_ENUM,
      (gl) => gl.drawElements(GL.TRIANGLES, 3, GL.FLOAT, 0),
    ],
    [
      'no program',
      GL.INVALID_OPERATION,
      (gl) => {
        gl.useProgram(0);
        gl.drawArrays(GL.TRIANGLES, 0, 3);
      },
    ],
    [
      'a deleted buffer',
      GL.INVALID_OPERATION,
      (gl) => {
        gl.deleteBuffers([1]);
        gl.drawArrays(GL.TRIANGLES, 0, 3);
      },
    ],
    [
      'an incomplete framebuffer',
      GL.INVALID_FRAMEBUFFER_OPERATION,
      (gl) => {
        gl.bindFramebuffer(GL.FRAMEBUFFER, 1);
        gl.drawArrays(GL.TRIANGLES, 0, 3);
      },
    ],
  ])('are refused with %s', (_what, error, act) => {
    const { gl } = setUp();
    gl.drawArrays(GL.TRIANGLES, 1, 3);
    act(gl);
    expect(gl.getError()).toBe(error);
    expect(drawsOf(gl)).toHaveLength(1);
  });

  it('translate all fixed-function state', () => {
    const { gl, messages } = setUp();
    for (const capability of [GL.BLEND, GL.CULL_FACE, GL.DEPTH_TEST, GL.SCISSOR_TEST])
      gl.enable(capability);
    gl.enable(GL.STENCIL_TEST);
    gl.enable(GL.POLYGON_OFFSET_FILL);
    gl.scissor(1, 2, 3, 4);
    gl.depthRange(0.25, 2);
    gl.cullFace(GL.FRONT);
    gl.frontFace(GL.CW);
    gl.polygonOffset(1.5, 2);
    gl.lineWidth(3);
    gl.depthFunc(GL.GEQUAL);
    gl.depthMask(false);
    gl.colorMask(true, false, true, false);
    gl.stencilFuncSeparate(GL.FRONT, GL.EQUAL, 300, 0x1ff);
    gl.stencilOpSeparate(GL.FRONT, GL.REPLACE, GL.INCR, GL.DECR_WRAP);
    gl.stencilMaskSeparate(GL.BACK, 3);
    gl.blendEquationSeparate(GL.FUNC_SUBTRACT, GL.FUNC_ADD);
    gl.blendFuncSeparate(GL.SRC_ALPHA, GL.ONE_MINUS_SRC_ALPHA, 1, 0);
    gl.blendColor(0.5, 2, 0, 1);
    gl.drawArrays(GL.TRIANGLES, 0, 3);
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
    gl.frontFace(GL.CW);
    gl.cullFace(GL.FRONT);
    gl.depthFunc(GL.LEQUAL);
    gl.blendFuncSeparate(GL.SRC_ALPHA, GL.ONE_MINUS_SRC_ALPHA, 1, 0);
    gl.stencilFuncSeparate(GL.BACK, GL.GREATER, 7, 15);
    gl.viewport(1, 2, 3, 4);
    gl.activeTexture(GL.TEXTURE0 + 3);
    gl.enable(GL.BLEND);
    const read = (...parameters: number[]) => parameters.map((each) => gl.getParameter(each));
    expect(read(0x0b46, 0x0b45, 0x0b74)).toEqual([GL.CW, GL.FRONT, GL.LEQUAL]);
    expect(read(0x80c9, 0x80c8, 0x80cb, 0x80ca)).toEqual([
      ...[GL.SRC_ALPHA, GL.ONE_MINUS_SRC_ALPHA, 1, 0],
    ]);
    expect(read(0x0b92, 0x8800, 0x8ca3, 0x8ca4)).toEqual([GL.ALWAYS, GL.GREATER, 7, 15]);
    expect(read(0x0ba2, 0x84e0, 0x8894, 0x8b8d)).toEqual([[1, 2, 3, 4], GL.TEXTURE0 + 3, 1, 1]);
    expect(read(GL.BLEND, GL.CULL_FACE, 0x1f00)).toEqual([true, false, null]);
  });

  it.each<[string, (gl: GlContext) => void]>([
    ['GL_POINT_SMOOTH', (gl) => gl.enable(GL.POINT_SMOOTH)],
    ['GL_DEPTH_CLAMP', (gl) => gl.enable(GL.DEPTH_CLAMP)],
  ])('fail by name with %s on the desktop', (name, act) => {
    const { gl } = setUp('gl');
    act(gl);
    expect(() => gl.drawArrays(GL.POINTS, 0, 3)).toThrow(
      expect.objectContaining({
        code: 'FRAME_UNSUPPORTED',
        message: expect.stringContaining(name),
      }),
    );
  });
});

describe('clears', () => {
  const ALL = GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT | GL.STENCIL_BUFFER_BIT;

  function setClearValues(gl: GlContext): void {
    gl.clearColor(0.25, 0.5, 2, 1);
    gl.clearDepth(0.75);
    gl.clearStencil(0x103);
  }

  it('of an untouched screen are the pass’s clear', () => {
    const { gl } = setUp();
    setClearValues(gl);
    gl.clear(ALL);
    expect(takeValidFrame(gl).passes).toEqual([
      { clear: { color: [0.25, 0.5, 1, 1], depth: 0.75, stencil: 3 }, draws: [] },
    ]);
  });

  it('leave what they do not name, and what masks protect, to the next clear', () => {
    const { gl } = setUp();
    setClearValues(gl);
    gl.clear(GL.DEPTH_BUFFER_BIT);
    gl.depthMask(false);
    gl.clearDepth(0);
    gl.clear(ALL);
    expect(takeValidFrame(gl).passes[0]!.clear).toMatchObject({ depth: 0.75, stencil: 3 });
  });

  it('in the middle, in part or under a mask are draws of their own', () => {
    const { gl } = setUp();
    setClearValues(gl);
    gl.enable(GL.SCISSOR_TEST);
    gl.scissor(0, 0, 8, 8);
    gl.clear(GL.COLOR_BUFFER_BIT);
    gl.disable(GL.SCISSOR_TEST);
    gl.colorMask(true, false, true, true);
    gl.clear(GL.COLOR_BUFFER_BIT | GL.DEPTH_BUFFER_BIT);
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
    gl.clear(1);
    expect(gl.getError()).toBe(GL.INVALID_VALUE);
  });
});
