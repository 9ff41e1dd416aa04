/**
 * The vertices of a primitive: where each attribute is fetched from, and the box around them. Positions
 * and indices are read here once, to refuse what the chiplet could not draw.
 */
import { type AttributeSource, type IndexSource, RenderError, type Topology } from '@tessera/frame';
import { bytesOf, type FrameBuilder } from '../frame-builder.ts';
import { BoundingBox } from '../math/bounding-box.ts';
import { ACCESSOR_TYPES, type GltfModel, type GltfPrimitive } from './gltf-model.ts';
import type { ModelStorage } from './model-storage.ts';

/** Vertex shader input of each attribute semantic. */
export const ATTRIBUTE_INPUTS: Readonly<Record<string, string>> = {
  POSITION: 'a_position',
  NORMAL: 'a_normal',
  TANGENT: 'a_tangent',
  TEXCOORD_0: 'a_texCoord0',
  TEXCOORD_1: 'a_texCoord1',
  COLOR_0: 'a_color',
  JOINTS_0: 'a_joints',
  WEIGHTS_0: 'a_weights',
};

export class GeometryReader {
  readonly #model: GltfModel;
  readonly #storage: ModelStorage;
  readonly #builder: FrameBuilder;
  readonly #boxes = new Map<number, BoundingBox>();
  readonly #largestIndices = new Map<number, number>();
  readonly #bufferIndices = new Map<Uint8Array, number>();

  constructor(model: GltfModel, storage: ModelStorage, builder: FrameBuilder) {
    this.#model = model;
    this.#storage = storage;
    this.#builder = builder;
  }

  /** Where the chiplet fetches an accessor's elements from. */
  attribute(accessorIndex: number, instanceDivisor = 0): AttributeSource {
    const accessor = this.#model.accessors[accessorIndex];
    const { bytes, offsetBytes, strideBytes } = this.#storage.elements(accessorIndex);
    return {
      kind: 'buffer',
      bufferIndex: this.#addBuffer(bytes),
      offsetBytes,
      strideBytes,
      componentType: accessor.componentType,
      componentCount: ACCESSOR_TYPES[accessor.type],
      isNormalized: accessor.isNormalized,
      instanceDivisor,
    };
  }

  /**
   * The index buffer of a primitive, `null` without indices.
   *
   * @throws {RenderError} MODEL_INVALID if an index passes the vertices.
   */
  indices(primitive: GltfPrimitive): IndexSource | null {
    const accessorIndex = primitive.indices;
    if (accessorIndex === null) return null;
    const vertexCount = this.#model.accessors[primitive.attributes.POSITION].count;
    if (this.#largestIndex(accessorIndex) >= vertexCount) {
      const indices = this.#storage.integers(accessorIndex);
      const at = indices.findIndex((index) => index >= vertexCount);
      throw new RenderError(
        'MODEL_INVALID',
        `${primitive.path}.indices: index ${indices[at]} at position ${at} passes the ${vertexCount} vertices`,
      );
    }
    const { componentType } = this.#model.accessors[accessorIndex];
    const { bytes, offsetBytes, strideBytes } = this.#storage.elements(accessorIndex);
    const indexBytes = { uint8: 1, uint16: 2, uint32: 4 };
    if (componentType === 'uint8' || componentType === 'uint16' || componentType === 'uint32') {
      if (strideBytes === indexBytes[componentType]) {
        return { bufferIndex: this.#addBuffer(bytes), offsetBytes, componentType };
      }
      // Indices with gaps between them: written out, since an index buffer has no stride.
      const packed = bytesOf(this.#storage.integers(accessorIndex));
      return { bufferIndex: this.#addBuffer(packed), offsetBytes: 0, componentType: 'uint32' };
    }
    throw new Error(`accessor ${accessorIndex} of ${componentType} passed as indices`);
  }

  /**
   * The box around the values of a VEC3 accessor.
   *
   * @param path Place of the attribute in the JSON, for messages.
   * @throws {RenderError} MODEL_INVALID if a value is not finite.
   */
  box(accessorIndex: number, path: string): BoundingBox {
    let box = this.#boxes.get(accessorIndex);
    if (box === undefined) {
      box = new BoundingBox();
      const values = this.#storage.floats(accessorIndex);
      for (let i = 0; i < values.length; i += 3) {
        const x = values[i];
        const y = values[i + 1];
        const z = values[i + 2];
        // One test for three values: Infinity − Infinity and NaN − NaN are NaN.
        if (x - x + (y - y) + (z - z) !== 0) {
          const bad = [x, y, z].find((value) => !Number.isFinite(value));
          throw new RenderError('MODEL_INVALID', `${path}: value ${bad} at vertex ${i / 3}`);
        }
        box.addPoint(x, y, z);
      }
      this.#boxes.set(accessorIndex, box);
    }
    return box;
  }

  #addBuffer(bytes: Uint8Array): number {
    let index = this.#bufferIndices.get(bytes);
    if (index === undefined) {
      index = this.#builder.addBuffer(bytes);
      this.#bufferIndices.set(bytes, index);
    }
    return index;
  }

  #largestIndex(accessorIndex: number): number {
    let largest = this.#largestIndices.get(accessorIndex);
    if (largest === undefined) {
      largest = 0;
      for (const index of this.#storage.integers(accessorIndex)) {
        if (index > largest) largest = index;
      }
      this.#largestIndices.set(accessorIndex, largest);
    }
    return largest;
  }
}

/** Whether the topology makes triangles. */
export function isTriangleTopology(topology: Topology): boolean {
  return topology.startsWith('triangle');
}
