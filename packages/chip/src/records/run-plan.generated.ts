/**
 * Generated from table/words.ts by `npm run cycle-model:build`. Do not edit. Long because it is
 * generated.
 */
import type { i32 } from '../portable/number-types.ts';

/** Traffic of a run that is known before it starts. Addresses are in lines. */
export class RunPlan {
  x: i32 = 0;
  y: i32 = 0;
  width: i32 = 0;
  height: i32 = 0;
  sampleCount: i32 = 0;
  colorLines: i32 = 0;
  isColorLoaded: boolean = false;
  isDepthLoaded: boolean = false;
  isDepthStored: boolean = false;
  depthBound: i32 = 0;
  imageLine: i32 = 0;
  imageLines: i32 = 0;
  batchLine: i32 = 0;
  batchLines: i32 = 0;
  batchListLines: i32 = 0;
  earlyLine: i32 = 0;
  pageTableLine: i32 = 0;
  streamLine: i32 = 0;
  streamBytes: i32 = 0;
  streamPrimitives: i32 = 0;
  buffersEndLine: i32 = 0;
  streamsLine: i32 = 0;

  /** Reads one word for each field; a switch is 0 or 1. Long because each field has a line. */
  load(words: Int32Array): void {
    this.x = words[0]!;
    this.y = words[1]!;
    this.width = words[2]!;
    this.height = words[3]!;
    this.sampleCount = words[4]!;
    this.colorLines = words[5]!;
    this.isColorLoaded = words[6]! === 1;
    this.isDepthLoaded = words[7]! === 1;
    this.isDepthStored = words[8]! === 1;
    this.depthBound = words[9]!;
    this.imageLine = words[10]!;
    this.imageLines = words[11]!;
    this.batchLine = words[12]!;
    this.batchLines = words[13]!;
    this.batchListLines = words[14]!;
    this.earlyLine = words[15]!;
    this.pageTableLine = words[16]!;
    this.streamLine = words[17]!;
    this.streamBytes = words[18]!;
    this.streamPrimitives = words[19]!;
    this.buffersEndLine = words[20]!;
    this.streamsLine = words[21]!;
  }
}
