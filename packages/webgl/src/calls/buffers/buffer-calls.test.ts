import { describe, expect, it } from 'vitest';
import { makeContext, makeContext2, useColorProgram } from '../../testing/small-context.ts';

describe('buffers', () => {
  it('contain indices or other data, depending on the first binding (WebGL 1.0, section 6.1)', () => {
    const gl = makeContext();
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    expect(gl.getParameter(gl.ARRAY_BUFFER_BINDING)).toBeNull();
  });

  it('accept copies of both kinds in WebGL 2', () => {
    const gl = makeContext2();
    for (const target of [gl.ELEMENT_ARRAY_BUFFER, gl.UNIFORM_BUFFER]) {
      const buffer = gl.createBuffer();
      gl.bindBuffer(target, buffer);
      gl.bindBuffer(gl.COPY_WRITE_BUFFER, buffer);
      expect(gl.getError()).toBe(gl.NO_ERROR);
    }
  });

  it('contain no indices if they were bound to a copy target first', () => {
    const gl = makeContext2();
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.COPY_WRITE_BUFFER, buffer);
    gl.bindBuffer(gl.UNIFORM_BUFFER, buffer);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, buffer);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('are read only into views', () => {
    const gl = makeContext2();
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, 4, gl.STATIC_DRAW);
    const memory = new ArrayBuffer(4) as unknown as ArrayBufferView;
    expect(() => gl.getBufferSubData(gl.ARRAY_BUFFER, 0, memory)).toThrow(TypeError);
  });

  it('reject null as data', () => {
    const gl = makeContext();
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    const nothing = null as unknown as ArrayBuffer;
    expect(() => gl.bufferSubData(gl.ARRAY_BUFFER, 0, nothing)).toThrow(TypeError);
  });

  it('take offsets into arrays as 64-bit numbers', () => {
    const gl = makeContext2();
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    const bytes = Uint8Array.of(1, 2, 3, 4);
    // 32 bits of these offsets are 0 or 1.
    for (const offset of [2 ** 32, 2 ** 34 + 1, -(2 ** 32)]) {
      gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW, offset, 1);
      expect(gl.getError()).toBe(gl.INVALID_VALUE);
    }
    gl.bufferData(gl.ARRAY_BUFFER, bytes, gl.STATIC_DRAW, 2.9, 1);
    const read = new Uint8Array(1);
    gl.getBufferSubData(gl.ARRAY_BUFFER, 0, read);
    expect([gl.getError(), ...read]).toEqual([gl.NO_ERROR, 3]);
  });

  it('can be unbound for attribute pointers with offset 0', () => {
    const gl = makeContext();
    gl.vertexAttribPointer(0, 1, gl.FLOAT, false, 0, 4);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.vertexAttribPointer(0, 1, gl.FLOAT, false, 0, 0);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('belong to one context', () => {
    const [gl, other] = [makeContext(), makeContext()];
    gl.bindBuffer(gl.ARRAY_BUFFER, other.createBuffer());
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('are not interchangeable with other objects', () => {
    const gl = makeContext();
    const texture = gl.createTexture() as unknown as WebGLBuffer;
    expect(() => gl.bindBuffer(gl.ARRAY_BUFFER, texture)).toThrow(TypeError);
  });

  it('leave an attribute array without a buffer when they are deleted', () => {
    const gl = makeContext();
    useColorProgram(gl);
    gl.deleteBuffer(gl.getParameter(gl.ARRAY_BUFFER_BINDING));
    expect(gl.getVertexAttrib(0, gl.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING)).toBeNull();
    gl.drawArrays(gl.TRIANGLES, 0, 3);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('are never read past their end by draws', () => {
    const gl = makeContext();
    useColorProgram(gl);
    gl.drawArrays(gl.TRIANGLES, 0, 4);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    gl.drawArrays(gl.TRIANGLES, 0, 5);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
  });

  it('accept a part of a view in WebGL 2, in units of its elements', () => {
    const gl = makeContext2();
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(1, 2, 3, 4), gl.STATIC_DRAW, 1, 2);
    expect(gl.getBufferParameter(gl.ARRAY_BUFFER, gl.BUFFER_SIZE)).toBe(8);
    const read = new Float32Array(2);
    gl.getBufferSubData(gl.ARRAY_BUFFER, 0, read);
    expect([...read]).toEqual([2, 3]);
    gl.bufferData(gl.ARRAY_BUFFER, Float32Array.of(1, 2), gl.STATIC_DRAW, 3);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
  });
});

describe('vertexAttribPointer', () => {
  it.each([
    ['a stride above 255', 0, 4, 256, 0, 'INVALID_VALUE'],
    ['a stride that cuts a number', 0, 4, 5, 0, 'INVALID_OPERATION'],
    ['an offset that cuts a number', 0, 4, 0, 2, 'INVALID_OPERATION'],
    ['five components', 0, 5, 0, 0, 'INVALID_VALUE'],
    ['an attribute that is not there', 16, 4, 0, 0, 'INVALID_VALUE'],
  ] as const)('rejects %s', (_what, index, size, stride, offset, error) => {
    const gl = makeContext();
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.vertexAttribPointer(index, size, gl.FLOAT, false, stride, offset);
    expect(gl.getError()).toBe(gl[error]);
  });
});
