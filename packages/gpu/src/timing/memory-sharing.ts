/** Memories that a machine shares with those of other chiplets, and its messages to them. */
import {
  LINE_BYTES,
  packWords,
  REMOTE,
  REMOTE_FIND_HOME,
  REMOTE_HOME,
  REMOTE_LINE,
  REMOTE_READ,
  REMOTE_WORDS,
  REMOTE_WRITE,
  REMOTE_WRITTEN,
  SHARED_MEMORY_WORDS,
} from '@tessera/chip/records';
import type { ChipletSpec } from '@tessera/chiplet-spec';
import type { MachineMessage, MemorySharing, MessageArrival } from '@tessera/frame';
import { partitionMemory } from '../memory-manager/address-map.ts';

const NUMBERS: Readonly<Record<MachineMessage['kind'], number>> = {
  read: REMOTE_READ,
  write: REMOTE_WRITE,
  'find-home': REMOTE_FIND_HOME,
  line: REMOTE_LINE,
  written: REMOTE_WRITTEN,
  home: REMOTE_HOME,
};
const KINDS: MachineMessage['kind'][] = [];
for (const [kind, number] of Object.entries(NUMBERS)) {
  KINDS[number] = kind as MachineMessage['kind']; // NUMBERS has all kinds.
}

/** Returns the words of a machine's memory for the chip. */
export function sharedMemoryWords(
  spec: ChipletSpec,
  { chipletId, chipletCount, placement }: MemorySharing,
  spaceCount: number,
  spaceLines: number,
): Int32Array {
  const { textures, user } = partitionMemory(spec);
  return packWords(SHARED_MEMORY_WORDS, {
    chiplet: chipletId,
    chipletCount,
    spaceCount,
    spaceLines,
    texturesLine: textures.baseBytes / LINE_BYTES,
    texturesEndLine: Math.ceil((textures.baseBytes + textures.sizeBytes) / LINE_BYTES),
    userLine: user.baseBytes / LINE_BYTES,
    userEndLine: (user.baseBytes + user.sizeBytes) / LINE_BYTES,
    ...placement,
  });
}

/** Returns the messages in words of the chip's outbox. */
export function readMessages(
  words: Int32Array,
  { remoteHeaderBytes }: ChipletSpec,
): MachineMessage[] {
  const messages: MachineMessage[] = [];
  for (let at = 0; at < words.length; at += REMOTE_WORDS) {
    const kind = KINDS[words[at + REMOTE.kind]!]!;
    messages.push({
      kind,
      to: words[at + REMOTE.chiplet]!,
      line: words[at + REMOTE.line]!,
      home: words[at + REMOTE.home]!,
      cycle: words[at + REMOTE.cycle]!,
      bytes: remoteHeaderBytes + (kind === 'write' || kind === 'line' ? LINE_BYTES : 0),
    });
  }
  return messages;
}

/** Returns the words of messages for an inbox of the chip: replies, or requests for its server. */
export function inboxWords(arrivals: readonly MessageArrival[], areReplies: boolean): Int32Array {
  const words = new Int32Array(REMOTE_WORDS * arrivals.length);
  let at = 0;
  for (const { message, from, cycle } of arrivals) {
    const kind = NUMBERS[message.kind];
    if (kind >= REMOTE_LINE !== areReplies) continue;
    words[at + REMOTE.kind] = kind;
    words[at + REMOTE.chiplet] = from;
    words[at + REMOTE.line] = message.line;
    words[at + REMOTE.home] = message.home;
    words[at + REMOTE.cycle] = cycle;
    at += REMOTE_WORDS;
  }
  return words.subarray(0, at);
}
