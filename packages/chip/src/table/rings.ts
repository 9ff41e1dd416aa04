/** The single table of the rings of records that the host writes and modules read. */

/** One ring. */
interface RingRow {
  /** Words of a record: a number, or a constant of records/record-layout.ts. */
  readonly words: string;
  /** Initial capacity in records, a power of two. A ring grows when the host needs more room. */
  readonly records: number;
}

/** Rings by name. The position in the table is the number of the ring. */
export const RINGS = {
  commands: { words: 'COMMAND_WORDS', records: 512 },
  entries: { words: 'ENTRY_WORDS', records: 512 },
  blocks: { words: 'BLOCK_RECORD_WORDS', records: 2048 },
  /** First word of each fragment warp's trace, in warp order. */
  fragmentTraces: { words: '1', records: 1024 },
  /** Words of the traces. */
  fragmentTraceWords: { words: '1', records: 2048 },
  vertexTraceWords: { words: '1', records: 1024 },
  vertices: { words: 'VERTEX_RECORD_WORDS', records: 512 },
  /** All draws of the run. Draws are never overwritten. */
  draws: { words: 'DRAW_WORDS', records: 64 },
  /**
   * Twice the first page of each object in the user area, ascending, and twice the page after the
   * last object of a pass plus 1. Empty if objects have no lists of pages. Never overwritten.
   */
  pageHeads: { words: '1', records: 64 },
  /**
   * Places of the waits of each draw's vertex and fragment warps; see RunRecords.warpWaits. Empty
   * unless warps are profiled. Never overwritten.
   */
  waitPlaces: { words: 'WAIT_PLACE_WORDS', records: 64 },
  /** Messages of other chiplets, in the order of their cycles. */
  remoteRequests: { words: 'REMOTE_WORDS', records: 256 },
  remoteReplies: { words: 'REMOTE_WORDS', records: 256 },
  /** Homes of drawn textures; see TargetHomes. They are read at once. */
  targetHomes: { words: '1', records: 64 },
  /** Messages to other chiplets, which modules write and the host takes out. */
  remoteOutbox: { words: 'REMOTE_WORDS', records: 256 },
} as const satisfies Readonly<Record<string, RingRow>>;
