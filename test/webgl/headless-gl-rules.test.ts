/**
 * Rules of WebGL that differ from those of former editions and of headless-gl. Chromium must give
 * the same answers, if it is installed.
 */
import { createContext } from '@tessera/webgl';
import { chromium } from 'playwright-core';
import { expect, it } from 'vitest';
import { findChromium } from '../support/find-chromium.ts';

type Answers = Record<string, unknown>;

/**
 * Returns the answers of a WebGL 1 context of 8×8 pixels with stencil. It is one function, because
 * its text also runs in a page.
 */
function askContext(gl: WebGLRenderingContext): Answers {
  const answers: Answers = {};
  const nameOfError = (): string | undefined => {
    const error = gl.getError();
    const names = ['NO_ERROR', 'INVALID_ENUM', 'INVALID_VALUE', 'INVALID_OPERATION'] as const;
    return names.find((name) => gl[name] === error);
  };
  const answer = (rule: string, call: () => void): void => {
    try {
      call();
      answers[rule] = nameOfError();
    } catch (error) {
      answers[rule] = (error as Error).name;
    }
  };
  const compile = (type: number, source: string): WebGLShader => {
    const shader = gl.createShader(type)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    return shader;
  };
  const fill = (data: AllowSharedBufferSource): WebGLBuffer => {
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.STATIC_DRAW);
    return buffer;
  };
  const useSquare = (): WebGLBuffer => {
    const buffer = fill(Float32Array.of(-1, -1, 1, -1, -1, 1, 1, 1));
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    return buffer;
  };

  const vertex = compile(gl.VERTEX_SHADER, 'attribute vec4 p; void main() { gl_Position = p; }');
  const fragment = compile(gl.FRAGMENT_SHADER, 'void main() { gl_FragColor = vec4(1.0); }');
  const program = gl.createProgram();
  gl.attachShader(program, vertex);
  gl.attachShader(program, fragment);
  gl.bindAttribLocation(program, 0, 'p');
  gl.linkProgram(program);
  gl.useProgram(program);

  for (const character of ['"', '$', '`', '@', '\\', "'"]) {
    const shader = gl.createShader(gl.VERTEX_SHADER)!;
    answer(`shaderSource with ${character}`, () =>
      gl.shaderSource(shader, `uniform float a${character};`),
    );
  }

  gl.stencilMaskSeparate(gl.FRONT, 1);
  const drawNothing = () => gl.drawArrays(gl.TRIANGLES, 0, 0);
  answer('masks of two faces without stencil test', drawNothing);
  gl.enable(gl.STENCIL_TEST);
  answer('masks of two faces with stencil test', drawNothing);
  gl.disable(gl.STENCIL_TEST);

  fill(new Uint8Array(64));
  for (const value of [null, 5, 'x', {}]) {
    answer(`bufferSubData of ${JSON.stringify(value)}`, () =>
      gl.bufferSubData(gl.ARRAY_BUFFER, 10, value as unknown as ArrayBuffer),
    );
  }
  gl.bindBuffer(gl.ARRAY_BUFFER, null);
  for (const offset of [0, 4]) {
    answer(`vertexAttribPointer at ${offset} without a buffer`, () =>
      gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, offset),
    );
  }

  const arrays = gl.getExtension('OES_vertex_array_object')!;
  const [idle, bound] = [arrays.createVertexArrayOES(), arrays.createVertexArrayOES()];
  arrays.bindVertexArrayOES(idle);
  const square = useSquare();
  arrays.bindVertexArrayOES(bound);
  gl.bindBuffer(gl.ARRAY_BUFFER, square);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.deleteBuffer(square);
  const drawSquare = () => gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  answer('buffer deleted while its vertex array is bound', drawSquare);
  arrays.bindVertexArrayOES(idle);
  answer('buffer deleted while its vertex array is not bound', drawSquare);
  const pixel = new Uint8Array(4);
  gl.readPixels(4, 4, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
  answers['color of the deleted buffer'] = pixel.join();
  arrays.bindVertexArrayOES(null);

  useSquare();
  answer('draw with a linked program', drawSquare);
  gl.detachShader(program, fragment);
  gl.attachShader(program, compile(gl.FRAGMENT_SHADER, 'no shader'));
  gl.linkProgram(program);
  answer('draw after its link failed', drawSquare);
  return answers;
}

const EXPECTED = {
  'shaderSource with "': 'NO_ERROR',
  'shaderSource with $': 'NO_ERROR',
  'shaderSource with `': 'NO_ERROR',
  'shaderSource with @': 'NO_ERROR',
  'shaderSource with \\': 'NO_ERROR',
  "shaderSource with '": 'NO_ERROR',
  'masks of two faces without stencil test': 'NO_ERROR',
  'masks of two faces with stencil test': 'INVALID_OPERATION',
  'bufferSubData of null': 'TypeError',
  'bufferSubData of 5': 'TypeError',
  'bufferSubData of "x"': 'TypeError',
  'bufferSubData of {}': 'TypeError',
  'vertexAttribPointer at 0 without a buffer': 'NO_ERROR',
  'vertexAttribPointer at 4 without a buffer': 'INVALID_OPERATION',
  'buffer deleted while its vertex array is bound': 'INVALID_OPERATION',
  'buffer deleted while its vertex array is not bound': 'NO_ERROR',
  'color of the deleted buffer': '255,255,255,255',
  'draw with a linked program': 'NO_ERROR',
  'draw after its link failed': 'INVALID_OPERATION',
};

it('answers calls as the current specification says', () => {
  expect(askContext(createContext(8, 8, { stencil: true }))).toEqual(EXPECTED);
});

const executablePath = findChromium();

it.skipIf(executablePath === null)('gives the answers of Chromium', async () => {
  const args = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader'];
  const browser = await chromium.launch({ executablePath: executablePath!, args });
  try {
    const page = await browser.newPage();
    const answers = await page.evaluate(`(() => {
      const canvas = document.createElement('canvas');
      canvas.width = canvas.height = 8;
      return (${askContext})(canvas.getContext('webgl', { stencil: true }));
    })()`);
    expect(answers).toEqual(EXPECTED);
  } finally {
    await browser.close();
  }
});
