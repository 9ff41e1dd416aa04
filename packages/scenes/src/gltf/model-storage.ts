/**
 * The bytes of a model: buffers, and the accessors that look into them. Accessors are handed on as they
 * lie in the file where the chiplet can fetch them so; sparse and zero-filled ones are written out.
 */
import { COMPONENT_TYPES, RenderError } from '@tessera/frame';
import { bytesOf } from '../frame-builder.ts';
import type { GltfLimits } from './gltf-limits.ts';
import {
  ACCESSOR_TYPES,
  type ElementRange,
  type GltfAccessor,
  type GltfModel,
} from './gltf-model.ts';
import { elementSizeBytes } from './parse/parse-storage.ts';
import { type GltfFiles, resolveUri } from './resolve-uri.ts';

/** Elements at equal distances in a run of bytes. */
export interface StridedElements {
  readonly bytes: Uint8Array;
  readonly offsetBytes: number;
  readonly strideBytes: number;
}

/** Largest value of each normalised integer type. */
const NORMALIZATION = { int8: 127, uint8: 255, int16: 32767, uint16: 65535, uint32: 4294967295 };

export class ModelStorage {
  readonly #model: GltfModel;
  readonly #limits: GltfLimits;
  readonly #buffers: readonly Uint8Array[];
  readonly #views = new Map<number, Uint8Array>();
  readonly #elements = new Map<number, StridedElements>();
  readonly #floats = new Map<number, Float32Array>();
  #expandedBytes = 0;

  /**
   * @param binary The binary chunk of a .glb.
   * @throws {RenderError} MODEL_INVALID if a buffer has fewer bytes than the JSON says.
   */
  constructor(model: GltfModel, binary: Uint8Array | null, files: GltfFiles, limits: GltfLimits) {
    this.#model = model;
    this.#limits = limits;
    this.#buffers = model.buffers.map((buffer, i) => {
      if (buffer.uri === null && (i !== 0 || binary === null) && buffer.compression !== null) {
        throw new RenderError(
          'MODEL_UNSUPPORTED',
          `buffers[${i}]: its bytes are given by ${buffer.compression} alone`,
        );
      }
      const bytes =
        buffer.uri !== null
          ? resolveUri(`buffers[${i}].uri`, buffer.uri, files)
          : i === 0
            ? binary
            : null;
      if (bytes === null) throw new RenderError('MODEL_INVALID', `buffers[${i}]: uri is missing`);
      if (bytes.length < buffer.byteLength) {
        throw new RenderError(
          'MODEL_INVALID',
          `buffers[${i}]: byteLength is ${buffer.byteLength}, but there are ${bytes.length} bytes`,
        );
      }
      return bytes;
    });
  }

  /** The bytes of a buffer view; the same object each time. */
  viewBytes(bufferViewIndex: number): Uint8Array {
    let bytes = this.#views.get(bufferViewIndex);
    if (bytes === undefined) {
      const view = this.#model.bufferViews[bufferViewIndex];
      const end = view.offsetBytes + view.lengthBytes;
      bytes = this.#buffers[view.bufferIndex].subarray(view.offsetBytes, end);
      this.#views.set(bufferViewIndex, bytes);
    }
    return bytes;
  }

  /** The elements of an accessor in their own component type; the same object each time. */
  elements(accessorIndex: number): StridedElements {
    let elements = this.#elements.get(accessorIndex);
    if (elements === undefined) {
      const accessor = this.#model.accessors[accessorIndex];
      const isAsInFile = accessor.elements !== null && accessor.sparse === null;
      elements = isAsInFile
        ? this.#strided(accessor.elements, elementSizeBytes(accessor.componentType, accessor.type))
        : this.#expand(accessorIndex, accessor);
      this.#elements.set(accessorIndex, elements);
    }
    return elements;
  }

  /** All components of an accessor as numbers, one element after the other, integers normalised if it says so. */
  floats(accessorIndex: number): Float32Array {
    let floats = this.#floats.get(accessorIndex);
    if (floats === undefined) {
      floats = this.#readFloats(accessorIndex);
      this.#floats.set(accessorIndex, floats);
    }
    return floats;
  }

  /** The components of an accessor of unsigned integers. */
  integers(accessorIndex: number): Uint32Array {
    const accessor = this.#model.accessors[accessorIndex];
    const { bytes, offsetBytes, strideBytes } = this.elements(accessorIndex);
    const componentCount = ACCESSOR_TYPES[accessor.type];
    const integers = new Uint32Array(accessor.count * componentCount);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const { componentType } = accessor;
    const componentBytes = COMPONENT_TYPES[componentType].bytes;
    for (let i = 0, at = 0; i < accessor.count; i++) {
      const start = offsetBytes + i * strideBytes;
      for (let c = 0; c < componentCount; c++) {
        integers[at++] = readComponent(view, start + c * componentBytes, componentType);
      }
    }
    return integers;
  }

  #strided(range: ElementRange, elementBytes: number): StridedElements {
    const strideBytes = this.#model.bufferViews[range.bufferViewIndex].strideBytes ?? elementBytes;
    const bytes = this.viewBytes(range.bufferViewIndex);
    return { bytes, offsetBytes: range.offsetBytes, strideBytes };
  }

  /** Writes out an accessor that the file holds in part or not at all. */
  #expand(accessorIndex: number, accessor: GltfAccessor): StridedElements {
    const elementBytes = elementSizeBytes(accessor.componentType, accessor.type);
    const byteCount = accessor.count * elementBytes;
    this.#expandedBytes += byteCount;
    if (this.#expandedBytes > this.#limits.maxExpandedBytes) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `accessors[${accessorIndex}]: ${byteCount} bytes bring the expanded accessors to ${this.#expandedBytes} bytes; at most ${this.#limits.maxExpandedBytes} (maxExpandedBytes)`,
      );
    }
    const bytes = new Uint8Array(byteCount);
    const copy = (from: StridedElements, fromElement: number, toElement: number): void => {
      const start = from.offsetBytes + fromElement * from.strideBytes;
      bytes.set(from.bytes.subarray(start, start + elementBytes), toElement * elementBytes);
    };
    if (accessor.elements !== null) {
      const base = this.#strided(accessor.elements, elementBytes);
      for (let i = 0; i < accessor.count; i++) copy(base, i, i);
    }
    if (accessor.sparse !== null) {
      const { count, indices, values } = accessor.sparse;
      const from = this.#strided(values, elementBytes);
      const indexBytes = COMPONENT_TYPES[indices.componentType].bytes;
      const places = this.#strided(indices, indexBytes);
      const view = new DataView(places.bytes.buffer, places.bytes.byteOffset);
      for (let i = 0; i < count; i++) {
        const at = places.offsetBytes + i * places.strideBytes;
        const element = readComponent(view, at, indices.componentType);
        if (element >= accessor.count) {
          throw new RenderError(
            'MODEL_INVALID',
            `accessors[${accessorIndex}].sparse.indices: index ${element} at position ${i} passes the ${accessor.count} elements`,
          );
        }
        copy(from, i, element);
      }
    }
    return { bytes, offsetBytes: 0, strideBytes: elementBytes };
  }

  #readFloats(accessorIndex: number): Float32Array {
    const accessor = this.#model.accessors[accessorIndex];
    const { componentType, count, isNormalized } = accessor;
    const { bytes, offsetBytes, strideBytes } = this.elements(accessorIndex);
    const componentCount = ACCESSOR_TYPES[accessor.type];
    const floats = new Float32Array(count * componentCount);
    const componentBytes = COMPONENT_TYPES[componentType].bytes;
    if (componentType === 'float32' && strideBytes === componentCount * 4) {
      bytesOf(floats).set(bytes.subarray(offsetBytes, offsetBytes + floats.byteLength));
      return floats;
    }
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const scale = isNormalized && componentType !== 'float32' ? NORMALIZATION[componentType] : 1;
    for (let i = 0, at = 0; i < count; i++) {
      const start = offsetBytes + i * strideBytes;
      for (let c = 0; c < componentCount; c++) {
        const value = readComponent(view, start + c * componentBytes, componentType) / scale;
        floats[at++] = scale !== 1 && value < -1 ? -1 : value;
      }
    }
    return floats;
  }
}

function readComponent(
  view: DataView,
  at: number,
  componentType: GltfAccessor['componentType'],
): number {
  switch (componentType) {
    case 'float32':
      return view.getFloat32(at, true);
    case 'int8':
      return view.getInt8(at);
    case 'uint8':
      return view.getUint8(at);
    case 'int16':
      return view.getInt16(at, true);
    case 'uint16':
      return view.getUint16(at, true);
    case 'uint32':
      return view.getUint32(at, true);
  }
}
