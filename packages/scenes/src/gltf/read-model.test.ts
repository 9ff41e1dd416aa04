import type { Accessor } from '@gltf-transform/core';
import { describe, expect, it } from 'vitest';
import { checkModel } from './check/check-model.ts';
import { floatValues, rawValues } from './format/accessor-values.ts';
import { DEFAULT_GLTF_LIMITS } from './format/gltf-limits.ts';
import { type Model, readModel } from './read-model.ts';

async function modelOf(json: object, binary: Uint8Array | null = null): Promise<Model> {
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  return readModel(await checkModel(bytes, binary, new Map(), DEFAULT_GLTF_LIMITS));
}

/** Returns the accessors of a model with one buffer. */
async function accessorsOf(
  bytes: Uint8Array,
  bufferViews: readonly object[],
  accessors: readonly object[],
): Promise<Accessor[]> {
  const json = {
    asset: { version: '2.0' },
    buffers: [{ byteLength: bytes.length }],
    bufferViews: bufferViews.map((view) => ({ buffer: 0, ...view })),
    accessors,
  };
  return (await modelOf(json, bytes)).root.listAccessors();
}

const floatBytes = (...values: number[]): Uint8Array =>
  new Uint8Array(Float32Array.from(values).buffer);

describe('readModel', () => {
  it('reads tightly packed floats', async () => {
    const bytes = floatBytes(9, 1, 2, 3, 4);
    const view = { byteOffset: 4, byteLength: 16 };
    const accessor = { bufferView: 0, componentType: 5126, count: 2, type: 'VEC2' };
    const accessors = await accessorsOf(bytes, [view], [accessor]);
    expect([...floatValues(accessors[0])]).toEqual([1, 2, 3, 4]);
  });

  it('separates interleaved elements', async () => {
    const bytes = floatBytes(1, 2, 10, 3, 4, 20);
    const view = { byteLength: 24, byteStride: 12 };
    const accessors = await accessorsOf(
      bytes,
      [view],
      [
        { bufferView: 0, componentType: 5126, count: 2, type: 'VEC2' },
        { bufferView: 0, byteOffset: 8, componentType: 5126, count: 2, type: 'SCALAR' },
      ],
    );
    expect([...floatValues(accessors[0])]).toEqual([1, 2, 3, 4]);
    expect([...floatValues(accessors[1])]).toEqual([10, 20]);
  });

  it.each([
    { code: 5120, stored: Int8Array.of(127, -127, -128, 0), floats: [1, -1, -1, 0] },
    { code: 5121, stored: Uint8Array.of(255, 0, 51, 102), floats: [1, 0, 0.2, 0.4] },
    { code: 5122, stored: Int16Array.of(32767, -32767, -32768, 0), floats: [1, -1, -1, 0] },
    { code: 5123, stored: Uint16Array.of(65535, 0, 13107, 0), floats: [1, 0, 0.2, 0] },
  ])('normalises integers of type $code', async ({ code, stored, floats }) => {
    const bytes = new Uint8Array(stored.buffer);
    const accessor = { bufferView: 0, componentType: code, count: 1, type: 'VEC4' };
    const accessors = await accessorsOf(
      bytes,
      [{ byteLength: bytes.length }],
      [{ ...accessor, normalized: true }, accessor],
    );
    const normalized = [...floatValues(accessors[0])];
    expect(normalized).toHaveLength(4);
    normalized.forEach((value, i) => {
      expect(value).toBeCloseTo(floats[i], 6);
    });
    expect([...floatValues(accessors[1])]).toEqual([...stored]);
  });

  it('writes out sparse elements over those of the view', async () => {
    const bytes = new Uint8Array([...floatBytes(1, 2, 3, 40, 20), 3, 1]);
    const accessors = await accessorsOf(
      bytes,
      [{ byteLength: 12 }, { byteOffset: 20, byteLength: 2 }, { byteOffset: 12, byteLength: 8 }],
      [
        {
          bufferView: 0,
          componentType: 5126,
          count: 3,
          type: 'SCALAR',
          sparse: {
            count: 1,
            indices: { bufferView: 1, byteOffset: 1, componentType: 5121 },
            values: { bufferView: 2, byteOffset: 4 },
          },
        },
        {
          componentType: 5126,
          count: 4,
          type: 'SCALAR',
          sparse: {
            count: 2,
            indices: { bufferView: 1, componentType: 5121 },
            values: { bufferView: 2 },
          },
        },
      ],
    );
    expect([...floatValues(accessors[0])]).toEqual([1, 20, 3]);
    expect([...floatValues(accessors[1])]).toEqual([0, 20, 0, 40]);
  });

  it('fills an accessor without view with zeros', async () => {
    const accessors = await accessorsOf(
      new Uint8Array(4),
      [],
      [{ componentType: 5126, count: 2, type: 'VEC3' }],
    );
    expect([...floatValues(accessors[0])]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it.each([
    { code: 5121, stored: Uint8Array.of(0, 7, 255) },
    { code: 5123, stored: Uint16Array.of(0, 7, 65535) },
    { code: 5125, stored: Uint32Array.of(0, 7, 4294967295) },
  ])('reads unsigned integers of type $code', async ({ code, stored }) => {
    const bytes = new Uint8Array(stored.buffer);
    const accessor = { bufferView: 0, componentType: code, count: 3, type: 'SCALAR' };
    const accessors = await accessorsOf(bytes, [{ byteLength: bytes.length }], [accessor]);
    expect([...rawValues(accessors[0])]).toEqual([...stored]);
  });

  it('reads sparse values from the start of their view if the accessor has an offset', async () => {
    const bytes = new Uint8Array([...floatBytes(0, 1, 2, 50), 1, 0, 0, 0]);
    const accessors = await accessorsOf(
      bytes,
      [{ byteLength: 12 }, { byteOffset: 16, byteLength: 4 }, { byteOffset: 12, byteLength: 4 }],
      [
        {
          bufferView: 0,
          byteOffset: 4,
          componentType: 5126,
          count: 2,
          type: 'SCALAR',
          sparse: {
            count: 1,
            indices: { bufferView: 1, componentType: 5121 },
            values: { bufferView: 2 },
          },
        },
      ],
    );
    expect([...floatValues(accessors[0])]).toEqual([1, 50]);
  });

  it('keeps matrices that shear as they are', async () => {
    const matrix = [1, 0, 0, 0, 0.5, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
    const model = await modelOf({ asset: { version: '2.0' }, nodes: [{}, { matrix }] });
    const nodes = model.root.listNodes();
    expect(nodes.map((node) => model.matrices.get(node))).toEqual([undefined, matrix]);
    expect(model.pathOf(nodes[1])).toBe('nodes[1]');
  });

  it('lets a perspective camera without far plane see without end', async () => {
    const perspective = { yfov: 1, znear: 0.1 };
    const cameras = [
      { type: 'perspective', perspective },
      { type: 'perspective', perspective: { ...perspective, zfar: 7 } },
    ];
    const model = await modelOf({ asset: { version: '2.0' }, cameras });
    expect(model.root.listCameras().map((camera) => camera.getZFar())).toEqual([
      Number.POSITIVE_INFINITY,
      7,
    ]);
  });

  it.each([
    { componentType: 5121, type: 'MAT2', byteLength: 14 },
    { componentType: 5121, type: 'MAT3', byteLength: 23 },
    { componentType: 5123, type: 'MAT3', byteLength: 46 },
  ])('reads $type of $componentType without padding at the end', async (matrix) => {
    const { byteLength, ...accessor } = matrix;
    const bytes = Uint8Array.from({ length: byteLength }, (_, i) => i);
    const read = (length: number) =>
      accessorsOf(bytes, [{ byteLength: length }], [{ ...accessor, bufferView: 0, count: 2 }]);
    expect(await read(byteLength)).toHaveLength(1);
    await expect(read(byteLength - 1)).rejects.toThrow('2 elements end at byte');
  });

  it('reports errors of the library as an invalid model', async () => {
    const json = { asset: { version: '1.0' } };
    const checked = {
      json,
      buffers: [],
      images: [],
      usedExtensions: [],
      warnings: [],
      checkProperties: () => {},
    };
    await expect(readModel(checked)).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: 'model: Unsupported glTF version, "1.0".',
      cause: expect.any(Error),
    });
  });
});
