import { RenderError } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import type { InternalFailure } from '../compiler/guard-compiler.ts';
import { makeContext2, readPixel } from '../testing/small-context.ts';
import { CORE, type ContextObject } from './call-table.ts';

/** Context whose reads fail with an error, with the failures and messages that it reports. */
function makeFailing(error: unknown) {
  const failures: InternalFailure[] = [];
  const messages: string[] = [];
  const gl = makeContext2({
    onInternalFailure: (failure: InternalFailure) => failures.push(failure),
    onError: ({ message }: { readonly message: string }) => messages.push(message),
  });
  const { reads } = (gl as unknown as ContextObject)[CORE].gl;
  Object.assign(reads, {
    read: () => {
      throw error;
    },
  });
  return { gl, failures, messages };
}

describe('a call that fails inside Tessera', () => {
  it.each([
    new Error('a bug'),
    new TypeError("Cannot read properties of null (reading 'x')"),
    new RenderError('LIMIT_EXCEEDED', 'the frame exceeds 20000000 primitives'),
  ])('raises OUT_OF_MEMORY and reports the failure: %s', (error) => {
    const { gl, failures, messages } = makeFailing(error);
    expect(readPixel(gl)).toEqual([0, 0, 0, 0]);
    expect(gl.getError()).toBe(gl.OUT_OF_MEMORY);
    expect(failures).toEqual([{ call: 'readPixels', error }]);
    expect(messages).toEqual([`readPixels: ${error.message}`]);
    gl.clear(gl.COLOR_BUFFER_BIT);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it.each([
    new TypeError('readPixels: the destination is not an ArrayBufferView'),
    new DOMException('of another origin', 'SecurityError'),
  ])('throws the exceptions that WebGL prescribes: %s', (error) => {
    const { gl, failures } = makeFailing(error);
    expect(() => readPixel(gl)).toThrow(error);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    expect(failures).toEqual([]);
  });

  it('throws a TypeError for an image whose getters throw', () => {
    const gl = makeContext2();
    const image = {
      get width(): number {
        throw 7;
      },
    };
    const upload = () =>
      gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image as never);
    expect(upload).toThrow(new TypeError('texImage2D: the argument is not an image'));
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });

  it('throws a TypeError if it is made on another object', () => {
    const { clear } = makeContext2();
    expect(() => clear.call({} as never, 0)).toThrow('clear: Illegal invocation');
  });
});
