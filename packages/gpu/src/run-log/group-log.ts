/**
 * Records of an execution log (execution-log.ts of the shader back end) by group, in the order of
 * execution.
 */
import { EXECUTION_LOG, LOG_RECORD } from '@tessera/shader/codegen';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';

const GROUP = LOG_RECORD.group >> 2;
const BYTES = LOG_RECORD.bytes >> 2;
const SITE = LOG_RECORD.site >> 2;
const HEADER = LOG_RECORD.headerBytes >> 2;

/** Returns the site of the record at index `at`. */
export function siteOf(words: Int32Array, at: number): number {
  return words[at + SITE]!;
}

/**
 * Returns the words of a lookup's record that name the lines of its texels: −1, or a line of the
 * texture pool.
 *
 * @param loops Number of loops around the lookup.
 */
export function lookupReads(
  words: Int32Array,
  at: number,
  loops: number,
): { readonly from: number; readonly end: number } {
  return { from: at + HEADER + loops + 1, end: at + (words[at + BYTES]! >> 2) };
}

/** Records of a kernel call by group. */
export interface GroupRecords {
  readonly words: Int32Array;
  readonly order: Int32Array;
  readonly starts: Int32Array;
}

/** Index of the records of a kernel call. */
export class GroupLog implements GroupRecords {
  /** Words that contain the records. */
  words: Int32Array = new Int32Array(0);
  /**
   * Indices into `words` of the records. Group g has those from `starts[g]` to before
   * `starts[g + 1]`.
   */
  order = new Int32Array(64);
  starts = new Int32Array(64);

  /**
   * Finds the records of a kernel call in the chiplet's log.
   *
   * @param groupPtr Input of the call's first group.
   * @param groupBytes Distance between the inputs of consecutive groups.
   */
  index(memory: ChipletMemory, groupPtr: number, groupBytes: number, groupCount: number): void {
    const { i32, executionLogPtr } = memory;
    const first = (executionLogPtr + EXECUTION_LOG.records) >> 2;
    const end = i32[(executionLogPtr + EXECUTION_LOG.cursor) >> 2]! >> 2;
    if (this.starts.length < groupCount + 2) this.starts = new Int32Array(2 * groupCount + 2);
    this.words = i32;
    if (!this.indexInOrder(first, end, groupPtr, groupBytes, groupCount)) {
      this.sort(first, end, groupPtr, groupBytes, groupCount);
    }
  }

  /**
   * Indexes the log of a kernel that runs group after group. Returns `false` if groups are
   * interleaved.
   */
  private indexInOrder(
    first: number,
    end: number,
    groupPtr: number,
    groupBytes: number,
    groupCount: number,
  ): boolean {
    const { words, starts } = this;
    let group = 0;
    let ptr = groupPtr;
    let recordCount = 0;
    starts[0] = 0;
    for (let at = first; at < end; at += words[at + BYTES]! >> 2) {
      const recordPtr = words[at + GROUP]!;
      if (recordPtr < ptr) return false;
      for (; ptr < recordPtr; ptr += groupBytes) starts[++group] = recordCount;
      if (recordCount === this.order.length) this.growOrder();
      this.order[recordCount++] = at;
    }
    while (group < groupCount) starts[++group] = recordCount;
    return true;
  }

  private growOrder(): void {
    const larger = new Int32Array(2 * this.order.length);
    larger.set(this.order);
    this.order = larger;
  }

  private sort(
    first: number,
    end: number,
    groupPtr: number,
    groupBytes: number,
    groupCount: number,
  ): void {
    const { words, starts } = this;
    // Counts are stored one place higher, so that filling leaves the starts in place.
    starts.fill(0, 0, groupCount + 2);
    let recordCount = 0;
    for (let at = first; at < end; at += words[at + BYTES]! >> 2) {
      starts[(words[at + GROUP]! - groupPtr) / groupBytes + 2]!++;
      recordCount++;
    }
    for (let group = 2; group < groupCount + 2; group++) starts[group]! += starts[group - 1]!;
    while (this.order.length < recordCount) this.growOrder();
    for (let at = first; at < end; at += words[at + BYTES]! >> 2) {
      this.order[starts[(words[at + GROUP]! - groupPtr) / groupBytes + 1]!++] = at;
    }
  }

  /** Returns a copy of the records in memory of its own, which outlasts the next call. */
  copy(memory: ChipletMemory, groupCount: number): GroupLog {
    const { i32, executionLogPtr } = memory;
    const first = (executionLogPtr + EXECUTION_LOG.records) >> 2;
    const end = i32[(executionLogPtr + EXECUTION_LOG.cursor) >> 2]! >> 2;
    const copy = new GroupLog();
    copy.words = i32.slice(first, end);
    copy.starts = this.starts.slice(0, groupCount + 1);
    copy.order = this.order.slice(0, copy.starts[groupCount]).map((at) => at - first);
    return copy;
  }
}
