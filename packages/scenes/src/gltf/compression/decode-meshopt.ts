/** Decodes buffer views of EXT_meshopt_compression and KHR_meshopt_compression. */
import type { MeshoptStream } from './compressed-geometry.ts';

/**
 * Returns the content of a compressed buffer view. The decoder is loaded when a model needs it.
 *
 * @throws {RenderError} MODEL_INVALID if the stream is damaged.
 */
export async function decodeMeshopt(stream: MeshoptStream): Promise<Uint8Array> {
  const { place, bytes, count, strideBytes, mode, filter } = stream;
  const { MeshoptDecoder } = await import('meshoptimizer/decoder');
  await MeshoptDecoder.ready;
  const decoded = new Uint8Array(count * strideBytes);
  try {
    MeshoptDecoder.decodeGltfBuffer(decoded, count, strideBytes, bytes, mode, filter);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    place.fail(`the stream is damaged: ${reason}`, cause);
  }
  return decoded;
}
