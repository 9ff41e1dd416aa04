/** Checks buffers, buffer views and accessors of the JSON (glTF 2.0, 3.6): every range lies in its container. */
import { COMPONENT_TYPES } from '@tessera/frame';
import {
  ACCESSOR_TYPES,
  type AccessorType,
  type ElementRange,
  type GltfAccessor,
  type GltfBuffer,
  type GltfBufferView,
  type GltfSparse,
} from '../gltf-model.ts';
import type { JsonPlace } from './json-place.ts';
import { extensionOf } from './parse-extensions.ts';

const COMPONENT_TYPE_BY_CODE = {
  5120: 'int8',
  5121: 'uint8',
  5122: 'int16',
  5123: 'uint16',
  5125: 'uint32',
  5126: 'float32',
} as const;

/** Extensions under which a buffer may be without bytes. */
const COMPRESSIONS: readonly string[] = ['EXT_meshopt_compression', 'KHR_meshopt_compression'];

export function parseBuffers(places: readonly JsonPlace[]): GltfBuffer[] {
  return places.map((place) => ({
    byteLength: place.get('byteLength').integer(1),
    uri: place.optional('uri')?.string() ?? null,
    compression: COMPRESSIONS.find((name) => extensionOf(place, name) !== null) ?? null,
  }));
}

export function parseBufferViews(
  places: readonly JsonPlace[],
  buffers: readonly GltfBuffer[],
): GltfBufferView[] {
  return places.map((place) => {
    const bufferIndex = place.get('buffer').index(buffers.length, 'buffers');
    const offsetBytes = place.optional('byteOffset')?.integer() ?? 0;
    const lengthBytes = place.get('byteLength').integer(1);
    const { byteLength } = buffers[bufferIndex];
    if (offsetBytes + lengthBytes > byteLength) {
      place.fail(
        `bytes ${offsetBytes} to ${offsetBytes + lengthBytes - 1} pass the ${byteLength} bytes of buffers[${bufferIndex}]`,
      );
    }
    const stride = place.optional('byteStride');
    return { bufferIndex, offsetBytes, lengthBytes, strideBytes: stride?.integer(4, 252) ?? null };
  });
}

export function parseAccessors(
  places: readonly JsonPlace[],
  bufferViews: readonly GltfBufferView[],
): GltfAccessor[] {
  return places.map((place) => {
    const componentType = parseComponentType(place.get('componentType'));
    const types = Object.keys(ACCESSOR_TYPES) as AccessorType[]; // the keys of that very table
    const type = place.get('type').oneOf(types);
    const count = place.get('count').integer(1, 0xffffffff);
    const elementBytes = elementSizeBytes(componentType, type);
    const componentBytes = COMPONENT_TYPES[componentType].bytes;
    const range = place.optional('bufferView');
    const sparse = place.optional('sparse');
    return {
      componentType,
      type,
      count,
      isNormalized: place.optional('normalized')?.boolean() ?? false,
      elements: range && parseRange(place, count, elementBytes, componentBytes, bufferViews),
      sparse: sparse && parseSparse(sparse, count, elementBytes, componentBytes, bufferViews),
    };
  });
}

/** Bytes of one element; columns of matrices begin at multiples of 4 bytes (glTF 2.0, 3.6.2.4). */
export function elementSizeBytes(
  componentType: GltfAccessor['componentType'],
  type: AccessorType,
): number {
  const { bytes } = COMPONENT_TYPES[componentType];
  if (type === 'MAT2' && bytes === 1) return 8;
  if (type === 'MAT3' && bytes < 4) return bytes === 1 ? 12 : 24;
  return bytes * ACCESSOR_TYPES[type];
}

function parseComponentType(place: JsonPlace): GltfAccessor['componentType'] {
  const code = place.integer();
  const entry = Object.entries(COMPONENT_TYPE_BY_CODE).find(([key]) => Number(key) === code);
  return (
    entry?.[1] ?? place.fail(`${code} is none of ${Object.keys(COMPONENT_TYPE_BY_CODE).join(', ')}`)
  );
}

function parseSparse(
  place: JsonPlace,
  accessorCount: number,
  elementBytes: number,
  componentBytes: number,
  bufferViews: readonly GltfBufferView[],
): GltfSparse {
  const count = place.get('count').integer(1);
  if (count > accessorCount) {
    place.get('count').fail(`${count} passes the ${accessorCount} elements of the accessor`);
  }
  const indices = place.get('indices');
  const componentType = parseComponentType(indices.get('componentType'));
  if (componentType !== 'uint8' && componentType !== 'uint16' && componentType !== 'uint32') {
    return indices.get('componentType').fail(`${componentType} is no type of indices`);
  }
  const indexBytes = COMPONENT_TYPES[componentType].bytes;
  const values = place.get('values');
  return {
    count,
    indices: {
      ...parseRange(indices, count, indexBytes, indexBytes, bufferViews),
      componentType,
    },
    values: parseRange(values, count, elementBytes, componentBytes, bufferViews),
  };
}

/** Reads `bufferView` and `byteOffset` at a place and checks that `count` elements fit into the view. */
function parseRange(
  place: JsonPlace,
  count: number,
  elementBytes: number,
  componentBytes: number,
  bufferViews: readonly GltfBufferView[],
): ElementRange {
  const bufferViewIndex = place.get('bufferView').index(bufferViews.length, 'bufferViews');
  const offsetBytes = place.optional('byteOffset')?.integer() ?? 0;
  const view = bufferViews[bufferViewIndex];
  const strideBytes = view.strideBytes ?? elementBytes;
  if (strideBytes < elementBytes) {
    place.fail(
      `elements of ${elementBytes} bytes do not fit the stride of bufferViews[${bufferViewIndex}], ${strideBytes} bytes`,
    );
  }
  const misaligned = [offsetBytes, view.offsetBytes + offsetBytes, strideBytes].find(
    (value) => value % componentBytes !== 0,
  );
  if (misaligned !== undefined) {
    place.fail(`offset or stride ${misaligned} is no multiple of ${componentBytes} bytes`);
  }
  const endBytes = offsetBytes + (count - 1) * strideBytes + elementBytes;
  if (endBytes > view.lengthBytes) {
    place.fail(
      `${count} elements end at byte ${endBytes} and pass the ${view.lengthBytes} bytes of bufferViews[${bufferViewIndex}]`,
    );
  }
  return { bufferViewIndex, offsetBytes };
}
