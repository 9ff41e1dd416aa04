import { describe, expect, it } from 'vitest';
import { DEFAULT_GLTF_LIMITS } from './gltf-limits.ts';
import { ModelStorage } from './model-storage.ts';
import { parseGltf } from './parse/parse-gltf.ts';

/** Storage of one buffer with these views and accessors. */
function storageOf(
  bytes: Uint8Array,
  bufferViews: readonly object[],
  accessors: readonly object[],
): ModelStorage {
  const json = {
    asset: { version: '2.0' },
    buffers: [{ byteLength: bytes.length }],
    bufferViews: bufferViews.map((view) => ({ buffer: 0, ...view })),
    accessors,
  };
  const model = parseGltf(new TextEncoder().encode(JSON.stringify(json)), DEFAULT_GLTF_LIMITS);
  return new ModelStorage(model, bytes, new Map(), DEFAULT_GLTF_LIMITS);
}

const floatBytes = (...values: number[]): Uint8Array =>
  new Uint8Array(Float32Array.from(values).buffer);

describe('ModelStorage', () => {
  it('reads tightly packed floats', () => {
    const bytes = floatBytes(9, 1, 2, 3, 4);
    const view = { byteOffset: 4, byteLength: 16 };
    const accessor = { bufferView: 0, componentType: 5126, count: 2, type: 'VEC2' };
    const storage = storageOf(bytes, [view], [accessor]);
    expect([...storage.floats(0)]).toEqual([1, 2, 3, 4]);
  });

  it('leaves interleaved elements where they are', () => {
    const bytes = floatBytes(1, 2, 10, 3, 4, 20);
    const view = { byteLength: 24, byteStride: 12 };
    const storage = storageOf(
      bytes,
      [view],
      [
        { bufferView: 0, componentType: 5126, count: 2, type: 'VEC2' },
        { bufferView: 0, byteOffset: 8, componentType: 5126, count: 2, type: 'SCALAR' },
      ],
    );
    expect([...storage.floats(0)]).toEqual([1, 2, 3, 4]);
    expect([...storage.floats(1)]).toEqual([10, 20]);
    expect(storage.elements(1)).toMatchObject({ offsetBytes: 8, strideBytes: 12 });
    expect(storage.elements(1).bytes).toBe(storage.elements(0).bytes);
  });

  it.each([
    { code: 5120, stored: Int8Array.of(127, -127, -128, 0), floats: [1, -1, -1, 0] },
    { code: 5121, stored: Uint8Array.of(255, 0, 51, 102), floats: [1, 0, 0.2, 0.4] },
    { code: 5122, stored: Int16Array.of(32767, -32767, -32768, 0), floats: [1, -1, -1, 0] },
    { code: 5123, stored: Uint16Array.of(65535, 0, 13107, 0), floats: [1, 0, 0.2, 0] },
  ])('normalises integers of type $code', ({ code, stored, floats }) => {
    const bytes = new Uint8Array(stored.buffer);
    const accessor = { bufferView: 0, componentType: code, count: 1, type: 'VEC4' };
    const storage = storageOf(
      bytes,
      [{ byteLength: bytes.length }],
      [{ ...accessor, normalized: true }, accessor],
    );
    const normalized = [...storage.floats(0)];
    expect(normalized).toHaveLength(4);
    normalized.forEach((value, i) => {
      expect(value).toBeCloseTo(floats[i], 6);
    });
    expect([...storage.floats(1)]).toEqual([...stored]);
  });

  it('writes out sparse elements over those of the view', () => {
    const bytes = new Uint8Array([...floatBytes(1, 2, 3, 40, 20), 3, 1]);
    const storage = storageOf(
      bytes,
      [{ byteLength: 12 }, { byteOffset: 20, byteLength: 2 }, { byteOffset: 12, byteLength: 8 }],
      [
        {
          ...{ bufferView: 0, componentType: 5126, count: 3, type: 'SCALAR' },
          sparse: {
            count: 1,
            indices: { bufferView: 1, byteOffset: 1, componentType: 5121 },
            values: { bufferView: 2, byteOffset: 4 },
          },
        },
        {
          ...{ componentType: 5126, count: 4, type: 'SCALAR' },
          sparse: {
            count: 2,
            indices: { bufferView: 1, componentType: 5121 },
            values: { bufferView: 2 },
          },
        },
      ],
    );
    expect([...storage.floats(0)]).toEqual([1, 20, 3]);
    expect([...storage.floats(1)]).toEqual([0, 20, 0, 40]);
  });

  it('fills an accessor without view with zeros', () => {
    const storage = storageOf(
      new Uint8Array(4),
      [],
      [{ componentType: 5126, count: 2, type: 'VEC3' }],
    );
    expect([...storage.floats(0)]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  it.each([
    { code: 5121, stored: Uint8Array.of(0, 7, 255) },
    { code: 5123, stored: Uint16Array.of(0, 7, 65535) },
    { code: 5125, stored: Uint32Array.of(0, 7, 4294967295) },
  ])('reads unsigned integers of type $code', ({ code, stored }) => {
    const bytes = new Uint8Array(stored.buffer);
    const accessor = { bufferView: 0, componentType: code, count: 3, type: 'SCALAR' };
    const storage = storageOf(bytes, [{ byteLength: bytes.length }], [accessor]);
    expect([...storage.integers(0)]).toEqual([...stored]);
  });
});
