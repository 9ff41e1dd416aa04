/** Writes small .glb files for tests that need a model. */
import { type Accessor, Document, type TypedArray, WebIO } from '@gltf-transform/core';

/** Contents of the file; by default one red triangle in the plane z = 0. */
export interface ModelGlbOptions {
  /** Positions, three numbers per vertex. */
  readonly positions?: readonly number[];
  /** Normals, three numbers per vertex. */
  readonly normals?: readonly number[];
  /** Texture coordinates, two numbers per vertex. */
  readonly texCoords?: readonly number[];
  readonly indices?: readonly number[];
  readonly baseColor?: readonly [number, number, number, number];
  readonly alphaMode?: 'OPAQUE' | 'MASK' | 'BLEND';
  readonly isDoubleSided?: boolean;
  /** Base color image, a PNG or JPEG file. */
  readonly baseColorImage?: { readonly mimeType: string; readonly bytes: Uint8Array };
  /** Changes or extends the document before it is written. */
  readonly edit?: (document: Document) => void;
}

/** Returns the bytes of the .glb. */
export async function makeModelGlb(options: ModelGlbOptions = {}): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const accessor = (type: 'SCALAR' | 'VEC2' | 'VEC3', array: TypedArray): Accessor =>
    document.createAccessor().setType(type).setArray(array).setBuffer(buffer);

  const { positions = [0, 0, 0, 1, 0, 0, 0, 1, 0], normals, texCoords, indices } = options;
  const primitive = document
    .createPrimitive()
    .setAttribute('POSITION', accessor('VEC3', Float32Array.from(positions)));
  if (normals) primitive.setAttribute('NORMAL', accessor('VEC3', Float32Array.from(normals)));
  if (texCoords) {
    primitive.setAttribute('TEXCOORD_0', accessor('VEC2', Float32Array.from(texCoords)));
  }
  if (indices) primitive.setIndices(accessor('SCALAR', Uint16Array.from(indices)));

  const material = document
    .createMaterial()
    .setBaseColorFactor([...(options.baseColor ?? [1, 0, 0, 1])])
    .setAlphaMode(options.alphaMode ?? 'OPAQUE')
    .setDoubleSided(options.isDoubleSided ?? false);
  if (options.baseColorImage) {
    const { mimeType, bytes } = options.baseColorImage;
    const image = new Uint8Array(bytes);
    material.setBaseColorTexture(document.createTexture().setMimeType(mimeType).setImage(image));
  }
  primitive.setMaterial(material);
  const mesh = document.createMesh().addPrimitive(primitive);
  const node = document.createNode().setMesh(mesh);
  const scene = document.createScene().addChild(node);
  document.getRoot().setDefaultScene(scene);
  options.edit?.(document);
  return new WebIO().writeBinary(document);
}
