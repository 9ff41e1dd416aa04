/** Small contexts and programs for tests. */
import { createContext, type TesseraContext, type TesseraContext2 } from '../create-context.ts';

const SIZE_PX = 8;

/** Creates a WebGL 1 context of 8×8 pixels. */
export function makeContext(attributes: object = {}): TesseraContext {
  return createContext(SIZE_PX, SIZE_PX, attributes)!;
}

/** Creates a WebGL 2 context of 8×8 pixels. */
export function makeContext2(attributes: object = {}): TesseraContext2 {
  return createContext(SIZE_PX, SIZE_PX, { ...attributes, createWebGL2Context: true })!;
}

type Context = TesseraContext | TesseraContext2;

/** Links a program whose attribute `position` has location 0. */
export function linkProgram(
  gl: Context,
  vertexSource: string,
  fragmentSource: string,
): WebGLProgram {
  const program = gl.createProgram();
  for (const [type, source] of [
    [gl.VERTEX_SHADER, vertexSource],
    [gl.FRAGMENT_SHADER, fragmentSource],
  ] as const) {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.bindAttribLocation(program, 0, 'position');
  gl.linkProgram(program);
  return program;
}

/** Vertex shader that passes `position` through. */
export const POSITION_SOURCE = `attribute vec2 position;
void main() { gl_Position = vec4(position, 0.0, 1.0); }`;
/** Fragment shader that writes the uniform `color`. */
export const COLOR_SOURCE = `precision mediump float;
uniform vec4 color;
void main() { gl_FragColor = color; }`;

/**
 * Uses a program that draws in the color of the uniform `color`, with the vertices of a square that
 * covers the drawing buffer.
 */
export function useColorProgram(gl: Context): WebGLProgram {
  const program = linkProgram(gl, POSITION_SOURCE, COLOR_SOURCE);
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(-1, -1, 1, -1, -1, 1, 1, 1), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  return program;
}

/** Returns red, green, blue and alpha of a pixel, counted from the lower left. */
export function readPixel(gl: Context, x = 0, y = 0): number[] {
  const pixel = new Uint8Array(4);
  gl.readPixels(x, y, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  return [...pixel];
}
