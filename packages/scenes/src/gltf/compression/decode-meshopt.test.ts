import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { describe, expect, it } from 'vitest';
import { packGlb } from '../../model-writer/pack-glb.ts';
import { checkModel } from '../check/check-model.ts';
import { floatValues, rawValues } from '../format/accessor-values.ts';
import { DEFAULT_GLTF_LIMITS } from '../format/gltf-limits.ts';
import { readGlb } from '../format/read-container.ts';
import { importGltf } from '../import-gltf.ts';
import { readModel } from '../read-model.ts';
import { gridMesh } from '../testing/encode-draco.ts';

const SIZE = { widthPx: 32, heightPx: 32 };
const { positions: POSITIONS, triangles: TRIANGLES } = gridMesh(9, 7);
const VERTEX_COUNT = 63;

// biome-ignore lint/suspicious/noExplicitAny: the cases put values of wrong types into it on purpose
type LooseJson = any;

const bytesOf = (array: ArrayBufferView): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

await MeshoptEncoder.ready;
const POSITION_STREAM = MeshoptEncoder.encodeGltfBuffer(
  bytesOf(POSITIONS),
  VERTEX_COUNT,
  12,
  'ATTRIBUTES',
  0,
);
const INDEX_STREAM = MeshoptEncoder.encodeGltfBuffer(
  bytesOf(Uint16Array.from(TRIANGLES)),
  TRIANGLES.length,
  2,
  'TRIANGLES',
  0,
);

/** Returns a model of the grid as gltfpack writes it: the second buffer has no bytes. */
function gridModel(
  extension: string,
  edit: (json: LooseJson, binary: Uint8Array) => void = () => {},
): Uint8Array {
  const binary = Uint8Array.from([...POSITION_STREAM, ...INDEX_STREAM]);
  const view = (byteOffset: number, byteLength: number, stream: object) => ({
    buffer: 1,
    byteOffset,
    byteLength,
    extensions: { [extension]: { buffer: 0, ...stream } },
  });
  const json: LooseJson = {
    asset: { version: '2.0' },
    extensionsUsed: [extension],
    extensionsRequired: [extension],
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: 5126, count: VERTEX_COUNT, type: 'VEC3' },
      { bufferView: 1, componentType: 5123, count: TRIANGLES.length, type: 'SCALAR' },
    ],
    bufferViews: [
      {
        ...view(0, VERTEX_COUNT * 12, {
          byteLength: POSITION_STREAM.length,
          byteStride: 12,
          count: VERTEX_COUNT,
          mode: 'ATTRIBUTES',
        }),
        byteStride: 12,
      },
      view(VERTEX_COUNT * 12, TRIANGLES.length * 2, {
        byteOffset: POSITION_STREAM.length,
        byteLength: INDEX_STREAM.length,
        byteStride: 2,
        count: TRIANGLES.length,
        mode: 'TRIANGLES',
      }),
    ],
    buffers: [
      { byteLength: binary.length },
      {
        byteLength: VERTEX_COUNT * 12 + TRIANGLES.length * 2,
        extensions: { [extension]: { fallback: true } },
      },
    ],
  };
  edit(json, binary);
  return packGlb(json, binary);
}

async function accessorsOf(glb: Uint8Array) {
  const { json, binary } = readGlb(glb);
  const checked = await checkModel(json, binary, new Map(), DEFAULT_GLTF_LIMITS);
  return (await readModel(checked)).root.listAccessors();
}

/** Returns the accessor of a model with one compressed buffer view. */
async function decodeView(
  extension: string,
  stream: Uint8Array,
  view: { byteStride: number; count: number; mode: string; filter?: string },
  accessor: object,
) {
  const glb = packGlb(
    {
      asset: { version: '2.0' },
      accessors: [{ bufferView: 0, count: view.count, ...accessor }],
      bufferViews: [
        {
          buffer: 0,
          byteLength: view.count * view.byteStride,
          byteStride: view.byteStride,
          extensions: { [extension]: { buffer: 0, byteLength: stream.length, ...view } },
        },
      ],
      buffers: [{ byteLength: stream.length }],
    },
    stream,
  );
  return (await accessorsOf(glb))[0];
}

describe('decodeMeshopt', () => {
  it.each(['EXT_meshopt_compression', 'KHR_meshopt_compression'])(
    'restores the vertices and triangles of %s',
    async (extension) => {
      const [positions, indices] = await accessorsOf(gridModel(extension));
      expect(floatValues(positions)).toEqual(POSITIONS);
      // The encoder may turn a triangle.
      const sorted = (corners: ArrayLike<number>): string[] =>
        Array.from({ length: corners.length / 3 }, (_, i) => {
          const [a, b, c] = [corners[3 * i], corners[3 * i + 1], corners[3 * i + 2]];
          return [`${a} ${b} ${c}`, `${b} ${c} ${a}`, `${c} ${a} ${b}`].sort()[0];
        });
      expect(sorted(rawValues(indices))).toEqual(sorted(TRIANGLES));
      const { frame } = await importGltf({ kind: 'glb', bytes: gridModel(extension) }, SIZE);
      expect(frame.passes[0].draws[0].count).toBe(TRIANGLES.length);
    },
  );

  it.each([0, 1])('restores a sequence of indices, bitstream %i', async (version) => {
    const sequence = Uint32Array.of(5, 6, 7, 70000, 3, 3, 0);
    const view = { byteStride: 4, count: 7, mode: 'INDICES' };
    const stream = MeshoptEncoder.encodeGltfBuffer(bytesOf(sequence), 7, 4, view.mode, version);
    const type = { componentType: 5125, type: 'SCALAR' };
    // A buffer view of indices has no stride of its own, but may have that of its elements.
    const accessor = await decodeView('KHR_meshopt_compression', stream, view, type);
    expect([...rawValues(accessor)]).toEqual([...sequence]);
  });

  const UNIT = Float32Array.from(
    [
      [1, 0, 0, 0],
      [0, -0.6, 0.8, 0],
      [0.36, 0.48, -0.8, 0],
      [0.5, 0.5, Math.SQRT1_2, 0],
    ].flat(),
  );
  const floats = Float32Array.from([1, -2.5, 1000, 3e-3, 0.1, 7, -9, 42]);
  it.each([
    {
      filter: 'OCTAHEDRAL',
      source: UNIT,
      encoded: MeshoptEncoder.encodeFilterOct(UNIT, 4, 8, 16),
      byteStride: 8,
      accessor: { componentType: 5122, type: 'VEC4', normalized: true },
      // Octahedral coordinates of 16 bits, whose fourth component is kept as it is.
      channels: 3,
      tolerance: 2 / 32767,
    },
    {
      filter: 'QUATERNION',
      source: Float32Array.of(0.36, 0.48, 0, 0.8, 0, 0, 0, 1),
      encoded: MeshoptEncoder.encodeFilterQuat(
        Float32Array.of(0.36, 0.48, 0, 0.8, 0, 0, 0, 1),
        2,
        8,
        16,
      ),
      byteStride: 8,
      accessor: { componentType: 5122, type: 'VEC4', normalized: true },
      channels: 4,
      tolerance: 2 / 32767,
    },
    {
      filter: 'EXPONENTIAL',
      source: floats,
      encoded: MeshoptEncoder.encodeFilterExp(floats, 2, 16, 24, 'Separate'),
      byteStride: 16,
      accessor: { componentType: 5126, type: 'VEC4' },
      channels: 4,
      tolerance: 1000 * 2 ** -22,
    },
  ])('applies the filter $filter', async (filtered) => {
    const { filter, source, encoded, byteStride, accessor, channels, tolerance } = filtered;
    const count = encoded.length / byteStride;
    const stream = MeshoptEncoder.encodeGltfBuffer(encoded, count, byteStride, 'ATTRIBUTES', 0);
    const view = { byteStride, count, mode: 'ATTRIBUTES', filter };
    const decoded = floatValues(
      await decodeView('EXT_meshopt_compression', stream, view, accessor),
    );
    expect(decoded).toHaveLength(source.length);
    source.forEach((value, i) => {
      if (i % 4 < channels) expect(Math.abs(decoded[i] - value)).toBeLessThan(tolerance);
    });
  });

  it('applies the filter COLOR of KHR_meshopt_compression only', async () => {
    const colors = Float32Array.of(1, 0.5, 0.25, 1, 0, 0.75, 1, 0.5);
    const encoded = MeshoptEncoder.encodeFilterColor(colors, 2, 4, 8);
    const stream = MeshoptEncoder.encodeGltfBuffer(encoded, 2, 4, 'ATTRIBUTES', 1);
    const view = { byteStride: 4, count: 2, mode: 'ATTRIBUTES', filter: 'COLOR' };
    const type = { componentType: 5121, type: 'VEC4', normalized: true };
    const accessor = await decodeView('KHR_meshopt_compression', stream, view, type);
    floatValues(accessor).forEach((value, i) => {
      expect(Math.abs(value - colors[i])).toBeLessThan(3 / 255);
    });
    await expect(decodeView('EXT_meshopt_compression', stream, view, type)).rejects.toThrow(
      'filter: "COLOR" is not one of NONE, OCTAHEDRAL, QUATERNION, EXPONENTIAL',
    );
  });

  const place = 'bufferViews[0].extensions.EXT_meshopt_compression';
  it.each([
    { change: { count: 62 }, message: `${place}: 62 × 12 bytes are not the 756 bytes` },
    { change: { count: 2 ** 40 }, message: `${place}: ${2 ** 40} × 12 bytes are not` },
    { change: { byteLength: 1e6 }, message: `${place}: bytes 0 to 999999 pass the` },
    { change: { buffer: 1 }, message: `${place}: buffers[1] has no bytes` },
    { change: { mode: 'POINTS' }, message: `${place}.mode: "POINTS" is not one of` },
    { change: { filter: 'OCTAHEDRAL' }, message: `${place}.byteStride: 12 is not 4 or 8` },
    { change: { mode: 'INDICES' }, message: `${place}.byteStride: 12 is not 2 or 4` },
    { change: { byteLength: 40 }, message: `${place}: the stream is damaged: ` },
    { change: { byteOffset: 7 }, message: `${place}: ` },
  ])('rejects $change', async ({ change, message }) => {
    const bytes = gridModel('EXT_meshopt_compression', (json) => {
      Object.assign(json.bufferViews[0].extensions.EXT_meshopt_compression, change);
    });
    await expect(importGltf({ kind: 'glb', bytes }, SIZE)).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringContaining(message),
    });
  });

  it('rejects a plain buffer view of a buffer without bytes', async () => {
    const bytes = gridModel('EXT_meshopt_compression', (json) => {
      delete json.bufferViews[1].extensions;
    });
    await expect(importGltf({ kind: 'glb', bytes }, SIZE)).rejects.toThrow(
      'bufferViews[1]: buffers[1] has no bytes',
    );
  });

  it('does not decode more bytes than allowed', async () => {
    const bytes = gridModel('EXT_meshopt_compression');
    const limits = { maxExpandedBytes: 1000 };
    await expect(importGltf({ kind: 'glb', bytes }, { ...SIZE, limits })).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message:
        'bufferViews[1]: brings the decoded buffer views to 1332 bytes; at most 1000 (maxExpandedBytes)',
    });
  });

  it('throws nothing but RenderError whatever bytes are changed', async () => {
    let state = 11;
    const next = (limit: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    let rejected = 0;
    for (let round = 0; round < 200; round++) {
      const bytes = gridModel('EXT_meshopt_compression', (_json, binary) => {
        for (let change = 0; change <= round % 3; change++) binary[next(binary.length)] = next(256);
      });
      await importGltf({ kind: 'glb', bytes }, SIZE).catch((error: Error) => {
        expect(error, `round ${round}`).toHaveProperty('name', 'RenderError');
        rejected++;
      });
    }
    expect(rejected).toBeGreaterThan(20);
  });
});
