import { describe, expect, it } from 'vitest';
import { makeContext, makeContext2, readPixel } from '../testing/small-context.ts';

const tasks = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('a lost context', () => {
  it('does nothing, says so once, and tells its canvas', async () => {
    const gl = makeContext2();
    const canvas = new EventTarget();
    Object.assign(gl, { canvas });
    const events: string[] = [];
    canvas.addEventListener('webglcontextlost', ({ type }) => events.push(type));
    const buffer = gl.createBuffer();
    const extension = gl.getExtension('WEBGL_lose_context')!;
    extension.loseContext();
    expect(gl.isContextLost()).toBe(true);
    expect(gl.getError()).toBe(gl.CONTEXT_LOST_WEBGL);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    gl.enable(-1);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    expect(gl.getParameter(gl.VERSION)).toBeNull();
    expect(gl.getSupportedExtensions()).toBeNull();
    expect(gl.isBuffer(buffer)).toBe(false);
    expect(gl.checkFramebufferStatus(gl.FRAMEBUFFER)).toBe(gl.FRAMEBUFFER_UNSUPPORTED);
    expect(gl).toBeInstanceOf(gl.constructor);
    extension.loseContext();
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    await tasks();
    expect(events).toEqual(['webglcontextlost']);
    extension.restoreContext();
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    expect(gl.isContextLost()).toBe(true);
  });

  it('begins anew where a listener wants it back', async () => {
    const gl = makeContext();
    const canvas = new EventTarget();
    Object.assign(gl, { canvas });
    const events: string[] = [];
    canvas.addEventListener('webglcontextlost', (event) => event.preventDefault());
    canvas.addEventListener('webglcontextrestored', ({ type }) => events.push(type));
    const vertexArrays = gl.getExtension('OES_vertex_array_object')!;
    const extension = gl.getExtension('WEBGL_lose_context')!;
    const buffer = gl.createBuffer();
    gl.clearColor(0, 1, 0, 1);
    extension.restoreContext();
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    extension.loseContext();
    expect(vertexArrays.createVertexArrayOES()).toBeNull();
    await tasks();
    extension.restoreContext();
    await tasks();
    expect(events).toEqual(['webglcontextrestored']);
    expect(gl.isContextLost()).toBe(false);
    expect(gl.getError()).toBe(gl.NO_ERROR);
    expect([...gl.getParameter(gl.COLOR_CLEAR_VALUE)]).toEqual([0, 0, 0, 0]);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.clearColor(0, 0, 1, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    expect(readPixel(gl)).toEqual([0, 0, 255, 255]);
    gl.getExtension('WEBGL_lose_context')!.loseContext();
    expect(gl.isContextLost()).toBe(true);
  });
});
