/** Reads duration and size of the recording: a WebP container (RIFF) with a chunk per image. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** File of the recording. */
export const RECORDING_FILE = resolve(import.meta.dirname, '../../../docs/images/tour.webp');

const CHUNKS_START = 12;
const CHUNK_HEAD_BYTES = 8;
/** Offset of an image's duration in its chunk `ANMF`, 24 bits in milliseconds. */
const DURATION_OFFSET = 12;
/** Offset of the number of repetitions in the chunk `ANIM`. 0 repeats forever. */
const LOOP_OFFSET = 4;
/** Offset of the width less one in the chunk `VP8X`, 24 bits. */
const WIDTH_OFFSET = 4;

/** Properties of the recording. */
export interface Recording {
  readonly byteLength: number;
  readonly durationMs: number;
  readonly imageCount: number;
  readonly isEndless: boolean;
  readonly widthPx: number;
}

/**
 * Reads the recording.
 *
 * @throws {Error} If the file does not exist, or is no WebP.
 */
export function readRecording(): Recording {
  const bytes = readFileSync(RECORDING_FILE);
  if (bytes.toString('latin1', 8, CHUNKS_START) !== 'WEBP') {
    throw new Error(`${RECORDING_FILE}: the container is not WebP`);
  }
  let [durationMs, imageCount, isEndless, widthPx] = [0, 0, false, 0];
  for (let at = CHUNKS_START; at < bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const content = at + CHUNK_HEAD_BYTES;
    if (name === 'VP8X') widthPx = bytes.readUIntLE(content + WIDTH_OFFSET, 3) + 1;
    if (name === 'ANIM') isEndless = bytes.readUInt16LE(content + LOOP_OFFSET) === 0;
    if (name === 'ANMF') {
      durationMs += bytes.readUIntLE(content + DURATION_OFFSET, 3);
      imageCount++;
    }
    // Chunks start at even offsets.
    at = content + length + (length % 2);
  }
  return { byteLength: bytes.length, durationMs, imageCount, isEndless, widthPx };
}
