/**
 * The visibility stream: for each coarse bin of a pass, which primitives of which draws to process
 * (patent US 12,051,154, ¶35, fig. 3: 314, 322). The broadcast form is two-level: one bit per draw, then
 * for each draw with visible primitives a bitmap or a list of gaps, whichever is smaller.
 *
 * Layout of one bin's bytes: version (1 byte), draw bitmap (⌈drawCount / 8⌉ bytes, bit d % 8 of byte
 * d / 8), then per marked draw: form byte, varint entry count, varint payload length, payload. Form 0:
 * gaps, each a varint of (id − previous id − 1), the first of id itself. Form 1: varint first id, then a
 * bitmap that starts at it. Varints are little-endian base 128. Primitive k of instance i has the id
 * i × primitivesPerInstance + k; ids ascend within a draw.
 */
import { RenderError } from './errors.ts';

export const VISIBILITY_STREAM_VERSION = 1;
const FORM_GAPS = 0;
const FORM_BITMAP = 1;

/** The visible primitives of one draw in one coarse bin, ascending. */
export interface VisibleDraw {
  readonly drawIndex: number;
  readonly primitiveIds: Uint32Array;
}

/** One pass's streams, encoded, by coarse bin. */
export interface VisibilityStream {
  readonly passIndex: number;
  readonly bins: readonly Uint8Array[];
}

/** Encodes one bin. `draws` ascend in `drawIndex`; a draw without primitives is left out. */
export function encodeVisibilityBin(draws: readonly VisibleDraw[], drawCount: number): Uint8Array {
  const drawBitmap = new Uint8Array(Math.ceil(drawCount / 8));
  const parts: Uint8Array[] = [Uint8Array.of(VISIBILITY_STREAM_VERSION), drawBitmap];
  for (const { drawIndex, primitiveIds } of draws) {
    if (primitiveIds.length === 0) continue;
    drawBitmap[drawIndex >> 3]! |= 1 << (drawIndex & 7);
    const payload = encodeIds(primitiveIds);
    parts.push(payload.head, payload.body);
  }
  const encoded = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    encoded.set(part, at);
    at += part.length;
  }
  return encoded;
}

function encodeIds(ids: Uint32Array): { head: Uint8Array; body: Uint8Array } {
  const first = ids[0]!;
  const last = ids[ids.length - 1]!;
  let gapBytes = varintLength(first);
  for (let i = 1; i < ids.length; i++) gapBytes += varintLength(ids[i]! - ids[i - 1]! - 1);
  const bitmapBytes = varintLength(first) + Math.ceil((last - first + 1) / 8);
  const isBitmap = bitmapBytes < gapBytes;
  const body = new Uint8Array(isBitmap ? bitmapBytes : gapBytes);
  let at = writeVarint(body, 0, first);
  if (isBitmap) {
    for (const id of ids) body[at + ((id - first) >> 3)]! |= 1 << ((id - first) & 7);
  } else {
    for (let i = 1; i < ids.length; i++) at = writeVarint(body, at, ids[i]! - ids[i - 1]! - 1);
  }
  const head = new Uint8Array(1 + varintLength(ids.length) + varintLength(body.length));
  head[0] = isBitmap ? FORM_BITMAP : FORM_GAPS;
  writeVarint(head, writeVarint(head, 1, ids.length), body.length);
  return { head, body };
}

/**
 * Decodes one bin.
 *
 * @param primitiveCounts Primitives of each draw of the pass; an id at or above it is refused.
 * @throws {RenderError} FRAME_INVALID if the bytes are no stream of this version for these draws.
 */
export function decodeVisibilityBin(
  encoded: Uint8Array,
  primitiveCounts: readonly number[],
): VisibleDraw[] {
  const reader = new StreamReader(encoded);
  const version = reader.byte();
  if (version !== VISIBILITY_STREAM_VERSION) reader.fail(`version ${version} is unknown`);
  const drawBitmap = reader.bytes(Math.ceil(primitiveCounts.length / 8));
  const draws: VisibleDraw[] = [];
  for (let drawIndex = 0; drawIndex < drawBitmap.length * 8; drawIndex++) {
    if ((drawBitmap[drawIndex >> 3]! & (1 << (drawIndex & 7))) === 0) continue;
    const primitiveCount = primitiveCounts[drawIndex];
    if (primitiveCount === undefined) return reader.fail(`draw ${drawIndex} does not exist`);
    draws.push({ drawIndex, primitiveIds: decodeIds(reader, primitiveCount) });
  }
  if (!reader.isAtEnd()) reader.fail('bytes are left over');
  return draws;
}

function decodeIds(reader: StreamReader, primitiveCount: number): Uint32Array {
  const form = reader.byte();
  const count = reader.varint();
  const payloadBytes = reader.varint();
  if (count < 1 || count > primitiveCount) reader.fail(`${count} entries of ${primitiveCount}`);
  const end = reader.at + payloadBytes;
  const ids = new Uint32Array(count);
  const first = reader.varint();
  ids[0] = first;
  let filled = 1;
  if (form === FORM_GAPS) {
    while (filled < count) {
      ids[filled] = checkedId(reader, ids[filled - 1]! + 1 + reader.varint(), primitiveCount);
      filled++;
    }
  } else if (form === FORM_BITMAP) {
    const bitmap = reader.bytes(end - reader.at);
    filled = 0;
    for (let bit = 0; bit < bitmap.length * 8; bit++) {
      if ((bitmap[bit >> 3]! & (1 << (bit & 7))) === 0) continue;
      if (filled === count) reader.fail(`more than the ${count} entries announced`);
      ids[filled++] = checkedId(reader, first + bit, primitiveCount);
    }
    if (filled !== count) reader.fail(`${filled} entries, ${count} announced`);
  } else {
    reader.fail(`form ${form} is unknown`);
  }
  checkedId(reader, ids[0]!, primitiveCount);
  if (reader.at !== end) reader.fail('a list does not fill its length');
  return ids;
}

function checkedId(reader: StreamReader, id: number, primitiveCount: number): number {
  if (id >= primitiveCount) reader.fail(`primitive ${id} of ${primitiveCount}`);
  return id;
}

function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) length++;
  return length;
}

function writeVarint(bytes: Uint8Array, at: number, value: number): number {
  let rest = value;
  let next = at;
  while (rest >= 128) {
    bytes[next++] = (rest % 128) | 128;
    rest = Math.floor(rest / 128);
  }
  bytes[next++] = rest;
  return next;
}

/** Reads forward and refuses to pass the end. */
class StreamReader {
  readonly #bytes: Uint8Array;
  at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  fail(what: string): never {
    throw new RenderError('FRAME_INVALID', `visibility stream, byte ${this.at}: ${what}`);
  }

  isAtEnd(): boolean {
    return this.at === this.#bytes.length;
  }

  byte(): number {
    if (this.at >= this.#bytes.length) this.fail('the stream ends early');
    return this.#bytes[this.at++]!;
  }

  bytes(count: number): Uint8Array {
    if (count < 0 || this.at + count > this.#bytes.length) this.fail('the stream ends early');
    this.at += count;
    return this.#bytes.subarray(this.at - count, this.at);
  }

  varint(): number {
    let value = 0;
    let scale = 1;
    for (let i = 0; i < 5; i++) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
    return this.fail('a number is longer than 5 bytes');
  }
}
