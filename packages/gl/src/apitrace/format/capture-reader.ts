/**
 * Reader of apitrace's binary captures, versions 0 to 6 (apitrace's format documentation). It
 * yields each call when the call returns, so a long capture needs the memory of one chunk. A
 * damaged file ends in a `RenderError` that names the call and the byte. False lengths allocate
 * nothing.
 *
 * Version 3 added enumerations with all their values, version 4 the thread of each call, version 5
 * backtraces, and version 6 properties of the traced program.
 */
import { RenderError } from '@tessera/frame';
import { CaptureBytes, STARVED } from './capture-bytes.ts';
import { decompressCapture } from './capture-container.ts';
import { CaptureSignatures, type FunctionSignature } from './capture-signatures.ts';
import { CapturedPointer, CapturedStruct, type CapturedValue } from './captured-value.ts';
import { decompressCaptureStream } from './stream-container.ts';

/** Recorded call. */
export interface CapturedCall {
  /** Position in the order of entry, from 0. */
  readonly number: number;
  readonly thread: number;
  readonly name: string;
  /** Arguments by name: inputs as on entry, outputs as on return. */
  readonly args: Readonly<Record<string, CapturedValue>>;
  /** Result; `null` for a function without one. */
  readonly result: CapturedValue;
  /** Whether the tracer inserted the call to record client memory or a window's size. */
  readonly isFake: boolean;
  /** Whether the call returned before the capture ended. */
  readonly isComplete: boolean;
}

/** Limits on a capture. A capture beyond one of them is refused with LIMIT_EXCEEDED. */
export interface CaptureLimits {
  /** Maximum decompressed size of the container. */
  readonly maxDecompressedBytes: number;
  /** Maximum number of calls. */
  readonly maxCalls: number;
  /** Maximum number of values in one call, including members of arrays and structures. */
  readonly maxValuesPerCall: number;
  /** Maximum size of one call, which is in memory as a whole. */
  readonly maxCallBytes: number;
}

/** Limits used when the caller gives none. */
export const DEFAULT_CAPTURE_LIMITS: CaptureLimits = Object.freeze({
  maxDecompressedBytes: 2 ** 40,
  maxCalls: 2 ** 32,
  maxValuesPerCall: 2 ** 20,
  maxCallBytes: 2 ** 28,
});

/** First version that records the thread of each call. */
const THREADS_VERSION = 4;
const WHOLE_ENUMS_VERSION = 3;
const PROPERTIES_VERSION = 6;
const NEWEST_VERSION = 6;
/** Maximum number of calls in progress, one per thread of the program. */
const MAX_OPEN_CALLS = 256;
/** Maximum nesting of arrays and structures. */
const MAX_DEPTH = 16;
const FAKE_FLAG = 1;

/**
 * Yields the calls of a capture in the order in which they returned, then those that never did.
 *
 * @throws {RenderError} FRAME_INVALID if the capture is damaged or truncated, after all calls
 *   before the damage; FRAME_UNSUPPORTED for an unknown container or version; LIMIT_EXCEEDED.
 */
export function* readCalls(
  file: Uint8Array,
  limits: CaptureLimits = DEFAULT_CAPTURE_LIMITS,
): Generator<CapturedCall> {
  const reader = new CaptureReader(limits);
  for (const piece of decompressCapture(file, limits.maxDecompressedBytes)) {
    yield* reader.read(piece);
  }
  yield* reader.finish();
}

/**
 * Calls of a capture that arrives in pieces: one list per piece. A list must be consumed before the
 * next is requested.
 */
export type CallBatches = AsyncIterable<Iterable<CapturedCall>>;

/**
 * Yields the calls of a capture whose file arrives in chunks.
 *
 * @throws {RenderError} Same codes as `readCalls`.
 */
export async function* readCallStream(
  chunks: AsyncIterable<Uint8Array>,
  limits: CaptureLimits = DEFAULT_CAPTURE_LIMITS,
): AsyncGenerator<Iterable<CapturedCall>> {
  const reader = new CaptureReader(limits);
  for await (const piece of decompressCaptureStream(chunks, limits.maxDecompressedBytes)) {
    yield reader.read(piece);
  }
  yield reader.finish();
}

interface OpenCall {
  readonly number: number;
  thread: number;
  readonly signature: FunctionSignature;
  readonly args: Record<string, CapturedValue>;
  result: CapturedValue;
  flags: number;
}

class CaptureReader {
  readonly #bytes: CaptureBytes;
  readonly #signatures: CaptureSignatures;
  readonly #limits: CaptureLimits;
  readonly #open = new Map<number, OpenCall>();
  /** Format version; `null` before the header is read. */
  #version: number | null = null;
  #callCount = 0;
  #valuesLeft = 0;

  constructor(limits: CaptureLimits) {
    this.#bytes = new CaptureBytes(Math.min(limits.maxCallBytes, limits.maxDecompressedBytes));
    this.#signatures = new CaptureSignatures(this.#bytes);
    this.#limits = limits;
  }

  /** Yields the calls that returned up to the end of `piece`. */
  *read(piece: Uint8Array): Generator<CapturedCall> {
    this.#bytes.append(piece);
    yield* this.#readEvents();
  }

  /** Yields the remaining calls after the end of the stream. */
  *finish(): Generator<CapturedCall> {
    this.#bytes.end();
    yield* this.#readEvents();
    if (this.#version === null) this.#bytes.fail('the capture ends early');
    for (const call of this.#open.values()) yield closeCall(call, false);
  }

  *#readEvents(): Generator<CapturedCall> {
    while (this.#bytes.canBegin()) {
      for (;;) {
        const start = this.#bytes.position;
        let call: CapturedCall | null;
        try {
          if (this.#bytes.isDrained()) break;
          call = this.#readEvent();
        } catch (error) {
          if (error !== STARVED) throw error;
          this.#bytes.rewind(start);
          break;
        }
        if (call !== null) yield call;
      }
    }
  }

  /** Reads the header, a call's entry or its return. Returns the call if it returned. */
  #readEvent(): CapturedCall | null {
    if (this.#version === null) {
      this.#version = this.#readHeader();
      return null;
    }
    const event = this.#bytes.byte();
    if (event === 0) {
      this.#enter(this.#callCount, this.#version);
      this.#callCount++;
      return null;
    }
    return event === 1 ? this.#leave() : this.#bytes.fail(`event ${event} is unknown`);
  }

  #readHeader(): number {
    const version = this.#bytes.uint();
    if (version > NEWEST_VERSION) {
      throw new RenderError(
        'FRAME_UNSUPPORTED',
        `apitrace version ${version}; 0 to ${NEWEST_VERSION} are read`,
      );
    }
    if (version >= PROPERTIES_VERSION) {
      this.#bytes.uint(); // The semantic version only concerns Direct3D calls.
      while (this.#bytes.string() !== '') this.#bytes.string();
    }
    return version;
  }

  #enter(number: number, version: number): void {
    this.#bytes.setPlace(`call ${number}`);
    if (number === this.#limits.maxCalls) {
      throw new RenderError('LIMIT_EXCEEDED', `the capture has more than ${number} calls`);
    }
    const thread = version >= THREADS_VERSION ? this.#bytes.uint() : 0;
    const signature = this.#signatures.readFunction();
    this.#bytes.setPlace(`call ${number} (${signature.name})`);
    if (this.#open.size >= MAX_OPEN_CALLS) {
      this.#bytes.fail(`${this.#open.size} calls are under way, the limit`);
    }
    const args: Record<string, CapturedValue> = Object.create(null);
    const call: OpenCall = { number, thread, signature, args, result: null, flags: 0 };
    this.#readDetails(call);
    this.#open.set(number, call);
  }

  #leave(): CapturedCall {
    const number = this.#bytes.uint();
    const call = this.#open.get(number);
    if (call === undefined) return this.#bytes.fail(`call ${number} leaves but is not under way`);
    this.#bytes.setPlace(`call ${number} (${call.signature.name})`);
    this.#readDetails(call);
    this.#open.delete(number);
    return closeCall(call, true);
  }

  #readDetails(call: OpenCall): void {
    this.#valuesLeft = this.#limits.maxValuesPerCall;
    for (;;) {
      const detail = this.#bytes.byte();
      switch (detail) {
        case 0:
          return;
        case 1: {
          const index = this.#bytes.uint();
          const name = call.signature.argumentNames[index];
          if (name === undefined) this.#bytes.fail(`argument ${index} is not in the signature`);
          call.args[name] = this.#readValue(0);
          break;
        }
        case 2:
          call.result = this.#readValue(0);
          break;
        case 3: // Thread, in versions that do not record it first.
          call.thread = this.#bytes.uint();
          break;
        case 4:
          for (let i = this.#readCount(); i > 0; i--) this.#signatures.readStackFrame();
          break;
        case 5:
          call.flags = this.#bytes.uint();
          break;
        default:
          this.#bytes.fail(`call detail ${detail} is unknown`);
      }
    }
  }

  #readValue(depth: number): CapturedValue {
    if (this.#valuesLeft-- <= 0) {
      this.#bytes.fail(`more than ${this.#limits.maxValuesPerCall} values`);
    }
    if (depth > MAX_DEPTH) this.#bytes.fail(`values are nested deeper than ${MAX_DEPTH}`);
    const type = this.#bytes.byte();
    switch (type) {
      case 0:
        return null;
      case 1:
        return false;
      case 2:
        return true;
      case 3:
        return -this.#bytes.wideUint();
      case 4:
        return this.#bytes.wideUint();
      case 5:
        return this.#bytes.float32();
      case 6:
        return this.#bytes.float64();
      case 7:
        return this.#bytes.string();
      case 8:
        return this.#bytes.bytes(this.#bytes.uint());
      case 9:
        if (this.#version! < WHOLE_ENUMS_VERSION) return this.#signatures.readOldEnum();
        this.#signatures.readEnum();
        return this.#signatures.readSigned();
      case 10:
        this.#signatures.readBitmask();
        return this.#bytes.wideUint();
      case 11: {
        const values: CapturedValue[] = [];
        for (let i = this.#readCount(); i > 0; i--) values.push(this.#readValue(depth + 1));
        return values;
      }
      case 12: {
        const { name, argumentNames } = this.#signatures.readStruct();
        const members: Record<string, CapturedValue> = Object.create(null);
        for (const member of argumentNames) members[member] = this.#readValue(depth + 1);
        return new CapturedStruct(name, members);
      }
      case 13:
        return new CapturedPointer(this.#bytes.wideUint());
      case 14:
        this.#readValue(depth + 1); // Representation for human readers.
        return this.#readValue(depth + 1);
      case 15: {
        let text = '';
        for (let i = this.#readCount(); i > 0; i--) {
          const codePoint = this.#bytes.uint();
          if (codePoint > 0x10ffff) this.#bytes.fail(`character ${codePoint} is out of range`);
          text += String.fromCodePoint(codePoint);
        }
        return text;
      }
      default:
        return this.#bytes.fail(`value type ${type} is unknown`);
    }
  }

  /** Reads a number of entries and checks it before any allocation. */
  #readCount(): number {
    const count = this.#bytes.uint();
    if (count > this.#valuesLeft) {
      this.#bytes.fail(`${count} entries; at most ${this.#limits.maxValuesPerCall} values a call`);
    }
    return count;
  }
}

function closeCall(call: OpenCall, isComplete: boolean): CapturedCall {
  const { number, thread, signature, args, result, flags } = call;
  const isFake = (flags & FAKE_FLAG) !== 0;
  return { number, thread, name: signature.name, args, result, isFake, isComplete };
}
