/**
 * The visibility stream: for each coarse bin of a pass, the primitives of each draw to process
 * (patent US 12,051,154, ¶35, fig. 3: 314, 322). It has two levels: one bit per draw, then for each
 * draw with visible primitives a list in the smallest of four forms.
 *
 * Layout of the bytes of one bin: version (1 byte), draw bitmap (⌈drawCount / 8⌉ bytes, bit d % 8
 * of byte d / 8), a list for each marked draw, CRC-16 of all preceding bytes (2 bytes, low byte
 * first). A bin without primitives is one byte: the version with bit 7 set.
 *
 * A list starts with a head byte (form in bits 0 and 1, k in bits 2 to 6), the entry count − 1 and
 * the first id as varints (little-endian base 128). The rest depends on the form:
 *
 * | form | | then |
 * | --- | --- | --- |
 * | 0 | range | nothing: the ids are consecutive |
 * | 1 | bitmap | bits of the ids from first + 1 to the last entry |
 * | 2 | gaps | per further entry: id − previous id − 1, Rice-coded with k |
 * | 3 | runs | a byte kGap; then alternating run length − 1 (k) and gap − 1 (kGap) |
 *
 * A Rice code with k of n is ⌊n / 2^k⌋ ones, a zero, and the k low bits of n, lowest first (Rice,
 * "Some Practical Universal Noiseless Coding Techniques", 1979). Bits fill bytes from the lowest
 * bit; the last byte of a list is padded with zeros. Primitive k of instance i has the id i ×
 * primitivesPerInstance + k; ids ascend within a draw.
 */
import { RenderError } from './errors.ts';

/** Version of the encoding. */
export const VISIBILITY_STREAM_VERSION = 2;
/** Bit of the version byte that marks a bin without primitives. */
const EMPTY_BIN = 0x80;
const CRC_BYTES = 2;

const FORM_RANGE = 0;
const FORM_BITMAP = 1;
const FORM_GAPS = 2;
const FORM_RUNS = 3;
const MAX_RICE_K = 31;

/** Visible primitives of one draw in one coarse bin, in ascending order. */
export interface VisibleDraw {
  readonly drawIndex: number;
  readonly primitiveIds: Uint32Array;
}

/** Encoded streams of one pass, by coarse bin. */
export interface VisibilityStream {
  readonly passIndex: number;
  readonly bins: readonly Uint8Array[];
}

/** Encodes one bin. `draws` must ascend by `drawIndex`. Draws without primitives are omitted. */
export function encodeVisibilityBin(draws: readonly VisibleDraw[], drawCount: number): Uint8Array {
  const visible = draws.filter(({ primitiveIds }) => primitiveIds.length > 0);
  if (visible.length === 0) return Uint8Array.of(VISIBILITY_STREAM_VERSION | EMPTY_BIN);
  const plans = visible.map(({ primitiveIds }) => planList(primitiveIds));
  const headBytes = 1 + Math.ceil(drawCount / 8);
  const listBytes = plans.reduce((sum, plan) => sum + plan.byteLength, 0);
  const encoded = new Uint8Array(headBytes + listBytes + CRC_BYTES);
  encoded[0] = VISIBILITY_STREAM_VERSION;
  let at = headBytes;
  for (const [i, { drawIndex, primitiveIds }] of visible.entries()) {
    encoded[1 + (drawIndex >> 3)]! |= 1 << (drawIndex & 7);
    writeList(encoded, at, primitiveIds, plans[i]!);
    at += plans[i]!.byteLength;
  }
  const crc = crc16(encoded, at);
  encoded[at] = crc & 0xff;
  encoded[at + 1] = crc >> 8;
  return encoded;
}

/** Form of a list and its encoded size. */
interface ListPlan {
  readonly form: number;
  readonly k: number;
  readonly kGap: number;
  readonly byteLength: number;
}

/** Returns the smallest form of a list. */
function planList(ids: Uint32Array): ListPlan {
  const count = ids.length;
  const first = ids[0]!;
  const span = ids[count - 1]! - first;
  const headBytes = 1 + varintLength(count - 1) + varintLength(first);
  if (span === count - 1) return { form: FORM_RANGE, k: 0, kGap: 0, byteLength: headBytes };

  let best: ListPlan = {
    form: FORM_BITMAP,
    k: 0,
    kGap: 0,
    byteLength: headBytes + Math.ceil(span / 8),
  };
  const propose = (form: number, k: number, kGap: number, bodyBytes: number) => {
    const byteLength = headBytes + bodyBytes;
    if (byteLength < best.byteLength) best = { form, k, kGap, byteLength };
  };
  const [gaps, runs] = scratchOf(count);
  let runCount = 0;
  let run = 0;
  for (let i = 1; i < count; i++) {
    const gap = ids[i]! - ids[i - 1]! - 1;
    if (gap === 0) {
      run++;
      continue;
    }
    gaps[runCount] = gap;
    runs[runCount++] = run;
    run = 0;
  }
  const breaks = gaps.subarray(0, runCount);
  runs[runCount++] = run;
  const ofGaps = bestRice(breaks, count - 1);
  propose(FORM_GAPS, ofGaps.k, 0, Math.ceil(ofGaps.bits / 8));
  const ofRuns = bestRice(runs.subarray(0, runCount));
  for (let i = 0; i < breaks.length; i++) breaks[i]!--;
  const ofBreaks = bestRice(breaks);
  propose(FORM_RUNS, ofRuns.k, ofBreaks.k, 1 + Math.ceil((ofRuns.bits + ofBreaks.bits) / 8));
  return best;
}

/** Returns two arrays of at least `count` words for the gaps and runs of the current list. */
function scratchOf(count: number): readonly [Uint32Array, Uint32Array] {
  if (scratch[0].length < count) {
    const length = 2 * count;
    scratch = [new Uint32Array(length), new Uint32Array(length)];
  }
  return scratch;
}

let scratch: readonly [Uint32Array, Uint32Array] = [new Uint32Array(256), new Uint32Array(256)];

/**
 * Returns the Rice parameter near the mean that encodes the values in the fewest bits.
 *
 * @param count Total number of values, at least 1. Those not in `values` are 0.
 */
function bestRice(
  values: Uint32Array,
  count = values.length,
): { readonly k: number; readonly bits: number } {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  const near = 31 - Math.clz32(Math.floor(sum / count) + 1);
  let best = { k: 0, bits: Number.POSITIVE_INFINITY };
  for (let k = Math.max(0, near - 2); k <= Math.min(MAX_RICE_K, near + 1); k++) {
    let bits = count * (1 + k);
    for (let i = 0; i < values.length; i++) bits += values[i]! >>> k;
    if (bits < best.bits) best = { k, bits };
  }
  return best;
}

function writeList(encoded: Uint8Array, start: number, ids: Uint32Array, plan: ListPlan): void {
  const { form, k, kGap } = plan;
  const count = ids.length;
  const first = ids[0]!;
  encoded[start] = form | (k << 2);
  let at = writeVarint(encoded, writeVarint(encoded, start + 1, count - 1), first);
  if (form === FORM_RANGE) return;
  if (form === FORM_BITMAP) {
    for (let i = 1; i < count; i++) {
      const bit = ids[i]! - first - 1;
      encoded[at + (bit >>> 3)]! |= 1 << (bit & 7);
    }
    return;
  }
  if (form === FORM_RUNS) encoded[at++] = kGap;
  const writer = new BitWriter(encoded, at);
  let run = 0;
  for (let i = 1; i < count; i++) {
    const gap = ids[i]! - ids[i - 1]! - 1;
    if (form === FORM_GAPS) {
      writer.rice(gap, k);
    } else if (gap === 0) {
      run++;
    } else {
      writer.rice(run, k);
      writer.rice(gap - 1, kGap);
      run = 0;
    }
  }
  if (form === FORM_RUNS) writer.rice(run, k);
  writer.flush();
}

/**
 * Decodes one bin.
 *
 * @param primitiveCounts Number of primitives of each draw of the pass. An id that is not below it
 *   is rejected.
 * @throws {RenderError} FRAME_INVALID if the bytes are not a stream of this version for these
 *   draws. A single wrong bit is always detected.
 */
export function decodeVisibilityBin(
  encoded: Uint8Array,
  primitiveCounts: readonly number[],
): VisibleDraw[] {
  const reader = new StreamReader(encoded);
  const version = reader.byte();
  if (version === (VISIBILITY_STREAM_VERSION | EMPTY_BIN)) {
    if (!reader.isAtEnd()) reader.fail('unexpected bytes after the last list');
    return [];
  }
  if (version !== VISIBILITY_STREAM_VERSION) reader.fail(`unknown version ${version}`);
  reader.checkCrc();
  const drawBitmap = reader.bytes(Math.ceil(primitiveCounts.length / 8));
  const draws: VisibleDraw[] = [];
  for (let drawIndex = 0; drawIndex < drawBitmap.length * 8; drawIndex++) {
    if ((drawBitmap[drawIndex >> 3]! & (1 << (drawIndex & 7))) === 0) continue;
    const primitiveCount = primitiveCounts[drawIndex];
    if (primitiveCount === undefined) return reader.fail(`draw ${drawIndex} does not exist`);
    draws.push({ drawIndex, primitiveIds: decodeList(reader, primitiveCount) });
  }
  if (!reader.isAtEnd()) reader.fail('unexpected bytes after the last list');
  return draws;
}

function decodeList(reader: StreamReader, primitiveCount: number): Uint32Array {
  const head = reader.byte();
  const form = head & 3;
  const k = head >> 2;
  if (k > MAX_RICE_K) reader.fail(`unknown head byte ${head}`);
  const count = reader.varint() + 1;
  if (count > primitiveCount) reader.fail(`${count} entries for ${primitiveCount} primitives`);
  const ids = new Uint32Array(count);
  ids[0] = checkedId(reader, reader.varint(), primitiveCount);
  switch (form) {
    case FORM_RANGE:
      checkedId(reader, ids[0]! + count - 1, primitiveCount);
      for (let i = 1; i < count; i++) ids[i] = ids[0]! + i;
      return ids;
    case FORM_BITMAP:
      readBitmap(reader, ids, primitiveCount);
      break;
    case FORM_GAPS:
      for (let i = 1; i < count; i++) {
        ids[i] = checkedId(reader, ids[i - 1]! + 1 + reader.rice(k), primitiveCount);
      }
      break;
    default:
      readRuns(reader, ids, k, primitiveCount);
  }
  reader.endBits();
  return ids;
}

function readBitmap(reader: StreamReader, ids: Uint32Array, primitiveCount: number): void {
  let id = ids[0]!;
  for (let filled = 1; filled < ids.length; ) {
    id++;
    if (reader.bit() === 1) ids[filled++] = checkedId(reader, id, primitiveCount);
  }
}

function readRuns(
  reader: StreamReader,
  ids: Uint32Array,
  kRun: number,
  primitiveCount: number,
): void {
  const kGap = reader.byte();
  if (kGap > MAX_RICE_K) reader.fail(`Rice parameter ${kGap} is above ${MAX_RICE_K}`);
  let id = ids[0]!;
  for (let filled = 1; ; ) {
    const run = reader.rice(kRun);
    if (run > ids.length - filled) reader.fail(`more entries than the announced ${ids.length}`);
    checkedId(reader, id + run, primitiveCount);
    for (let i = 0; i < run; i++) ids[filled++] = ++id;
    if (filled === ids.length) return;
    id = checkedId(reader, id + 2 + reader.rice(kGap), primitiveCount);
    ids[filled++] = id;
  }
}

function checkedId(reader: StreamReader, id: number, primitiveCount: number): number {
  if (id >= primitiveCount)
    reader.fail(`primitive ${id} does not exist; the draw has ${primitiveCount}`);
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

/** CRC-16/CCITT-FALSE: polynomial 0x1021, initial value 0xffff. */
const CRC_TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  return crc;
});

function crc16(bytes: Uint8Array, length: number): number {
  let crc = 0xffff;
  for (let i = 0; i < length; i++) {
    crc = ((crc << 8) & 0xffff) ^ CRC_TABLE[(crc >> 8) ^ bytes[i]!]!;
  }
  return crc;
}

/** Writes Rice codes. {@link flush} completes the last byte. */
class BitWriter {
  readonly #bytes: Uint8Array;
  #at: number;
  /** Bits that do not fill a byte yet, the first one lowest. */
  #pending = 0;
  #pendingCount = 0;

  constructor(bytes: Uint8Array, startByte: number) {
    this.#bytes = bytes;
    this.#at = startByte;
  }

  rice(value: number, k: number): void {
    let ones = value >>> k;
    for (; ones >= 16; ones -= 16) this.#put(0xffff, 16);
    // The ones are followed by a zero.
    this.#put((1 << ones) - 1, ones + 1);
    if (k > 16) this.#put(value & 0xffff, 16);
    const left = k > 16 ? k - 16 : k;
    const rest = k > 16 ? value >>> 16 : value;
    this.#put(rest & ((1 << left) - 1), left);
  }

  /** Pads the last byte with zeros. */
  flush(): void {
    if (this.#pendingCount > 0) this.#bytes[this.#at++] = this.#pending;
    this.#pending = 0;
    this.#pendingCount = 0;
  }

  /** @param count Number of bits, at most 17. */
  #put(bits: number, count: number): void {
    let pending = this.#pending | (bits << this.#pendingCount);
    let pendingCount = this.#pendingCount + count;
    for (; pendingCount >= 8; pendingCount -= 8) {
      this.#bytes[this.#at++] = pending;
      pending >>>= 8;
    }
    this.#pending = pending;
    this.#pendingCount = pendingCount;
  }
}

/** Reads forward and fails at the end of the bytes. */
class StreamReader {
  readonly #bytes: Uint8Array;
  /** End of the readable bytes; after {@link checkCrc} the start of the CRC. */
  #end: number;
  #at = 0;
  /** Current byte and the number of its bits that have not been read. */
  #current = 0;
  #bitsLeft = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#end = bytes.length;
  }

  fail(problem: string): never {
    throw new RenderError('FRAME_INVALID', `visibility stream, byte ${this.#at}: ${problem}`);
  }

  isAtEnd(): boolean {
    return this.#at === this.#end;
  }

  /** Checks the CRC in the last two bytes and excludes them from reading. */
  checkCrc(): void {
    const end = this.#end - CRC_BYTES;
    if (end < this.#at) this.fail('the stream ends early');
    const expected = this.#bytes[end]! | (this.#bytes[end + 1]! << 8);
    if (crc16(this.#bytes, end) !== expected) this.fail('wrong checksum');
    this.#end = end;
  }

  byte(): number {
    if (this.#at >= this.#end) this.fail('the stream ends early');
    return this.#bytes[this.#at++]!;
  }

  bytes(count: number): Uint8Array {
    if (this.#at + count > this.#end) this.fail('the stream ends early');
    this.#at += count;
    return this.#bytes.subarray(this.#at - count, this.#at);
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
    return this.fail('a varint is longer than 5 bytes');
  }

  bit(): number {
    if (this.#bitsLeft === 0) this.#nextByte();
    const bit = this.#current & 1;
    this.#skip(1);
    return bit;
  }

  rice(k: number): number {
    // 1. Count the ones, as many at a time as the byte contains.
    let ones = 0;
    for (;;) {
      if (this.#bitsLeft === 0) this.#nextByte();
      const zeros = ~this.#current;
      const run = 31 - Math.clz32(zeros & -zeros);
      if (run < this.#bitsLeft) {
        ones += run;
        this.#skip(run + 1);
        break;
      }
      ones += this.#bitsLeft;
      this.#skip(this.#bitsLeft);
    }
    // 2. Read the low bits.
    let value = 0;
    for (let have = 0; have < k; ) {
      if (this.#bitsLeft === 0) this.#nextByte();
      const taken = Math.min(k - have, this.#bitsLeft);
      value += (this.#current & ((1 << taken) - 1)) * 2 ** have;
      this.#skip(taken);
      have += taken;
    }
    return ones * 2 ** k + value;
  }

  #nextByte(): void {
    this.#current = this.byte();
    this.#bitsLeft = 8;
  }

  /** @param bits Number of bits, at most those left in the current byte. */
  #skip(bits: number): void {
    this.#current >>= bits;
    this.#bitsLeft -= bits;
  }

  /** Continues at the next whole byte. */
  endBits(): void {
    if (this.#current !== 0) this.fail('padding bits after a list are not zero');
    this.#bitsLeft = 0;
  }
}
