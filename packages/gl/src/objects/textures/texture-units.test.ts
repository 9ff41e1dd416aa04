import { describe, expect, it } from 'vitest';
import { GL } from '../../api/constants.ts';
import { makeContext } from '../../testing/small-context.ts';

describe('texture units', () => {
  it.each([
    ['gl', 128],
    ['gles2', 32],
    ['webgl2', 32],
  ] as const)('%s has %i', (dialect, count) => {
    const { gl } = makeContext(dialect);
    gl.textures.activate(GL.TEXTURE0 + count - 1);
    expect(gl.errors.take()).toBe(GL.NO_ERROR);
    gl.textures.activate(GL.TEXTURE0 + count);
    expect(gl.errors.take()).toBe(GL.INVALID_ENUM);
    expect(gl.textures.activeUnit).toBe(count - 1);
  });
});
