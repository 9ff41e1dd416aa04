/**
 * Encodes messages to MessagePack with msgpackr and decodes them with unpack.ts. Typed arrays keep
 * their type (extension 0x74, read as an aligned copy). Bytes are sent as `bin`, which is read as a
 * view into the message. A message to several receivers is encoded once. Bulk bytes are separate
 * chunks that are never copied.
 */
import { randomBytes } from 'node:crypto';
import { type BinResult, COUNTER_NAMES } from '@tessera/frame';
import { Packr } from 'msgpackr/pack';
import type { Endpoint, Message, Resource } from '../messages/messages.ts';
import { MalformedError } from '../validation/field-checks.ts';
import { validateMessage } from '../validation/validate-message.ts';
import { KeyTable, unpack } from './unpack.ts';

// No records: each message is self-contained, so the same bytes suit every connection.
const packr = new Packr({ useRecords: false, moreTypes: true });

/** Keys that occur most often in messages: the counters and unit spans of every bin. */
const EXPECTED_KEYS = new KeyTable([
  ...COUNTER_NAMES,
  'unit',
  'startCycle',
  'endCycle',
  'busyCycles',
  'starvedCycles',
  'stalledCycles',
  'x',
  'y',
  'width',
  'height',
  'binId',
  'passIndex',
  'frameId',
  'requestId',
  'traceId',
  'type',
  'result',
  'request',
  'rect',
  'counters',
  'cycles',
  'spans',
  'colors',
  'depthStencil',
  'records',
  'first',
  'count',
  'words',
  'order',
  'starts',
]);

/** Bytes of an encoded message as consecutive chunks. They must not change until they are sent. */
export interface EncodedMessage {
  readonly chunks: readonly Uint8Array[];
  /** Number of bytes of all chunks. */
  readonly length: number;
}

/**
 * Minimum size of a separate chunk. Copying this many bytes costs more than another frame on the
 * socket.
 */
const MIN_CHUNK_BYTES = 65_536;
/** Token of `bin 32`: one byte, followed by a four-byte length. */
const BIN_32 = 0xc6;
const BIN_32_HEAD_BYTES = 5;
/**
 * Placeholder for a chunk while the rest of the message is packed. It is random, so it does not
 * occur elsewhere in the message.
 */
const PLACEHOLDER = randomBytes(32);

/** Encodes a message as one array. */
export function encodeMessage(message: Message): Uint8Array {
  return packr.pack(withBulkAsBin(message, asBin));
}

/** Encodes a message as chunks, without copying large buffers and streams. */
export function encodeInChunks(message: Message): EncodedMessage {
  const bulks: Buffer[] = [];
  const packed: Buffer = packr.pack(
    withBulkAsBin(message, (bytes) => {
      if (bytes.length < MIN_CHUNK_BYTES) return asBin(bytes);
      bulks.push(asBin(bytes));
      return PLACEHOLDER;
    }),
  );
  if (bulks.length === 0) return { chunks: [packed], length: packed.length };
  const chunks: Uint8Array[] = [];
  let start = 0;
  for (const bulk of bulks) {
    const at = packed.indexOf(PLACEHOLDER, start);
    if (at < 0) throw new Error(`codec: ${message.type} packs its bytes in a different order`);
    // A placeholder is a `bin 8`: one byte, followed by a one-byte length.
    const head = Buffer.alloc(at - 2 - start + BIN_32_HEAD_BYTES);
    packed.copy(head, 0, start, at - 2);
    head[head.length - BIN_32_HEAD_BYTES] = BIN_32;
    head.writeUInt32BE(bulk.length, head.length - 4);
    chunks.push(head, bulk);
    start = at + PLACEHOLDER.length;
  }
  chunks.push(packed.subarray(start));
  return { chunks, length: chunks.reduce((sum, chunk) => sum + chunk.length, 0) };
}

/**
 * Decodes and validates a message.
 *
 * @param receiver Endpoint that received the bytes.
 * @throws {MalformedError} If the bytes are not a message that this endpoint accepts.
 */
export function decodeMessage(encoded: Uint8Array, receiver: Endpoint): Message {
  let value: unknown;
  try {
    value = unpack(encoded, EXPECTED_KEYS);
  } catch (error) {
    throw new MalformedError('', `not MessagePack: ${(error as Error).message.slice(0, 200)}`);
  }
  return validateMessage(value, receiver);
}

/**
 * Returns the bytes as a Buffer, which msgpackr writes as `bin`. It writes any other Uint8Array as
 * a typed array, which is copied.
 */
function asBin(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Function that returns bytes in the form in which they are packed. */
type PackBytes = (bytes: Uint8Array) => Buffer;

function withBulkAsBin(message: Message, pack: PackBytes): Message {
  switch (message.type) {
    case 'binDone':
      return { ...message, result: resultAsBin(message.result, pack) };
    case 'visibilityDone': {
      const { earlyBin } = message.summary;
      if (earlyBin === null) return message;
      return { ...message, summary: { ...message.summary, earlyBin: resultAsBin(earlyBin, pack) } };
    }
    case 'resource':
      return { type: 'resource', ...resourceAsBin(message, pack) };
    case 'frameBroadcast':
      return {
        ...message,
        visibility: { ...message.visibility, bins: message.visibility.bins.map(pack) },
      };
    default:
      return message;
  }
}

function resultAsBin({ colors, depthStencil, ...rest }: BinResult, pack: PackBytes): BinResult {
  return {
    ...rest,
    colors: colors.map(pack),
    depthStencil: depthStencil === null ? null : pack(depthStencil),
  };
}

function resourceAsBin(message: Resource, pack: PackBytes): Resource {
  switch (message.kind) {
    case 'buffer':
      return {
        kind: 'buffer',
        resource: { ...message.resource, bytes: pack(message.resource.bytes) },
      };
    case 'texture':
      return {
        kind: 'texture',
        resource: { ...message.resource, levels: message.resource.levels.map(pack) },
      };
    case 'program':
      return { kind: 'program', resource: message.resource };
  }
}
