import { describe, expect, it } from 'vitest';
import type { Message } from '../messages/messages.ts';
import { makeSampleFrame } from '../testing/sample-frame.ts';
import { decodeMessage, encodeInChunks, encodeMessage } from './codec.ts';

const { commands } = makeSampleFrame();
const LARGE = Uint8Array.from({ length: 100_000 }, (_, i) => i % 251);
const OTHER = Uint8Array.from({ length: 70_000 }, (_, i) => (i * 7) % 253);
const SMALL = Uint8Array.of(1, 2, 3);
const sha256 = 'a'.repeat(64);

const MESSAGES: readonly Message[] = [
  { type: 'resource', kind: 'buffer', resource: { sha256, bytes: LARGE } },
  { type: 'resource', kind: 'buffer', resource: { sha256, bytes: SMALL } },
  {
    type: 'frameBroadcast',
    frameId: 'f',
    commands,
    visibility: { passIndex: 0, bins: [LARGE, OTHER] },
  },
  {
    type: 'frameBroadcast',
    frameId: 'f',
    commands,
    visibility: { passIndex: 0, bins: [SMALL, LARGE] },
  },
  { type: 'releaseFrame', frameId: 'f' },
];

describe('a message in chunks', () => {
  it.each(MESSAGES)('is read as the message in one piece: $type', (message) => {
    const { chunks, length } = encodeInChunks(message);
    const joined = Buffer.concat(chunks);
    expect(joined.length).toBe(length);
    const receiver = message.type === 'releaseFrame' ? 'chiplet' : 'crosslink-client';
    expect(decodeMessage(joined, receiver)).toEqual(message);
    expect(decodeMessage(joined, receiver)).toEqual(
      decodeMessage(encodeMessage(message), receiver),
    );
  });

  it('has large bytes as chunks of their own, which are not copied', () => {
    const [first, , third, fourth] = MESSAGES.map((message) => encodeInChunks(message).chunks);
    expect(first!.map(({ buffer }) => buffer === LARGE.buffer)).toEqual([false, true, false]);
    expect(
      third!.map(({ buffer }) => [LARGE.buffer, OTHER.buffer].indexOf(buffer as ArrayBuffer)),
    ).toEqual([-1, 0, -1, 1, -1]);
    expect(fourth).toHaveLength(3);
    expect(encodeInChunks(MESSAGES[1]!).chunks).toHaveLength(1);
  });
});
