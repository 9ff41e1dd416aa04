/**
 * Checks buffers, buffer views, accessors and images (glTF 2.0, 3.6): every range is inside its
 * container.
 */
import { COMPONENT_TYPES, RenderError } from '@tessera/frame';
import { decodeMeshopt } from '../compression/decode-meshopt.ts';
import { type AccessorType, COMPONENTS_BY_TYPE } from '../format/accessor-types.ts';
import { COMPONENT_TYPE_BY_CODE, type GltfComponentType } from '../format/accessor-values.ts';
import type { GltfLimits } from '../format/gltf-limits.ts';
import { type GltfFiles, resolveUri } from '../format/resolve-uri.ts';
import { checkMeshopt, meshoptOf } from './check-meshopt.ts';
import type { JsonPlace } from './json-place.ts';

/** Properties of an accessor that its users check. */
export interface CheckedAccessor {
  readonly type: AccessorType;
  readonly componentType: GltfComponentType;
  readonly count: number;
}

/** Bytes of a buffer view. */
export interface CheckedView {
  readonly bytes: Uint8Array;
  /** Distance between elements; `null` if they are tightly packed. */
  readonly strideBytes: number | null;
  /** Whether the bytes were compressed, so that no buffer contains them. */
  readonly isDecoded: boolean;
}

/**
 * Returns the bytes of each buffer, `null` for those without: only compressed buffer views may use
 * them.
 */
export function checkBuffers(
  places: readonly JsonPlace[],
  binary: Uint8Array | null,
  files: GltfFiles,
): (Uint8Array | null)[] {
  return places.map((place, i) => {
    const byteLength = place.get('byteLength').integer(1);
    const uri = place.optional('uri');
    let bytes = i === 0 ? binary : null;
    if (uri !== null) bytes = resolveUri(uri.path, uri.string(), files);
    if (bytes === null) return null;
    if (bytes.length < byteLength) {
      place.fail(`byteLength is ${byteLength}, but there are ${bytes.length} bytes`);
    }
    return bytes.subarray(0, byteLength);
  });
}

/** Returns the bytes of each buffer view; compressed ones are decoded. */
export async function checkBufferViews(
  places: readonly JsonPlace[],
  buffers: readonly (Uint8Array | null)[],
  limits: GltfLimits,
): Promise<CheckedView[]> {
  const views: CheckedView[] = [];
  let decodedBytes = 0;
  for (const place of places) {
    const bufferIndex = place.get('buffer').index(buffers.length, 'buffers');
    const offsetBytes = place.optional('byteOffset')?.integer() ?? 0;
    const byteLength = place.get('byteLength').integer(1);
    const strideBytes = place.optional('byteStride')?.integer(4, 252) ?? null;
    const compressed = meshoptOf(place);
    if (compressed !== null) {
      const stream = checkMeshopt(compressed, byteLength, buffers);
      decodedBytes += byteLength;
      if (decodedBytes > limits.maxExpandedBytes) {
        throw new RenderError(
          'LIMIT_EXCEEDED',
          `${place.path}: brings the decoded buffer views to ${decodedBytes} bytes; at most ${limits.maxExpandedBytes} (maxExpandedBytes)`,
        );
      }
      views.push({ bytes: await decodeMeshopt(stream), strideBytes, isDecoded: true });
      continue;
    }
    const endBytes = offsetBytes + byteLength;
    const buffer = buffers[bufferIndex] ?? place.fail(`buffers[${bufferIndex}] has no bytes`);
    if (endBytes > buffer.length) {
      place.fail(
        `bytes ${offsetBytes} to ${endBytes - 1} pass the ${buffer.length} bytes of buffers[${bufferIndex}]`,
      );
    }
    views.push({ bytes: buffer.subarray(offsetBytes, endBytes), strideBytes, isDecoded: false });
  }
  return views;
}

/** Returns the file of each image. */
export function checkImages(
  places: readonly JsonPlace[],
  views: readonly CheckedView[],
  files: GltfFiles,
): Uint8Array[] {
  return places.map((place) => {
    const view = place.optional('bufferView')?.index(views.length, 'bufferViews') ?? null;
    const uri = place.optional('uri');
    if ((view === null) === (uri === null)) place.fail('needs either bufferView or uri');
    return view !== null
      ? views[view].bytes
      : resolveUri(`${place.path}.uri`, place.get('uri').string(), files);
  });
}

/** Checks accessors, and the total size of the arrays to which the library expands them. */
export function checkAccessors(
  places: readonly JsonPlace[],
  views: readonly CheckedView[],
  limits: GltfLimits,
): CheckedAccessor[] {
  let expandedBytes = 0;
  return places.map((place) => {
    const componentType = checkComponentType(place.get('componentType'));
    const types = Object.keys(COMPONENTS_BY_TYPE) as AccessorType[]; // the keys of that table
    const type = place.get('type').oneOf(types);
    const count = place.get('count').integer(1, 0xffffffff);
    place.optional('normalized')?.boolean();
    const elementBytes = elementSizeBytes(componentType, type);
    const componentBytes = COMPONENT_TYPES[componentType].bytes;
    if (place.optional('bufferView') !== null) {
      const paddingBytes = paddingOf(componentBytes, type);
      checkRange(place, count, elementBytes, componentBytes, views, paddingBytes);
    }
    const sparse = place.optional('sparse');
    // The library reads all elements, and those of a sparse accessor again with its indices and
    // values.
    const byteCount = count * elementBytes * (sparse === null ? 1 : 4);
    expandedBytes += byteCount;
    if (expandedBytes > limits.maxExpandedBytes) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `${place.path}: ${byteCount} bytes bring the expanded accessors to ${expandedBytes} bytes; at most ${limits.maxExpandedBytes} (maxExpandedBytes)`,
      );
    }
    if (sparse !== null) checkSparse(sparse, count, elementBytes, componentBytes, views);
    return { type, componentType, count };
  });
}

/**
 * Returns the size of one element; columns of matrices begin at multiples of 4 bytes (glTF 2.0,
 * 3.6.2.4).
 */
function elementSizeBytes(componentType: GltfComponentType, type: AccessorType): number {
  const { bytes } = COMPONENT_TYPES[componentType];
  if (type === 'MAT2' && bytes === 1) return 8;
  if (type === 'MAT3' && bytes < 4) return bytes === 1 ? 12 : 24;
  return bytes * COMPONENTS_BY_TYPE[type];
}

/** Returns the bytes after the last column of a matrix, which the last element may lack. */
function paddingOf(componentBytes: number, type: AccessorType): number {
  const rows = type === 'MAT2' ? 2 : type === 'MAT3' ? 3 : 4;
  return type.startsWith('MAT') ? (4 - ((rows * componentBytes) % 4)) % 4 : 0;
}

function checkComponentType(place: JsonPlace): GltfComponentType {
  const code = place.integer();
  return (
    COMPONENT_TYPE_BY_CODE.get(code) ??
    place.fail(`${code} is not one of ${[...COMPONENT_TYPE_BY_CODE.keys()].join(', ')}`)
  );
}

function checkSparse(
  place: JsonPlace,
  accessorCount: number,
  elementBytes: number,
  componentBytes: number,
  views: readonly CheckedView[],
): void {
  const count = place.get('count').integer(1);
  if (count > accessorCount) {
    place.get('count').fail(`${count} exceeds the ${accessorCount} elements of the accessor`);
  }
  const indices = place.get('indices');
  const componentType = checkComponentType(indices.get('componentType'));
  if (componentType !== 'uint8' && componentType !== 'uint16' && componentType !== 'uint32') {
    indices.get('componentType').fail(`${componentType} is not an index type`);
  }
  const indexBytes = COMPONENT_TYPES[componentType].bytes;
  const { bytes, strideBytes } = checkRange(indices, count, indexBytes, indexBytes, views);
  checkRange(place.get('values'), count, elementBytes, componentBytes, views);
  // The library would write past the array, which silently loses the value.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let i = 0; i < count; i++) {
    const at = i * strideBytes;
    const index =
      indexBytes === 1
        ? view.getUint8(at)
        : indexBytes === 2
          ? view.getUint16(at, true)
          : view.getUint32(at, true);
    if (index >= accessorCount) {
      indices.fail(
        `index ${index} at position ${i} is out of range: the accessor has ${accessorCount} elements`,
      );
    }
  }
}

/**
 * Reads `bufferView` and `byteOffset` at a place and checks that `count` elements fit into the
 * view.
 *
 * @param paddingBytes Bytes at the end of an element that the last one may lack.
 * @returns The bytes from the first element, and the distance between elements.
 */
function checkRange(
  place: JsonPlace,
  count: number,
  elementBytes: number,
  componentBytes: number,
  views: readonly CheckedView[],
  paddingBytes = 0,
): { readonly bytes: Uint8Array; readonly strideBytes: number } {
  const viewIndex = place.get('bufferView').index(views.length, 'bufferViews');
  const offsetBytes = place.optional('byteOffset')?.integer() ?? 0;
  const view = views[viewIndex];
  const strideBytes = view.strideBytes ?? elementBytes;
  if (strideBytes < elementBytes) {
    place.fail(
      `elements of ${elementBytes} bytes do not fit the stride of bufferViews[${viewIndex}], ${strideBytes} bytes`,
    );
  }
  const misaligned = [offsetBytes, strideBytes].find((value) => value % componentBytes !== 0);
  if (misaligned !== undefined) {
    place.fail(`offset or stride ${misaligned} is not a multiple of ${componentBytes} bytes`);
  }
  const endBytes = offsetBytes + (count - 1) * strideBytes + elementBytes - paddingBytes;
  if (endBytes > view.bytes.length) {
    place.fail(
      `${count} elements end at byte ${endBytes} and pass the ${view.bytes.length} bytes of bufferViews[${viewIndex}]`,
    );
  }
  return { bytes: view.bytes.subarray(offsetBytes), strideBytes };
}
