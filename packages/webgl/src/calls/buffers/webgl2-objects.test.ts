/** Objects of WebGL 2: samplers, queries, sync objects, indexed binding points, vertex arrays. */
import { describe, expect, it } from 'vitest';
import { makeContext2 } from '../../testing/small-context.ts';

describe('samplers', () => {
  it('have texture parameters and are bound to units', () => {
    const gl = makeContext2();
    const sampler = gl.createSampler();
    gl.samplerParameteri(sampler, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    expect(gl.getSamplerParameter(sampler, gl.TEXTURE_WRAP_S)).toBe(gl.CLAMP_TO_EDGE);
    expect(gl.getSamplerParameter(sampler, gl.TEXTURE_MIN_FILTER)).toBe(gl.NEAREST_MIPMAP_LINEAR);
    gl.samplerParameteri(sampler, gl.TEXTURE_BASE_LEVEL, 1);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
    gl.activeTexture(gl.TEXTURE2);
    gl.bindSampler(2, sampler);
    expect(gl.getParameter(gl.SAMPLER_BINDING)).toBe(sampler);
    gl.deleteSampler(sampler);
    expect(gl.getParameter(gl.SAMPLER_BINDING)).toBeNull();
    gl.bindSampler(32, null);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
  });
});

const nextTask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('queries', () => {
  it('are active one at a time and have results once they end', async () => {
    const gl = makeContext2();
    const [query, other] = [gl.createQuery(), gl.createQuery()];
    expect(gl.isQuery(query)).toBe(false);
    gl.beginQuery(gl.ANY_SAMPLES_PASSED, query);
    expect(gl.getQuery(gl.ANY_SAMPLES_PASSED, gl.CURRENT_QUERY)).toBe(query);
    gl.beginQuery(gl.ANY_SAMPLES_PASSED_CONSERVATIVE, other);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.getQueryParameter(query, gl.QUERY_RESULT);
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.endQuery(gl.ANY_SAMPLES_PASSED);
    expect(gl.getQueryParameter(query, gl.QUERY_RESULT_AVAILABLE)).toBe(false);
    await nextTask();
    expect(gl.getQueryParameter(query, gl.QUERY_RESULT_AVAILABLE)).toBe(true);
    expect(gl.getQueryParameter(query, gl.QUERY_RESULT)).toBe(0);
  });
});

describe('sync objects', () => {
  it('are signaled after the program returns to its event loop', async () => {
    const gl = makeContext2();
    const sync = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0)!;
    expect(gl.getSyncParameter(sync, gl.SYNC_STATUS)).toBe(gl.UNSIGNALED);
    expect(gl.clientWaitSync(sync, 0, 0)).toBe(gl.TIMEOUT_EXPIRED);
    await nextTask();
    expect(gl.getSyncParameter(sync, gl.SYNC_STATUS)).toBe(gl.SIGNALED);
    expect(gl.clientWaitSync(sync, 0, 0)).toBe(gl.ALREADY_SIGNALED);
    gl.deleteSync(sync);
    expect(gl.isSync(sync)).toBe(false);
    expect(gl.fenceSync(0, 0)).toBeNull();
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
  });
});

describe('binding points', () => {
  it('report their range of a buffer', () => {
    const gl = makeContext2();
    const buffer = gl.createBuffer();
    gl.bindBuffer(gl.UNIFORM_BUFFER, buffer);
    gl.bufferData(gl.UNIFORM_BUFFER, 1024, gl.STATIC_DRAW);
    gl.bindBufferRange(gl.UNIFORM_BUFFER, 3, buffer, 256, 512);
    expect(gl.getIndexedParameter(gl.UNIFORM_BUFFER_BINDING, 3)).toBe(buffer);
    expect(gl.getIndexedParameter(gl.UNIFORM_BUFFER_START, 3)).toBe(256);
    expect(gl.getIndexedParameter(gl.UNIFORM_BUFFER_SIZE, 3)).toBe(512);
    expect(gl.getIndexedParameter(gl.UNIFORM_BUFFER_BINDING, 4)).toBeNull();
    gl.bindBufferRange(gl.UNIFORM_BUFFER, 3, buffer, 4, 512);
    expect(gl.getError()).toBe(gl.INVALID_VALUE);
    gl.bindBufferBase(gl.ARRAY_BUFFER, 0, buffer);
    expect(gl.getError()).toBe(gl.INVALID_ENUM);
  });

  it('read no pixels from memory while a buffer is bound for pixels', () => {
    const gl = makeContext2();
    gl.bindTexture(gl.TEXTURE_2D, gl.createTexture());
    gl.bindBuffer(gl.PIXEL_UNPACK_BUFFER, gl.createBuffer());
    gl.bufferData(gl.PIXEL_UNPACK_BUFFER, 4, gl.STATIC_DRAW);
    const { TEXTURE_2D, RGBA8, RGBA, UNSIGNED_BYTE } = gl;
    gl.texImage2D(TEXTURE_2D, 0, RGBA8, 1, 1, 0, RGBA, UNSIGNED_BYTE, new Uint8Array(4));
    expect(gl.getError()).toBe(gl.INVALID_OPERATION);
    gl.texImage2D(TEXTURE_2D, 0, RGBA8, 1, 1, 0, RGBA, UNSIGNED_BYTE, 0);
    expect(gl.getError()).toBe(gl.NO_ERROR);
  });
});

describe('vertex arrays', () => {
  it('keep arrays, indices, and buffers that are deleted while another array is bound', () => {
    const gl = makeContext2();
    const [array, vertices, indices] = [
      gl.createVertexArray(),
      gl.createBuffer(),
      gl.createBuffer(),
    ];
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, vertices);
    gl.vertexAttribPointer(1, 2, gl.FLOAT, false, 0, 0);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, indices);
    gl.bindVertexArray(null);
    expect(gl.getParameter(gl.ELEMENT_ARRAY_BUFFER_BINDING)).toBeNull();
    expect(gl.getVertexAttrib(1, gl.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING)).toBeNull();
    gl.deleteBuffer(vertices);
    gl.bindVertexArray(array);
    expect(gl.getParameter(gl.ELEMENT_ARRAY_BUFFER_BINDING)).toBe(indices);
    expect(gl.getVertexAttrib(1, gl.VERTEX_ATTRIB_ARRAY_BUFFER_BINDING)).toBe(vertices);
    expect(gl.isBuffer(vertices)).toBe(false);
  });
});

describe('objects', () => {
  it('keep properties that programs add', () => {
    const gl = makeContext2();
    const texture = Object.assign(gl.createTexture(), { target: 'map', image: 'bricks.png' });
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.RGBA8, 4, 4);
    gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
    const point = gl.COLOR_ATTACHMENT0;
    gl.framebufferTexture2D(gl.FRAMEBUFFER, point, gl.TEXTURE_2D, texture, 0);
    expect(gl.checkFramebufferStatus(gl.FRAMEBUFFER)).toBe(gl.FRAMEBUFFER_COMPLETE);
    expect(texture).toMatchObject({ target: 'map', image: 'bricks.png' });
  });
});
