/**
 * Decodes primitives of KHR_draco_mesh_compression. Each model has a decoder of its own, whose
 * memory is limited and freed with the model.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { COMPONENT_TYPES } from '@tessera/frame';
import type { Attribute, DecoderModule, Mesh } from 'draco3d';
import { COMPONENTS_BY_TYPE } from '../format/accessor-types.ts';
import type { GltfComponentType } from '../format/accessor-values.ts';
import type { DracoPrimitive, Place } from './compressed-geometry.ts';
import { readDracoHeader } from './draco-header.ts';
import { limitWasmMemory } from './limit-wasm-memory.ts';

/**
 * Returns the values of all accessors that Draco streams contain, tightly packed, by index of the
 * accessor.
 *
 * @param maxDecodeBytes Upper bound on the memory of the decoder.
 * @throws {RenderError} MODEL_INVALID if a stream is damaged, takes too much memory, or does not
 *   have the numbers of values that the accessors have.
 */
export async function decodeDraco(
  primitives: readonly DracoPrimitive[],
  maxDecodeBytes: number,
): Promise<Map<number, Uint8Array>> {
  const values = new Map<number, Uint8Array>();
  if (primitives.length === 0) return values;
  const module = await loadDecoder(maxDecodeBytes);
  const usersByStream = new Map<Uint8Array, DracoPrimitive[]>();
  for (const primitive of primitives) {
    usersByStream.set(primitive.bytes, [...(usersByStream.get(primitive.bytes) ?? []), primitive]);
  }
  for (const [bytes, users] of usersByStream) {
    for (const user of users) checkCounts(user);
    guard(users[0].place, () => readStream(module, bytes, users, values));
  }
  return values;
}

async function loadDecoder(maxDecodeBytes: number): Promise<DecoderModule> {
  const { default: draco3d } = await import('draco3d');
  const path = createRequire(import.meta.url).resolve('draco3d/draco_decoder.wasm');
  const wasmBinary = limitWasmMemory(await readFile(path), maxDecodeBytes);
  return draco3d.createDecoderModule({ wasmBinary, printErr: () => {} });
}

/** Compares the numbers that a stream declares with the accessors. */
function checkCounts({ place, bytes, indices, vertexCount }: DracoPrimitive): void {
  const { faceCount, maxVertexCount } = guard(place, () => readDracoHeader(bytes));
  if (3 * faceCount !== indices.count) {
    indices.place.fail(`${indices.count} indices, but the stream has ${faceCount} triangles`);
  }
  if (maxVertexCount < vertexCount) {
    place.fail(`${vertexCount} vertices, but the stream has at most ${maxVertexCount}`);
  }
}

/**
 * Runs a step of the decoder, which stops with an exception of its own if the stream is damaged.
 */
function guard<T>(place: Place, step: () => T): T {
  try {
    return step();
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'RenderError') throw cause;
    // The decoder aborts without a reason, also when its memory is exhausted.
    const reason =
      cause instanceof Error && !(cause instanceof WebAssembly.RuntimeError)
        ? cause.message
        : 'the decoder stopped, perhaps for lack of memory (maxDecodeBytes)';
    return place.fail(`the stream is damaged: ${reason}`, cause);
  }
}

function readStream(
  module: DecoderModule,
  bytes: Uint8Array,
  users: readonly DracoPrimitive[],
  values: Map<number, Uint8Array>,
): void {
  const decoder = new module.Decoder();
  const buffer = new module.DecoderBuffer();
  const mesh = new module.Mesh();
  // The library copies the bytes; it asks for signed ones.
  buffer.Init(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length);
  const status = decoder.DecodeBufferToMesh(buffer, mesh);
  if (!status.ok()) throw new Error(status.error_msg());
  for (const { place, indices, vertexCount, attributes } of users) {
    if (mesh.num_points() !== vertexCount || 3 * mesh.num_faces() !== indices.count) {
      place.fail(
        `the stream has ${mesh.num_points()} vertices and ${3 * mesh.num_faces()} indices, but the accessors have ${vertexCount} and ${indices.count}`,
      );
    }
    if (!values.has(indices.accessorIndex)) {
      const triangles = copyOut(module, 4 * indices.count, (byteCount, address) =>
        decoder.GetTrianglesUInt32Array(mesh, byteCount, address),
      );
      values.set(indices.accessorIndex, narrow(triangles, indices.componentType));
    }
    for (const { accessorIndex, attributeId, componentType, type, place: named } of attributes) {
      if (values.has(accessorIndex)) continue;
      // The wrapper of a missing attribute has the address 0.
      const attribute: Attribute & { readonly ptr?: number } = decoder.GetAttributeByUniqueId(
        mesh,
        attributeId,
      );
      if (attribute.ptr === 0) named.fail(`the stream has no attribute ${attributeId}`);
      const componentCount = COMPONENTS_BY_TYPE[type];
      if (attribute.num_components() !== componentCount) {
        named.fail(`${attribute.num_components()} components, but the accessor is ${type}`);
      }
      const byteCount = vertexCount * componentCount * COMPONENT_TYPES[componentType].bytes;
      const read = (size: number, address: number): unknown =>
        readAttribute(module, decoder, mesh, attribute, componentType, size, address);
      values.set(accessorIndex, copyOut(module, byteCount, read));
    }
  }
  for (const object of [mesh, buffer, decoder]) module.destroy(object);
}

function readAttribute(
  module: DecoderModule,
  decoder: InstanceType<DecoderModule['Decoder']>,
  mesh: Mesh,
  attribute: Attribute,
  componentType: GltfComponentType,
  byteCount: number,
  address: number,
): unknown {
  const type = {
    int8: module.DT_INT8,
    uint8: module.DT_UINT8,
    int16: module.DT_INT16,
    uint16: module.DT_UINT16,
    uint32: module.DT_UINT32,
    float32: module.DT_FLOAT32,
  }[componentType];
  return decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, type, byteCount, address);
}

/**
 * Returns bytes that the decoder writes to an address of its memory.
 *
 * @param write Returns `false` if the values have no such type.
 */
function copyOut(
  module: DecoderModule,
  byteCount: number,
  write: (byteCount: number, address: number) => unknown,
): Uint8Array {
  const address = module._malloc(byteCount);
  if (address === 0) throw new Error('the decoder has no memory left');
  if (write(byteCount, address) === false) throw new Error('its values do not fit the accessor');
  const bytes = module.HEAPU8.slice(address, address + byteCount);
  module._free(address);
  return bytes;
}

/** Converts indices of 32 bits to the type of their accessor. */
function narrow(triangles: Uint8Array, componentType: GltfComponentType): Uint8Array {
  const indices = new Uint32Array(triangles.buffer, 0, triangles.length / 4);
  const largest = indices.reduce((most, index) => Math.max(most, index), 0);
  const { bytes } = COMPONENT_TYPES[componentType];
  if (largest >= 2 ** (8 * bytes))
    throw new Error(`index ${largest} does not fit ${componentType}`);
  if (bytes === 4) return triangles;
  const narrowed = bytes === 2 ? Uint16Array.from(indices) : Uint8Array.from(indices);
  return new Uint8Array(narrowed.buffer);
}
