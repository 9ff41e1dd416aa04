/**
 * Decompressor of one raw Snappy block (github.com/google/snappy, format_description.txt): a varint
 * of the decompressed length, then literals and copies from the bytes already written.
 */
import { RenderError } from '@tessera/frame';

/**
 * Upper bound on the expansion of a block: its densest element is a copy of 64 bytes encoded in 3.
 * A block that announces more is damaged, and nothing is allocated for it.
 */
const MAX_BYTES_PER_BYTE = 22;

/**
 * Decompresses a block.
 *
 * @param at Position of the block in the file, for messages.
 * @param maxBytes Maximum decompressed size.
 * @throws {RenderError} FRAME_INVALID if the block is damaged, LIMIT_EXCEEDED past `maxBytes`.
 */
export function decompressSnappy(block: Uint8Array, at: string, maxBytes: number): Uint8Array {
  const fail = (from: number, what: string): never => {
    throw new RenderError('FRAME_INVALID', `${at}: byte ${from} of the snappy block: ${what}`);
  };
  let from = 0;
  let length = 0;
  for (let scale = 1; ; scale *= 128) {
    const byte = block[from++];
    if (byte === undefined || from > 5) return fail(from, 'the length has no end');
    length += (byte & 127) * scale;
    if (byte < 128) break;
  }
  if (length > block.length * MAX_BYTES_PER_BYTE) {
    return fail(from, `announces ${length} bytes, more than ${block.length} bytes can hold`);
  }
  if (length > maxBytes) {
    throw new RenderError('LIMIT_EXCEEDED', `${at}: more than ${maxBytes} decompressed bytes`);
  }
  const output = new Uint8Array(length);
  let to = 0;
  while (from < block.length) {
    const tag = block[from++]!;
    const kind = tag & 3;
    let count = (tag >> 2) + 1;
    if (kind === 0) {
      if (count > 60) {
        const lengthBytes = count - 60;
        if (from + lengthBytes > block.length) return fail(from, 'a literal is cut off');
        count = readLittleEndian(block, from, lengthBytes) + 1;
        from += lengthBytes;
      }
      if (from + count > block.length) return fail(from, 'a literal is cut off');
      if (to + count > length) return fail(from, 'more bytes than announced');
      output.set(block.subarray(from, from + count), to);
      from += count;
    } else {
      const offsetBytes = kind === 3 ? 4 : kind;
      if (from + offsetBytes > block.length) return fail(from, 'a copy is cut off');
      let offset = readLittleEndian(block, from, offsetBytes);
      if (kind === 1) {
        offset += (tag >> 5) << 8;
        count = ((tag >> 2) & 7) + 4;
      }
      from += offsetBytes;
      if (offset === 0 || offset > to) return fail(from, `a copy reaches ${offset} bytes back`);
      if (to + count > length) return fail(from, 'more bytes than announced');
      if (offset >= count) output.copyWithin(to, to - offset, to - offset + count);
      // The copy overlaps its own output, so the pattern repeats byte by byte.
      else for (let i = 0; i < count; i++) output[to + i] = output[to + i - offset]!;
    }
    to += count;
  }
  if (to !== length) return fail(from, `${to} bytes, ${length} announced`);
  return output;
}

function readLittleEndian(bytes: Uint8Array, at: number, count: number): number {
  let value = 0;
  for (let i = count - 1; i >= 0; i--) value = value * 256 + bytes[at + i]!;
  return value;
}
