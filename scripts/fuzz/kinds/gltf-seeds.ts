/**
 * Undamaged models: geometry, images, animation, skins and extensions. Compressed geometry is in
 * the corpus.
 */
import { type ModelGlbOptions, makeModelGlb } from '@tessera/scenes/model-writer';
import { PNG } from 'pngjs';

type Document = Parameters<NonNullable<ModelGlbOptions['edit']>>[0];

/** Returns the models, as .glb files and as the JSON of a .gltf. */
export async function makeGltfSeeds(): Promise<Uint8Array[]> {
  const image = PNG.sync.write(new PNG({ width: 4, height: 4 }));
  return [
    await makeModelGlb(),
    await makeModelGlb({
      texCoords: [0, 0, 1, 0, 0, 1],
      normals: [0, 0, 1, 0, 0, 1, 0, 0, 1],
      indices: [0, 1, 2],
      alphaMode: 'MASK',
      baseColorImage: { mimeType: 'image/png', bytes: image },
    }),
    await makeModelGlb({ edit: addAnimation }),
    makeExtensionsGltf(image),
  ];
}

/** Adds a morph target, a skin, an animation and a camera. */
function addAnimation(document: Document): void {
  const root = document.getRoot();
  const buffer = root.listBuffers()[0]!;
  const accessor = (type: 'SCALAR' | 'VEC3' | 'VEC4' | 'MAT4', values: number[]) =>
    document.createAccessor().setType(type).setArray(Float32Array.from(values)).setBuffer(buffer);
  const [node] = root.listNodes();
  const primitive = root.listMeshes()[0]!.listPrimitives()[0]!;
  const places = accessor('VEC3', [0, 0, 0.5, 0, 0, 0, 0, 0.5, 0]);
  primitive.addTarget(document.createPrimitiveTarget().setAttribute('POSITION', places));
  root.listMeshes()[0]!.setWeights([0.5]);
  const joints = document
    .createAccessor()
    .setType('VEC4')
    .setArray(new Uint8Array(12))
    .setBuffer(buffer);
  primitive.setAttribute('JOINTS_0', joints);
  const weights = Array.from({ length: 12 }, (_, i) => (i % 4 === 0 ? 1 : 0));
  primitive.setAttribute('WEIGHTS_0', accessor('VEC4', weights));
  const joint = document.createNode('joint').setTranslation([0, 1, 0]);
  node!.addChild(joint);
  const identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
  const skin = document.createSkin().addJoint(joint);
  node!.setSkin(skin.setInverseBindMatrices(accessor('MAT4', identity)));
  const sampler = document
    .createAnimationSampler()
    .setInput(accessor('SCALAR', [0, 1]))
    .setOutput(accessor('VEC3', [0, 0, 0, 1, 0, 0]));
  const channel = document
    .createAnimationChannel()
    .setTargetNode(joint)
    .setTargetPath('translation')
    .setSampler(sampler);
  document.createAnimation().addSampler(sampler).addChannel(channel);
  const camera = document.createCamera().setType('perspective').setYFov(1).setZNear(0.1);
  root.listScenes()[0]!.addChild(document.createNode().setCamera(camera));
}

/**
 * Returns the JSON of a model with extensions, whose bytes are data URIs. One function because it
 * is one value.
 */
function makeExtensionsGltf(image: Uint8Array): Uint8Array {
  const positions = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0);
  const uri = (type: string, bytes: Uint8Array) =>
    `data:${type};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`;
  const texture = {
    index: 0,
    texCoord: 0,
    extensions: { KHR_texture_transform: { scale: [2, 1] } },
  };
  const json = {
    asset: { version: '2.0', minVersion: '2.0' },
    extensionsUsed: ['KHR_materials_clearcoat', 'KHR_lights_punctual', 'KHR_xmp'],
    extensionsRequired: ['KHR_texture_transform'],
    extensions: {
      KHR_lights_punctual: {
        lights: [
          { type: 'spot', color: [1, 1, 1], intensity: 2, range: 9, spot: { innerConeAngle: 0.1 } },
          { type: 'point' },
        ],
      },
      KHR_materials_variants: { variants: [{ name: 'red' }, { name: 'blue' }] },
    },
    scene: 0,
    scenes: [{ nodes: [0, 1, 2] }],
    nodes: [
      {
        mesh: 0,
        rotation: [0, 0, 0, 1],
        scale: [1, 1, 1],
        extensions: {
          EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 0 } },
          KHR_node_visibility: { visible: true },
        },
      },
      { matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1], camera: 0 },
      { extensions: { KHR_lights_punctual: { light: 0 } } },
    ],
    cameras: [{ type: 'orthographic', orthographic: { xmag: 1, ymag: 1, znear: 0, zfar: 9 } }],
    meshes: [
      {
        primitives: [
          {
            mode: 4,
            attributes: { POSITION: 0, TEXCOORD_0: 1 },
            material: 0,
            extensions: {
              KHR_materials_variants: { mappings: [{ material: 0, variants: [0, 1] }] },
            },
          },
        ],
      },
    ],
    materials: [
      {
        pbrMetallicRoughness: {
          baseColorTexture: texture,
          metallicRoughnessTexture: { index: 0 },
          metallicFactor: 0.5,
        },
        normalTexture: { index: 0, scale: 1 },
        occlusionTexture: { index: 0, strength: 1 },
        emissiveTexture: { index: 0 },
        emissiveFactor: [0, 0, 1],
        alphaMode: 'BLEND',
        alphaCutoff: 0.5,
        extensions: {
          KHR_materials_clearcoat: {
            clearcoatFactor: 1,
            clearcoatNormalTexture: { index: 0, scale: 1 },
          },
          KHR_materials_sheen: { sheenColorFactor: [1, 1, 1] },
          KHR_materials_iridescence: { iridescenceFactor: 1 },
          KHR_materials_volume: { attenuationColor: [1, 1, 1], attenuationDistance: 1 },
        },
      },
    ],
    textures: [{ source: 0, sampler: 0 }],
    samplers: [{ magFilter: 9728, minFilter: 9987, wrapS: 33071, wrapT: 33648 }],
    images: [{ uri: uri('image/png', image) }],
    accessors: [
      {
        bufferView: 0,
        componentType: 5126,
        count: 3,
        type: 'VEC3',
        min: [0, 0, 0],
        max: [1, 1, 0],
      },
      {
        componentType: 5126,
        count: 3,
        type: 'VEC2',
        sparse: {
          count: 1,
          indices: { bufferView: 0, componentType: 5121 },
          values: { bufferView: 0 },
        },
      },
      { bufferView: 0, componentType: 5126, count: 2, type: 'SCALAR', normalized: false },
    ],
    bufferViews: [{ buffer: 0, byteOffset: 0, byteLength: 36, byteStride: 12, target: 34962 }],
    buffers: [
      { byteLength: 36, uri: uri('application/octet-stream', new Uint8Array(positions.buffer)) },
    ],
    animations: [
      {
        samplers: [{ input: 2, output: 0, interpolation: 'STEP' }],
        channels: [
          {
            sampler: 0,
            target: {
              path: 'pointer',
              extensions: { KHR_animation_pointer: { pointer: '/nodes/0/translation' } },
            },
          },
        ],
      },
    ],
  };
  return new TextEncoder().encode(JSON.stringify(json));
}
