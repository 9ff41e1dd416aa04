/** Records of an execution log (execution-log.ts of the shader back end) by group, in the order of execution. */
import { EXECUTION_LOG, LOG_RECORD } from '@tessera/shader/codegen';
import type { ChipletMemory } from '../memory/chiplet-memory.ts';

const GROUP = LOG_RECORD.group >> 2;
const BYTES = LOG_RECORD.bytes >> 2;

export class GroupLog {
  /** What holds the records. */
  words: Int32Array = new Int32Array(0);
  /** Indexes in `words` of records: those of group g from `starts[g]` to before `starts[g + 1]`. */
  order = new Int32Array(64);
  starts = new Int32Array(64);

  /**
   * Finds the records of a kernel call in the chiplet's log.
   *
   * @param groupPtr Input of the call's first group. @param groupBytes From one group's to the next.
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

  /** For kernels that run group after group; false if groups are interleaved. */
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
    // Counts lie one place up, so that filling leaves the starts in their places.
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

  /** The same records in memory of their own: they outlast the next call. */
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
