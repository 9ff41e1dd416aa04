import { describe, expect, it } from 'vitest';
import {
  linkProgram,
  makeContext,
  makeContext2,
  POSITION_SOURCE,
} from '../testing/small-context.ts';
import { EXTENSIONS } from './extension-table.ts';

const DERIVATIVES = `#extension GL_OES_standard_derivatives : require
precision mediump float;
void main() { gl_FragColor = vec4(dFdx(gl_FragCoord.x)); }`;

describe('extensions', () => {
  it('are listed by version', () => {
    const names = (version: 1 | 2) =>
      [...EXTENSIONS]
        .filter(([, { versions }]) => versions.includes(version))
        .map(([name]) => name);
    const timed = { gpu: { timing: 'cycle' } };
    expect(makeContext(timed).getSupportedExtensions()).toEqual(names(1));
    expect(makeContext2(timed).getSupportedExtensions()).toEqual(names(2));
    for (const name of names(1)) expect(makeContext(timed).getExtension(name), name).not.toBeNull();
  });

  it('have one object each, regardless of case', () => {
    const gl = makeContext();
    const object = gl.getExtension('OES_texture_float');
    expect(gl.getExtension('oes_TEXTURE_float')).toBe(object);
    expect(gl.getExtension('OES_no_such_thing')).toBeNull();
    expect(makeContext2().getExtension('OES_texture_float')).toBeNull();
  });

  it('resize and destroy a context as in headless-gl', () => {
    const gl = makeContext();
    const resizing = gl.getExtension('STACKGL_resize_drawingbuffer') as unknown as {
      resize(width: number, height: number): void;
    };
    resizing.resize(7, 9);
    expect([gl.drawingBufferWidth, gl.drawingBufferHeight]).toEqual([7, 9]);
    expect(() => resizing.resize(Symbol() as unknown as number, 9)).toThrow(/^resize: a symbol/);
    const destroying = gl.getExtension('STACKGL_destroy_context') as unknown as {
      destroy(): void;
    };
    destroying.destroy();
    expect(gl.isContextLost()).toBe(true);
    const other = makeContext();
    other.destroy();
    other.destroy();
    expect(other.isContextLost()).toBe(true);
    expect(other.getError()).toBe(other.NO_ERROR);
  });

  it('change GLSL only while they are enabled', () => {
    const gl = makeContext();
    const link = () => linkProgram(gl, POSITION_SOURCE, DERIVATIVES);
    expect(gl.getProgramParameter(link(), gl.LINK_STATUS)).toBe(false);
    gl.getExtension('OES_standard_derivatives');
    expect(gl.getProgramParameter(link(), gl.LINK_STATUS)).toBe(true);
  });

  it('have the constants and methods of the DOM', () => {
    const gl = makeContext();
    const instancing = gl.getExtension('ANGLE_instanced_arrays')!;
    expect(instancing.VERTEX_ATTRIB_ARRAY_DIVISOR_ANGLE).toBe(0x88fe);
    gl.getVertexAttrib(0, 0x88fe);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    const arrays = gl.getExtension('OES_vertex_array_object')!;
    const vertexArray = arrays.createVertexArrayOES();
    gl.enableVertexAttribArray(3);
    arrays.bindVertexArrayOES(vertexArray);
    expect(gl.getVertexAttrib(3, gl.VERTEX_ATTRIB_ARRAY_ENABLED)).toBe(false);
    expect(gl.getParameter(arrays.VERTEX_ARRAY_BINDING_OES)).toBe(vertexArray);
    arrays.deleteVertexArrayOES(vertexArray);
    expect(gl.getVertexAttrib(3, gl.VERTEX_ATTRIB_ARRAY_ENABLED)).toBe(true);
  });

  it('have a maximum anisotropy of textures and samplers, at least 1', () => {
    const gl = makeContext2();
    const maxAnisotropy = 0x84fe;
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.texParameterf(gl.TEXTURE_2D, maxAnisotropy, 4);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    expect(gl.getParameter(0x84ff)).toBeNull();
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    const extension = gl.getExtension('EXT_texture_filter_anisotropic')!;
    expect(extension.TEXTURE_MAX_ANISOTROPY_EXT).toBe(maxAnisotropy);
    expect(gl.getParameter(extension.MAX_TEXTURE_MAX_ANISOTROPY_EXT)).toBe(16);
    expect(gl.getTexParameter(gl.TEXTURE_2D, maxAnisotropy)).toBe(1);
    gl.texParameterf(gl.TEXTURE_2D, maxAnisotropy, 2.5);
    expect(gl.getTexParameter(gl.TEXTURE_2D, maxAnisotropy)).toBe(2.5);
    gl.texParameteri(gl.TEXTURE_2D, maxAnisotropy, 0);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
    const sampler = gl.createSampler()!;
    gl.samplerParameterf(sampler, maxAnisotropy, 8);
    expect(gl.getSamplerParameter(sampler, maxAnisotropy)).toBe(8);
    gl.samplerParameterf(sampler, maxAnisotropy, 0.5);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('allow their enumerations only while they are enabled', () => {
    const gl = makeContext();
    gl.blendEquation(0x8007);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    gl.blendEquation(gl.getExtension('EXT_blend_minmax')!.MIN_EXT);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('return a translated source only for a shader of the context', () => {
    const gl = makeContext2();
    const extension = gl.getExtension('WEBGL_debug_shaders')!;
    const shader = gl.createShader(gl.VERTEX_SHADER)!;
    expect(extension.getTranslatedShaderSource(shader)).toBe('');
    for (const other of [null, {}, gl.createProgram()]) {
      expect(() => extension.getTranslatedShaderSource(other as never)).toThrow(
        'getTranslatedShaderSource: the argument is not a WebGLShader',
      );
    }
    gl.deleteShader(shader);
    expect(extension.getTranslatedShaderSource(shader)).toBeNull();
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
  });
});
