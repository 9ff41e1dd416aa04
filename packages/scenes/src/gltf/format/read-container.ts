/** Splits a .glb (glTF 2.0, 4.4): a 12-byte header, then chunks of length, type and bytes. */
import { RenderError } from '@tessera/frame';

const MAGIC = 0x46546c67; // "glTF"
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
const HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;

/** Parts of a .glb; both share memory with the file. */
export interface GlbParts {
  readonly json: Uint8Array;
  readonly binary: Uint8Array | null;
}

/**
 * Splits the bytes of a .glb.
 *
 * @throws {RenderError} MODEL_INVALID if a length does not fit the file.
 */
export function readGlb(bytes: Uint8Array): GlbParts {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER_BYTES || view.getUint32(0, true) !== MAGIC) {
    fail(`the ${bytes.length} bytes do not begin with the header of a .glb ("glTF")`);
  }
  const version = view.getUint32(4, true);
  if (version !== 2) {
    throw new RenderError('MODEL_UNSUPPORTED', `glb: version ${version}; only 2 is supported`);
  }
  const length = view.getUint32(8, true);
  if (length > bytes.length) {
    fail(`the header says ${length} bytes, but the file ends after ${bytes.length}`);
  }
  let json: Uint8Array | null = null;
  let binary: Uint8Array | null = null;
  let at = HEADER_BYTES;
  for (let chunk = 0; at < length; chunk++) {
    if (at + CHUNK_HEADER_BYTES > length) fail(`chunk ${chunk}: the header extends past the end`);
    const chunkBytes = view.getUint32(at, true);
    const type = view.getUint32(at + 4, true);
    at += CHUNK_HEADER_BYTES;
    if (at + chunkBytes > length) {
      fail(`chunk ${chunk}: ${chunkBytes} bytes, but only ${length - at} are left`);
    }
    const content = bytes.subarray(at, at + chunkBytes);
    if (chunk === 0) {
      if (type !== JSON_CHUNK) fail('chunk 0 is not JSON');
      json = content;
    } else if (chunk === 1 && type === BINARY_CHUNK) {
      binary = content;
    }
    at += chunkBytes;
  }
  return { json: json ?? fail('there is no JSON chunk'), binary };
}

function fail(what: string): never {
  throw new RenderError('MODEL_INVALID', `glb: ${what}`);
}
