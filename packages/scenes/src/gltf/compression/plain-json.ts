/**
 * JSON of a model as if no extension compressed its geometry or named its images. The library then
 * needs no decoder: it reads decoded content from buffers of their own.
 */
import type { GLTF } from '@gltf-transform/core';

/** JSON and the bytes of its buffers. */
interface PlainModel {
  readonly json: GLTF.IGLTF;
  readonly buffers: readonly Uint8Array[];
}

/**
 * Replaces compressed buffer views and accessors, and the images of textures.
 *
 * @param buffers Bytes of each buffer, `null` for buffers that only decoded views use.
 * @param decodedViews Content of each compressed buffer view, `null` for the others.
 * @param dracoValues Tightly packed values by index of the accessor.
 * @param sources Index of the image of each texture, `null` for none.
 */
export function makePlain(
  json: GLTF.IGLTF,
  buffers: readonly (Uint8Array | null)[],
  decodedViews: readonly (Uint8Array | null)[],
  dracoValues: ReadonlyMap<number, Uint8Array>,
  sources: readonly (number | null)[],
): PlainModel {
  const plainBuffers = buffers.map((bytes) => bytes ?? new Uint8Array(0));
  const addBuffer = (bytes: Uint8Array): Pick<GLTF.IBufferView, 'buffer' | 'byteLength'> => {
    plainBuffers.push(bytes);
    return { buffer: plainBuffers.length - 1, byteLength: bytes.length };
  };
  const bufferViews = (json.bufferViews ?? []).map((view, i): GLTF.IBufferView => {
    const bytes = decodedViews[i];
    return bytes === null ? view : { ...view, byteOffset: 0, ...addBuffer(bytes) };
  });
  const accessors = (json.accessors ?? []).map((accessor, i): GLTF.IAccessor => {
    const values = dracoValues.get(i);
    if (values === undefined) return accessor;
    bufferViews.push(addBuffer(values));
    return { ...accessor, byteOffset: 0, bufferView: bufferViews.length - 1 };
  });
  const textures = (json.textures ?? []).map(({ source: _source, ...texture }, i) => {
    const source = sources[i];
    return source === null ? texture : { ...texture, source };
  });
  const hasImage = (textureIndex: number): boolean => sources[textureIndex] !== null;
  // The library reads no later minor version, although it would ignore what that adds.
  const asset = { ...json.asset, version: '2.0' };
  const plain = { ...json, asset, bufferViews, accessors, textures };
  if (sources.includes(null))
    plain.materials = json.materials?.map((m) => dropTextures(m, hasImage));
  return { json: plain, buffers: plainBuffers };
}

/** Removes the uses of textures without an image from a material and from its extensions. */
function dropTextures<T extends object>(object: T, hasImage: (textureIndex: number) => boolean): T {
  const kept = Object.entries(object).flatMap(([key, value]): [string, unknown][] => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[key, value]];
    // The checks accepted the index of each use.
    const isUse = key.endsWith('Texture') && typeof value.index === 'number';
    return isUse && !hasImage(value.index) ? [] : [[key, dropTextures(value, hasImage)]];
  });
  return Object.fromEntries(kept) as T; // Only optional members are removed.
}
