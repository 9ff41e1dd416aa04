/** Traffic of a run that is known before it starts, encoded as words for the simulated chip. */

import { packWords, RUN_PLAN_WORDS } from '@tessera/chip/records';
import type { RectPx } from '@tessera/frame';

/** Parameters of a run. Addresses are in lines. */
export interface RunRequest {
  /** Rectangle of the bin in its target; empty for a visibility phase that renders no bin. */
  readonly rect: RectPx;
  /** Samples per pixel. */
  readonly sampleCount: number;
  /** Lines of a block's color per sample: one for every 32 bits of all targets of a pixel. */
  readonly colorLines: number;
  readonly isColorLoaded: boolean;
  readonly isDepthLoaded: boolean;
  /** Whether depth and stencil leave the chiplet with the bin. */
  readonly isDepthStored: boolean;
  /** Bound of all depths at the start; see BLOCK.depths of the records. */
  readonly depthBound: number;
  /** First line of the image region and number of its lines, which the targets share. */
  readonly imageLine: number;
  readonly imageLines: number;
  /**
   * First line of the first batch buffer, distance to the next one (0 if batches are not kept in
   * memory), and distance from its records to its lists.
   */
  readonly batchLine: number;
  readonly batchLines: number;
  readonly batchListLines: number;
  /**
   * First line of the primitive records of a bin that is rendered within the visibility phase; 0
   * for other runs.
   */
  readonly earlyLine: number;
  /** First line of the page table. */
  readonly pageTableLine: number;
  /** First line of the visibility stream that is read; its size is 0 if there is none. */
  readonly streamLine: number;
  readonly streamBytes: number;
  readonly streamPrimitives: number;
  /**
   * First line behind the buffers and snapshots in the user area, and first line of the streams.
   */
  readonly buffersEndLine: number;
  readonly streamsLine: number;
}

/** Request of a run without target and stream. */
export const EMPTY_RUN: RunRequest = {
  rect: { x: 0, y: 0, width: 0, height: 0 },
  sampleCount: 1,
  colorLines: 1,
  isColorLoaded: false,
  isDepthLoaded: false,
  isDepthStored: false,
  depthBound: 0,
  imageLine: 0,
  imageLines: 0,
  batchLine: 0,
  batchLines: 0,
  batchListLines: 0,
  earlyLine: 0,
  pageTableLine: 1,
  streamLine: 0,
  streamBytes: 0,
  streamPrimitives: 0,
  buffersEndLine: 0,
  streamsLine: 0,
};

/** Returns the words that `RunPlan.load` reads. */
export function planWords({ rect, ...run }: RunRequest): Int32Array {
  return packWords(RUN_PLAN_WORDS, { ...rect, ...run });
}

const FIELDS = Object.keys(RUN_PLAN_WORDS);
const STREAM_LINE = FIELDS.indexOf('streamLine');
const PAGE_TABLE_LINE = FIELDS.indexOf('pageTableLine');
const BUFFERS_END_LINE = FIELDS.indexOf('buffersEndLine');
const STREAMS_LINE = FIELDS.indexOf('streamsLine');

/**
 * Returns the words of a plan in another address space.
 *
 * @param lines Added to lines of the user area.
 * @param tableLines Added to the first line of the page table, which is above all address spaces.
 * @param streamLines Added to the first line of the run's stream.
 */
export function movePlan(
  plan: Int32Array,
  lines: number,
  tableLines: number,
  streamLines: number,
): Int32Array {
  const words = plan.slice();
  words[STREAM_LINE]! += lines + streamLines;
  words[BUFFERS_END_LINE]! += lines;
  words[STREAMS_LINE]! += lines;
  words[PAGE_TABLE_LINE]! += tableLines;
  return words;
}
