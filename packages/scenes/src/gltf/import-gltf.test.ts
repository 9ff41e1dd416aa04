import type { Document } from '@gltf-transform/core';
import { type Draw, type Frame, validateFrame } from '@tessera/frame';
import { describe, expect, it, vi } from 'vitest';
import { type ModelGlbOptions, makeModelGlb } from '../model-writer/make-model-glb.ts';
import { type ImportGltfOptions, importGltf, openGltf } from './import-gltf.ts';

const SIZE = { widthPx: 320, heightPx: 180 };

async function frameOf(
  model: ModelGlbOptions,
  options: Partial<ImportGltfOptions> = {},
): Promise<Frame> {
  const bytes = await makeModelGlb(model);
  const { frame } = await importGltf({ kind: 'glb', bytes }, { ...SIZE, ...options });
  validateFrame(frame);
  return frame;
}

async function drawsOf(
  edit: (document: Document) => void,
  options: Partial<ImportGltfOptions> = {},
): Promise<readonly Draw[]> {
  return (await frameOf({ edit }, options)).passes[0].draws;
}

const meshNode = (document: Document) => document.getRoot().listNodes()[0];
const primitiveOf = (document: Document) => document.getRoot().listMeshes()[0].listPrimitives()[0];

/** Returns the floats of a matrix or vector uniform. */
const uniform = (draw: Draw, name: string): number[] => [...draw.uniforms[name]];

/** Adds a morph target and an animation of its weight from 0 to 1 in 2 s. */
function addMorph(document: Document): void {
  const buffer = document.getRoot().listBuffers()[0];
  const accessor = (type: 'SCALAR' | 'VEC3', values: number[]) =>
    document.createAccessor().setType(type).setArray(Float32Array.from(values)).setBuffer(buffer);
  const target = document
    .createPrimitiveTarget()
    .setAttribute('POSITION', accessor('VEC3', [0, 0, 10, 0, 0, 10, 0, 0, 10]));
  primitiveOf(document).addTarget(target);
  document.getRoot().listMeshes()[0].setWeights([0]);
  const sampler = document
    .createAnimationSampler()
    .setInput(accessor('SCALAR', [0, 2]))
    .setOutput(accessor('SCALAR', [0, 1]));
  const channel = document
    .createAnimationChannel()
    .setSampler(sampler)
    .setTargetNode(meshNode(document))
    .setTargetPath('weights');
  document.createAnimation().addSampler(sampler).addChannel(channel);
}

describe('importGltf', () => {
  it('passes the vertices of the file to the chiplet unchanged', async () => {
    const positions = [0, 0, 0, 2, 0, 0, 0, 3, 0];
    const frame = await frameOf({ positions, indices: [0, 1, 2] });
    const [draw] = frame.passes[0].draws;
    expect(draw).toMatchObject({ topology: 'triangles', first: 0, count: 3, instanceCount: 1 });
    const source = draw.attributes.a_position;
    if (source.kind !== 'buffer') throw new Error('positions are not in a buffer');
    const { bytes } = frame.buffers[source.bufferIndex];
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const read = positions.map((_, i) =>
      view.getFloat32(
        source.offsetBytes + Math.floor(i / 3) * source.strideBytes + (i % 3) * 4,
        true,
      ),
    );
    expect(read).toEqual(positions);
  });

  it('multiplies the transforms from the root down', async () => {
    const [draw] = await drawsOf((document) => {
      const child = meshNode(document).setTranslation([1, 0, 0]);
      const parent = document.createNode().addChild(child).setScale([2, 2, 2]);
      const scene = document.getRoot().listScenes()[0];
      scene.removeChild(child).addChild(parent);
    });
    expect(uniform(draw, 'u_model')).toEqual([2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 2, 0, 0, 1]);
  });

  it('reverses the front face of a mirroring node', async () => {
    const [plain] = await drawsOf(() => {});
    const [mirrored] = await drawsOf((document) => meshNode(document).setScale([-1, 1, 1]));
    const [turned] = await drawsOf((document) => meshNode(document).setScale([-1, -1, 1]));
    expect(plain.state).toMatchObject({ cullMode: 'back', frontFace: 'counter-clockwise' });
    expect(mirrored.state.frontFace).toBe('clockwise');
    expect(turned.state.frontFace).toBe('counter-clockwise');
  });

  it('culls nothing of a double-sided material', async () => {
    const frame = await frameOf({ isDoubleSided: true });
    expect(frame.passes[0].draws[0].state.cullMode).toBe('none');
  });

  it('draws blended surfaces last, the farthest first, without depth writes', async () => {
    const draws = await drawsOf((document) => {
      const mesh = document.getRoot().listMeshes()[0];
      const glass = document.createMaterial('glass').setAlphaMode('BLEND');
      const glassMesh = document
        .createMesh()
        .addPrimitive(primitiveOf(document).clone().setMaterial(glass));
      const scene = document.getRoot().listScenes()[0];
      scene.removeChild(meshNode(document));
      for (const z of [5, -5, 0]) {
        scene.addChild(document.createNode().setMesh(glassMesh).setTranslation([0, 0, z]));
      }
      scene.addChild(document.createNode().setMesh(mesh).setTranslation([0, 0, 9]));
    });
    expect(draws.map((draw) => uniform(draw, 'u_model')[14])).toEqual([9, -5, 0, 5]);
    expect(draws.map((draw) => draw.state.blend.isEnabled)).toEqual([false, true, true, true]);
    expect(draws.map((draw) => draw.state.depth.isWriteEnabled)).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(draws[1].state.depth.isTestEnabled).toBe(true);
  });

  it.each([
    [0, 'points'],
    [1, 'lines'],
    [2, 'line-loop'],
    [3, 'line-strip'],
    [4, 'triangles'],
    [5, 'triangle-strip'],
    [6, 'triangle-fan'],
  ] as const)('maps primitive mode %i to %s', async (mode, topology) => {
    const [draw] = await drawsOf((document) => primitiveOf(document).setMode(mode));
    expect(draw.topology).toBe(topology);
  });

  it('draws points without normals unlit and triangles without normals flat', async () => {
    const points = await frameOf({ edit: (document) => primitiveOf(document).setMode(0) });
    expect(points.programs[0].fragmentSource).toContain('#define IS_UNLIT');
    const triangles = await frameOf({});
    expect(triangles.programs[0].fragmentSource).not.toContain('#define IS_UNLIT');
    expect(triangles.programs[0].fragmentSource).not.toContain('#define HAS_NORMALS');
  });

  it('shares programs between surfaces of equal features', async () => {
    const frame = await frameOf({
      edit: (document) => {
        const other = document.createMaterial().setBaseColorFactor([0, 0, 1, 1]);
        document
          .getRoot()
          .listMeshes()[0]
          .addPrimitive(primitiveOf(document).clone().setMaterial(other));
      },
    });
    expect(frame.passes[0].draws).toHaveLength(2);
    expect(frame.programs).toHaveLength(1);
    expect(uniform(frame.passes[0].draws[1], 'u_baseColorFactor')).toEqual([0, 0, 1, 1]);
  });

  it('morphs in the vertex shader with the weights of the time', async () => {
    const [still] = await drawsOf(addMorph);
    expect(still.uniforms).not.toHaveProperty('u_morphWeights[0]');
    const [half] = await drawsOf(addMorph, { timeSeconds: 1 });
    expect(uniform(half, 'u_morphWeights[0]')).toEqual([0.5]);
    expect(half.attributes).toHaveProperty('a_morphPosition0');
    // The camera frames the morphed surface: it looks at its center, z between 0 and 5.
    expect(uniform(half, 'u_viewer')[2]).toBeGreaterThan(uniform(still, 'u_viewer')[2] + 2);
  });

  it('gives all frames of a model that is read once', async () => {
    const bytes = await makeModelGlb({ edit: addMorph });
    const importFrame = await openGltf({ kind: 'glb', bytes });
    for (const timeSeconds of [0, 1, 2, 0]) {
      const options = { ...SIZE, timeSeconds };
      expect(await importFrame(options)).toEqual(await importGltf({ kind: 'glb', bytes }, options));
    }
  });

  it('carries skinned vertices by joint matrices alone', async () => {
    const [draw] = await drawsOf((document) => {
      const buffer = document.getRoot().listBuffers()[0];
      const joint = document.createNode().setTranslation([0, 7, 0]);
      document.getRoot().listScenes()[0].addChild(joint);
      const bind = Float32Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -2, 0, 1);
      const matrices = document.createAccessor().setType('MAT4').setArray(bind).setBuffer(buffer);
      const skin = document.createSkin().addJoint(joint).setInverseBindMatrices(matrices);
      meshNode(document).setSkin(skin).setTranslation([100, 0, 0]);
      const of = (array: Uint8Array<ArrayBuffer> | Float32Array<ArrayBuffer>) =>
        document.createAccessor().setType('VEC4').setArray(array).setBuffer(buffer);
      const weights = Float32Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0);
      primitiveOf(document)
        .setAttribute('JOINTS_0', of(new Uint8Array(12)))
        .setAttribute('WEIGHTS_0', of(weights));
    });
    const joints = uniform(draw, 'u_joints[0]');
    expect(joints).toHaveLength(16 * 16);
    expect(joints.slice(12, 16)).toEqual([0, 5, 0, 1]);
    expect(draw.uniforms).not.toHaveProperty('u_model');
    expect(draw.attributes.a_joints).toMatchObject({ componentType: 'uint8', isNormalized: false });
  });

  it('warns of joints past the fourth of a vertex', async () => {
    const bytes = await makeModelGlb({
      edit: (document) => {
        const accessor = (array: Uint8Array<ArrayBuffer> | Float32Array<ArrayBuffer>) =>
          document
            .createAccessor()
            .setType('VEC4')
            .setArray(array)
            .setBuffer(document.getRoot().listBuffers()[0]);
        meshNode(document).setSkin(document.createSkin().addJoint(meshNode(document)));
        for (const set of [0, 1]) {
          primitiveOf(document)
            .setAttribute(`JOINTS_${set}`, accessor(new Uint8Array(12)))
            .setAttribute(`WEIGHTS_${set}`, accessor(new Float32Array(12).fill(0.125)));
        }
      },
    });
    const { warnings } = await importGltf({ kind: 'glb', bytes }, SIZE);
    expect(warnings).toEqual([
      'meshes[0].primitives[0]: JOINTS_1 and WEIGHTS_1 are ignored, only the first four joints are used',
    ]);
  });

  it('uses the model’s camera when asked to', async () => {
    const [draw] = await drawsOf(
      (document) => {
        const camera = document.createCamera().setType('orthographic').setXMag(4).setYMag(2);
        camera.setZNear(1).setZFar(11);
        const node = document.createNode().setCamera(camera).setTranslation([0, 0, 6]);
        document.getRoot().listScenes()[0].addChild(node);
      },
      { cameraIndex: 0 },
    );
    expect(uniform(draw, 'u_viewer')).toEqual([0, 0, 1, 0]);
    const matrix = uniform(draw, 'u_modelViewProjection');
    expect(matrix[5]).toBeCloseTo(1 / 2, 6);
    expect(matrix[0]).toBeCloseTo(1 / (2 * (320 / 180)), 6);
    expect(matrix[14]).toBeCloseTo(0, 6); // the origin is in the middle of 1 … 11
  });

  it('warns of extensions that it ignores', async () => {
    const bytes = await makeModelGlb();
    const text = new TextDecoder('latin1').decode(bytes);
    expect(text).toContain('"asset"');
    const json = {
      asset: { version: '2.0' },
      extensionsUsed: ['KHR_materials_sheen', 'KHR_materials_unlit', 'EXT_of_tests'],
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      accessors: [{ componentType: 5126, count: 3, type: 'VEC3' }],
    };
    const log = vi.spyOn(console, 'warn');
    const { warnings } = await importGltf(
      { kind: 'gltf', json: new TextEncoder().encode(JSON.stringify(json)) },
      SIZE,
    );
    expect(warnings).toEqual([
      'KHR_materials_sheen: ignored in simple quality',
      'EXT_of_tests: not supported, ignored',
    ]);
    expect(log).not.toHaveBeenCalled();
    log.mockRestore();
  });

  it('reads later minor versions as version 2.0, and ignores what they add', async () => {
    const read = async (asset: object, added: object) => {
      const json = {
        asset,
        scenes: [{ nodes: [0] }],
        nodes: [{ mesh: 0, ...added }],
        meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
        accessors: [{ componentType: 5126, count: 3, type: 'VEC3' }],
        ...added,
      };
      const bytes = new TextEncoder().encode(JSON.stringify(json));
      return importGltf({ kind: 'gltf', json: bytes }, SIZE);
    };
    const later = await read(
      { version: '2.1', minVersion: '2.0' },
      { light: { color: [1, 0, 0] } },
    );
    expect(later).toEqual(await read({ version: '2.0' }, {}));
  });

  it('ignores textures without an image, buffers without use, and their extensions', async () => {
    const use = { index: 0, texCoord: 1, extensions: { KHR_texture_transform: { scale: [2, 2] } } };
    const json = {
      asset: { version: '2.0', minVersion: '2.0' },
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
      materials: [
        {
          normalTexture: use,
          pbrMetallicRoughness: { baseColorFactor: [0, 1, 0, 1], baseColorTexture: use },
          extensions: { KHR_materials_clearcoat: { clearcoatTexture: use } },
        },
      ],
      textures: [{}],
      accessors: [{ bufferView: 0, componentType: 5126, count: 1, type: 'VEC3' }],
      bufferViews: [{ buffer: 0, byteLength: 12 }],
      buffers: [{ byteLength: 12, uri: 'data:text/plain,%00%00%80%3fABCDEFGH' }, { byteLength: 9 }],
    };
    const bytes = new TextEncoder().encode(JSON.stringify(json));
    const { frame, warnings } = await importGltf({ kind: 'gltf', json: bytes }, SIZE);
    expect(warnings).toEqual(['textures[0]: has no image, ignored']);
    expect(frame.textures).toEqual([]);
    expect([...frame.buffers[0].bytes]).toEqual([0, 0, 128, 63, 65, 66, 67, 68, 69, 70, 71, 72]);
    expect(uniform(frame.passes[0].draws[0], 'u_baseColorFactor')).toEqual([0, 1, 0, 1]);
  });

  it.each(['KHR_xmp', 'KHR_xmp_json_ld'])('notes %s, also if it is required', async (name) => {
    const json = {
      asset: { version: '2.0', extensions: { [name]: { packet: 0 } } },
      extensionsUsed: [name],
      extensionsRequired: [name],
      extensions: { [name]: { packets: [{ 'dc:title': 'Triangle' }] } },
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      accessors: [{ componentType: 5126, count: 3, type: 'VEC3' }],
    };
    const importJson = (value: object) =>
      importGltf({ kind: 'gltf', json: new TextEncoder().encode(JSON.stringify(value)) }, SIZE);
    const { frame, warnings } = await importJson(json);
    expect(warnings).toEqual([`${name}: information about the model, which no image depends on`]);
    const { extensionsUsed, extensionsRequired, extensions, ...plain } = json;
    expect(frame).toEqual((await importJson({ ...plain, asset: { version: '2.0' } })).frame);
  });

  it('produces the same frame every time', async () => {
    const options = { normals: [0, 0, 1, 0, 0, 1, 0, 0, 1] };
    expect(await frameOf(options)).toEqual(await frameOf(options));
  });
});
