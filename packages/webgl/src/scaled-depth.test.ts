/** Blits of depth and stencil that scale or mirror. */
import { describe, expect, it } from 'vitest';
import type { TesseraContext2 } from './create-context.ts';
import { linkProgram, makeContext2, POSITION_SOURCE } from './testing/small-context.ts';

const EDGE_PX = 8;

type Rectangle = readonly [x0: number, y0: number, x1: number, y1: number];
const WHOLE: Rectangle = [0, 0, EDGE_PX, EDGE_PX];

/** Binds a framebuffer of a color and of depth and stencil, both renderbuffers. */
function bindTarget(gl: TesseraContext2): WebGLFramebuffer {
  const framebuffer = gl.createFramebuffer();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  for (const [point, format] of [
    [gl.COLOR_ATTACHMENT0, gl.RGBA8],
    [gl.DEPTH_STENCIL_ATTACHMENT, gl.DEPTH24_STENCIL8],
  ] as const) {
    const renderbuffer = gl.createRenderbuffer();
    gl.bindRenderbuffer(gl.RENDERBUFFER, renderbuffer);
    gl.renderbufferStorage(gl.RENDERBUFFER, format, EDGE_PX, EDGE_PX);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, point, gl.RENDERBUFFER, renderbuffer);
  }
  return framebuffer;
}

/** Binds a depth texture as the only attachment. */
function bindDepthTexture(gl: TesseraContext2): WebGLFramebuffer {
  const framebuffer = gl.createFramebuffer();
  const texture = gl.createTexture();
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  gl.bindTexture(gl.TEXTURE_2D, texture);
  gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH24_STENCIL8, EDGE_PX, EDGE_PX);
  const point = gl.DEPTH_STENCIL_ATTACHMENT;
  gl.framebufferTexture2D(gl.FRAMEBUFFER, point, gl.TEXTURE_2D, texture, 0);
  return framebuffer;
}

/** Clears the left half to depth 0.25 and stencil 1, and the right half to 0.75 and 2. */
function clearHalves(gl: TesseraContext2): void {
  gl.enable(gl.SCISSOR_TEST);
  gl.scissor(0, 0, EDGE_PX / 2, EDGE_PX);
  gl.clearBufferfi(gl.DEPTH_STENCIL, 0, 0.25, 1);
  gl.scissor(EDGE_PX / 2, 0, EDGE_PX / 2, EDGE_PX);
  gl.clearBufferfi(gl.DEPTH_STENCIL, 0, 0.75, 2);
  gl.disable(gl.SCISSOR_TEST);
}

/** Returns the lowest row: `d` where depth is above 0.5, `s` where stencil is 2, `b` for both. */
function describeRow(gl: TesseraContext2): string {
  gl.clear(gl.COLOR_BUFFER_BIT);
  const program = linkProgram(
    gl,
    POSITION_SOURCE,
    'uniform lowp vec4 color; void main() { gl_FragColor = color; }',
  );
  gl.useProgram(program);
  gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
  gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(-1, -1, 1, -1, -1, 1, 1, 1), gl.STATIC_DRAW);
  gl.enableVertexAttribArray(0);
  gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
  gl.depthMask(false);
  gl.enable(gl.BLEND);
  gl.blendFunc(gl.ONE, gl.ONE);
  const color = gl.getUniformLocation(program, 'color');
  gl.enable(gl.DEPTH_TEST);
  gl.uniform4f(color, 1, 0, 0, 0);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  gl.disable(gl.DEPTH_TEST);
  gl.enable(gl.STENCIL_TEST);
  gl.stencilFunc(gl.EQUAL, 2, 0xff);
  gl.uniform4f(color, 0, 1, 0, 0);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  gl.disable(gl.STENCIL_TEST);
  const row = new Uint8Array(EDGE_PX * 4);
  gl.readPixels(0, 0, EDGE_PX, 1, gl.RGBA, gl.UNSIGNED_BYTE, row);
  expect(gl.getError()).toBe(gl.NO_ERROR);
  const letters = ['-', 's', 'd', 'b'];
  return Array.from({ length: EDGE_PX }, (_, x) => {
    return letters[Number(row[x * 4]! > 0) * 2 + Number(row[x * 4 + 1]! > 0)];
  }).join('');
}

describe('blits of depth and stencil', () => {
  it.each<readonly [what: string, from: Rectangle, to: Rectangle, expected: string]>([
    ['enlarge a part', [2, 0, 6, 4], WHOLE, '----bbbb'],
    ['mirror', WHOLE, [EDGE_PX, 0, 0, EDGE_PX], 'bbbb----'],
    ['reduce', WHOLE, [0, 0, 4, 4], '--bb----'],
    ['leave pixels outside the source', [4, 0, 12, 8], [0, 0, 4, 8], 'bb------'],
  ])('%s', (_, from, to, expected) => {
    for (const bindSource of [bindTarget, bindDepthTexture]) {
      const gl = makeContext2();
      const source = bindSource(gl);
      clearHalves(gl);
      const into = bindTarget(gl);
      gl.clearBufferfi(gl.DEPTH_STENCIL, 0, 0, 0);
      gl.bindFramebuffer(gl.READ_FRAMEBUFFER, source);
      const mask = gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT;
      gl.blitFramebuffer(...from, ...to, mask, gl.NEAREST);
      gl.bindFramebuffer(gl.FRAMEBUFFER, into);
      expect(describeRow(gl)).toBe(expected);
    }
  });

  it('keep the aspect that the mask does not name, and pixels outside the scissor', () => {
    const gl = makeContext2();
    const source = bindTarget(gl);
    clearHalves(gl);
    const into = bindTarget(gl);
    clearHalves(gl);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, source);
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(2, 0, 4, EDGE_PX);
    gl.blitFramebuffer(...WHOLE, EDGE_PX, 0, 0, EDGE_PX, gl.DEPTH_BUFFER_BIT, gl.NEAREST);
    gl.disable(gl.SCISSOR_TEST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, into);
    expect(describeRow(gl)).toBe('--ddssbb');
  });

  it('read and write the drawing buffer', () => {
    const gl = makeContext2({ stencil: true, antialias: false });
    const depth = gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT;
    clearHalves(gl);
    const into = bindTarget(gl);
    gl.clearBufferfi(gl.DEPTH_STENCIL, 0, 0, 0);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, null);
    gl.blitFramebuffer(...WHOLE, EDGE_PX, 0, 0, EDGE_PX, depth, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, into);
    expect(describeRow(gl)).toBe('bbbb----');
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
    gl.blitFramebuffer(0, 0, 4, 4, ...WHOLE, depth, gl.NEAREST);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    expect(describeRow(gl)).toBe('bbbbbbbb');
  });
});
