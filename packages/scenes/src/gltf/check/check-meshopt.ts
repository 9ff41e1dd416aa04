/** Checks buffer views of EXT_meshopt_compression and KHR_meshopt_compression. */
import { MESHOPT_MODES, type MeshoptStream } from '../compression/compressed-geometry.ts';
import { extensionOf } from './check-extensions.ts';
import type { JsonPlace } from './json-place.ts';

/** Extensions of compressed buffer views; the second one has a filter more. */
const MESHOPT_EXTENSIONS = ['KHR_meshopt_compression', 'EXT_meshopt_compression'] as const;

/** Permitted distances between the elements that a filter restores; other filters take any. */
const STRIDES_BY_FILTER: Readonly<Record<string, readonly number[]>> = {
  OCTAHEDRAL: [4, 8],
  QUATERNION: [8],
  COLOR: [4, 8],
};

/** Returns the extension of a buffer or a buffer view, `null` if it is not compressed. */
export function meshoptOf(place: JsonPlace): JsonPlace | null {
  for (const name of MESHOPT_EXTENSIONS) {
    const extension = extensionOf(place, name);
    if (extension !== null) return extension;
  }
  return null;
}

/**
 * Checks the extension of a buffer view. The decoder trusts the numbers and checks the stream.
 *
 * @param byteLength Length of the buffer view.
 */
export function checkMeshopt(
  place: JsonPlace,
  byteLength: number,
  buffers: readonly (Uint8Array | null)[],
): MeshoptStream {
  const bufferIndex = place.get('buffer').index(buffers.length, 'buffers');
  const buffer = buffers[bufferIndex] ?? place.fail(`buffers[${bufferIndex}] has no bytes`);
  const offsetBytes = place.optional('byteOffset')?.integer() ?? 0;
  const endBytes = offsetBytes + place.get('byteLength').integer(1);
  if (endBytes > buffer.length) {
    place.fail(
      `bytes ${offsetBytes} to ${endBytes - 1} pass the ${buffer.length} bytes of buffers[${bufferIndex}]`,
    );
  }
  const count = place.get('count').integer(1);
  const strideBytes = place.get('byteStride').integer(1, 256);
  const mode = place.get('mode').oneOf(MESHOPT_MODES);
  const filters = ['NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL'];
  if (place.path.endsWith('KHR_meshopt_compression')) filters.push('COLOR');
  const filter = place.optional('filter')?.oneOf(filters) ?? 'NONE';
  if (count * strideBytes !== byteLength) {
    place.fail(
      `${count} × ${strideBytes} bytes are not the ${byteLength} bytes of the buffer view`,
    );
  }
  if (mode === 'ATTRIBUTES') {
    if (strideBytes % 4 !== 0)
      place.get('byteStride').fail(`${strideBytes} is not a multiple of 4`);
  } else {
    if (strideBytes !== 2 && strideBytes !== 4) {
      place.get('byteStride').fail(`${strideBytes} is not 2 or 4, the sizes of an index`);
    }
    if (filter !== 'NONE') place.get('filter').fail(`${filter} does not apply to ${mode}`);
  }
  if (mode === 'TRIANGLES' && count % 3 !== 0) {
    place.get('count').fail(`${count} is not a multiple of 3`);
  }
  const strides = STRIDES_BY_FILTER[filter];
  if (strides !== undefined && !strides.includes(strideBytes)) {
    place
      .get('byteStride')
      .fail(`${strideBytes} is not ${strides.join(' or ')}, as ${filter} needs`);
  }
  const bytes = buffer.subarray(offsetBytes, endBytes);
  return { place, bytes, count, strideBytes, mode, filter };
}
