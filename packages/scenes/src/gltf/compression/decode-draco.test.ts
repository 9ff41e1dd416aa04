import { describe, expect, it } from 'vitest';
import { packGlb } from '../../model-writer/pack-glb.ts';
import { checkModel } from '../check/check-model.ts';
import { floatValues, rawValues } from '../format/accessor-values.ts';
import { DEFAULT_GLTF_LIMITS } from '../format/gltf-limits.ts';
import { readGlb } from '../format/read-container.ts';
import { importGltf } from '../import-gltf.ts';
import { readModel } from '../read-model.ts';
import { encodeDraco, gridMesh, NUMBER_ID, POSITION_ID } from '../testing/encode-draco.ts';

const GRID = gridMesh(17, 11);
const VERTEX_COUNT = 17 * 11;
const SIZE = { widthPx: 32, heightPx: 32 };

// biome-ignore lint/suspicious/noExplicitAny: the cases put values of wrong types into it on purpose
type LooseJson = any;

/** Returns a model of the grid; `edit` violates one rule. */
function modelOf(stream: Uint8Array, edit: (json: LooseJson) => void = () => {}): Uint8Array {
  const json: LooseJson = {
    asset: { version: '2.0' },
    extensionsUsed: ['KHR_draco_mesh_compression'],
    extensionsRequired: ['KHR_draco_mesh_compression'],
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [
      {
        primitives: [
          {
            attributes: { POSITION: 0, _NUMBER: 1 },
            indices: 2,
            extensions: {
              KHR_draco_mesh_compression: {
                bufferView: 0,
                attributes: { POSITION: POSITION_ID, _NUMBER: NUMBER_ID },
              },
            },
          },
        ],
      },
    ],
    accessors: [
      { componentType: 5126, count: VERTEX_COUNT, type: 'VEC3' },
      { componentType: 5126, count: VERTEX_COUNT, type: 'SCALAR' },
      { componentType: 5123, count: GRID.triangles.length, type: 'SCALAR' },
    ],
    bufferViews: [{ buffer: 0, byteLength: stream.length }],
    buffers: [{ byteLength: stream.length }],
  };
  edit(json);
  return packGlb(json, stream);
}

async function accessorsOf(glb: Uint8Array) {
  const { json, binary } = readGlb(glb);
  const checked = await checkModel(json, binary, new Map(), DEFAULT_GLTF_LIMITS);
  return (await readModel(checked)).root.listAccessors();
}

describe('decodeDraco', () => {
  it.each(['sequential', 'edgebreaker'] as const)(
    'restores the vertices and triangles of a %s stream',
    async (method) => {
      const [positions, numbers, indices] = await accessorsOf(
        modelOf(await encodeDraco(GRID, method)),
      );
      const [xyz, order] = [floatValues(positions), floatValues(numbers)];
      // The range of the grid is 16, so steps of 14 bits are 16 / 16383.
      for (let vertex = 0; vertex < VERTEX_COUNT; vertex++) {
        for (let axis = 0; axis < 3; axis++) {
          const source = GRID.positions[3 * order[vertex] + axis];
          expect(Math.abs(xyz[3 * vertex + axis] - source)).toBeLessThan(0.5001 * (16 / 16383));
        }
      }
      expect(new Set(order).size).toBe(VERTEX_COUNT);
      expect(rawValues(indices)).toBeInstanceOf(Uint16Array);
      const triangleKeys = (corners: readonly number[]): string[] =>
        Array.from({ length: corners.length / 3 }, (_, i) => {
          const [a, b, c] = corners.slice(3 * i, 3 * i + 3);
          // The first corner may be another one, but the order may not.
          const turns = [`${a} ${b} ${c}`, `${b} ${c} ${a}`, `${c} ${a} ${b}`];
          return turns.sort()[0];
        }).sort();
      const decoded = [...rawValues(indices)].map((index) => order[index]);
      expect(triangleKeys(decoded)).toEqual(triangleKeys([...GRID.triangles]));
    },
  );

  it('lets primitives share a stream, and converts the values to the types of the accessors', async () => {
    const glb = modelOf(await encodeDraco(GRID, 'sequential'), (json) => {
      const [first] = json.meshes[0].primitives;
      json.accessors.push({ componentType: 5123, count: VERTEX_COUNT, type: 'SCALAR' });
      json.meshes[0].primitives.push({ ...first, attributes: { POSITION: 0, _NUMBER: 3 } });
    });
    const [, floats, , integers] = await accessorsOf(glb);
    expect(rawValues(integers)).toBeInstanceOf(Uint16Array);
    expect([...rawValues(integers)]).toEqual([...rawValues(floats)]);
  });

  it.each([
    {
      rule: 'the number of vertices',
      edit: (json: LooseJson) => {
        json.accessors[0].count = 3;
        json.accessors[1].count = 3;
      },
      message: `meshes[0].primitives[0].extensions.KHR_draco_mesh_compression: the stream has ${VERTEX_COUNT} vertices`,
    },
    {
      rule: 'the number of indices',
      edit: (json: LooseJson) => {
        json.accessors[2].count = 6;
      },
      message: 'meshes[0].primitives[0].indices: 6 indices, but the stream has 320 triangles',
    },
    {
      rule: 'the type of an accessor',
      edit: (json: LooseJson) => {
        json.accessors[1].type = 'VEC2';
      },
      message: 'attributes._NUMBER: 1 components, but the accessor is VEC2',
    },
    {
      rule: 'the identity of an attribute',
      edit: (json: LooseJson) => {
        const [{ extensions }] = json.meshes[0].primitives;
        extensions.KHR_draco_mesh_compression.attributes._NUMBER = 77;
      },
      message: 'attributes._NUMBER: the stream has no attribute 77',
    },
    {
      rule: 'an attribute of the primitive',
      edit: (json: LooseJson) => {
        json.meshes[0].primitives[0].attributes = { POSITION: 0 };
      },
      message: 'attributes._NUMBER: the primitive has no _NUMBER',
    },
    {
      rule: 'the type of the indices',
      edit: (json: LooseJson) => {
        json.accessors[2].componentType = 5126;
      },
      message: 'meshes[0].primitives[0].indices: SCALAR of float32 is not a list of indices',
    },
    {
      rule: 'the buffer view',
      edit: (json: LooseJson) => {
        json.meshes[0].primitives[0].extensions.KHR_draco_mesh_compression.bufferView = 1;
      },
      message: 'KHR_draco_mesh_compression.bufferView: index 1 is out of range',
    },
  ])('rejects a model that violates $rule', async ({ edit, message }) => {
    const bytes = modelOf(await encodeDraco(GRID, 'edgebreaker'), edit);
    await expect(importGltf({ kind: 'glb', bytes }, SIZE)).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringContaining(message),
    });
  });

  it('rejects strips by name', async () => {
    const bytes = modelOf(await encodeDraco(GRID, 'edgebreaker'), (json) => {
      json.meshes[0].primitives[0].mode = 5;
    });
    await expect(importGltf({ kind: 'glb', bytes }, SIZE)).rejects.toMatchObject({
      code: 'MODEL_UNSUPPORTED',
      message: expect.stringContaining('KHR_draco_mesh_compression: mode 5 is not supported'),
    });
  });

  it('does not decode a stream that declares more triangles than its accessor', async () => {
    const stream = await encodeDraco(GRID, 'edgebreaker');
    // After 11 bytes of header: the traversal, 187 vertices in two bytes, then 320 triangles.
    expect([...stream.subarray(11, 16)]).toEqual([stream[11], 0xbb, 1, 0xc0, 2]);
    const bomb = [...stream.subarray(0, 14), 0xff, 0xff, 0xff, 0xff, 0xf, ...stream.subarray(16)];
    const bytes = modelOf(Uint8Array.from(bomb));
    await expect(importGltf({ kind: 'glb', bytes }, SIZE)).rejects.toThrow(
      'indices: 960 indices, but the stream has 4294967295 triangles',
    );
  });

  it('stops at the limit of memory', async () => {
    const grid = gridMesh(400, 400);
    const stream = await encodeDraco(grid, 'edgebreaker');
    const bytes = modelOf(stream, (json) => {
      json.accessors[0].count = 160_000;
      json.accessors[1].count = 160_000;
      json.accessors[2] = { componentType: 5125, count: grid.triangles.length, type: 'SCALAR' };
    });
    const within = (maxDecodeBytes: number) =>
      importGltf({ kind: 'glb', bytes }, { ...SIZE, limits: { maxDecodeBytes } });
    await expect(within(20_000_000)).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringContaining('for lack of memory (maxDecodeBytes)'),
    });
    await expect(within(200_000_000)).resolves.toHaveProperty('frame');
  });

  it('throws nothing but RenderError whatever bytes are changed', async () => {
    const original = await encodeDraco(GRID, 'edgebreaker');
    let state = 5;
    const next = (limit: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
    let rejected = 0;
    for (let round = 0; round < 150; round++) {
      const stream = original.slice(0, round % 5 === 4 ? next(original.length) : undefined);
      for (let change = 0; change <= round % 3; change++) stream[next(stream.length)] = next(256);
      const bytes = modelOf(stream);
      await importGltf({ kind: 'glb', bytes }, SIZE).catch((error: Error) => {
        expect(error, `round ${round}`).toHaveProperty('name', 'RenderError');
        rejected++;
      });
    }
    expect(rejected).toBeGreaterThan(50);
  });
});
