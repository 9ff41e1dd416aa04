/**
 * Rejected models, one violated rule per case. One file because the cases are one table: each line
 * has the edit that violates a rule and the message that names the place.
 */
import type { ErrorCode } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { packGlb } from '../model-writer/pack-glb.ts';
import type { GltfLimits } from './format/gltf-limits.ts';
import { type GltfSource, importGltf } from './import-gltf.ts';

/**
 * Maximum CPU time of a rejection in milliseconds. Rejections take about 10. The bound is wide,
 * because a loaded machine and V8's compiler threads add to the time of the process.
 */
const MAX_REFUSAL_MS = 1000;

const FLOAT = 5126;
const UNSIGNED_SHORT = 5123;

/** JSON that the cases change arbitrarily before it is written. */
// biome-ignore lint/suspicious/noExplicitAny: the cases put values of wrong types into it on purpose
type LooseJson = any;

/** Returns a triangle of 3 vertices with 3 indices; `edit` violates one rule. */
function triangle(edit: (json: LooseJson, binary: DataView) => void = () => {}): Uint8Array {
  const binary = new Uint8Array(44);
  const view = new DataView(binary.buffer);
  [0, 0, 0, 1, 0, 0, 0, 1, 0].forEach((value, i) => {
    view.setFloat32(4 * i, value, true);
  });
  [0, 1, 2].forEach((value, i) => {
    view.setUint16(36 + 2 * i, value, true);
  });
  const json: LooseJson = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1 }] }],
    accessors: [
      { bufferView: 0, componentType: FLOAT, count: 3, type: 'VEC3' },
      { bufferView: 1, componentType: UNSIGNED_SHORT, count: 3, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 36 },
      { buffer: 0, byteOffset: 36, byteLength: 6 },
    ],
    buffers: [{ byteLength: 44 }],
  };
  edit(json, view);
  return packGlb(json, binary);
}

/** Returns the triangle with one image as base color. */
function textured(image: Uint8Array): Uint8Array {
  return triangle((json) => {
    json.images = [{ uri: `data:image/png;base64,${Buffer.from(image).toString('base64')}` }];
    json.textures = [{ source: 0 }];
    json.materials = [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }];
    json.meshes[0].primitives[0].material = 0;
  });
}

function pngHeader(width: number, height: number): Uint8Array {
  const png = Buffer.alloc(64);
  png.set([137, 80, 78, 71, 13, 10, 26, 10]);
  png.writeUInt32BE(13, 8);
  png.write('IHDR', 12, 'latin1');
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.set([8, 6, 0, 0, 0], 24);
  return new Uint8Array(png);
}

function jpegHeader(width: number, height: number): Uint8Array {
  const frame = [
    0xff,
    0xc0,
    0,
    11,
    8,
    height >> 8,
    height & 255,
    width >> 8,
    width & 255,
    1,
    1,
    0x11,
    0,
  ];
  return Uint8Array.from([0xff, 0xd8, ...frame, 0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0xff, 0xd9]);
}

function withLength(glb: Uint8Array, at: number, value: number): Uint8Array {
  new DataView(glb.buffer).setUint32(at, value, true);
  return glb;
}

interface BadCase {
  readonly name: string;
  readonly bytes: () => Uint8Array;
  readonly code?: ErrorCode;
  readonly message: string;
  readonly limits?: Partial<GltfLimits>;
}

const CONTAINER_CASES: BadCase[] = [
  {
    name: 'a body that is no glTF',
    bytes: () => new TextEncoder().encode('<html>not a model at all</html>'),
    message: 'glb: the 31 bytes do not begin with the header of a .glb ("glTF")',
  },
  {
    name: 'an empty body',
    bytes: () => new Uint8Array(0),
    message: 'glb: the 0 bytes do not begin',
  },
  {
    name: 'a file that was cut off',
    bytes: () => triangle().slice(0, 400),
    message: 'but the file ends after 400',
  },
  {
    name: 'version 1',
    bytes: () => withLength(triangle(), 4, 1),
    code: 'MODEL_UNSUPPORTED',
    message: 'glb: version 1; only 2 is supported',
  },
  {
    name: 'a chunk length that lies',
    bytes: () => withLength(triangle(), 12, 0xfffffff0),
    message: 'glb: chunk 0: 4294967280 bytes, but only',
  },
  {
    name: 'a first chunk that is no JSON',
    bytes: () => withLength(triangle(), 16, 0x004e4942),
    message: 'glb: chunk 0 is not JSON',
  },
  {
    name: 'broken JSON',
    bytes: () => packGlb('{"asset": {"version": "2.0"}, nodes'),
    message: 'model: invalid JSON: ',
  },
  {
    name: 'JSON that is a list',
    bytes: () => packGlb([1, 2]),
    message: 'model: an array is not an object',
  },
  {
    name: 'nesting without end',
    bytes: () =>
      packGlb(`{"asset":{"version":"2.0"},"nodes":${'['.repeat(2e5)}${']'.repeat(2e5)}}`),
    message: 'nodes[0]: an array is not an object',
  },
  {
    name: 'more JSON than allowed',
    bytes: () => triangle(),
    code: 'LIMIT_EXCEEDED',
    message: 'at most 100 (maxJsonBytes)',
    limits: { maxJsonBytes: 100 },
  },
];

const edited = (
  name: string,
  edit: (json: LooseJson, binary: DataView) => void,
  message: string,
  code: ErrorCode = 'MODEL_INVALID',
  limits: Partial<GltfLimits> = {},
): BadCase => ({ name, bytes: () => triangle(edit), message, code, limits });

const JSON_CASES: BadCase[] = [
  edited('no asset', (json) => delete json.asset, 'model: asset is missing'),
  edited(
    'glTF 1.0',
    (json) => {
      json.asset.version = '1.0';
    },
    'asset.version: "1.0"; only glTF 2.0',
    'MODEL_UNSUPPORTED',
  ),
  edited(
    'no version of glTF',
    (json) => {
      json.asset.version = '2';
    },
    'asset.version: "2"; only glTF 2.0',
    'MODEL_UNSUPPORTED',
  ),
  edited(
    'a later minVersion',
    (json) => {
      json.asset.minVersion = '2.1';
    },
    'asset.minVersion: "2.1"; only glTF 2.0',
    'MODEL_UNSUPPORTED',
  ),
  edited(
    'a property that two channels animate',
    (json) => {
      json.accessors.push({ componentType: FLOAT, count: 1, type: 'SCALAR' });
      json.accessors.push({ componentType: FLOAT, count: 1, type: 'VEC3' });
      const target = { node: 0, path: 'translation' };
      const pointer = { KHR_animation_pointer: { pointer: '/nodes/0/translation' } };
      json.animations = [
        {
          samplers: [{ input: 2, output: 3 }],
          channels: [
            { sampler: 0, target },
            { sampler: 0, target: { path: 'pointer', extensions: pointer } },
          ],
        },
      ];
    },
    'animations[0].channels[1].target: /nodes/0/translation is animated twice',
  ),
  edited(
    'a buffer view of a buffer without bytes',
    (json) => {
      json.buffers.push({ byteLength: 44 });
      json.bufferViews[1].buffer = 1;
    },
    'bufferViews[1]: buffers[1] has no bytes',
  ),
  ...['KHR_texture_video', 'MPEG_media'].map((name) =>
    edited(
      `${name} required`,
      (json) => {
        json.extensionsRequired = [name];
      },
      `extensionsRequired[0]: the model requires ${name}`,
      'MODEL_UNSUPPORTED',
    ),
  ),
  edited(
    'an index past its vertices',
    (_json, binary) => binary.setUint16(38, 300, true),
    'meshes[0].primitives[0].indices: index 300 at position 1 exceeds the 3 vertices',
  ),
  edited(
    'an index that restarts primitives',
    (json, binary) => {
      json.accessors[0] = { componentType: FLOAT, count: 65_536, type: 'VEC3' };
      binary.setUint16(40, 65_535, true);
    },
    'meshes[0].primitives[0].indices: index 65535 at position 2 is the largest of its type',
  ),
  edited(
    'a position that is no number',
    (_json, binary) => binary.setFloat32(16, Number.NaN, true),
    'meshes[0].primitives[0].attributes.POSITION: value NaN at vertex 1',
  ),
  edited(
    'a position without end',
    (_json, binary) => binary.setFloat32(32, Number.NEGATIVE_INFINITY, true),
    'meshes[0].primitives[0].attributes.POSITION: value -Infinity at vertex 2',
  ),
  edited(
    'an accessor past its view',
    (json) => {
      json.accessors[0].count = 100_000_000;
    },
    'accessors[0]: 100000000 elements end at byte 1200000000 and pass the 36 bytes of bufferViews[0]',
  ),
  edited(
    'an accessor offset past its view',
    (json) => {
      json.accessors[0].byteOffset = 4;
    },
    'accessors[0]: 3 elements end at byte 40 and pass the 36 bytes',
  ),
  edited(
    'an accessor that is not aligned',
    (json) => {
      json.accessors[1].byteOffset = 1;
    },
    'accessors[1]: offset or stride 1 is not a multiple of 2 bytes',
  ),
  edited(
    'a view past its buffer',
    (json) => {
      json.bufferViews[1].byteLength = 16;
    },
    'bufferViews[1]: bytes 36 to 51 pass the 44 bytes of buffers[0]',
  ),
  edited(
    'a buffer longer than its bytes',
    (json) => {
      json.buffers[0].byteLength = 4e9;
    },
    'buffers[0]: byteLength is 4000000000, but there are 44 bytes',
  ),
  edited(
    'a negative offset',
    (json) => {
      json.bufferViews[0].byteOffset = -4;
    },
    'bufferViews[0].byteOffset: -4 is not at least 0',
  ),
  edited(
    'a count that is text',
    (json) => {
      json.accessors[0].count = '3';
    },
    'accessors[0].count: "3" is not a finite number',
  ),
  edited(
    'an accessor that does not exist',
    (json) => {
      json.meshes[0].primitives[0].attributes.POSITION = 7;
    },
    'meshes[0].primitives[0].attributes.POSITION: index 7 is out of range: there are 2 accessors',
  ),
  edited(
    'positions of two numbers',
    (json) => {
      json.accessors[0].type = 'VEC2';
    },
    'meshes[0].primitives[0].attributes.POSITION: accessors[0] is VEC2, not VEC3',
  ),
  edited(
    'a primitive mode that does not exist',
    (json) => {
      json.meshes[0].primitives[0].mode = 7;
    },
    'meshes[0].primitives[0].mode: 7 is not from 0 to 6',
  ),
  edited(
    'an accessor without bytes of its own and a huge count',
    (json) => {
      json.accessors[0] = { componentType: FLOAT, count: 4_000_000_000, type: 'VEC3' };
      json.meshes[0].primitives[0].indices = undefined;
      json.meshes[0].primitives[0].mode = 0;
    },
    'accessors[0]: 48000000000 bytes bring the expanded accessors to 48000000000 bytes; at most 268435456 (maxExpandedBytes)',
    'LIMIT_EXCEEDED',
  ),
  edited(
    'more points than allowed',
    (json) => {
      json.accessors[0] = { componentType: FLOAT, count: 12_000_000, type: 'VEC3' };
      json.meshes[0].primitives[0].indices = undefined;
      json.meshes[0].primitives[0].mode = 0;
    },
    'at most 10000000 (maxTriangles)',
    'LIMIT_EXCEEDED',
  ),
  edited(
    'many accessors of the same bytes',
    (json) => {
      json.accessors = Array(1000).fill(json.accessors[0]);
    },
    'accessors[3]: 36 bytes bring the expanded accessors to 144 bytes; at most 140',
    'LIMIT_EXCEEDED',
    { maxExpandedBytes: 140 },
  ),
  edited(
    'a zero-filled accessor beside few triangles',
    (json) => {
      json.accessors[0] = { componentType: FLOAT, count: 400_000_000, type: 'VEC3' };
    },
    'accessors[0]: 4800000000 bytes bring the expanded accessors to 4800000000 bytes',
    'LIMIT_EXCEEDED',
  ),
  edited(
    'a sparse index past the accessor',
    (json, binary) => {
      binary.setUint16(36, 3, true);
      json.accessors[0].sparse = {
        count: 1,
        indices: { bufferView: 1, componentType: UNSIGNED_SHORT },
        values: { bufferView: 0 },
      };
      json.meshes[0].primitives[0].indices = undefined;
    },
    'accessors[0].sparse.indices: index 3 at position 0 is out of range: the accessor has 3 elements',
  ),
  edited(
    'a node that contains itself',
    (json) => {
      json.nodes = [{ mesh: 0, children: [1] }, { children: [0] }];
    },
    'contains itself',
  ),
  edited(
    'a node with two parents',
    (json) => {
      json.nodes = [{ mesh: 0, children: [2] }, { children: [2] }, {}];
    },
    'nodes[1].children: node 2 is already a child of node 0',
  ),
  edited(
    'a chain of nodes that is too long',
    (json) => {
      json.nodes = Array.from({ length: 5000 }, (_, i) =>
        i < 4999 ? { children: [i + 1] } : { mesh: 0 },
      );
    },
    'depth 1025; at most 1024 (maxNodeDepth)',
    'LIMIT_EXCEEDED',
  ),
  edited(
    'a matrix that overflows',
    (json) => {
      json.nodes[0] = { children: [1], scale: [1e200, 1e200, 1e200] };
      json.nodes[1] = { mesh: 0, scale: [1e200, 1e200, 1e200] };
    },
    'nodes[1]: the world matrix overflows',
  ),
  edited('no geometry', (json) => delete json.nodes[0].mesh, 'scene: the scene has no geometry'),
  edited(
    'no scene',
    (json) => {
      delete json.scene;
      delete json.scenes;
    },
    'scenes: the model has no scene',
  ),
  edited(
    'a file that was not given',
    (json) => {
      json.buffers[0].uri = '../../etc/passwd';
    },
    'buffers[0].uri: "../../etc/passwd" is neither a data: URI nor among the given files',
  ),
  edited(
    'a network address',
    (json) => {
      json.buffers[0].uri = 'http://example.com/a.bin';
    },
    'buffers[0].uri: "http://example.com/a.bin" is neither',
  ),
  edited(
    'a data: URI that is not base64',
    (json) => {
      json.buffers[0].uri = 'data:application/octet-stream;base64,@@@@';
    },
    'buffers[0].uri: the data: URI is not base64',
  ),
  edited(
    'more triangles than allowed',
    (json) => {
      json.nodes = [{ mesh: 0, children: [1] }, { mesh: 0 }];
    },
    'brings the scene to 2 triangles, lines and points; at most 1 (maxTriangles)',
    'LIMIT_EXCEEDED',
    { maxTriangles: 1 },
  ),
  edited(
    'more instances than allowed',
    (json) => {
      json.accessors.push({ componentType: FLOAT, count: 11e6, type: 'VEC3' });
      json.nodes[0].extensions = { EXT_mesh_gpu_instancing: { attributes: { SCALE: 2 } } };
    },
    'at most 10000000 (maxTriangles)',
    'LIMIT_EXCEEDED',
  ),
  edited(
    'too many draws',
    (json) => {
      json.meshes[0].primitives = Array(50).fill(json.meshes[0].primitives[0]);
    },
    'scene: more than 10 draws (maxDraws)',
    'LIMIT_EXCEEDED',
    { maxDraws: 10 },
  ),
  edited(
    'a list that is too long',
    (json) => {
      json.nodes = Array(300_000).fill({});
    },
    'nodes: 300000 elements; at most 200000 (maxElements)',
    'LIMIT_EXCEEDED',
  ),
  edited(
    'too many joints',
    (json) => {
      json.skins = [{ joints: Array(129).fill(0) }];
    },
    'skins[0].joints: 129 joints; at most 128',
    'LIMIT_EXCEEDED',
  ),
  edited(
    'a joint that is named twice',
    (json) => {
      json.skins = [{ joints: [0, 0] }];
    },
    'skins[0].joints: names a node twice',
  ),
  edited(
    'a scene that names a child',
    (json) => {
      json.nodes = [{ mesh: 0, children: [1] }, {}];
      json.scenes[0].nodes = [0, 1];
    },
    'scenes[0].nodes[1]: node 1 is a child of node 0',
  ),
  edited(
    'an image that was not given',
    (json) => {
      json.images = [{ uri: 'constructor' }];
    },
    'images[0].uri: "constructor" is neither a data: URI nor among the given files',
  ),
  edited(
    'animation values that do not match their keys',
    (json) => {
      json.accessors.push({ bufferView: 0, componentType: FLOAT, count: 2, type: 'SCALAR' });
      json.animations = [
        {
          samplers: [{ input: 2, output: 0 }],
          channels: [{ sampler: 0, target: { node: 0, path: 'scale' } }],
        },
      ];
    },
    'animations[0].samplers[0].output: 3 values for 2 keys, not 2',
  ),
];

const IMAGE_CASES: BadCase[] = [
  {
    name: 'a PNG of 30000×30000',
    bytes: () => textured(pngHeader(30000, 30000)),
    code: 'LIMIT_EXCEEDED',
    message: 'images[0]: 30000×30000 texels; at most 8192 each way (maxTextureEdgePx)',
  },
  {
    name: 'a JPEG of 60000×60000',
    bytes: () => textured(jpegHeader(60000, 60000)),
    code: 'MODEL_INVALID',
    message: 'bytes are too few for a JPEG of 60000×60000',
  },
  {
    name: 'a JPEG of 60000×1',
    bytes: () => textured(Buffer.concat([jpegHeader(60000, 1), new Uint8Array(2000)])),
    code: 'LIMIT_EXCEEDED',
    message: 'images[0]: 60000×1 texels; at most 8192 each way',
  },
  {
    name: 'more texels than allowed',
    bytes: () => textured(pngHeader(8000, 8000)),
    code: 'LIMIT_EXCEEDED',
    message: 'images[0]: brings the images to 64000000 texels; at most 1000000 (maxTextureTexels)',
    limits: { maxTextureTexels: 1_000_000 },
  },
  {
    name: 'a PNG of no size',
    bytes: () => textured(pngHeader(0, 5)),
    message: 'images[0]: size 0×5',
  },
  {
    name: 'a PNG without pixels',
    bytes: () => textured(pngHeader(5, 5)),
    message: 'images[0]: the PNG is damaged',
  },
  {
    name: 'an image of another kind',
    bytes: () => textured(new TextEncoder().encode('GIF89a and so on')),
    message: 'images[0]: the bytes are no PNG, JPEG, WebP, AVIF or KTX2',
  },
  {
    name: 'a WebP without an image',
    bytes: () => textured(new TextEncoder().encode('RIFF....WEBPVP8 ')),
    code: 'MODEL_INVALID',
    message: 'images[0]: the WebP is damaged: there is no image',
  },
];

describe('importGltf on bad models', () => {
  const options = { widthPx: 64, heightPx: 64 };

  it('accepts the triangle that the cases are derived from', async () => {
    const { frame, warnings } = await importGltf({ kind: 'glb', bytes: triangle() }, options);
    expect(frame.passes[0].draws).toHaveLength(1);
    expect(warnings).toEqual([]);
  });

  it.each([...CONTAINER_CASES, ...JSON_CASES, ...IMAGE_CASES])(
    'refuses $name at once',
    async ({ bytes, code = 'MODEL_INVALID', message, limits = {} }) => {
      const source: GltfSource = { kind: 'glb', bytes: bytes() };
      const start = process.cpuUsage();
      const refusal = await importGltf(source, { ...options, limits }).catch((error) => error);
      const { user, system } = process.cpuUsage(start);
      expect(refusal).toMatchObject({
        name: 'RenderError',
        code,
        message: expect.stringContaining(message),
      });
      expect(refusal.message).not.toContain('\n');
      expect((user + system) / 1000).toBeLessThan(MAX_REFUSAL_MS);
    },
  );

  it.each([
    { choice: { cameraIndex: 0 }, message: 'camera: 0 does not exist; the model has 0 cameras' },
    { choice: { sceneIndex: 4 }, message: 'scene: 4 does not exist; the model has 1 scenes' },
    {
      choice: { animationIndex: 1 },
      message: 'animation: 1 does not exist; the model has 0 animations',
    },
    { choice: { timeSeconds: Number.NaN }, message: 'time: NaN is not a finite number' },
  ])('refuses an option that the model cannot meet: $message', async ({ choice, message }) => {
    const source: GltfSource = { kind: 'glb', bytes: triangle() };
    await expect(importGltf(source, { ...options, ...choice })).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      message,
    });
  });
});

describe('importGltf on damaged bytes', () => {
  it('throws nothing but RenderError whatever bytes are changed', async () => {
    const original = triangle((json) => {
      json.accessors[0].sparse = {
        count: 1,
        indices: { bufferView: 1, componentType: UNSIGNED_SHORT },
        values: { bufferView: 0 },
      };
      json.cameras = [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }];
    });
    let state = 12345;
    const next = (limit: number): number => {
      state = (Math.imul(state, 1103515245) + 12345) >>> 0;
      return Math.floor((state / 4294967296) * limit);
    };
    for (let round = 0; round < 500; round++) {
      const bytes = original.slice();
      for (let change = 0; change <= round % 4; change++) bytes[next(bytes.length)] = next(256);
      await importGltf({ kind: 'glb', bytes }, { widthPx: 8, heightPx: 8 }).catch((error) => {
        expect(error, `round ${round}`).toHaveProperty('name', 'RenderError');
      });
    }
  });
});
