/**
 * Geometry of a primitive: sources of its attributes and its bounding box. Positions and indices
 * are scanned once to reject values that the chiplet cannot draw.
 */
import type { Accessor, Primitive } from '@gltf-transform/core';
import {
  type AttributeSource,
  COMPONENT_TYPES,
  type IndexRanges,
  type IndexSource,
  RenderError,
  type Topology,
} from '@tessera/frame';
import { bytesOf, type FrameBuilder } from '../build/frame-builder.ts';
import type { Ball } from '../math/ball.ts';
import { BoundingBox } from '../math/bounding-box.ts';
import { componentTypeOf, floatValues, rawValues } from './format/accessor-values.ts';

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

/** Returns the topology of a primitive. */
export function topologyOf(primitive: Primitive): Topology {
  return TOPOLOGY_BY_MODE[primitive.getMode()];
}

/** Adds the accessors of a model to a frame, each once. */
export class GeometryReader {
  readonly #builder: FrameBuilder;
  readonly #boxes = new Map<Accessor, BoundingBox>();
  readonly #balls = new Map<Accessor, Ball>();
  readonly #indexRanges: IndexRanges;
  readonly #bufferIndices = new Map<Accessor, number>();

  /** @param indexRanges Receives the ranges of indices, for the validation of the frame. */
  constructor(builder: FrameBuilder, indexRanges: IndexRanges) {
    this.#builder = builder;
    this.#indexRanges = indexRanges;
  }

  /** Returns the source from which the chiplet fetches an accessor's elements. */
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
   * Returns the index source of a primitive, `null` without indices.
   *
   * @param path Path of the primitive in the JSON, for messages.
   * @throws {RenderError} MODEL_INVALID if an index is not below the number of vertices, or is the
   *   largest of its type, which would restart a primitive (glTF 2.0, section 3.7.2.1).
   */
  indices(primitive: Primitive, vertexCount: number, path: string): IndexSource | null {
    const accessor = primitive.getIndices();
    if (accessor === null) return null;
    const componentType = componentTypeOf(accessor);
    if (componentType !== 'uint8' && componentType !== 'uint16' && componentType !== 'uint32') {
      throw new Error(`${path}: an accessor of ${componentType} cannot contain indices`);
    }
    const bufferIndex = this.#addBuffer(accessor);
    const bytes = this.#builder.bufferBytes(bufferIndex);
    const largest = this.#indexRanges.largest(bytes, componentType, 0, accessor.getCount());
    if (largest >= vertexCount) {
      const indices = rawValues(accessor);
      const at = indices.findIndex((index) => index >= vertexCount);
      throw new RenderError(
        'MODEL_INVALID',
        `${path}.indices: index ${indices[at]} at position ${at} exceeds the ${vertexCount} vertices`,
      );
    }
    const restart = 2 ** (8 * COMPONENT_TYPES[componentType].bytes) - 1;
    if (largest === restart) {
      const at = rawValues(accessor).indexOf(restart);
      throw new RenderError(
        'MODEL_INVALID',
        `${path}.indices: index ${restart} at position ${at} is the largest of its type, which glTF does not allow`,
      );
    }
    return { bufferIndex, offsetBytes: 0, componentType };
  }

  /**
   * Returns the bounding box of the values of a VEC3 accessor.
   *
   * @param path Path of the attribute in the JSON, for messages.
   * @throws {RenderError} MODEL_INVALID if a value is not finite.
   */
  box(accessor: Accessor, path: string): BoundingBox {
    let box = this.#boxes.get(accessor);
    if (box === undefined) {
      const values = floatValues(accessor);
      let [minX, minY, minZ] = [Infinity, Infinity, Infinity];
      let [maxX, maxY, maxZ] = [-Infinity, -Infinity, -Infinity];
      for (let i = 0; i < values.length; i += 3) {
        const x = values[i];
        const y = values[i + 1];
        const z = values[i + 2];
        // One test for three values: Infinity − Infinity and NaN − NaN are NaN.
        if (x - x + (y - y) + (z - z) !== 0) {
          const bad = [x, y, z].find((value) => !Number.isFinite(value));
          throw new RenderError(
            'MODEL_INVALID',
            `${path}: value ${bad} at vertex ${i / 3} is not finite`,
          );
        }
        if (x < minX) minX = x;
        if (y < minY) minY = y;
        if (z < minZ) minZ = z;
        if (x > maxX) maxX = x;
        if (y > maxY) maxY = y;
        if (z > maxZ) maxZ = z;
      }
      box = new BoundingBox();
      box.addPoint(minX, minY, minZ);
      box.addPoint(maxX, maxY, maxZ);
      this.#boxes.set(accessor, box);
    }
    return box;
  }

  /** Returns the ball around the center of the box of a VEC3 accessor with finite values. */
  ball(accessor: Accessor, box: BoundingBox): Ball {
    let ball = this.#balls.get(accessor);
    if (ball === undefined) {
      const values = floatValues(accessor);
      const [cx, cy, cz] = box.center();
      let largest = 0;
      for (let i = 0; i < values.length; i += 3) {
        const [x, y, z] = [values[i]! - cx, values[i + 1]! - cy, values[i + 2]! - cz];
        largest = Math.max(largest, x * x + y * y + z * z);
      }
      ball = { center: [cx, cy, cz], radius: Math.sqrt(largest) };
      this.#balls.set(accessor, ball);
    }
    return ball;
  }

  #addBuffer(accessor: Accessor): number {
    let index = this.#bufferIndices.get(accessor);
    if (index === undefined) {
      index = this.#builder.addBuffer(bytesOf(rawValues(accessor)));
      this.#bufferIndices.set(accessor, index);
    }
    return index;
  }
}

/** Whether the topology produces triangles. */
export function isTriangleTopology(topology: Topology): boolean {
  return topology.startsWith('triangle');
}
