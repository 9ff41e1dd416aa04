/** Packs JSON and bytes into a .glb without checking them, for tests of rejected files. */
const HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;

/**
 * Returns the bytes of the .glb.
 *
 * @param json Text, or a value that is written as JSON.
 */
export function packGlb(json: unknown, binary: Uint8Array = new Uint8Array(0)): Uint8Array {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  const chunks = [{ type: 0x4e4f534a, content: padded(new TextEncoder().encode(text), 0x20) }];
  if (binary.length > 0) chunks.push({ type: 0x004e4942, content: padded(binary, 0) });
  const total = chunks.reduce(
    (sum, { content }) => sum + CHUNK_HEADER_BYTES + content.length,
    HEADER_BYTES,
  );
  const glb = new Uint8Array(total);
  const view = new DataView(glb.buffer);
  view.setUint32(0, 0x46546c67, true);
  view.setUint32(4, 2, true);
  view.setUint32(8, total, true);
  let at = HEADER_BYTES;
  for (const { type, content } of chunks) {
    view.setUint32(at, content.length, true);
    view.setUint32(at + 4, type, true);
    glb.set(content, at + CHUNK_HEADER_BYTES);
    at += CHUNK_HEADER_BYTES + content.length;
  }
  return glb;
}

function padded(bytes: Uint8Array, filler: number): Uint8Array {
  const whole = new Uint8Array(Math.ceil(bytes.length / 4) * 4).fill(filler);
  whole.set(bytes);
  return whole;
}
