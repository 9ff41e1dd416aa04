/** glTF models: the JSON as a value, its text, the container and the binary chunk. */
import { importGltf } from '@tessera/scenes';
import { makeModelGlb, packGlb } from '@tessera/scenes/model-writer';
import { PNG } from 'pngjs';
import type { FuzzKind } from './fuzz-kind.ts';
import { mutateBytes } from './mutate-bytes.ts';
import { mutateValue } from './mutate-value.ts';
import { refusalCode } from './refusals.ts';

const GLB_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;

interface Seed {
  readonly json: unknown;
  readonly binary: Uint8Array;
  readonly whole: Uint8Array;
}

/** Makes the kind with its undamaged models. */
export async function gltfKind(): Promise<FuzzKind> {
  const seeds = (await makeModels()).map(takeApart);
  const size = { widthPx: 32, heightPx: 16 };
  return {
    make: (random) => {
      const { json, binary, whole } = random.pick(seeds);
      switch (random.integer(0, 4)) {
        case 0:
          return mutateBytes(whole, random.pick(seeds).whole, random);
        case 1:
          return packGlb(json as object, mutateBytes(binary, random.pick(seeds).binary, random));
        default:
          return packGlb(mutateValue(json, random) as object, binary);
      }
    },
    follow: async (input) => {
      try {
        await importGltf({ kind: 'glb', bytes: input }, { ...size, timeSeconds: 0.5 });
        return 'imported';
      } catch (error) {
        return refusalCode(error);
      }
    },
  };
}

async function makeModels(): Promise<Uint8Array[]> {
  const image = PNG.sync.write(Object.assign(new PNG({ width: 4, height: 4 })));
  return [
    await makeModelGlb(),
    await makeModelGlb({
      texCoords: [0, 0, 1, 0, 0, 1],
      normals: [0, 0, 1, 0, 0, 1, 0, 0, 1],
      indices: [0, 1, 2],
      alphaMode: 'MASK',
      baseColorImage: { mimeType: 'image/png', bytes: image },
    }),
    await makeModelGlb({
      edit: (document) => {
        const root = document.getRoot();
        const buffer = root.listBuffers()[0]!;
        const accessor = (type: 'SCALAR' | 'VEC3' | 'VEC4' | 'MAT4', values: number[]) =>
          document
            .createAccessor()
            .setType(type)
            .setArray(Float32Array.from(values))
            .setBuffer(buffer);
        const [node] = root.listNodes();
        const primitive = root.listMeshes()[0]!.listPrimitives()[0]!;
        const places = accessor('VEC3', [0, 0, 0.5, 0, 0, 0, 0, 0.5, 0]);
        primitive.addTarget(document.createPrimitiveTarget().setAttribute('POSITION', places));
        root.listMeshes()[0]!.setWeights([0.5]);
        const joints = document
          .createAccessor()
          .setType('VEC4')
          .setArray(Uint8Array.from({ length: 12 }, () => 0))
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
      },
    }),
  ];
}

function takeApart(whole: Uint8Array): Seed {
  const view = new DataView(whole.buffer, whole.byteOffset);
  const start = GLB_HEADER_BYTES + CHUNK_HEADER_BYTES;
  const end = start + view.getUint32(GLB_HEADER_BYTES, true);
  const json: unknown = JSON.parse(new TextDecoder().decode(whole.subarray(start, end)));
  return { json, binary: whole.subarray(end + CHUNK_HEADER_BYTES), whole };
}
