/**
 * Reads a checked model with glTF-Transform. The library gets all bytes with the JSON, under names of ours,
 * so it never looks for a file or an address.
 */
import {
  type Document,
  type GLTF,
  type JSONDocument,
  Logger,
  type Node,
  type Property,
  type Root,
  WebIO,
} from '@gltf-transform/core';
import {
  EXTMeshGPUInstancing,
  KHRMaterialsEmissiveStrength,
  KHRMaterialsUnlit,
  KHRMeshQuantization,
  KHRTextureTransform,
} from '@gltf-transform/extensions';
import { RenderError } from '@tessera/frame';
import type { Matrix4 } from '../math/matrix.ts';
import { SUPPORTED_EXTENSIONS } from './check/check-extensions.ts';
import type { CheckedModel } from './check/check-model.ts';

/** A model as the library holds it. */
export interface Model {
  readonly root: Root;
  /**
   * The matrix of each node that the file places by one. The library takes a matrix apart into translation,
   * rotation and scale, which loses shear and rounds.
   */
  readonly matrices: ReadonlyMap<Node, Matrix4>;
  /** Place of a property in the JSON, for messages, such as `meshes[0].primitives[1]`. */
  readonly pathOf: (property: Property) => string;
}

const IO = new WebIO()
  .setLogger(new Logger(Logger.Verbosity.SILENT))
  .registerExtensions([
    EXTMeshGPUInstancing,
    KHRMaterialsEmissiveStrength,
    KHRMaterialsUnlit,
    KHRMeshQuantization,
    KHRTextureTransform,
  ]);

/** @throws {RenderError} MODEL_INVALID if the library refuses what the checks let pass. */
export async function readModel(checked: CheckedModel): Promise<Model> {
  let document: Document;
  try {
    document = await IO.readJSON(withResources(checked));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw new RenderError('MODEL_INVALID', `model: ${reason}`, { cause });
  }
  const root = document.getRoot();
  const matrices = new Map<Node, Matrix4>();
  root.listNodes().forEach((node, i) => {
    const matrix = checked.json.nodes?.[i].matrix;
    if (matrix !== undefined) matrices.set(node, matrix);
  });
  // The library would see 100 units far with a perspective camera that sees without end.
  root.listCameras().forEach((camera, i) => {
    const { perspective } = checked.json.cameras?.[i] ?? {};
    if (perspective && perspective.zfar === undefined) camera.setZFar(Number.POSITIVE_INFINITY);
  });
  const paths = listPaths(root);
  return { root, matrices, pathOf: (property) => paths.get(property) ?? property.propertyType };
}

function withResources({ json, buffers, images }: CheckedModel): JSONDocument {
  const resources: Record<string, Uint8Array> = {};
  const nameAll = (kind: string, files: readonly Uint8Array[]): { uri: string }[] =>
    files.map((file, i) => {
      const uri = `${kind}${i}`;
      resources[uri] = file;
      return { uri };
    });
  return {
    json: {
      ...json,
      // What is supported is read, whether the file declares it or not; the rest was refused or warned of.
      extensionsUsed: [...SUPPORTED_EXTENSIONS],
      extensionsRequired: [],
      buffers: nameAll('buffer', buffers).map(({ uri }, i) => ({
        uri,
        byteLength: buffers[i].length,
      })),
      // Images by name: the library copies those that are in a buffer view.
      images: nameAll('image', images),
      accessors: json.accessors?.map(withSparseOffsets) ?? [],
    },
    // Bytes from a request, a file or an array: never of shared memory.
    resources: resources as Record<string, Uint8Array<ArrayBuffer>>,
  };
}

/** The library reads the indices and values of a sparse accessor from the offset of its elements by default. */
function withSparseOffsets(accessor: GLTF.IAccessor): GLTF.IAccessor {
  const { sparse } = accessor;
  if (sparse === undefined) return accessor;
  const indices = { byteOffset: 0, ...sparse.indices };
  const values = { byteOffset: 0, ...sparse.values };
  return { ...accessor, sparse: { ...sparse, indices, values } };
}

function listPaths(root: Root): Map<Property, string> {
  const paths = new Map<Property, string>();
  const add = (name: string, properties: readonly Property[]): void => {
    properties.forEach((property, i) => {
      paths.set(property, `${name}[${i}]`);
    });
  };
  add('images', root.listTextures());
  add('nodes', root.listNodes());
  add('skins', root.listSkins());
  root.listMeshes().forEach((mesh, i) => {
    add(`meshes[${i}].primitives`, mesh.listPrimitives());
  });
  root.listAnimations().forEach((animation, i) => {
    add(`animations[${i}].samplers`, animation.listSamplers());
  });
  return paths;
}
