import { describe, expect, it } from 'vitest';
import type { TesseraContext, TesseraContext2 } from '../create-context.ts';
import {
  linkProgram,
  makeContext,
  makeContext2,
  POSITION_SOURCE,
  readPixel,
  useColorProgram,
} from '../testing/small-context.ts';

interface BlendFuncExtended {
  readonly SRC1_COLOR_WEBGL: number;
  readonly SRC1_ALPHA_WEBGL: number;
  readonly ONE_MINUS_SRC1_COLOR_WEBGL: number;
  readonly ONE_MINUS_SRC1_ALPHA_WEBGL: number;
  readonly MAX_DUAL_SOURCE_DRAW_BUFFERS_WEBGL: number;
}

const FACTORS = [0x88f9, 0x8589, 0x88fa, 0x88fb];
const DIRECTIVE = '#extension GL_EXT_blend_func_extended : require\n';
const BOTH = `${DIRECTIVE}precision highp float;
uniform vec4 one;
uniform vec4 two;
void main() { gl_FragColor = one; gl_SecondaryFragColorEXT = two; }`;
const VERTEX_3 = `#version 300 es
layout(location = 0) in vec2 position;
void main() { gl_Position = vec4(position, 0, 1); }`;

const outputs3 = (declarations: string, statements: string) => `#version 300 es
${DIRECTIVE}precision highp float;
${declarations}
void main() { ${statements} }`;
const FIRST_3 = 'layout(location = 0) out vec4 first;';
const SECOND_3 = 'layout(location = 0, index = 1) out vec4 second;';

function enable(gl: TesseraContext | TesseraContext2): BlendFuncExtended {
  return gl.getExtension('WEBGL_blend_func_extended') as unknown as BlendFuncExtended;
}

/** Draws the target once, and returns the error. */
function draw(gl: TesseraContext | TesseraContext2, program: WebGLProgram): number {
  useColorProgram(gl);
  gl.useProgram(program);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  return gl.getError();
}

describe.each([
  ['WebGL 1', makeContext],
  ['WebGL 2', makeContext2],
] as const)('WEBGL_blend_func_extended in %s', (_version, make) => {
  it.each([true, false])('blends with two colors, antialiased: %s', (antialias) => {
    const gl = make({ antialias, premultipliedAlpha: true });
    const extension = enable(gl);
    const program = linkProgram(gl, POSITION_SOURCE, BOTH);
    gl.useProgram(program);
    gl.uniform4f(gl.getUniformLocation(program, 'one'), 0.2, 0.4, 0.6, 0.8);
    gl.uniform4f(gl.getUniformLocation(program, 'two'), 1, 0.5, 0, 0.25);
    gl.clearColor(1, 0.5, 0.5, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.BLEND);
    gl.blendFuncSeparate(
      extension.SRC1_COLOR_WEBGL,
      extension.ONE_MINUS_SRC1_ALPHA_WEBGL,
      extension.SRC1_ALPHA_WEBGL,
      extension.ONE_MINUS_SRC1_COLOR_WEBGL,
    );
    expect(draw(gl, program)).toBe(gl.NO_ERROR);
    const half = 128 / 255;
    const expected = [0.2 + 0.75, 0.4 * 0.5 + 0.75 * half, 0.75 * half, 0.8 * 0.25 + 0.75];
    readPixel(gl, 3, 3).forEach((byte, c) => {
      expect(Math.abs(byte - 255 * expected[c]!)).toBeLessThanOrEqual(1);
    });
  });

  it('accepts the factors once it is enabled', () => {
    const gl = make();
    const parameter = 0x88fc;
    expect(gl.getParameter(parameter)).toBeNull();
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    const set = (factor: number) => [
      () => gl.blendFunc(factor, gl.ONE),
      () => gl.blendFunc(gl.ONE, factor),
      () => gl.blendFuncSeparate(gl.ONE, gl.ONE, factor, gl.ONE),
      () => gl.blendFuncSeparate(gl.ONE, gl.ONE, gl.ONE, factor),
    ];
    const errors = () =>
      FACTORS.flatMap(set).map((call) => {
        call();
        return gl.getError();
      });
    expect(new Set(errors())).toEqual(new Set([gl.INVALID_ENUM]));
    expect(gl.getParameter(gl.BLEND_SRC_RGB)).toBe(gl.ONE);
    const extension = enable(gl);
    expect(new Set(errors())).toEqual(new Set([gl.NO_ERROR]));
    expect(gl.getParameter(gl.BLEND_DST_ALPHA)).toBe(extension.ONE_MINUS_SRC1_ALPHA_WEBGL);
    expect(gl.getParameter(extension.MAX_DUAL_SOURCE_DRAW_BUFFERS_WEBGL)).toBe(1);
    gl.blendFunc(gl.ONE, gl.SRC_ALPHA_SATURATE);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('needs a second color of the program to blend with', () => {
    const gl = make();
    const extension = enable(gl);
    const program = linkProgram(gl, POSITION_SOURCE, 'void main() { gl_FragColor = vec4(1); }');
    gl.blendFunc(gl.ONE, extension.SRC1_COLOR_WEBGL);
    expect(draw(gl, program)).toBe(gl.NO_ERROR);
    gl.enable(gl.BLEND);
    expect(draw(gl, program)).toBe(gl.INVALID_OPERATION);
    gl.colorMask(false, false, false, false);
    expect(draw(gl, program)).toBe(gl.NO_ERROR);
    gl.colorMask(true, true, true, true);
    gl.blendFunc(gl.ONE, gl.ONE);
    expect(draw(gl, program)).toBe(gl.NO_ERROR);
  });
});

describe('WEBGL_blend_func_extended with several draw buffers', () => {
  it('blends one of them', () => {
    const gl = makeContext2();
    const extension = enable(gl);
    const indexed = gl.getExtension('OES_draw_buffers_indexed')!;
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    for (const attachment of [gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1]) {
      const renderbuffer = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, renderbuffer);
      gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 4, 4);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, renderbuffer);
    }
    const source = outputs3(`${FIRST_3} ${SECOND_3}`, 'first = vec4(0.5); second = vec4(0.25);');
    const program = linkProgram(gl, VERTEX_3, source);
    indexed.colorMaskiOES(1, false, false, false, false);
    gl.blendFunc(extension.SRC1_COLOR_WEBGL, gl.ZERO);
    gl.enable(gl.BLEND);
    gl.drawBuffers([gl.COLOR_ATTACHMENT0, gl.COLOR_ATTACHMENT1]);
    expect(draw(gl, program)).toBe(gl.INVALID_OPERATION);
    gl.drawBuffers([gl.COLOR_ATTACHMENT0]);
    expect(draw(gl, program)).toBe(gl.NO_ERROR);
    expect(readPixel(gl)).toEqual([32, 32, 32, 32]);
  });

  it('does not take the second color for the first', () => {
    const gl = makeContext2();
    enable(gl);
    const source = outputs3(SECOND_3, 'second = vec4(1);');
    expect(draw(gl, linkProgram(gl, VERTEX_3, source))).toBe(gl.INVALID_OPERATION);
  });
});
