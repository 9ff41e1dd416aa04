import { describe, expect, it } from 'vitest';
import { GL } from '../../api/constants.ts';
import { bindNewBuffer, makeContext } from '../../testing/small-context.ts';

const ARRAY = GL.ARRAY_BUFFER;

function makeBuffer() {
  const made = makeContext();
  bindNewBuffer(made.gl, ARRAY, Uint8Array.of(1, 2, 3, 4));
  return { ...made, contents: () => [...made.gl.buffers.bound(ARRAY)!.share()] };
}

describe('buffer objects', () => {
  it('hold what was given, and what was changed in part', () => {
    const { gl, contents } = makeBuffer();
    expect(contents()).toEqual([1, 2, 3, 4]);
    gl.buffers.update(ARRAY, 1, Uint8Array.of(8, 9));
    expect(contents()).toEqual([1, 8, 9, 4]);
    gl.buffers.define(ARRAY, 2, GL.DYNAMIC_DRAW);
    expect(contents()).toEqual([0, 0]);
    expect(gl.errors.take()).toBe(GL.NO_ERROR);
  });

  it('leave bytes that were given out as they were', () => {
    const { gl } = makeBuffer();
    const shared = gl.buffers.bound(ARRAY)!.share();
    gl.buffers.update(ARRAY, 0, Uint8Array.of(9));
    expect([...shared]).toEqual([1, 2, 3, 4]);
  });

  it('take over what was written to a mapping when it ends', () => {
    const { gl, contents } = makeBuffer();
    const whole = gl.buffers.map(ARRAY)!;
    expect([...whole]).toEqual([1, 2, 3, 4]);
    whole[3] = 7;
    expect(contents()).toEqual([1, 2, 3, 4]);
    expect(gl.buffers.unmap(ARRAY)).toBe(true);
    const range = gl.buffers.map(ARRAY, 1, 2)!;
    range.set([5, 6]);
    gl.buffers.unmap(ARRAY);
    expect(contents()).toEqual([1, 5, 6, 7]);
  });

  it.each<[string, number, (gl: ReturnType<typeof makeBuffer>['gl']) => void]>([
    ['an unknown target', GL.INVALID_ENUM, (gl) => gl.buffers.bind(1, 1)],
    ['an unknown usage', GL.INVALID_ENUM, (gl) => gl.buffers.define(ARRAY, 1, 1)],
    ['a negative size', GL.INVALID_VALUE, (gl) => gl.buffers.define(ARRAY, -1, GL.STATIC_DRAW)],
    [
      'no bound buffer',
      GL.INVALID_OPERATION,
      (gl) => gl.buffers.define(GL.ELEMENT_ARRAY_BUFFER, 1, GL.STATIC_DRAW),
    ],
    [
      'more than memory has',
      GL.OUT_OF_MEMORY,
      (gl) => gl.buffers.define(ARRAY, 2 ** 31, GL.STATIC_DRAW),
    ],
    [
      'a change before the start',
      GL.INVALID_VALUE,
      (gl) => gl.buffers.update(ARRAY, -1, Uint8Array.of(1)),
    ],
    [
      'a change past the end',
      GL.INVALID_VALUE,
      (gl) => gl.buffers.update(ARRAY, 4, Uint8Array.of(1)),
    ],
    ['a range past the end', GL.INVALID_VALUE, (gl) => gl.buffers.map(ARRAY, 3, 2)],
    ['the end of no mapping', GL.INVALID_OPERATION, (gl) => gl.buffers.unmap(ARRAY)],
    [
      'a change while mapped',
      GL.INVALID_OPERATION,
      (gl) => {
        gl.buffers.map(ARRAY);
        gl.buffers.update(ARRAY, 0, Uint8Array.of(9));
      },
    ],
  ])('refuse %s', (_what, error, act) => {
    const { gl, contents } = makeBuffer();
    act(gl);
    expect(gl.errors.take()).toBe(error);
    expect(gl.errors.take()).toBe(GL.NO_ERROR);
    expect(contents()).toEqual([1, 2, 3, 4]);
  });

  it('are taken off their binding when deleted, and give their memory back', () => {
    const { gl } = makeContext();
    for (let i = 0; i < 3; i++) {
      const name = gl.buffers.generate(1)[0]!;
      gl.buffers.bind(ARRAY, name);
      gl.buffers.define(ARRAY, 600 << 20, GL.STATIC_DRAW);
      expect(gl.errors.take()).toBe(GL.NO_ERROR);
      expect(gl.buffers.isBuffer(name)).toBe(true);
      gl.buffers.remove([name]);
      expect(gl.buffers.isBuffer(name)).toBe(false);
      expect(gl.buffers.bound(ARRAY)).toBeNull();
    }
  });

  it('keep the first error until it is asked for', () => {
    const { gl, messages } = makeBuffer();
    gl.buffers.bind(1, 1);
    gl.buffers.update(ARRAY, 9, Uint8Array.of(1));
    expect(messages).toHaveLength(2);
    expect(gl.errors.take()).toBe(GL.INVALID_ENUM);
    expect(gl.errors.take()).toBe(GL.NO_ERROR);
  });
});
