/** Small captures of a program with a triangle, for tests of the replay. */
import { validateFrame } from '@tessera/frame';
import { GL } from '../api/constants.ts';
import { CaptureWriter } from '../apitrace/capture-writer.ts';
import { readCalls } from '../apitrace/format/capture-reader.ts';
import { CapturedPointer } from '../apitrace/format/captured-value.ts';
import { type CaptureFrame, type ReplayOptions, replayFrame } from '../apitrace/replay.ts';
import { bytesOf, DECLARATION_REFLECTION } from './small-context.ts';

/** Pointer that names the context. */
export const CONTEXT = new CapturedPointer(0x500);
/** Flag of calls that the tracer inserts. */
export const FAKE = 1;
/** Positions of a triangle. */
export const POSITIONS = bytesOf(Float32Array.of(0, 0, 1, 0, 0, 1));

const VERTEX = 'attribute vec2 at; uniform float a; uniform vec2 b; uniform vec4 c[2];';

/**
 * Returns a capture up to a current program and a bound buffer. Recorded names are large, so that
 * none matches by chance.
 */
export function startCapture(vertex = VERTEX, fragment = 'void main() {}'): CaptureWriter {
  return new CaptureWriter()
    .call('glXCreateContext', { dpy: 1, vis: 2, shareList: null, direct: true }, CONTEXT)
    .call('glXMakeCurrent', { dpy: 1, drawable: 7, ctx: CONTEXT }, true)
    .call('glViewport', { x: 0, y: 0, width: 40, height: 30 }, null, FAKE)
    .call('glCreateShader', { type: GL.VERTEX_SHADER }, 101)
    .call('glCreateShader', { type: GL.FRAGMENT_SHADER }, 102)
    .call('glShaderSource', { shader: 101, count: 1, string: [vertex], length: null })
    .call('glShaderSource', { shader: 102, count: 1, string: [fragment], length: null })
    .call('glCompileShader', { shader: 101 })
    .call('glCompileShader', { shader: 102 })
    .call('glCreateProgram', {}, 103)
    .call('glAttachShader', { program: 103, shader: 101 })
    .call('glAttachShader', { program: 103, shader: 102 })
    .call('glBindAttribLocation', { program: 103, index: 4, name: 'at' }, null, FAKE)
    .call('glLinkProgram', { program: 103 })
    .call('glUseProgram', { program: 103 })
    .call('glGenBuffers', { n: 1, buffers: [55] })
    .call('glBindBuffer', { target: GL.ARRAY_BUFFER, buffer: 55 })
    .call('glBufferData', {
      target: GL.ARRAY_BUFFER,
      size: POSITIONS.length,
      data: POSITIONS,
      usage: GL.STATIC_DRAW,
    })
    .call('glEnableVertexAttribArray', { index: 4 })
    .call('glVertexAttribPointer', pointer(null));
}

/** Returns the arguments of a vertex attribute at a location. */
export function pointer(location: null | Uint8Array | CapturedPointer) {
  return { index: 4, size: 2, type: GL.FLOAT, normalized: false, stride: 0, pointer: location };
}

/** Appends a draw. */
export function draw(writer: CaptureWriter, count = 3): CaptureWriter {
  return writer.call('glDrawArrays', { mode: GL.TRIANGLES, first: 0, count });
}

/** Appends a buffer swap. */
export function swap(writer: CaptureWriter): CaptureWriter {
  return writer.call('glXSwapBuffers', { dpy: 1, drawable: 7 });
}

/** Replays a capture and returns its frame, with the draws of its first pass. */
export function replay(
  writer: CaptureWriter,
  frame: CaptureFrame = 0,
  options: Pick<ReplayOptions, 'feedbackRenderer'> = {},
) {
  const reflection = DECLARATION_REFLECTION;
  const replayed = replayFrame(readCalls(writer.finish()), { ...options, reflection, frame });
  validateFrame(replayed.frame);
  return { ...replayed, draws: replayed.frame.passes[0]!.draws };
}
