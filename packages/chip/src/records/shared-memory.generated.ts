/**
 * Generated from table/words.ts by `npm run cycle-model:build`. Do not edit. Long because it is
 * generated.
 */
import type { i32 } from '../portable/number-types.ts';

/** Memories that a chiplet shares with others. Lines are those of an address space. */
export class SharedMemory {
  chiplet: i32 = 0;
  chipletCount: i32 = 0;
  spaceCount: i32 = 0;
  spaceLines: i32 = 0;
  texturesLine: i32 = 0;
  texturesEndLine: i32 = 0;
  userLine: i32 = 0;
  userEndLine: i32 = 0;
  textures: i32 = 0;
  buffers: i32 = 0;
  streams: i32 = 0;

  /** Reads one word for each field; a switch is 0 or 1. Long because each field has a line. */
  load(words: Int32Array): void {
    this.chiplet = words[0]!;
    this.chipletCount = words[1]!;
    this.spaceCount = words[2]!;
    this.spaceLines = words[3]!;
    this.texturesLine = words[4]!;
    this.texturesEndLine = words[5]!;
    this.userLine = words[6]!;
    this.userEndLine = words[7]!;
    this.textures = words[8]!;
    this.buffers = words[9]!;
    this.streams = words[10]!;
  }
}
