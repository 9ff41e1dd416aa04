/** Chunks of an OpenEXR image: one or more rows, compressed ("OpenEXR File Layout"). */
import { inflateSync } from 'node:zlib';
import { type ExrHeader, failExr, viewOf } from './exr-header.ts';

/**
 * Returns the rows of a chunk: for each row the values of one channel after the other.
 *
 * @throws {RenderError} MODEL_INVALID, naming the chunk.
 */
export function readExrChunk(bytes: Uint8Array, header: ExrHeader, index: number): Uint8Array {
  const { heightPx, widthPx, firstRow, compression, channels, valueBytes, end } = header;
  const place = `chunk ${index}`;
  const view = viewOf(bytes);
  const entryAt = end + 8 * index;
  if (entryAt + 8 > bytes.length) failExr('the table of chunks is cut off');
  const offset = Number(view.getBigUint64(entryAt, true));
  if (offset + 8 > bytes.length) failExr(`${place} is past the end of the file`);
  const size = view.getUint32(offset + 4, true);
  if (offset + 8 + size > bytes.length) failExr(`${place} is cut off`);
  const first = index * compression.rowsPerChunk;
  if (view.getInt32(offset, true) !== firstRow + first) failExr(`${place} has another row`);
  const chunk = bytes.subarray(offset + 8, offset + 8 + size);
  const rows = Math.min(compression.rowsPerChunk, heightPx - first);
  const rowBytes = rows * widthPx * channels.length * valueBytes;
  // Rows that compression would enlarge are stored as they are.
  if (chunk.length === rowBytes) return chunk;
  if (compression.name === 'none' || chunk.length > rowBytes)
    failExr(`${place} has the wrong size`);
  const expanded =
    compression.name === 'rle' ? expandRuns(chunk, rowBytes) : inflate(chunk, rowBytes);
  if (expanded?.length !== rowBytes) return failExr(`${place} does not have its rows`);
  return mergeHalves(undoDifferences(expanded));
}

/** Expands runs; a negative count copies bytes, another repeats one. */
function expandRuns(chunk: Uint8Array, most: number): Uint8Array | null {
  const expanded = new Uint8Array(most);
  let [at, to] = [0, 0];
  while (at < chunk.length) {
    const count = (chunk[at++]! << 24) >> 24;
    const length = count < 0 ? -count : count + 1;
    if (to + length > most || at + (count < 0 ? length : 1) > chunk.length) return null;
    if (count < 0) expanded.set(chunk.subarray(at, at + length), to);
    else expanded.fill(chunk[at]!, to, to + length);
    at += count < 0 ? length : 1;
    to += length;
  }
  return to === most ? expanded : null;
}

function inflate(chunk: Uint8Array, most: number): Uint8Array | null {
  try {
    return inflateSync(chunk, { maxOutputLength: most });
  } catch {
    return null;
  }
}

/** Each byte after the first is stored as the difference from the one before, plus 128. */
function undoDifferences(bytes: Uint8Array): Uint8Array {
  for (let i = 1; i < bytes.length; i++) bytes[i] = bytes[i - 1]! + bytes[i]! - 128;
  return bytes;
}

/** The bytes at even places are stored before those at odd places. */
function mergeHalves(bytes: Uint8Array): Uint8Array {
  const merged = new Uint8Array(bytes.length);
  const half = (bytes.length + 1) >> 1;
  for (let i = 0; i < bytes.length; i++) merged[i] = bytes[(i & 1) * half + (i >> 1)]!;
  return merged;
}
