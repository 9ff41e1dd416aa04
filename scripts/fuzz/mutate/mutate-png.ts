/** Damage to PNG files by chunk. Lengths and checksums fit, so that the content is reached. */
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import type { SeededRandom } from '@tessera/scenes/seeded-random';
import { mutateBytes } from './mutate-bytes.ts';

const SIGNATURE_BYTES = 8;
const CHUNK_OVERHEAD_BYTES = 12;
const TYPES = ['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS', 'gAMA', 'tEXt', 'abcd', 'ABCD'];

interface Chunk {
  readonly type: string;
  readonly content: Uint8Array;
}

/** Whether a file begins as PNG. */
export function isPng(file: Uint8Array): boolean {
  return file[0] === 137 && file[1] === 80 && file[2] === 78 && file[3] === 71;
}

/** Returns a damaged copy of a PNG file. */
export function mutatePng(file: Uint8Array, other: Uint8Array, random: SeededRandom): Uint8Array {
  const chunks = listChunks(file);
  if (chunks.length === 0) return mutateBytes(file, other, random);
  const at = random.integer(0, chunks.length - 1);
  const { type, content } = chunks[at]!;
  switch (random.integer(0, 5)) {
    case 0:
      chunks.splice(at, 1);
      break;
    case 1:
      chunks.splice(random.integer(0, chunks.length), 0, chunks[at]!);
      break;
    case 2: {
      const others = isPng(other) ? listChunks(other) : [];
      if (others.length > 0) chunks.splice(at, random.integer(0, 1), random.pick(others));
      break;
    }
    case 3:
      chunks[at] = { type: random.pick(TYPES), content };
      break;
    case 4:
      if (type === 'IDAT') chunks[at] = { type, content: mutateInflated(content, random) };
      else chunks[at] = { type, content: mutateBytes(content, content, random) };
      break;
    default:
      chunks[at] = { type, content: mutateBytes(content, content, random) };
  }
  return joinChunks(file.subarray(0, SIGNATURE_BYTES), chunks);
}

function mutateInflated(content: Uint8Array, random: SeededRandom): Uint8Array {
  try {
    const rows = inflateSync(content);
    return deflateSync(mutateBytes(rows, rows, random), { level: 1 });
  } catch {
    return mutateBytes(content, content, random); // damaged before
  }
}

function listChunks(file: Uint8Array): Chunk[] {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const chunks: Chunk[] = [];
  let at = SIGNATURE_BYTES;
  while (at + CHUNK_OVERHEAD_BYTES <= file.length) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...file.subarray(at + 4, at + 8));
    chunks.push({ type, content: file.subarray(at + 8, at + 8 + length) });
    at += length + CHUNK_OVERHEAD_BYTES;
  }
  return chunks;
}

function joinChunks(signature: Uint8Array, chunks: readonly Chunk[]): Uint8Array {
  const parts: Uint8Array[] = [signature];
  for (const { type, content } of chunks) {
    const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
    const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    checksum.writeUInt32BE(crc32(named));
    parts.push(length, named, checksum);
  }
  return Uint8Array.from(Buffer.concat(parts));
}
