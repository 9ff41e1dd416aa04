/** Transform feedback in captures of OpenGL programs (OpenGL 3.0, section 2.15). */
import { type FrameRenderer, reflectByCompiling } from '@tessera/gl';
import { readCalls, replayFrame } from '@tessera/gl/apitrace';
import { CaptureWriter } from '@tessera/gl/capture-writer';
import { LocalGpu } from '@tessera/local-gpu';
import { makeFeedbackRenderer } from '@tessera/local-gpu/feedback';
import { ProgramCache } from '@tessera/multi-chiplet';
import { describe, expect, it } from 'vitest';

const FEEDBACK_BUFFER = 0x8c8e;
const ARRAY_BUFFER = 0x8892;
const [POINTS, TRIANGLES, TRIANGLE_STRIP] = [0, 4, 5];
const WIDTH_PX = 4;

const CAPTURE_VERTEX = `#version 110
attribute float at;
uniform float step;
varying vec2 sum;
void main() { gl_Position = vec4(at); sum = vec2(at * step, at); }`;
const CAPTURE_FRAGMENT = 'void main() { gl_FragColor = vec4(0); }';

/** Draws each captured vertex as a pixel, from left to right, with its value as red. */
const SHOW_VERTEX = `#version 130
in vec2 sum;
out float red;
void main() {
  gl_Position = vec4((float(gl_VertexID) + 0.5) * ${2 / WIDTH_PX} - 1.0, 0, 0, 1);
  red = sum.x;
}`;
const SHOW_FRAGMENT = `#version 130
in float red; out vec4 color;
void main() { color = vec4(red / 255.0, 0, 0, 1); }`;

function addProgram(writer: CaptureWriter, program: number, sources: readonly string[]): void {
  writer.call('glCreateProgram', {}, program);
  sources.forEach((source, i) => {
    const shader = program + 1 + i;
    writer
      .call('glCreateShader', { type: i === 0 ? 0x8b31 : 0x8b30 }, shader)
      .call('glShaderSource', { shader, count: 1, string: [source], length: null })
      .call('glCompileShader', { shader })
      .call('glAttachShader', { program, shader });
  });
  for (const name of ['at', 'sum'])
    writer.call('glBindAttribLocation', { program, index: 0, name });
}

interface Capture {
  readonly mode: number;
  readonly feedbackMode: number;
  readonly values: readonly number[];
  readonly indices?: readonly number[];
  /** Size of the buffer in vertices. */
  readonly room: number;
}

/** Captures a draw and returns the capture of the program, which then shows the captured values. */
function record({ mode, feedbackMode, values, indices, room }: Capture): Uint8Array {
  const writer = new CaptureWriter()
    .call('glXCreateContext', { dpy: 1, shareList: null }, 0x500)
    .call('glXMakeCurrent', { dpy: 1, drawable: 7, ctx: 0x500 })
    .call('glViewport', { x: 0, y: 0, width: WIDTH_PX, height: 1 }, null, 1);
  addProgram(writer, 10, [CAPTURE_VERTEX, CAPTURE_FRAGMENT]);
  addProgram(writer, 20, [SHOW_VERTEX, SHOW_FRAGMENT]);
  const pointer = { index: 0, type: 0x1406, normalized: false, stride: 0 };
  writer
    .call('glTransformFeedbackVaryings', {
      program: 10,
      count: 1,
      varyings: ['sum'],
      bufferMode: 0x8c8c,
    })
    .call('glLinkProgram', { program: 10 })
    .call('glLinkProgram', { program: 20 })
    .call('glUseProgram', { program: 10 })
    .call('glGetUniformLocation', { program: 10, name: 'step' }, 0)
    .call('glUniform1f', { location: 0, v0: 10 })
    .call('glGenBuffers', { n: 1, buffers: [5] })
    .call('glBindBuffer', { target: FEEDBACK_BUFFER, buffer: 5 })
    .call('glBufferData', { target: FEEDBACK_BUFFER, size: room * 8, data: null, usage: 0x88e4 })
    .call('glBindBufferBase', { target: FEEDBACK_BUFFER, index: 0, buffer: 5 })
    .call('glEnableVertexAttribArray', { index: 0 })
    .call('glVertexAttribPointer', {
      ...pointer,
      size: 1,
      pointer: new Uint8Array(Float32Array.from(values).buffer),
    })
    .call('glEnable', { cap: 0x8c89 })
    .call('glBeginTransformFeedback', { primitiveMode: feedbackMode });
  if (indices === undefined) {
    writer.call('glDrawArrays', { mode, first: 0, count: values.length });
  } else {
    writer.call('glDrawElements', {
      mode,
      count: indices.length,
      type: 0x1401,
      indices: Uint8Array.from(indices),
    });
  }
  return writer
    .call('glEndTransformFeedback', {})
    .call('glDisable', { cap: 0x8c89 })
    .call('glUseProgram', { program: 20 })
    .call('glBindBuffer', { target: ARRAY_BUFFER, buffer: 5 })
    .call('glVertexAttribPointer', { ...pointer, size: 2, pointer: null })
    .call('glDrawArrays', { mode: POINTS, first: 0, count: Math.min(room, WIDTH_PX) })
    .call('glXSwapBuffers', { dpy: 1, drawable: 7 })
    .finish();
}

/** Returns the red of each pixel, and the remarks of the replay. */
async function show(capture: Capture) {
  const replayed = replayFrame(readCalls(record(capture)), {
    reflection: reflectByCompiling(new ProgramCache()),
    feedbackRenderer: makeFeedbackRenderer(),
    frame: 0,
  });
  expect(replayed.errors).toEqual([]);
  const { image } = await new LocalGpu({ chipletCount: 1 }).render(replayed.frame);
  const reds = Array.from({ length: WIDTH_PX }, (_, x) => image.rgba[4 * x]!);
  return { reds, notes: replayed.notes };
}

describe('transform feedback of a captured program', () => {
  it('writes the varyings of points, which a later draw reads', async () => {
    const drawn = { mode: POINTS, feedbackMode: POINTS, values: [1, 2, 3, 4], room: 4 };
    const { reds, notes } = await show(drawn);
    expect(reds).toEqual([10, 20, 30, 40]);
    expect(notes).toEqual([
      'transform feedback of 1 draws ran before the frame and is not in its report',
    ]);
  });

  it('writes whole primitives only, as many as fit', async () => {
    const drawn = { mode: TRIANGLES, feedbackMode: TRIANGLES, values: [1, 2, 3, 4, 5, 6], room: 4 };
    expect((await show(drawn)).reds).toEqual([10, 20, 30, 0]);
  });

  it('writes the triangles of strips one by one', async () => {
    const strip = { mode: TRIANGLE_STRIP, feedbackMode: TRIANGLES, values: [7, 8, 9, 11] };
    const { reds } = await show({ ...strip, room: 6 });
    expect(reds).toEqual([70, 80, 90, 90]);
  });

  it('writes indexed vertices', async () => {
    const drawn = { mode: POINTS, feedbackMode: POINTS, values: [1, 2, 3], indices: [2, 0, 2, 1] };
    expect((await show({ ...drawn, room: 4 })).reds).toEqual([30, 10, 30, 20]);
  });

  it('refuses primitives of another kind, and a replay without a renderer', async () => {
    const reflection = reflectByCompiling(new ProgramCache());
    const replay = (capture: Capture, feedbackRenderer?: FrameRenderer) =>
      replayFrame(readCalls(record(capture)), { reflection, feedbackRenderer, frame: 0 });
    const points = { mode: POINTS, feedbackMode: POINTS, values: [1], room: 4 };
    expect(() => replay(points)).toThrow('(glDrawArrays): transform feedback');
    const triangle = { mode: TRIANGLES, feedbackMode: POINTS, values: [1, 2, 3], room: 4 };
    expect(() => replay(triangle, makeFeedbackRenderer())).toThrow(
      'transform feedback captures no triangles',
    );
  });
});
