import { describe, expect, it } from 'vitest';
import { packGlb } from '../model-writer/pack-glb.ts';
import { importGltf } from './import-gltf.ts';

const SIZE = { widthPx: 32, heightPx: 32 };

// biome-ignore lint/suspicious/noExplicitAny: the cases put values of wrong types into it on purpose
type LooseJson = any;

/** Returns a model of two triangles whose materials are red, green and blue. */
function shoe(edit: (json: LooseJson) => void = () => {}): Uint8Array {
  const material = (...baseColorFactor: number[]) => ({
    pbrMetallicRoughness: { baseColorFactor },
  });
  const json: LooseJson = {
    asset: { version: '2.0' },
    extensionsUsed: ['KHR_materials_variants'],
    extensions: { KHR_materials_variants: { variants: [{ name: 'beach' }, { name: 'street' }] } },
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [
      {
        primitives: [
          {
            attributes: { POSITION: 0 },
            material: 0,
            extensions: {
              KHR_materials_variants: {
                mappings: [
                  { material: 1, variants: [0] },
                  { material: 2, variants: [1] },
                ],
              },
            },
          },
          { attributes: { POSITION: 0 }, material: 0 },
        ],
      },
    ],
    materials: [material(1, 0, 0, 1), material(0, 1, 0, 1), material(0, 0, 1, 1)],
    accessors: [{ componentType: 5126, count: 3, type: 'VEC3' }],
  };
  edit(json);
  return packGlb(json);
}

async function colorsOf(bytes: Uint8Array, options = {}): Promise<number[][]> {
  const { frame, warnings } = await importGltf({ kind: 'glb', bytes }, { ...SIZE, ...options });
  expect(warnings).toEqual([]);
  return frame.passes[0].draws.map(({ uniforms }) => [...uniforms.u_baseColorFactor]);
}

describe('chooseVariant', () => {
  it.each([
    { variant: undefined, first: [1, 0, 0, 1] },
    { variant: 'beach', first: [0, 1, 0, 1] },
    { variant: 'street', first: [0, 0, 1, 1] },
  ])('gives primitives the materials of $variant', async ({ variant, first }) => {
    expect(await colorsOf(shoe(), { variant })).toEqual([first, [1, 0, 0, 1]]);
  });

  it('names the variants that exist', async () => {
    await expect(colorsOf(shoe(), { variant: 'night' })).rejects.toMatchObject({
      code: 'REQUEST_INVALID',
      message: 'variant: "night" does not exist; the model has "beach", "street"',
    });
    const plain = shoe((json) => {
      delete json.extensions;
      delete json.meshes[0].primitives[0].extensions;
    });
    await expect(colorsOf(plain, { variant: 'night' })).rejects.toThrow(
      'the model has no variants',
    );
  });

  const place = 'meshes[0].primitives[0].extensions.KHR_materials_variants.mappings';
  it.each([
    {
      edit: (_json: LooseJson, mappings: LooseJson[]) => mappings[0].variants.push(2),
      message: `${place}[0].variants[1]: index 2 is out of range: there are 2 variants`,
    },
    {
      edit: (_json: LooseJson, mappings: LooseJson[]) => mappings[0].variants.push(1),
      message: `${place}[1].variants[0]: the primitive has variant 1 twice`,
    },
    {
      edit: (_json: LooseJson, mappings: LooseJson[]) =>
        Object.assign(mappings[0], { material: 3 }),
      message: `${place}[0].material: index 3 is out of range: there are 3 materials`,
    },
    {
      edit: (json: LooseJson) => delete json.extensions,
      message: `${place}[0].variants[0]: index 0 is out of range: there are 0 variants`,
    },
    {
      edit: (json: LooseJson) => {
        json.extensions.KHR_materials_variants.variants[1] = {};
      },
      message: 'extensions.KHR_materials_variants.variants[1]: name is missing',
    },
  ])('rejects a model: $message', async ({ edit, message }) => {
    const bytes = shoe((json) => {
      edit(json, json.meshes[0].primitives[0].extensions.KHR_materials_variants.mappings);
    });
    await expect(colorsOf(bytes)).rejects.toMatchObject({ code: 'MODEL_INVALID', message });
  });
});
