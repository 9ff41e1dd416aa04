import { describe, expect, it } from 'vitest';
import { makeContext, makeContext2, useColorProgram } from '../testing/small-context.ts';

/** Value of a wrong type, as a program without types can pass it. */
const wrong = (value: unknown) => value as never;

describe('arguments of calls', () => {
  it('are converted to numbers, booleans and texts', () => {
    const gl = makeContext2();
    gl.viewport(wrong('1'), wrong(null), wrong(2.9), wrong([3]));
    expect([...gl.getParameter(gl.VIEWPORT)]).toEqual([1, 0, 2, 3]);
    gl.depthMask(wrong(0));
    expect(gl.getParameter(gl.DEPTH_WRITEMASK)).toBe(false);
    gl.vertexAttrib4fv(0, wrong(['1', true, null, 2]));
    expect([...gl.getVertexAttrib(0, gl.CURRENT_VERTEX_ATTRIB)]).toEqual([1, 1, 0, 2]);
    expect(gl.getExtension(wrong({ toString: () => 'EXT_color_buffer_float' }))).not.toBeNull();
    gl.endQuery(wrong(null));
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
  });

  it.each([
    ['a symbol as number', 'enable', [Symbol('x')]],
    ['a BigInt as number', 'clearDepth', [1n]],
    ['a symbol as text', 'getExtension', [Symbol('x')]],
    ['a number as list', 'drawBuffers', [1]],
    ['null as list', 'invalidateFramebuffer', [0x8d40, null]],
    ['an array without iterator', 'vertexAttrib4fv', [0, { length: 4, 0: 1, 1: 1, 2: 1, 3: 1 }]],
    ['a DataView as list', 'vertexAttribI4iv', [0, new DataView(new ArrayBuffer(16))]],
    ['BigInts in a list', 'vertexAttribI4iv', [0, new BigInt64Array(4)]],
    ['a symbol in a list', 'clearBufferfv', [0x1800, 0, [1, 1, 1, Symbol('x')]]],
    ['an array as view', 'getBufferSubData', [0x8892, 0, [1]]],
    ['a BigInt as pixels', 'readPixels', [0, 0, 1, 1, 0x1908, 0x1401, 7n]],
  ] as const)('throw a TypeError that names the call: %s', (_, name, given) => {
    const gl = makeContext2();
    const call = gl[name] as unknown as (...list: readonly unknown[]) => unknown;
    expect(() => call.apply(gl, [...given])).toThrow(TypeError);
    expect(() => call.apply(gl, [...given])).toThrow(new RegExp(`^${name}: `));
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('are converted before the call looks at any of them', () => {
    const gl = makeContext();
    useColorProgram(gl);
    expect(() => gl.uniform4fv(null, wrong(7))).toThrow(TypeError);
    expect(() => gl.texParameteri(0, wrong(Symbol('x')), 0)).toThrow(TypeError);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('can be missing if they are optional', () => {
    const gl = makeContext2();
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Uint8Array(4), gl.STATIC_DRAW, wrong(undefined));
    expect(gl.getBufferParameter(gl.ARRAY_BUFFER, gl.BUFFER_SIZE)).toBe(4);
    expect(() => (gl.bufferData as (target: number) => void)(gl.ARRAY_BUFFER)).toThrow(
      'bufferData: 3 arguments required, but only 1 present',
    );
  });

  it.each([
    ['texImage2D', 7],
    ['texImage2D', 8],
    ['texSubImage2D', 8],
  ] as const)('of %s cannot be %i, which is between two of its forms', (name, count) => {
    const gl = makeContext2();
    const call = gl[name] as (...list: readonly unknown[]) => unknown;
    const given = new Array(count).fill(0);
    expect(() => call.apply(gl, given)).toThrow(`${name}: no form of the call has ${count}`);
  });

  it('select the form of a call by their number', () => {
    const gl = makeContext2();
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    // With an offset, the contents must be a view.
    expect(() => gl.bufferData(gl.ARRAY_BUFFER, wrong(4), gl.STATIC_DRAW, 0)).toThrow(TypeError);
    expect(() => gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, wrong(0), 0)).toThrow(
      TypeError,
    );
    // A page image needs the form without a size in WebGL 1.
    const first = makeContext();
    const image = { width: 1, height: 1, data: new Uint8ClampedArray(4) };
    const size = [first.RGBA, 1, 1, 0, first.RGBA, first.UNSIGNED_BYTE] as const;
    expect(() => first.texImage2D(first.TEXTURE_2D, 0, ...size, wrong(image))).toThrow(
      'texImage2D: the argument is not an ArrayBufferView',
    );
    // Arguments that the form does not have are ignored.
    (first.clear as (mask: number, more: unknown) => void)(0, Symbol('x'));
    expect(first.getError()).toBe(first.NO_ERROR);
  });
});
