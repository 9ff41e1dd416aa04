/** Contexts of the state machine whose frames the chiplets execute, for tests. */
import { GL, GlContext } from '@tessera/gl';
import type { FrameInParts } from '@tessera/local-gpu';
import { expect } from 'vitest';
import { createShaderReflection } from '../compiler/shader-reflection.ts';

/**
 * Creates a context.
 *
 * @param noteFrame Receives the number of passes of each part of a frame that is rendered early.
 */
export function makeContext(gpu: FrameInParts, noteFrame: (passCount: number) => void = () => {}) {
  const messages: string[] = [];
  const reflection = createShaderReflection({
    version: 2,
    extensions: new Set(),
    compile: (...program) => gpu.programs.compile(...program),
  });
  const gl = new GlContext({
    dialect: 'webgl2',
    widthPx: 16,
    heightPx: 16,
    reflection,
    renderer: (frame) => {
      noteFrame(frame.passes.length);
      return gpu.render(frame);
    },
    onError: ({ message }) => messages.push(message),
  });
  gl.textures.pixelStore.set(GL.UNPACK_ALIGNMENT, 1);
  return { gl, messages };
}

/** Returns the bytes of a typed array. */
export const bytesOf = (view: ArrayBufferView) =>
  new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

/** Links and uses a program and returns its name. */
export function useProgram(
  gl: GlContext,
  vertexSource: string,
  fragmentSource: string,
  feedback: readonly string[] = [],
  isSeparate = false,
): number {
  const program = gl.programs.create();
  for (const [type, source] of [
    [GL.VERTEX_SHADER, vertexSource],
    [GL.FRAGMENT_SHADER, fragmentSource],
  ] as const) {
    const shader = gl.shaders.create(type);
    gl.shaders.setSource(shader, `#version 300 es\nprecision highp float;\n${source}`);
    gl.shaders.compile(shader);
    gl.programs.attach(program, shader);
  }
  gl.programs.setFeedback(program, feedback, isSeparate);
  gl.programs.link(program);
  expect(gl.programs.find('', program)!.log).toBe('');
  gl.programs.use(program);
  return program;
}

/** Creates a buffer with contents, binds it and returns its name. */
export function bindBuffer(gl: GlContext, target: number, bytes: Uint8Array): number {
  const [name] = gl.buffers.generate(1);
  gl.buffers.bind(target, name!);
  gl.buffers.define(target, bytes, GL.STATIC_DRAW);
  return name!;
}

/** Draws a centered square with half edge `halfSize` at `depth`, with attribute 0. */
export function drawSquare(gl: GlContext, halfSize: number, depth: number): void {
  const [a, b] = [-halfSize, halfSize];
  const corners = Float32Array.of(a, a, depth, b, a, depth, a, b, depth, b, b, depth);
  bindBuffer(gl, GL.ARRAY_BUFFER, bytesOf(corners));
  gl.vertexArrays.enable(0);
  gl.vertexArrays.setPointer(0, 3, GL.FLOAT, false, 0, 0);
  gl.draws.drawArrays(GL.TRIANGLE_STRIP, 0, 4);
}

/** Vertex and fragment shader that draw attribute 0 in white. */
export const PLAIN = [
  'layout(location = 0) in vec3 at; void main() { gl_Position = vec4(at, 1); }',
  'out vec4 color; void main() { color = vec4(1); }',
] as const;
