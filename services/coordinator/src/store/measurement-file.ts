/**
 * Files of measurements. A measurement without records is JSON. One with records has their arrays
 * behind the JSON, because they are megabytes of binary words:
 *
 *     magic (8 bytes)   length of the JSON (8 bytes)   JSON   arrays
 *
 * All parts start at multiples of eight bytes. The JSON has the place of each array. Words are
 * little-endian, as on every machine that the service runs on.
 */
import type { RunArray } from '@tessera/frame';
import type { FrameMeasurement } from '@tessera/multi-chiplet/rendering';

const MAGIC = Buffer.from('TSRMEAS1');
const HEAD_BYTES = 16;
const ALIGNMENT_BYTES = 8;
/** Bytes that are passed on at a time, so that hashing them takes less than a millisecond. */
const PIECE_BYTES = 2 ** 20;

/** Place of an array in the part of the file behind the JSON. */
interface ArrayPlace {
  readonly $array: 'i32' | 'f64';
  readonly at: number;
  readonly length: number;
}

/** Yields the bytes of a measurement's file. */
export function* writeMeasurement(measurement: FrameMeasurement): Generator<Uint8Array, void> {
  const arrays: RunArray[] = [];
  let at = 0;
  const json = Buffer.from(
    JSON.stringify(measurement, (_key, value: unknown) => {
      if (!(value instanceof Int32Array || value instanceof Float64Array)) return value;
      const kind = value instanceof Int32Array ? 'i32' : 'f64';
      const place: ArrayPlace = { $array: kind, at, length: value.length };
      arrays.push(value);
      at += value.byteLength + paddingOf(value.byteLength);
      return place;
    }),
  );
  if (arrays.length === 0) {
    yield json;
    return;
  }
  const head = Buffer.alloc(HEAD_BYTES);
  MAGIC.copy(head);
  head.writeUInt32LE(json.length, MAGIC.length);
  yield Buffer.concat([head, json, Buffer.alloc(paddingOf(json.length))]);
  for (const { buffer, byteOffset, byteLength } of arrays) {
    for (let from = 0; from < byteLength; from += PIECE_BYTES) {
      const length = Math.min(PIECE_BYTES, byteLength - from);
      yield new Uint8Array(buffer, byteOffset + from, length);
    }
    if (paddingOf(byteLength) > 0) yield Buffer.alloc(paddingOf(byteLength));
  }
}

/**
 * Reads the file of a measurement.
 *
 * @param file Bytes of the file, at the start of their memory or at a multiple of eight bytes. The
 *   arrays of records are views of them.
 */
export function readMeasurement(file: Uint8Array<ArrayBuffer>): FrameMeasurement {
  const { buffer, byteOffset } = file;
  const bytes = Buffer.from(buffer, byteOffset, file.byteLength);
  if (!bytes.subarray(0, MAGIC.length).equals(MAGIC)) {
    return JSON.parse(bytes.toString('utf8')) as FrameMeasurement; // writeMeasurement wrote it.
  }
  const jsonEnd = HEAD_BYTES + bytes.readUInt32LE(MAGIC.length);
  const start = byteOffset + jsonEnd + paddingOf(jsonEnd);
  const revive = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'object' || value === null || !('$array' in value)) return value;
    const { $array, at, length } = value as ArrayPlace; // writeMeasurement wrote it.
    const Words = $array === 'i32' ? Int32Array : Float64Array;
    return new Words(buffer, start + at, length);
  };
  const json = bytes.toString('utf8', HEAD_BYTES, jsonEnd);
  return JSON.parse(json, revive) as FrameMeasurement; // writeMeasurement wrote it.
}

function paddingOf(bytes: number): number {
  return (ALIGNMENT_BYTES - (bytes % ALIGNMENT_BYTES)) % ALIGNMENT_BYTES;
}
