/** OES_sample_variables and OES_shader_multisample_interpolation. */
import { describe, expect, it } from 'vitest';
import type { TesseraContext2 } from '../create-context.ts';
import {
  linkProgram,
  makeContext,
  makeContext2,
  readPixel,
  useColorProgram,
} from '../testing/small-context.ts';

const VERTEX = `#version 300 es
#extension GL_OES_shader_multisample_interpolation : require
layout(location = 0) in vec2 position;
QUALIFIER out float ramp;
void main() { gl_Position = vec4(position, 0, 1); ramp = 4.0 + 4.0 * position.x; }`;
const FRAGMENT = `#version 300 es
#extension GL_OES_sample_variables : require
#extension GL_OES_shader_multisample_interpolation : require
precision highp float;
QUALIFIER in float ramp;
out vec4 color;
void main() { color = vec4(0, 0, 0, 1); STATEMENTS }`;

function makeSampleContext(attributes: object = {}): TesseraContext2 {
  const gl = makeContext2(attributes);
  gl.getExtension('OES_sample_variables');
  gl.getExtension('OES_shader_multisample_interpolation');
  return gl;
}

/** Uses a program with the statements and draws the whole target. */
function draw(gl: TesseraContext2, statements: string, qualifier = ''): WebGLProgram {
  useColorProgram(gl);
  const fragment = FRAGMENT.replace('STATEMENTS', statements);
  const [vertexText, fragmentText] = [VERTEX, fragment].map((text) =>
    text.replace('QUALIFIER', qualifier),
  );
  const program = linkProgram(gl, vertexText!, fragmentText!);
  gl.useProgram(program);
  gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
  expect(gl.getError()).toBe(gl.NO_ERROR);
  return program;
}

/** Returns the mean of a pixel's samples. */
function mean(statements: string, attributes: object = {}, qualifier = ''): number[] {
  const gl = makeSampleContext(attributes);
  draw(gl, statements, qualifier);
  return readPixel(gl, 3, 5);
}

const byte = (value: number) => Math.round(255 * value);
const ONE_SAMPLE = { antialias: false };

describe('OES_sample_variables', () => {
  it('runs the shader for each sample', () => {
    const statements = `color.r = float(gl_SampleID == 3);
      color.gb = abs(gl_SamplePosition - 0.5) * vec2(2, 1);`;
    // The samples are 2, 6, 6 and 2 sixteenths away from the center along both axes.
    expect(mean(statements)).toEqual([byte(1 / 4), byte(1 / 2), byte(1 / 4), 255]);
    expect(mean(statements, ONE_SAMPLE)).toEqual([0, 0, 0, 255]);
  });

  it('has the number of samples of the target in both shaders', () => {
    const statements = 'color.rgb = vec3(gl_NumSamples, gl_MaxSamples, gl_SampleMaskIn[0]) / 16.0;';
    expect(mean(statements)).toEqual([byte(4 / 16), byte(4 / 16), byte(15 / 16), 255]);
    expect(mean(statements, ONE_SAMPLE)).toEqual([byte(1 / 16), byte(4 / 16), byte(1 / 16), 255]);
    const gl = makeSampleContext();
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    for (const [samples, count] of [
      [0, 1],
      [4, 4],
    ] as const) {
      gl.bindRenderbuffer(gl.RENDERBUFFER, gl.createRenderbuffer());
      gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, gl.RGBA8, 8, 8);
      const attachment = gl.COLOR_ATTACHMENT0;
      const renderbuffer = gl.getParameter(gl.RENDERBUFFER_BINDING);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, renderbuffer);
      draw(gl, statements);
      const source = gl.getParameter(gl.FRAMEBUFFER_BINDING);
      gl.bindFramebuffer(gl.READ_FRAMEBUFFER, source);
      gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, gl.createFramebuffer());
      gl.bindRenderbuffer(gl.RENDERBUFFER, gl.createRenderbuffer());
      gl.renderbufferStorage(gl.RENDERBUFFER, gl.RGBA8, 8, 8);
      const single = gl.getParameter(gl.RENDERBUFFER_BINDING);
      gl.framebufferRenderbuffer(gl.DRAW_FRAMEBUFFER, attachment, gl.RENDERBUFFER, single);
      gl.blitFramebuffer(0, 0, 8, 8, 0, 0, 8, 8, gl.COLOR_BUFFER_BIT, gl.NEAREST);
      gl.bindFramebuffer(gl.READ_FRAMEBUFFER, gl.getParameter(gl.DRAW_FRAMEBUFFER_BINDING));
      expect(readPixel(gl)[0], `${samples} samples`).toBe(byte(count / 16));
      gl.bindFramebuffer(gl.FRAMEBUFFER, source);
    }
  });

  it('writes the samples of gl_SampleMask', () => {
    expect(mean('color = vec4(1); gl_SampleMask[0] = 5;')).toEqual([128, 128, 128, 128]);
    expect(mean('color = vec4(1); gl_SampleMask[0] = 0;')).toEqual([0, 0, 0, 0]);
    expect(mean('color = vec4(1); gl_SampleMask[0] = -16;')).toEqual([0, 0, 0, 0]);
    expect(mean('color = vec4(1); if (gl_FragCoord.x < 0.0) gl_SampleMask[0] = 0;')[0]).toBe(255);
    const perSample = 'color = vec4(1); gl_SampleMask[0] = 1 << (gl_SampleID & 2);';
    expect(mean(perSample)).toEqual([128, 128, 128, 128]);
  });

  it('leaves a target of one sample unmasked', () => {
    expect(mean('color = vec4(1); gl_SampleMask[0] = 0;', ONE_SAMPLE)[0]).toBe(255);
  });

  it('reads coverage that the state has reduced', () => {
    const gl = makeSampleContext();
    gl.enable(gl.SAMPLE_COVERAGE);
    gl.sampleCoverage(0.5, false);
    draw(gl, 'color.rg = vec2(gl_SampleMaskIn[0] & 3, gl_SampleMaskIn[0] >> 2);');
    const [red, green] = readPixel(gl);
    expect([red, green].sort()).toEqual([0, 128]);
  });

  it('has gl_NumSamples as an active uniform without a location', () => {
    const gl = makeSampleContext();
    const program = draw(gl, 'color.r = float(gl_NumSamples);');
    expect(gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS)).toBe(1);
    const { name, size, type } = gl.getActiveUniform(program, 0)!;
    expect({ name, size, type }).toEqual({ name: 'gl_NumSamples', size: 1, type: gl.INT });
    expect(gl.getUniformLocation(program, 'gl_NumSamples')).toBeNull();
    const other = draw(gl, 'color.r = float(gl_SampleID);');
    expect(gl.getProgramParameter(other, gl.ACTIVE_UNIFORMS)).toBe(0);
  });

  it('needs to be enabled, and WebGL 2', () => {
    const gl = makeContext2();
    const shader = gl.createShader(gl.FRAGMENT_SHADER)!;
    gl.shaderSource(shader, FRAGMENT.replace('STATEMENTS', '').replace('QUALIFIER', ''));
    gl.compileShader(shader);
    expect(gl.getShaderParameter(shader, gl.COMPILE_STATUS)).toBe(false);
    expect(gl.getShaderInfoLog(shader)).toContain('GL_OES_sample_variables');
    expect(makeContext().getExtension('OES_sample_variables')).toBeNull();
    expect(makeContext().getExtension('OES_shader_multisample_interpolation')).toBeNull();
  });
});

describe('OES_shader_multisample_interpolation', () => {
  it('interpolates at the samples', () => {
    // Pixel 3 has its center at 3.5, and the samples are 6/16 to the left and the right of it.
    const left = 'color.r = float(RAMP < 3.3);';
    expect(mean(left.replace('RAMP', 'ramp'))[0]).toBe(0);
    expect(mean(left.replace('RAMP', 'ramp'), {}, 'sample')[0]).toBe(byte(1 / 4));
    expect(mean(left.replace('RAMP', 'interpolateAtSample(ramp, 2)'))[0]).toBe(255);
    expect(mean(left.replace('RAMP', 'interpolateAtSample(ramp, 3)'))[0]).toBe(0);
    expect(mean(left.replace('RAMP', 'interpolateAtOffset(ramp, vec2(-0.25, 0.5))'))[0]).toBe(255);
    expect(mean(left.replace('RAMP', 'interpolateAtCentroid(ramp)'))[0]).toBe(0);
  });

  it('has limits once it is enabled', () => {
    const gl = makeContext2();
    const limits = [0x8e5b, 0x8e5c, 0x8e5d];
    for (const limit of limits) {
      expect(gl.getParameter(limit)).toBeNull();
      expect(gl.getError()).toBe(gl.INVALID_ENUM);
    }
    const extension = gl.getExtension('OES_shader_multisample_interpolation') as unknown as {
      readonly MIN_FRAGMENT_INTERPOLATION_OFFSET_OES: number;
      readonly MAX_FRAGMENT_INTERPOLATION_OFFSET_OES: number;
      readonly FRAGMENT_INTERPOLATION_OFFSET_BITS_OES: number;
    };
    expect([
      extension.MIN_FRAGMENT_INTERPOLATION_OFFSET_OES,
      extension.MAX_FRAGMENT_INTERPOLATION_OFFSET_OES,
      extension.FRAGMENT_INTERPOLATION_OFFSET_BITS_OES,
    ]).toEqual(limits);
    expect(limits.map((limit) => gl.getParameter(limit))).toEqual([-0.5, 0.5, 4]);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });
});
