/**
 * The vertices of a primitive: where each attribute is fetched from, and the box around them. Positions
 * and indices are read here once, to refuse what the chiplet could not draw.
 */
import type { Accessor, Primitive } from '@gltf-transform/core';
import {
  type AttributeSource,
  COMPONENT_TYPES,
  type IndexSource,
  RenderError,
  type Topology,
} from '@tessera/frame';
import { bytesOf, type FrameBuilder } from '../frame-builder.ts';
import { BoundingBox } from '../math/bounding-box.ts';
import { componentTypeOf, floatValues, rawValues } from './accessor-values.ts';

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

const TOPOLOGY_BY_MODE: readonly Topology[] = [
  'points',
  'lines',
  'line-loop',
  'line-strip',
  'triangles',
  'triangle-strip',
  'triangle-fan',
];

export function topologyOf(primitive: Primitive): Topology {
  return TOPOLOGY_BY_MODE[primitive.getMode()];
}

export class GeometryReader {
  readonly #builder: FrameBuilder;
  readonly #boxes = new Map<Accessor, BoundingBox>();
  readonly #largestIndices = new Map<Accessor, number>();
  readonly #bufferIndices = new Map<Accessor, number>();

  constructor(builder: FrameBuilder) {
    this.#builder = builder;
  }

  /** Where the chiplet fetches an accessor's elements from. */
  attribute(accessor: Accessor, instanceDivisor = 0): AttributeSource {
    const componentType = componentTypeOf(accessor);
    const componentCount = accessor.getElementSize();
    return {
      kind: 'buffer',
      bufferIndex: this.#addBuffer(accessor),
      offsetBytes: 0,
      strideBytes: componentCount * COMPONENT_TYPES[componentType].bytes,
      componentType,
      componentCount,
      isNormalized: accessor.getNormalized(),
      instanceDivisor,
    };
  }

  /**
   * The index buffer of a primitive, `null` without indices.
   *
   * @param path Place of the primitive in the JSON, for messages.
   * @throws {RenderError} MODEL_INVALID if an index passes the vertices.
   */
  indices(primitive: Primitive, vertexCount: number, path: string): IndexSource | null {
    const accessor = primitive.getIndices();
    if (accessor === null) return null;
    if (this.#largestIndex(accessor) >= vertexCount) {
      const indices = rawValues(accessor);
      const at = indices.findIndex((index) => index >= vertexCount);
      throw new RenderError(
        'MODEL_INVALID',
        `${path}.indices: index ${indices[at]} at position ${at} passes the ${vertexCount} vertices`,
      );
    }
    const componentType = componentTypeOf(accessor);
    if (componentType !== 'uint8' && componentType !== 'uint16' && componentType !== 'uint32') {
      throw new Error(`${path}: accessor of ${componentType} passed as indices`);
    }
    return { bufferIndex: this.#addBuffer(accessor), offsetBytes: 0, componentType };
  }

  /**
   * The box around the values of a VEC3 accessor.
   *
   * @param path Place of the attribute in the JSON, for messages.
   * @throws {RenderError} MODEL_INVALID if a value is not finite.
   */
  box(accessor: Accessor, path: string): BoundingBox {
    let box = this.#boxes.get(accessor);
    if (box === undefined) {
      box = new BoundingBox();
      const values = floatValues(accessor);
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
      this.#boxes.set(accessor, box);
    }
    return box;
  }

  #addBuffer(accessor: Accessor): number {
    let index = this.#bufferIndices.get(accessor);
    if (index === undefined) {
      index = this.#builder.addBuffer(bytesOf(rawValues(accessor)));
      this.#bufferIndices.set(accessor, index);
    }
    return index;
  }

  #largestIndex(accessor: Accessor): number {
    let largest = this.#largestIndices.get(accessor);
    if (largest === undefined) {
      largest = 0;
      for (const index of rawValues(accessor)) {
        if (index > largest) largest = index;
      }
      this.#largestIndices.set(accessor, largest);
    }
    return largest;
  }
}

/** Whether the topology makes triangles. */
export function isTriangleTopology(topology: Topology): boolean {
  return topology.startsWith('triangle');
}
