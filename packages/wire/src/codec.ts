/**
 * Messages to bytes and back: MessagePack by msgpackr. Typed arrays keep their type (extension 0x74, an
 * aligned copy); bytes travel as `bin`, which is read as a view into the message. Encode once and send
 * the same buffer to all.
 */
import type { BinResult } from '@tessera/frame';
import { Packr, Unpackr } from 'msgpackr';
import { MalformedError } from './field-checks.ts';
import type { Endpoint, Message, Resource } from './messages.ts';
import { validateMessage } from './validate-message.ts';

// No records: a message stands alone, so that one buffer suits every connection.
const packr = new Packr({ useRecords: false, moreTypes: true });
// structuredClone: false refuses cyclic values.
const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true, structuredClone: false });

/** Bytes of a message, ready to send. */
export type EncodedMessage = Uint8Array;

export function encodeMessage(message: Message): EncodedMessage {
  return packr.pack(withBulkAsBin(message));
}

/**
 * @param receiver The end that received the bytes.
 * @throws {MalformedError} If the bytes are no message that this end may be sent.
 */
export function decodeMessage(encoded: Uint8Array, receiver: Endpoint): Message {
  let value: unknown;
  try {
    value = unpackr.unpack(encoded);
  } catch (error) {
    throw new MalformedError('', `no MessagePack: ${(error as Error).message.slice(0, 200)}`);
  }
  return validateMessage(value, receiver);
}

/** msgpackr writes a Buffer as `bin` and every other Uint8Array as a typed array, which is copied. */
function asBin(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function withBulkAsBin(message: Message): Message {
  switch (message.type) {
    case 'binDone':
      return { ...message, result: resultAsBin(message.result) };
    case 'visibilityDone': {
      const { earlyBin } = message.summary;
      if (earlyBin === null) return message;
      return { ...message, summary: { ...message.summary, earlyBin: resultAsBin(earlyBin) } };
    }
    case 'resource':
      return { type: 'resource', ...resourceAsBin(message) };
    case 'frameBroadcast':
      return {
        ...message,
        visibility: { ...message.visibility, bins: message.visibility.bins.map(asBin) },
      };
    default:
      return message;
  }
}

function resultAsBin({ rgba, depthStencil, ...rest }: BinResult): BinResult {
  return {
    ...rest,
    rgba: asBin(rgba),
    depthStencil: depthStencil === null ? null : asBin(depthStencil),
  };
}

function resourceAsBin(message: Resource): Resource {
  switch (message.kind) {
    case 'buffer':
      return {
        kind: 'buffer',
        resource: { ...message.resource, bytes: asBin(message.resource.bytes) },
      };
    case 'texture':
      return {
        kind: 'texture',
        resource: { ...message.resource, levels: message.resource.levels.map(asBin) },
      };
    case 'program':
      return { kind: 'program', resource: message.resource };
  }
}
