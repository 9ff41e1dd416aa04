import { RenderError, validateFrame } from '@tessera/frame';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import {
  CONTEXT,
  draw,
  FAKE,
  POSITIONS,
  pointer,
  replay,
  startCapture,
  swap,
} from '../testing/small-capture.ts';
import { DECLARATION_REFLECTION } from '../testing/small-context.ts';
import { CaptureWriter } from './capture-writer.ts';
import { readCalls } from './format/capture-reader.ts';
import { CapturedPointer } from './format/captured-value.ts';
import { replayFrame } from './replay.ts';

describe('replay', () => {
  it('gives the frame that was drawn, in the size of its window', () => {
    const { frame, draws, errors, notes } = replay(swap(draw(startCapture())));
    expect([frame.widthPx, frame.heightPx]).toEqual([40, 30]);
    expect(draws).toHaveLength(1);
    expect(draws[0]).toMatchObject({ topology: 'triangles', count: 3 });
    expect(frame.buffers[0]!.bytes).toEqual(POSITIONS);
    expect(frame.programs[0]!.vertexSource).toMatch(/^#version 110\n/);
    expect([errors, notes]).toEqual([[], []]);
  });

  it('picks a frame by its number, with the state that earlier frames left', () => {
    const writer = startCapture();
    swap(draw(writer));
    writer.call('glDepthFunc', { func: GL.ALWAYS });
    swap(draw(draw(writer, 2), 1));
    expect(replay(writer, 0).draws).toHaveLength(1);
    const { draws } = replay(writer, 1);
    expect(draws.map((each) => each.count)).toEqual([2, 1]);
    expect(draws[0]!.state.depth.compare).toBe('always');
    expect(() => replay(writer, 2)).toThrow(/frame 2: the capture has only 2 frames/);
  });

  it('translates uniform locations by name, and by order where nobody asked', () => {
    const writer = startCapture()
      .call('glGetUniformLocation', { program: 103, name: 'b' }, 77)
      .call('glUniform2f', { location: 77, v0: 1, v1: 2 })
      .call('glUniform1f', { location: -1, v0: 9 })
      .call('glUniform4fv', { location: 3, count: 1, value: [5, 6, 7, 8] });
    const { draws, notes } = replay(swap(draw(writer)));
    const { uniforms } = draws[0]!;
    expect([...uniforms.a!, ...uniforms.b!]).toEqual([0, 1, 2]);
    expect([...uniforms['c[0]']!]).toEqual([0, 0, 0, 0, 5, 6, 7, 8]);
    expect(notes).toEqual([expect.stringMatching(/location 3 of program 103 .* it is c\[1\]/)]);
  });

  it('writes copies to mapped memory into the buffer', () => {
    const half = Uint8Array.of(0, 0, 0, 63);
    const writer = startCapture()
      .call(
        'glMapBufferOES',
        { target: GL.ARRAY_BUFFER, access: GL.WRITE_ONLY },
        new CapturedPointer(9000),
      )
      .call('memcpy', { dest: new CapturedPointer(9008), src: half, n: 4 }, null, FAKE)
      .call('glUnmapBuffer', { target: GL.ARRAY_BUFFER }, true);
    const { frame } = replay(swap(draw(writer)));
    expect([...new Float32Array(frame.buffers[0]!.bytes.slice().buffer)]).toEqual([
      0, 0, 0.5, 0, 0, 1,
    ]);
  });

  it('takes vertices and indices from client memory', () => {
    const writer = startCapture()
      .call('glBindBuffer', { target: GL.ARRAY_BUFFER, buffer: 0 })
      .call('glVertexAttribPointer', pointer(POSITIONS), null, FAKE)
      .call('glDrawElements', {
        mode: GL.LINES,
        count: 2,
        type: GL.UNSIGNED_BYTE,
        indices: Uint8Array.of(2, 1),
      });
    const { frame, draws } = replay(swap(writer));
    expect(draws[0]!.indices).not.toBeNull();
    expect(frame.buffers.map(({ bytes }) => bytes.length)).toEqual([24, 2]);
  });

  it('knows conventional arrays and matrices', () => {
    const source =
      'attribute vec4 gl_Vertex; attribute vec3 gl_Normal; attribute vec4 gl_MultiTexCoord1; uniform mat4 gl_ModelViewMatrix;';
    const writer = startCapture()
      .call('glShaderSource', { shader: 101, count: 1, string: [source], length: null })
      .call('glCompileShader', { shader: 101 })
      .call('glLinkProgram', { program: 103 })
      .call('glUseProgram', { program: 103 })
      .call('glMatrixMode', { mode: GL.MODELVIEW })
      .call('glTranslatef', { x: 1, y: 2, z: 3 })
      .call('glEnableClientState', { array: GL.VERTEX_ARRAY })
      .call('glVertexPointer', { size: 2, type: GL.FLOAT, stride: 0, pointer: null })
      .call('glClientActiveTexture', { texture: GL.TEXTURE0 + 1 })
      .call('glEnableClientState', { array: GL.TEXTURE_COORD_ARRAY })
      .call('glTexCoordPointer', {
        size: 1,
        type: GL.FLOAT,
        stride: 8,
        pointer: new CapturedPointer(4),
      })
      .call('glNormal3f', { nx: 0, ny: 1, nz: 0 });
    const { draws, errors } = replay(swap(draw(writer)));
    expect(errors).toEqual([]);
    expect(draws[0]!.attributes).toMatchObject({
      gl_Vertex: { kind: 'buffer', componentCount: 2, strideBytes: 8 },
      gl_Normal: { kind: 'constant', value: [0, 1, 0, 1] },
      gl_MultiTexCoord1: { kind: 'buffer', componentCount: 1, offsetBytes: 4 },
    });
    expect([...draws[0]!.uniforms.gl_ModelViewMatrix!].slice(12)).toEqual([1, 2, 3, 1]);
  });

  it('keeps contexts apart and shares objects where the program did', () => {
    const other = new CapturedPointer(0x600);
    const writer = startCapture()
      .call('glXCreateContext', { dpy: 1, vis: 2, shareList: CONTEXT, direct: true }, other)
      .call('glXMakeCurrent', { dpy: 1, drawable: 7, ctx: other }, true)
      .call('glUseProgram', { program: 103 })
      .call('glBindBuffer', { target: GL.ARRAY_BUFFER, buffer: 55 })
      .call('glEnableVertexAttribArray', { index: 4 })
      .call('glVertexAttribPointer', pointer(new CapturedPointer(8)));
    const { frame, draws, errors } = replay(swap(draw(writer, 2)));
    expect(errors).toEqual([]);
    expect([frame.widthPx, frame.heightPx]).toEqual([40, 30]);
    expect(draws[0]!.attributes.at).toMatchObject({ offsetBytes: 8 });
  });

  it('passes over what changes no image and names what it does not know', () => {
    const writer = startCapture()
      .call('glGetString', { name: 1 }, 'Mesa')
      .call('glHint', { target: 1, mode: 2 })
      .call('glEnableClientState', { array: 0x8077 }) // GL_INDEX_ARRAY
      .call('glDisableClientState', { array: 0x8077 })
      .call('XPending', { dpy: 1 })
      .call('XPending', { dpy: 1 });
    expect(replay(swap(draw(writer))).unknownFunctions).toEqual(['XPending']);
  });

  it.each<[string, string, RegExp, (writer: CaptureWriter) => CaptureWriter]>([
    [
      'a function that is not supported',
      'FRAME_UNSUPPORTED',
      /^call 20 \(glDispatchCompute\): the function is not supported/,
      (writer) => writer.call('glDispatchCompute', { num_groups_x: 1 }),
    ],
    [
      'state that a frame cannot hold',
      'FRAME_UNSUPPORTED',
      /^call 23 \(glDrawArrays\): GL_LINE_STIPPLE/,
      (writer) =>
        draw(
          writer
            .call('glEnable', { cap: GL.LINE_STIPPLE })
            .call('glLineStipple', { factor: 1, pattern: 0x5555 })
            .call('glPolygonMode', { face: GL.FRONT_AND_BACK, mode: GL.LINE }),
        ),
    ],
    [
      'a copy that would have to be rounded',
      'FRAME_UNSUPPORTED',
      /^call 21 \(glCopyTexImage2D\): copyTexImage2D: copies are not rounded to the bits of GL_RGB4/,
      (writer) =>
        writer
          .call('glBindTexture', { target: GL.TEXTURE_2D, texture: 9 })
          .call('glCopyTexImage2D', {
            ...{ target: GL.TEXTURE_2D, level: 0, internalformat: 0x804f, border: 0 },
            ...{ x: 0, y: 0, width: 8, height: 8 },
          }),
    ],
    [
      'a program that does not compile',
      'SHADER_COMPILE_FAILED',
      /^call 23 \(glUseProgram\): program 103 did not link: an #error/,
      (writer) =>
        writer
          .call('glShaderSource', { shader: 101, count: 1, string: ['#error'], length: null })
          .call('glCompileShader', { shader: 101 })
          .call('glLinkProgram', { program: 103 })
          .call('glUseProgram', { program: 103 }),
    ],
    [
      'a location past the uniforms',
      'FRAME_INVALID',
      /location 9 of program 103/,
      (writer) => writer.call('glUniform1f', { location: 9, v0: 1 }),
    ],
    [
      'a copy to memory that is not mapped',
      'FRAME_INVALID',
      /not in a mapped buffer/,
      (writer) => writer.call('memcpy', { dest: new CapturedPointer(1), src: POSITIONS, n: 24 }),
    ],
    [
      'an argument of another type',
      'FRAME_INVALID',
      /^call 20 \(glDepthFunc\): func is not a number/,
      (writer) => writer.call('glDepthFunc', { func: 'less' }),
    ],
    [
      'buffers that pass the memory limit',
      'LIMIT_EXCEEDED',
      /memory limit/,
      (writer) =>
        writer.call('glBufferData', {
          target: GL.ARRAY_BUFFER,
          size: 2 ** 31,
          data: null,
          usage: GL.STATIC_DRAW,
        }),
    ],
    [
      'calls without a context',
      'FRAME_INVALID',
      /no context is current/,
      (writer) =>
        writer
          .call('glXMakeCurrent', { dpy: 1, drawable: 0, ctx: null })
          .call('glClear', { mask: 1 }),
    ],
  ])('stops at %s', (_what, code, message, act) => {
    expect(() => replay(swap(act(startCapture())))).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it('answers calls with wrong arguments with a frame or a RenderError', () => {
    const writer = startCapture()
      .call('glGenTextures', { n: 1, textures: [66] })
      .call('glBindTexture', { target: GL.TEXTURE_2D, texture: 66 })
      .call('glTexImage2D', {
        target: GL.TEXTURE_2D,
        level: 0,
        internalformat: GL.RGBA,
        width: 1,
        height: 1,
        border: 0,
        format: GL.RGBA,
        type: GL.UNSIGNED_BYTE,
        pixels: Uint8Array.of(1, 2, 3, 4),
      })
      .call('glUniform4fv', { location: 2, count: 2, value: [1, 2, 3, 4, 5, 6, 7, 8] })
      .call(
        'glMapBufferRange',
        { target: GL.ARRAY_BUFFER, offset: 0, length: 8 },
        new CapturedPointer(64),
      )
      .call('memcpy', { dest: new CapturedPointer(64), src: Uint8Array.of(1), n: 1 }, null, FAKE)
      .call('glUnmapBuffer', { target: GL.ARRAY_BUFFER }, true)
      .call('glClear', { mask: GL.COLOR_BUFFER_BIT })
      .call('glDrawElements', {
        mode: GL.QUADS,
        count: 4,
        type: GL.UNSIGNED_BYTE,
        indices: Uint8Array.of(0, 1, 2, 0),
      });
    const calls = [...readCalls(swap(draw(writer)).finish())];
    const wrongs = [
      ...[-1, 0, 1, 5, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 53, 1n << 63n],
      ...[null, true, 'x', Uint8Array.of(1, 2, 3), new CapturedPointer(6), [], [1, 0.5], ['x']],
      ...[GL.ARRAY_BUFFER, GL.TEXTURE_2D, GL.FLOAT, GL.DOUBLE, GL.RGB, GL.QUADS],
    ];
    const change = fc.tuple(
      fc.nat(calls.length - 1),
      fc.nat(8),
      fc.constantFrom(...wrongs, undefined),
    );
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
        const changed = [...calls];
        for (const [at, argument, wrong] of changes) {
          const { [at]: call } = changed;
          const name = Object.keys(call!.args)[argument];
          if (name === undefined) changed[at] = { ...call!, result: wrong ?? null };
          else if (wrong !== undefined) {
            changed[at] = { ...call!, args: { ...call!.args, [name]: wrong } };
          } else {
            const { [name]: _left, ...args } = call!.args;
            changed[at] = { ...call!, args };
          }
        }
        try {
          const reflection = DECLARATION_REFLECTION;
          validateFrame(replayFrame(changed, { reflection, frame: 0 }).frame);
        } catch (error) {
          if (!(error instanceof RenderError)) throw error;
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('bounds the bytes of all contexts together, and their number', () => {
    const reflection = DECLARATION_REFLECTION;
    const writer = new CaptureWriter();
    const addContext = (address: number, bytes: number) =>
      writer
        .call('glXCreateContext', { dpy: 1, shareList: null }, new CapturedPointer(address))
        .call('glXMakeCurrent', { dpy: 1, drawable: 7, ctx: new CapturedPointer(address) })
        .call('glViewport', { x: 0, y: 0, width: 8, height: 8 }, null, FAKE)
        .call('glBindBuffer', { target: GL.ARRAY_BUFFER, buffer: 1 })
        .call('glBufferData', {
          target: GL.ARRAY_BUFFER,
          size: bytes,
          data: null,
          usage: GL.STATIC_DRAW,
        });
    addContext(1, 600);
    addContext(2, 600);
    const run = (maxBytes: number) =>
      replayFrame(readCalls(swap(writer).finish()), { reflection, frame: 0, maxBytes });
    expect(run(1200).errors).toEqual([]);
    expect(() => run(1199)).toThrow(
      expect.objectContaining({
        code: 'LIMIT_EXCEEDED',
        message: expect.stringMatching(/^call 9 \(glBufferData\).*memory limit/),
      }),
    );
    const many = new CaptureWriter();
    for (let i = 1; i <= 65; i++) {
      many.call('glXCreateContext', { dpy: 1, shareList: null }, new CapturedPointer(i));
    }
    expect(() => replay(many)).toThrow(/call 64 \(glXCreateContext\): more than 64 contexts/);
  });

  it('bounds the memory of draws, not their number', () => {
    const writer = startCapture();
    for (let i = 0; i < 25_000; i++) draw(writer);
    const calls = swap(writer).finish();
    const run = (maxBytes?: number) =>
      replayFrame(readCalls(calls), {
        ...{ reflection: DECLARATION_REFLECTION, frame: 0 },
        ...(maxBytes ? { maxBytes } : {}),
      });
    expect(run().frame.passes[0]!.draws).toHaveLength(25_000);
    expect(() => run(2 ** 20)).toThrow(/buffers, textures and draws pass 1048576 bytes/);
  });

  it('knows EGL and its API', () => {
    const writer = new CaptureWriter()
      .call('eglBindAPI', { api: 0x30a2 })
      .call('eglCreateContext', { dpy: 1, config: 1, share_context: null }, CONTEXT)
      .call('eglMakeCurrent', { dpy: 1, draw: 3, read: 3, ctx: CONTEXT })
      .call('glViewport', { x: 0, y: 0, width: 8, height: 8 })
      .call('glClearColor', { red: 1, green: 0.5, blue: 0, alpha: 1 })
      .call('glClear', { mask: GL.COLOR_BUFFER_BIT | GL.ACCUM_BUFFER_BIT })
      .call('eglSwapBuffers', { dpy: 1, surface: 3 });
    const { frame, errors } = replay(writer);
    expect(errors).toEqual([]);
    expect(frame.passes[0]!.clear.color).toEqual([1, 0.5, 0, 1]);
  });

  it('knows CGL, whose contexts come out of an argument', () => {
    const writer = new CaptureWriter()
      .call('CGLChoosePixelFormat', { attribs: [0], pix: [1], npix: [1] }, 0)
      .call('CGLCreateContext', { pix: 1, share: null, ctx: [CONTEXT] }, 0)
      .call('CGLSetCurrentContext', { ctx: CONTEXT }, 0)
      .call('glViewport', { x: 0, y: 0, width: 8, height: 4 })
      .call('glClear', { mask: GL.COLOR_BUFFER_BIT })
      .call('CGLFlushDrawable', { ctx: CONTEXT }, 0);
    const { frame, errors, unknownFunctions } = replay(writer);
    expect([frame.widthPx, frame.heightPx]).toEqual([8, 4]);
    expect([errors, unknownFunctions]).toEqual([[], []]);
  });

  it('knows WGL, whose contexts may come to share objects after they were made', () => {
    const second = new CapturedPointer(0x501);
    const makeCurrent = (writer: CaptureWriter, hglrc: CapturedPointer) =>
      writer
        .call('wglMakeCurrent', { hdc: 3, hglrc }, true)
        .call('glViewport', { x: 0, y: 0, width: 8, height: 8 }, null, FAKE);
    const writer = new CaptureWriter()
      .call('wglCreateContext', { hdc: 3 }, CONTEXT)
      .call('wglCreateContext', { hdc: 3 }, second)
      .call('wglShareLists', { hglrc1: CONTEXT, hglrc2: second }, true);
    const upload = { target: GL.ARRAY_BUFFER, size: 8, usage: GL.STATIC_DRAW };
    makeCurrent(writer, CONTEXT)
      .call('glBindBuffer', { target: GL.ARRAY_BUFFER, buffer: 5 })
      .call('glBufferData', { ...upload, data: new Uint8Array(8) });
    makeCurrent(writer, second)
      .call('glBindBuffer', { target: GL.ARRAY_BUFFER, buffer: 5 })
      // This call raises an error: the buffer has no storage.
      .call('glBufferSubData', {
        target: GL.ARRAY_BUFFER,
        offset: 4,
        size: 4,
        data: new Uint8Array(4),
      })
      .call('wglSwapBuffers', { hdc: 3 }, true);
    const { errors, unknownFunctions } = replay(writer);
    expect([errors, unknownFunctions]).toEqual([[], []]);
  });

  it('tells that a frame draws nothing, as the first of a trimmed capture does', () => {
    const writer = swap(draw(swap(startCapture())));
    expect(replay(writer, 0).notes).toEqual([expect.stringMatching(/^frame 0 draws nothing/)]);
    expect(replay(writer, 1).notes).toEqual([]);
  });

  it.each([
    ['glXBindTexImageEXT', { display: 1, drawable: 2, buffer: 3, attrib_list: null }],
    ['wglUseFontOutlinesA', { hdc: 1 }],
    ['glDispatchCompute', { num_groups_x: 1 }],
  ])('refuses %s, which changes images, by name', (name, args) => {
    expect(() => replay(swap(draw(startCapture().call(name, args))))).toThrow(
      expect.objectContaining({
        code: 'FRAME_UNSUPPORTED',
        message: expect.stringMatching(new RegExp(`^call \\d+ \\(${name}\\)`)),
      }),
    );
  });

  it('lists what it does not know, each once, and passes over what changes no image', () => {
    const writer = startCapture()
      .call('XSync', {})
      .call('XSync', {})
      .call('malloc', { size: 8 }, new CapturedPointer(9))
      .call('glXQueryDrawable', { dpy: 1 })
      .call('eglCreatePbufferSurface', {}, 4)
      .call('glGetError', {}, 0);
    expect(replay(swap(draw(writer))).unknownFunctions).toEqual(['XSync']);
  });

  it('passes over images of proxies, which ask whether an image is possible', () => {
    const image = { target: 0x8064, level: 0, border: 0, internalformat: GL.RGBA };
    const size = { width: 1 << 20, height: 1, format: GL.RGBA, type: GL.UNSIGNED_BYTE };
    const writer = startCapture().call('glTexImage2D', { ...image, ...size, pixels: null });
    expect(replay(swap(draw(writer))).errors).toEqual([]);
  });

  it('enlarges the screen with the viewport, unless a framebuffer object is bound', () => {
    const size = ({ frame }: ReturnType<typeof replay>) => [frame.widthPx, frame.heightPx];
    const bind = (writer: CaptureWriter, framebuffer: number) =>
      writer.call('glBindFramebuffer', { target: GL.FRAMEBUFFER, framebuffer });
    const writer = swap(draw(startCapture()));
    bind(writer, 9).call('glViewport', { x: 0, y: 0, width: 512, height: 512 });
    expect(size(replay(swap(draw(bind(writer, 0))), 1))).toEqual([40, 30]);
    writer.call('glViewport', { x: 0, y: 0, width: 80, height: 20 });
    expect(size(replay(swap(draw(writer)), 2))).toEqual([80, 30]);
    expect(size(replay(writer, 0))).toEqual([40, 30]);
    writer.call('glViewport', { x: 0, y: 0, width: 100, height: 60 });
    draw(writer).call('glViewport', { x: 0, y: 0, width: 120, height: 60 });
    const enlarged = replay(swap(draw(writer)), 3);
    expect([...size(enlarged), enlarged.frame.passes.length]).toEqual([120, 60, 1]);
  });

  it('takes pixel storage as a float too', () => {
    const image = { target: GL.TEXTURE_2D, level: 0, border: 0, type: GL.UNSIGNED_BYTE };
    const writer = startCapture()
      .call('glBindTexture', { target: GL.TEXTURE_2D, texture: 1 })
      .call('glPixelStoref', { pname: GL.UNPACK_ALIGNMENT, param: 1 })
      .call('glPixelStorei', { pname: 0x8758, param: 1 }) // GL_PACK_INVERT_MESA
      .call('glTexImage2D', {
        ...image,
        internalformat: GL.RGB,
        width: 1,
        height: 2,
        format: GL.RGB,
        pixels: new Uint8Array(6),
      });
    // Rows of 4 bytes would exceed the recorded data.
    expect(replay(swap(draw(writer))).errors).toEqual([]);
  });
});
