import { validateFrame } from '@tessera/frame';
import { describe, expect, it } from 'vitest';
import { packGlb } from '../model-writer/pack-glb.ts';
import { importGltf, openGltf } from './import-gltf.ts';

const SIZE = { widthPx: 64, heightPx: 64 };
const FLOAT = 5126;
const UNSIGNED_BYTE = 5121;

// biome-ignore lint/suspicious/noExplicitAny: the cases put values of wrong types into it on purpose
type LooseJson = any;

interface Channel {
  readonly pointer: string;
  readonly type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4';
  /** Values of the keys at 0 s and 2 s. */
  readonly values: readonly number[];
  readonly isByte?: boolean;
  readonly interpolation?: 'STEP' | 'LINEAR' | 'CUBICSPLINE';
}

/** Returns a model of one triangle that channels animate from 0 s to 2 s. */
function animatedModel(
  channels: readonly Channel[],
  edit: (json: LooseJson) => void = () => {},
): Uint8Array {
  const parts: Uint8Array[] = [];
  const bufferViews: object[] = [];
  const accessors: object[] = [];
  let byteOffset = 0;
  const add = (values: readonly number[], type: string, isByte = false): number => {
    const width = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4 }[type] ?? 0;
    const array = isByte ? Uint8Array.from(values) : Float32Array.from(values);
    const bytes = new Uint8Array(Math.ceil(array.byteLength / 4) * 4);
    bytes.set(new Uint8Array(array.buffer));
    parts.push(bytes);
    bufferViews.push({ buffer: 0, byteOffset, byteLength: array.byteLength });
    byteOffset += bytes.length;
    const componentType = isByte ? UNSIGNED_BYTE : FLOAT;
    const view = bufferViews.length - 1;
    accessors.push({ bufferView: view, componentType, count: values.length / width, type });
    return accessors.length - 1;
  };
  const position = add([0, 0, 0, 1, 0, 0, 0, 1, 0], 'VEC3');
  const texCoord = add([0, 0, 1, 0, 0, 1], 'VEC2');
  const morph = add([0, 0, 1, 0, 0, 1, 0, 0, 1], 'VEC3');
  const times = add([0, 2], 'SCALAR');
  const samplers = channels.map(({ values, type, isByte, interpolation }) => ({
    input: times,
    output: add(values, type, isByte),
    ...(interpolation === undefined ? {} : { interpolation }),
  }));
  const png =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const json: LooseJson = {
    asset: { version: '2.0' },
    extensionsUsed: ['KHR_animation_pointer'],
    scenes: [{ nodes: [0, 1] }],
    nodes: [{ mesh: 0, children: [2] }, { camera: 0, translation: [0, 0, 5] }, { mesh: 0 }],
    cameras: [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }],
    meshes: [
      {
        primitives: [
          {
            attributes: { POSITION: position, NORMAL: morph, TEXCOORD_0: texCoord },
            material: 0,
            targets: [{ POSITION: morph }],
          },
        ],
      },
    ],
    materials: [
      {
        pbrMetallicRoughness: {
          baseColorTexture: {
            index: 0,
            extensions: { KHR_texture_transform: { offset: [0, 0] } },
          },
        },
        emissiveFactor: [1, 1, 1],
        extensions: { KHR_materials_emissive_strength: {} },
      },
    ],
    textures: [{ source: 0 }],
    images: [{ uri: `data:image/png;base64,${png}` }],
    animations: [
      {
        samplers,
        channels: channels.map(({ pointer }, sampler) => ({
          sampler,
          target: { path: 'pointer', extensions: { KHR_animation_pointer: { pointer } } },
        })),
      },
    ],
    accessors,
    bufferViews,
    buffers: [{ byteLength: byteOffset }],
  };
  edit(json);
  return packGlb(json, new Uint8Array(Buffer.concat(parts)));
}

async function drawsAt(bytes: Uint8Array, timeSeconds: number, options = {}) {
  const source = { kind: 'glb', bytes } as const;
  const { frame } = await importGltf(source, { ...SIZE, timeSeconds, ...options });
  validateFrame(frame);
  return frame.passes[0].draws;
}

describe('animateProperties', () => {
  it.each([
    {
      pointer: '/materials/0/pbrMetallicRoughness/baseColorFactor',
      type: 'VEC4' as const,
      values: [1, 0, 0, 1, 0, 1, 0.5, 1],
      uniform: 'u_baseColorFactor',
      middle: [0.5, 0.5, 0.25, 1],
    },
    {
      pointer: '/materials/0/pbrMetallicRoughness/roughnessFactor',
      type: 'SCALAR' as const,
      values: [0.25, 0.75],
      uniform: 'u_roughnessFactor',
      middle: [0.5],
    },
    {
      pointer: '/materials/0/extensions/KHR_materials_emissive_strength/emissiveStrength',
      type: 'SCALAR' as const,
      values: [1, 4],
      uniform: 'u_emissiveFactor',
      middle: [2.5, 2.5, 2.5],
    },
    {
      pointer:
        '/materials/0/pbrMetallicRoughness/baseColorTexture/extensions/KHR_texture_transform/offset',
      type: 'VEC2' as const,
      values: [0, 0, 4, 8],
      uniform: 'u_baseColorTexCoordMatrix',
      middle: [1, 0, 0, 0, 1, 0, 2, 4, 1],
    },
    {
      pointer: '/nodes/0/translation',
      type: 'VEC3' as const,
      values: [0, 0, 0, 2, 4, 6],
      uniform: 'u_model',
      middle: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 2, 3, 1],
    },
    {
      pointer: '/nodes/0/rotation',
      type: 'VEC4' as const,
      values: [0, 0, 0, 1, 0, 0, 1, 0],
      uniform: 'u_model',
      // A quarter turn, which a linear interpolation of quaternions gives without unit length.
      middle: [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
    },
    {
      pointer: '/meshes/0/weights',
      type: 'SCALAR' as const,
      values: [0.5, 1],
      uniform: 'u_morphWeights[0]',
      middle: [0.75],
    },
  ])('animates $pointer', async ({ uniform, middle, ...channel }) => {
    const [draw] = await drawsAt(animatedModel([channel]), 1);
    const values = [...draw.uniforms[uniform]];
    expect(values).toHaveLength(middle.length);
    values.forEach((value, i) => {
      expect(value).toBeCloseTo(middle[i], 5);
    });
  });

  it('gives the same frame as channels of nodes', async () => {
    const channel = {
      pointer: '/nodes/0/rotation',
      type: 'VEC4',
      values: [0.6, 0, 0, 0.8, 0, 0.8, 0, 0.6],
    } as const;
    const byNode = animatedModel([channel], (json) => {
      json.animations[0].channels[0].target = { node: 0, path: 'rotation' };
    });
    expect(await drawsAt(animatedModel([channel]), 0.7)).toEqual(await drawsAt(byNode, 0.7));
  });

  it('animates the camera', async () => {
    const bytes = animatedModel([
      { pointer: '/cameras/0/perspective/yfov', type: 'SCALAR', values: [1, 2] },
    ]);
    const still = animatedModel([], (json) => {
      json.cameras[0].perspective.yfov = 1.5;
    });
    const options = { cameraIndex: 0 };
    expect(await drawsAt(bytes, 1, options)).toEqual(await drawsAt(still, 1, options));
  });

  it('hides nodes and their children while they are not visible', async () => {
    const bytes = animatedModel(
      [
        {
          pointer: '/nodes/0/extensions/KHR_node_visibility/visible',
          type: 'SCALAR',
          values: [1, 0],
          isByte: true,
          interpolation: 'STEP',
        },
      ],
      (json) => {
        json.nodes[0].extensions = { KHR_node_visibility: {} };
      },
    );
    expect(await drawsAt(bytes, 1.9)).toHaveLength(2);
    expect(await drawsAt(bytes, 2)).toHaveLength(0);
  });

  it('hides only what is not visible without an animation', async () => {
    const visible = (node: number, isVisible: boolean) =>
      animatedModel([], (json) => {
        json.nodes[node].extensions = { KHR_node_visibility: { visible: isVisible } };
      });
    expect(await drawsAt(visible(2, true), 0)).toHaveLength(2);
    expect(await drawsAt(visible(2, false), 0)).toHaveLength(1);
    expect(await drawsAt(visible(0, false), 0)).toHaveLength(0);
    // Cameras are not affected.
    const hiddenCamera = visible(1, false);
    expect(await drawsAt(hiddenCamera, 0, { cameraIndex: 0 })).toHaveLength(2);
  });

  it('leaves the opened model as it is', async () => {
    const bytes = animatedModel([
      {
        pointer: '/materials/0/pbrMetallicRoughness/metallicFactor',
        type: 'SCALAR',
        values: [0, 1],
      },
    ]);
    const importFrame = await openGltf({ kind: 'glb', bytes });
    const at = async (timeSeconds: number) => {
      const { frame } = await importFrame({ ...SIZE, timeSeconds });
      const [draw] = frame.passes[0].draws;
      return { metallic: draw.uniforms.u_metallicFactor, texels: frame.textures[0].levels[0] };
    };
    const [first, last, again] = [await at(0), await at(2), await at(0)];
    expect([first.metallic, last.metallic, again.metallic]).toEqual([[0], [1], [0]]);
    // Images are decoded once.
    expect(last.texels).toBe(first.texels);
  });

  it('warns of a property that no image depends on', async () => {
    const bytes = animatedModel([{ pointer: '/extras/speed', type: 'SCALAR', values: [0, 1] }]);
    const { warnings } = await importGltf({ kind: 'glb', bytes }, SIZE);
    expect(warnings).toEqual([
      'animations[0].channels[0].target.extensions.KHR_animation_pointer.pointer: /extras/speed is not animated',
    ]);
  });

  const base = { type: 'SCALAR', values: [0, 1] } as const;
  const target = 'animations[0].channels[0].target';
  const place = `${target}.extensions.KHR_animation_pointer.pointer`;
  it.each([
    { pointer: 'materials/0', message: `${place}: "materials/0" is not a JSON pointer` },
    { pointer: '/materials/0/~2', message: `${place}: "/materials/0/~2" is not a JSON pointer` },
    { pointer: '/materials/1/alphaCutoff', message: `${place}: /materials/1/alphaCutoff does not` },
    { pointer: '/nodes/0/__proto__', message: `${place}: /nodes/0/__proto__ does not exist` },
    { pointer: '/nodes/0/__proto__/x', message: `${place}: /nodes/0/__proto__/x does not exist` },
    { pointer: '/nodes/0/constructor', message: `${place}: /nodes/0/constructor does not exist` },
    { pointer: '/nodes/length', message: `${place}: /nodes/length does not exist` },
    { pointer: '/nodes/3', message: `${place}: /nodes/3 does not exist` },
    { pointer: '/nodes', message: 'nodes[0]: 0.5 is not an object' },
    { pointer: '/nodes/0/mesh', message: 'nodes[0].mesh: 0.5 is not an integer' },
    { pointer: '/nodes/0/rotation', message: 'samplers[0].output: is SCALAR, but' },
    { pointer: '/meshes/0/primitives/0/attributes/POSITION', message: 'POSITION: 0.5 is not an' },
  ])('rejects the pointer $pointer', async ({ pointer, message }) => {
    await expect(drawsAt(animatedModel([{ ...base, pointer }]), 1)).rejects.toMatchObject({
      code: 'MODEL_INVALID',
      message: expect.stringContaining(message),
    });
  });

  it.each([
    {
      name: 'a value that is not valid for the property',
      channel: { pointer: '/materials/0/pbrMetallicRoughness/metallicFactor', values: [0, 4] },
      message: 'materials[0].pbrMetallicRoughness.metallicFactor: 2 is not from 0 to 1',
    },
    {
      name: 'values that do not fit the keys',
      channel: { pointer: '/materials/0/alphaCutoff', values: [0, 1, 2] },
      message: 'animations[0].samplers[0].output: 3 values are not a multiple of 2, for the keys',
    },
    {
      name: 'values that are not finite',
      channel: { pointer: '/materials/0/alphaCutoff', values: [0, Number.NaN] },
      message: 'animations[0].samplers[0].output: value NaN at index 1 is not finite',
    },
  ])('rejects $name', async ({ channel, message }) => {
    const bytes = animatedModel([{ ...channel, type: 'SCALAR' }]);
    await expect(drawsAt(bytes, 1)).rejects.toMatchObject({ code: 'MODEL_INVALID', message });
  });

  it.each([
    { edit: { node: 0 }, message: `${target}.node: must not be given with a pointer` },
    { edit: { path: 'rotation' }, message: `${target}.path: "rotation" is not one of pointer` },
  ])('rejects a pointer with $edit', async ({ edit, message }) => {
    const pointer = '/materials/0/alphaCutoff';
    const bytes = animatedModel([{ ...base, pointer }], (json) => {
      Object.assign(json.animations[0].channels[0].target, edit);
    });
    await expect(drawsAt(bytes, 1)).rejects.toMatchObject({ code: 'MODEL_INVALID', message });
  });
});
