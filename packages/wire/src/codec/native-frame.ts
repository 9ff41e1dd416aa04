/**
 * Encodes and decodes frames in the native format as MessagePack or JSON. `packages/frame` defines
 * their contents.
 */
import { createHash } from 'node:crypto';
import {
  type Frame,
  type HashParts,
  type NamedContents,
  RenderError,
  readNativeFrame,
  writeNativeFrame,
} from '@tessera/frame';
import { Packr } from 'msgpackr/pack';
import { unpack } from './unpack.ts';

const packr = new Packr({ useRecords: false, moreTypes: true });

/** Encodes a frame as MessagePack, the body type `application/vnd.tessera.frame+msgpack`. */
export function encodeNativeFrame(frame: Frame): Uint8Array {
  return packr.pack(writeNativeFrame(frame));
}

/**
 * Decodes a frame from MessagePack.
 *
 * @param contents Contents that the frame may name by hash.
 * @throws {RenderError} FRAME_INVALID, naming the field.
 */
export function decodeNativeFrame(encoded: Uint8Array, contents?: NamedContents): Frame {
  return readNativeFrame(
    parse(() => unpack(encoded), 'MessagePack'),
    hashParts,
    contents,
  );
}

/**
 * Parses a frame from JSON.
 *
 * @param encoded JSON text in UTF-8.
 * @param contents Contents that the frame may name by hash.
 * @throws {RenderError} FRAME_INVALID, naming the field.
 */
export function parseNativeFrame(encoded: Uint8Array, contents?: NamedContents): Frame {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return readNativeFrame(
    parse(() => JSON.parse(decoder.decode(encoded)), 'JSON'),
    hashParts,
    contents,
  );
}

const hashParts: HashParts = (parts) => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
};

function parse(decode: () => unknown, format: string): unknown {
  try {
    return decode();
  } catch (error) {
    const message = `frame: not ${format}: ${(error as Error).message.slice(0, 200)}`;
    throw new RenderError('FRAME_INVALID', message, { cause: error });
  }
}
