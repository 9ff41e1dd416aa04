/**
 * Reads a checked model with glTF-Transform. The library receives all bytes with the JSON, under
 * generated names, so it never accesses a file or an address.
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
  KHRLightsPunctual,
  KHRMaterialsAnisotropy,
  KHRMaterialsClearcoat,
  KHRMaterialsDiffuseTransmission,
  KHRMaterialsDispersion,
  KHRMaterialsEmissiveStrength,
  KHRMaterialsIOR,
  KHRMaterialsIridescence,
  KHRMaterialsPBRSpecularGlossiness,
  KHRMaterialsSheen,
  KHRMaterialsSpecular,
  KHRMaterialsTransmission,
  KHRMaterialsUnlit,
  KHRMaterialsVolume,
  KHRMeshQuantization,
  KHRNodeVisibility,
  KHRTextureTransform,
} from '@gltf-transform/extensions';
import { RenderError } from '@tessera/frame';
import type { Matrix4 } from '../math/matrix.ts';
import { SUPPORTED_EXTENSIONS } from './check/check-extensions.ts';
import type { CheckedModel } from './check/check-model.ts';

/** Model as the library represents it. */
export interface Model {
  readonly root: Root;
  /**
   * Matrix of each node that the file places by a matrix. The library decomposes a matrix into
   * translation, rotation and scale, which loses shear and rounds.
   */
  readonly matrices: ReadonlyMap<Node, Matrix4>;
  /**
   * Returns the path of a property in the JSON, such as `meshes[0].primitives[1]`, for messages.
   */
  readonly pathOf: (property: Property) => string;
}

const IO = new WebIO()
  .setLogger(new Logger(Logger.Verbosity.SILENT))
  .registerExtensions([
    EXTMeshGPUInstancing,
    KHRLightsPunctual,
    KHRMaterialsAnisotropy,
    KHRMaterialsClearcoat,
    KHRMaterialsDiffuseTransmission,
    KHRMaterialsDispersion,
    KHRMaterialsEmissiveStrength,
    KHRMaterialsIOR,
    KHRMaterialsIridescence,
    KHRMaterialsPBRSpecularGlossiness,
    KHRMaterialsSheen,
    KHRMaterialsSpecular,
    KHRMaterialsTransmission,
    KHRMaterialsUnlit,
    KHRMaterialsVolume,
    KHRMeshQuantization,
    KHRNodeVisibility,
    KHRTextureTransform,
  ]);

/**
 * Reads a checked model.
 *
 * @throws {RenderError} MODEL_INVALID if the library rejects a model that passed the checks.
 */
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
  // The library would set a far plane at 100 units for a perspective camera without one.
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
      // Supported extensions are read even if the file does not declare them. Unsupported ones were
      // rejected or reported.
      extensionsUsed: [...SUPPORTED_EXTENSIONS],
      extensionsRequired: [],
      // The library expects a list if there are lights.
      nodes: json.nodes ?? [],
      buffers: nameAll('buffer', buffers).map(({ uri }, i) => ({
        uri,
        byteLength: buffers[i].length,
      })),
      // Refer to images by name, because the library copies those in a buffer view.
      images: nameAll('image', images),
      accessors: json.accessors?.map(withSparseOffsets) ?? [],
    },
    // Bytes from a request, a file or an array are never in shared memory.
    resources: resources as Record<string, Uint8Array<ArrayBuffer>>,
  };
}

/**
 * Makes offsets of sparse accessors explicit. By default the library reads their indices and values
 * from the offset of the elements.
 */
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
