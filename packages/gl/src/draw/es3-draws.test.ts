/**
 * Tests of draws that need OpenGL ES 3.0: uniform blocks, sampler objects, restarts and packed
 * attributes.
 */
import { type AttributeSource, type Draw, validateFrame } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { GL } from '../api/constants.ts';
import { GlContext } from '../context.ts';
import type { ReflectedProgram } from '../objects/programs/program-reflection.ts';
import {
  bindNewBuffer,
  bytesOf,
  DECLARATION_REFLECTION,
  useProgram,
} from '../testing/small-context.ts';

const BLOCK = {
  name: 'Scene',
  arrayLength: null,
  hasInstanceName: false,
  readers: ['vertex', 'fragment'],
  sizeBytes: 16,
  members: [
    {
      path: '.tint',
      scalarType: 'float',
      rows: 4,
      columns: 1,
      arrayLength: 1,
      isArray: false,
      offsetBytes: 0,
      arrayStrideBytes: 0,
      matrixStrideBytes: 0,
      isRowMajor: false,
    },
  ],
} as const;

/**
 * Makes a context with a program that has a `vec2` array at location 0 and the given uniform
 * blocks.
 */
function setUp(blocks: NonNullable<ReflectedProgram['blocks']> = []) {
  const messages: string[] = [];
  const gl = new GlContext({
    dialect: 'webgl2',
    widthPx: 64,
    heightPx: 32,
    reflection: {
      reflect: (...sources) => ({ ...DECLARATION_REFLECTION.reflect(...sources), blocks }),
    },
    onError: ({ message }) => messages.push(message),
  });
  useProgram(gl, 'attribute vec2 at;', 'uniform sampler2D map;');
  bindNewBuffer(gl, GL.ARRAY_BUFFER, new Uint8Array(8 * 16));
  gl.vertexArrays.enable(0);
  gl.vertexArrays.setPointer(0, 2, GL.FLOAT, false, 0, 0);
  return { gl, messages };
}

function takeDraws(gl: GlContext) {
  const frame = gl.frames.take();
  validateFrame(frame);
  return { frame, draws: frame.passes.flatMap((pass): readonly Draw[] => pass.draws) };
}

describe('uniform blocks', () => {
  it('read the part of a buffer that is bound when something is drawn', () => {
    const { gl, messages } = setUp([BLOCK]);
    const floats = new Float32Array(128);
    floats.set([1, 2, 3, 4], 64);
    const buffer = bindNewBuffer(gl, GL.UNIFORM_BUFFER, bytesOf(floats));
    expect(gl.programs.blockIndex(1, 'Scene')).toBe(0);
    expect(gl.programs.blockIndex(1, 'None')).toBe(0xffff_ffff);
    gl.programs.bindBlock(1, 0, 3);
    gl.buffers.bindIndexed(GL.UNIFORM_BUFFER, 3, buffer, 256, 16);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    gl.buffers.update(GL.UNIFORM_BUFFER, 256, bytesOf(Float32Array.of(9)));
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    const { draws } = takeDraws(gl);
    expect(messages).toEqual([]);
    expect(draws.map(({ uniforms }) => [...uniforms['Scene.tint']!])).toEqual([
      [1, 2, 3, 4],
      [9, 2, 3, 4],
    ]);
  });

  it('are an error without a buffer of their size', () => {
    const { gl, messages } = setUp([BLOCK]);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
    const buffer = bindNewBuffer(gl, GL.UNIFORM_BUFFER, new Uint8Array(12));
    gl.buffers.bindIndexed(GL.UNIFORM_BUFFER, 0, buffer);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
    expect(messages[1]).toMatch('12 of 16 bytes');
    expect(takeDraws(gl).draws).toEqual([]);
  });

  it.each([
    ['an offset that is no multiple of 256', 0, 16, 16],
    ['no bytes', 0, 0, 0],
    ['a binding point that is not there', 72, 0, 16],
  ] as const)('cannot be bound with %s', (_what, index, offsetBytes, sizeBytes) => {
    const { gl } = setUp();
    const buffer = bindNewBuffer(gl, GL.UNIFORM_BUFFER, new Uint8Array(512));
    gl.buffers.bindIndexed(GL.UNIFORM_BUFFER, index, buffer, offsetBytes, sizeBytes);
    expect(gl.errors.take()).toBe(GL.INVALID_VALUE);
  });
});

describe('draws with a base', () => {
  const sourceOf = ({ attributes }: Draw) =>
    attributes.at as Extract<AttributeSource, { kind: 'buffer' }>;

  it('read instanced arrays from the base instance', () => {
    const { gl, messages } = setUp();
    gl.vertexArrays.setDivisor(0, 2);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3, 4);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3, 4, { baseInstance: 14 });
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3, 4, { baseInstance: 15 });
    expect(messages).toEqual([expect.stringContaining('element 16 ends at byte 136 of 128')]);
    const sources = takeDraws(gl).draws.map(sourceOf);
    expect(sources.map(({ offsetBytes }) => offsetBytes)).toEqual([0, 14 * 8]);
  });

  it('read other arrays as before, and add the base vertex to indices', () => {
    const { gl, messages } = setUp();
    const indices = Uint8Array.of(0, 1, 2);
    gl.draws.drawElements(GL.TRIANGLES, 3, GL.UNSIGNED_BYTE, indices, 1, {
      baseVertex: 13,
      baseInstance: 99,
    });
    gl.draws.drawElements(GL.TRIANGLES, 3, GL.UNSIGNED_BYTE, indices, 1, { baseVertex: 14 });
    expect(messages).toEqual([expect.stringContaining('element 16 ends at byte 136 of 128')]);
    const { frame, draws } = takeDraws(gl);
    expect(sourceOf(draws[0]!).offsetBytes).toBe(0);
    const { bytes } = frame.buffers[draws[0]!.indices!.bufferIndex]!;
    expect([...new Uint32Array(bytes.slice().buffer)]).toEqual([13, 14, 15]);
  });
});

describe('copies between buffers', () => {
  it('move bytes, and leave what draws have seen', () => {
    const { gl } = setUp();
    bindNewBuffer(gl, GL.COPY_READ_BUFFER, Uint8Array.of(1, 2, 3, 4));
    bindNewBuffer(gl, GL.COPY_WRITE_BUFFER, new Uint8Array(4));
    gl.buffers.copy(GL.COPY_READ_BUFFER, GL.COPY_WRITE_BUFFER, 1, 2, 2);
    expect([...gl.buffers.read(GL.COPY_WRITE_BUFFER, 0, 4)!]).toEqual([0, 0, 2, 3]);
    gl.buffers.copy(GL.COPY_READ_BUFFER, GL.COPY_WRITE_BUFFER, 3, 0, 2);
    expect(gl.errors.take()).toBe(GL.INVALID_VALUE);
    gl.buffers.copy(GL.COPY_READ_BUFFER, GL.COPY_READ_BUFFER, 0, 1, 2);
    expect(gl.errors.take()).toBe(GL.INVALID_VALUE);
    expect(gl.buffers.read(GL.COPY_WRITE_BUFFER, 2, 3)).toBeNull();
  });
});

describe('samplers', () => {
  it('take the place of the parameters of the texture of their unit', () => {
    const { gl, messages } = setUp();
    const [texture] = gl.textures.generate(1);
    gl.textures.bind(GL.TEXTURE_2D, texture!);
    const upload = { level: 0, widthPx: 2, heightPx: 2, format: GL.RGBA, type: GL.UNSIGNED_BYTE };
    gl.textures.uploads.image(GL.RGBA8, {
      target: GL.TEXTURE_2D,
      ...upload,
      bytes: new Uint8Array(16),
    });
    const sampler = gl.textures.samplers.create();
    gl.textures.samplers.setParameter(sampler, GL.TEXTURE_MIN_FILTER, GL.NEAREST);
    gl.textures.samplers.setParameter(sampler, GL.TEXTURE_WRAP_T, GL.MIRRORED_REPEAT);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    gl.textures.samplers.bind(0, sampler);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    gl.textures.samplers.remove(sampler);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    expect(messages).toEqual([]);
    const [incomplete, sampled, again] = takeDraws(gl).draws;
    // Without a sampler object, the texture's own filter needs mipmaps, which are missing.
    expect(incomplete!.textures).toEqual({});
    expect(sampled!.textures.map!.sampler).toMatchObject({
      minFilter: 'nearest',
      mipmapFilter: 'none',
      wrapT: 'mirrored-repeat',
    });
    expect(again!.textures).toEqual({});
  });

  it('refuse what they do not know', () => {
    const { gl } = setUp();
    const sampler = gl.textures.samplers.create();
    gl.textures.samplers.setParameter(sampler, GL.TEXTURE_MAX_LEVEL, 1);
    expect(gl.errors.take()).toBe(GL.INVALID_ENUM);
    gl.textures.samplers.setParameter(sampler + 1, GL.TEXTURE_MIN_FILTER, GL.NEAREST);
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
    gl.textures.samplers.bind(32, sampler);
    expect(gl.errors.take()).toBe(GL.INVALID_VALUE);
    expect(gl.textures.samplers.parameter(sampler, GL.TEXTURE_MIN_FILTER)).toBe(
      GL.NEAREST_MIPMAP_LINEAR,
    );
  });
});

describe('immutable textures', () => {
  it('keep their shape, and are complete with the levels they have', () => {
    const { gl } = setUp();
    const [texture] = gl.textures.generate(1);
    gl.textures.uploads.storage(GL.TEXTURE_2D, 1, GL.RGBA8, 4, 4);
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
    gl.textures.bind(GL.TEXTURE_2D, texture!);
    gl.textures.uploads.storage(GL.TEXTURE_2D, 2, GL.RGBA8, 4, 4);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    expect(gl.errors.take()).toBe(GL.NO_ERROR);
    const upload = { level: 0, widthPx: 4, heightPx: 4, format: GL.RGBA, type: GL.UNSIGNED_BYTE };
    gl.textures.uploads.image(GL.RGBA8, { target: GL.TEXTURE_2D, ...upload, bytes: null });
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
    gl.textures.uploads.storage(GL.TEXTURE_2D, 2, GL.RGBA8, 4, 4);
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
    const { frame, draws } = takeDraws(gl);
    expect(frame.textures[0]!.levels).toHaveLength(2);
    expect(draws[0]!.textures.map!.sampler).toMatchObject({ mipmapFilter: 'linear', maxLod: 1 });
  });
});

describe('float textures', () => {
  it('are read black by linear filters where these may not read them', () => {
    const { gl } = setUp();
    const [texture] = gl.textures.generate(1);
    gl.textures.bind(GL.TEXTURE_2D, texture!);
    gl.textures.uploads.storage(GL.TEXTURE_2D, 1, 0x8814, 4, 4);
    gl.textures.filterRules.isFloat32Filterable = false;
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    gl.textures.filterRules.isFloat32Filterable = true;
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    const { draws } = takeDraws(gl);
    expect(draws.map(({ textures }) => Object.keys(textures))).toEqual([[], ['map']]);
  });
});

describe('samplers of two types', () => {
  it('cannot read one unit', () => {
    const { gl } = setUp();
    useProgram(gl, 'attribute vec2 at;', 'uniform sampler2D map; uniform sampler2D other;');
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    expect(gl.errors.take()).toBe(GL.NO_ERROR);
    const program = useProgram(
      gl,
      'attribute vec2 at;',
      'uniform sampler2D map; uniform samplerCube sky;',
    );
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
    gl.programs.setInts(gl.programs.uniformLocation(program, 'sky'), 1, [1]);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    expect(gl.errors.take()).toBe(GL.NO_ERROR);
  });
});

describe('restarts', () => {
  it.each([
    [GL.TRIANGLE_STRIP, 'triangles', [0, 1, 2, 2, 1, 3, 4, 5, 6]],
    [GL.TRIANGLE_FAN, 'triangles', [0, 1, 2, 0, 2, 3, 4, 5, 6]],
    [GL.LINE_LOOP, 'lines', [0, 1, 1, 2, 2, 3, 3, 0, 4, 5, 5, 6, 6, 4]],
    [GL.POINTS, 'points', [0, 1, 2, 3, 4, 5, 6]],
  ] as const)('cut mode %d into %s', (mode, topology, expected) => {
    const { gl, messages } = setUp();
    const indices = Uint16Array.of(0, 1, 2, 3, 0xffff, 4, 5, 6, 0xffff);
    bindNewBuffer(gl, GL.ELEMENT_ARRAY_BUFFER, bytesOf(indices));
    gl.draws.drawElements(mode, indices.length, GL.UNSIGNED_SHORT, 0);
    expect(messages).toEqual([]);
    const { frame, draws } = takeDraws(gl);
    expect(draws[0]).toMatchObject({ topology, count: expected.length });
    const { bufferIndex } = draws[0]!.indices!;
    const { bytes } = frame.buffers[bufferIndex]!;
    expect([...new Uint32Array(bytes.buffer, bytes.byteOffset, expected.length)]).toEqual(expected);
  });

  it('are of the size of the index', () => {
    const { gl } = setUp();
    bindNewBuffer(gl, GL.ELEMENT_ARRAY_BUFFER, bytesOf(Uint32Array.of(0, 1, 2, 0xffff)));
    gl.draws.drawElements(GL.TRIANGLE_STRIP, 4, GL.UNSIGNED_INT, 0);
    expect(gl.errors.take()).toBe(GL.INVALID_OPERATION);
  });
});

describe('discarded primitives', () => {
  it('leave draws and clears without effect', () => {
    const { gl } = setUp();
    gl.capabilities.enable(GL.RASTERIZER_DISCARD);
    gl.clears.clear(GL.COLOR_BUFFER_BIT);
    gl.draws.drawArrays(GL.TRIANGLES, 0, 3);
    expect(gl.errors.take()).toBe(GL.NO_ERROR);
    expect(takeDraws(gl).draws).toEqual([]);
  });
});

describe('packed attributes', () => {
  it.each([
    [GL.UNSIGNED_INT_2_10_10_10_REV, false, [1023, 1, 512, 3]],
    [GL.UNSIGNED_INT_2_10_10_10_REV, true, [1, 1 / 1023, 512 / 1023, 1]],
    [GL.INT_2_10_10_10_REV, false, [-1, 1, -512, -1]],
    [GL.INT_2_10_10_10_REV, true, [-1 / 511, 1 / 511, -1, -1]],
  ] as const)('of type %d, normalised: %s', (type, isNormalized, expected) => {
    const { gl, messages } = setUp();
    const word = 1023 + 1 * 2 ** 10 + 512 * 2 ** 20 + 3 * 2 ** 30;
    bindNewBuffer(gl, GL.ARRAY_BUFFER, bytesOf(Uint32Array.of(word, word, word)));
    gl.vertexArrays.setPointer(0, 4, type, isNormalized, 0, 0);
    gl.draws.drawArrays(GL.POINTS, 0, 3);
    expect(messages).toEqual([]);
    const { frame, draws } = takeDraws(gl);
    const source = draws[0]!.attributes.at as Extract<AttributeSource, { kind: 'buffer' }>;
    const { bytes } = frame.buffers[source.bufferIndex]!;
    const floats = [...new Float32Array(bytes.buffer, bytes.byteOffset + 16, 4)];
    expect(floats).toEqual(Array.from(Float32Array.from(expected)));
  });
});
