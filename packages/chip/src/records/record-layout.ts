/**
 * Words of the records that a run of the simulated chip consumes. The functional side writes them
 * (bin-log.ts of gpu). Modules read them (run-records.ts) and pass record numbers through their
 * queues.
 */

/** Command that the command processor reads. Commands are in submission order. */
export const COMMAND = {
  /**
   * Kind of the command: PRIMITIVE, DRAW_STATE, BATCH_END, RUN_END, SNAPSHOT, COPY or STREAM_END.
   */
  kind: 0,
  /** Number in the table of draws. */
  draw: 1,
  /**
   * Vertex numbers of the three corners; −1 for a corner that the primitive lacks. Vertices are
   * numbered through a run.
   */
  vertex: 2,
  /** Number of raster records that setup writes; 0 for a primitive that was dropped earlier. */
  pieces: 5,
  /**
   * Number of fine-bin lists that the primitive is added to. At the end of a batch, the number of
   * lines of its lists. For a primitive of transform feedback, which is dropped, the number of
   * lines that its words complete.
   */
  entries: 6,
  /** At the end of a batch of a visibility phase, number of entries of its visibility streams. */
  streamEntries: 5,
  /** At the end of a batch, bytes of the segment of streamed visibility that ends; 0 for none. */
  segmentBytes: 7,
  /** 1 if the primitive goes through the clipper. */
  isClipped: 7,
  /** Vertex warp that the primitive waits for. Vertex fetch writes it. */
  vertexWarp: 8,
  /** First and last memory line of the primitive's indices; −1 if it has none. */
  firstIndexLine: 9,
  lastIndexLine: 10,
  /** Memory line that a snapshot is written to. */
  snapshotLine: 11,
  /** First memory line that words of transform feedback complete; 0 if they complete none. */
  feedbackLine: 11,
  /**
   * 1 plus the number of fine-bin lists of an early bin that a primitive of a visibility phase is
   * added to; 0 if no such bin takes it.
   */
  early: 12,
  /**
   * First line that a copy reads and number of its lines; first line that it writes and number of
   * its lines. A copy has no other fields.
   */
  copySourceLine: 2,
  copyReadLines: 3,
  copyIntoLine: 4,
  copyWrittenLines: 5,
} as const;
/** Number of words in a command. */
export const COMMAND_WORDS = 13;
/** Kind of a command: a primitive. */
export const PRIMITIVE = 0;
/** Kind of a command: the state of the next draw. */
export const DRAW_STATE = 1;
/** Kind of a command: the end of a primitive batch. */
export const BATCH_END = 2;
/** Kind of a command: the end of the run. */
export const RUN_END = 3;
/** Kind of a command: a snapshot of the output merger's counter is written to memory. */
export const SNAPSHOT = 4;
/** Kind of a command: the copy engine moves data in memory. */
export const COPY = 5;
/**
 * Kind of a command: all primitives of a visibility phase with an early bin were read. What follows
 * is the rest of the bin.
 */
export const STREAM_END = 6;

/** Number of primitives of a gate that is open for all of them, and for the end of the bin. */
export const ALL_PRIMITIVES = 0x7fffffff;

/** Number of entries of a fine-bin list in a line of memory; an entry has four bytes. */
export const LIST_LINE_ENTRIES = 16;

/** Entry that the fine-bin reader reads: a primitive in a fine bin, or the end of a batch. */
export const ENTRY = {
  kind: 0,
  steps: 1,
  firstBlock: 2,
  blockCount: 3,
  /**
   * First line of the primitive's record in its batch buffer, or among the records of an early bin,
   * and number of its lines.
   */
  recordLine: 4,
  recordLines: 5,
  /** Line of the batch's lists that contains the entry. */
  listLine: 6,
} as const;
/** Number of words in an entry. */
export const ENTRY_WORDS = 7;
/** Kind of an entry: a primitive. */
export const ENTRY_PRIMITIVE = 0;
/** Kind of an entry: the end of a batch. */
export const ENTRY_BATCH_END = 1;

/** Block of 4×4 pixels. */
export const BLOCK = {
  /**
   * Position as column + MAX_BIN_BLOCKS × row, both modulo MAX_BIN_BLOCKS, with the flag
   * HIERARCHICAL_RAISE. From COMPACT_SHIFT on, a bit for each sample whose depths and stencils
   * compress after the draw. From COLOR_COMPACT_SHIFT on, a bit for each line of color that
   * compresses.
   */
  position: 0,
  /**
   * Mask of covered samples, bit `4 row + column`. Bits from 16 on hold the samples that pass the
   * early test.
   */
  masks: 1,
  /** Number in the table of draws, or one of the marks. */
  draw: 2,
  /**
   * Nearest depth of the primitive in the block in bits 0 to 15, rounded towards the viewer. Bits
   * 16 to 31 hold the bound of all depths in the block that its test leaves, rounded away from the
   * viewer; FAR_LIMIT if it leaves none. Depth 1 is 65,536.
   */
  depths: 3,
} as const;
/** Number of words in a block. */
export const BLOCK_RECORD_WORDS = 4;
/** Bound behind which nothing is, and mask of a depth in BLOCK.depths. */
export const FAR_LIMIT = 0xffff;
/** Maximum width and height of a bin in pixels, a power of two. */
export const MAX_BIN_EDGE_PX = 8192;
/**
 * Maximum number of blocks along an edge of a bin. Targets may be larger, because positions of two
 * blocks of a bin never differ by a multiple of it.
 */
export const MAX_BIN_BLOCKS = MAX_BIN_EDGE_PX >> 2;
/** Number of bits of a block's position: a column and a row below MAX_BIN_BLOCKS. */
export const POSITION_BITS = 22;
/** Flag of a position: the draw may store depths behind those that are stored. */
export const HIERARCHICAL_RAISE = 1 << POSITION_BITS;
/** First bit of a position that says which samples of the block compress. */
export const COMPACT_SHIFT = 23;
/** First of the four bits of a position that say which lines of color compress. */
export const COLOR_COMPACT_SHIFT = 27;
/** Mark in place of a draw: the open fragment warp closes. */
export const MARK_FLUSH = -1;
/** Mark in place of a draw: the run ends. */
export const MARK_END = -2;
/** Mark in place of a draw: a primitive batch ends. */
export const MARK_BATCH = -3;

/** Row of the table of draws. */
export const DRAW = {
  /** Cost of a vertex warp without traces; the words of a clause. */
  vertexInstructions: 0,
  /** 1 if the early or the late test writes depth or stencil. */
  writesDepth: 1,
  /** Number of varying components that the fragment shader reads, at all samples it runs for. */
  components: 2,
  /** 1 if depth is tested before shading. */
  isEarlyDepth: 3,
  /** 1 if the output merger reads the target. */
  readsTarget: 4,
  /** 1 if depth or stencil is tested or written after shading. */
  isLateDepth: 5,
  /** 1 if color is written. */
  writesColor: 6,
  /** First of the draw's attribute arrays in their table, and their number. */
  firstArray: 7,
  arrayCount: 8,
  /** First memory line of the draw's display list, and its number of lines. */
  listLine: 9,
  listLines: 10,
  /** Programs of the draw; each has the words of PROGRAM. */
  vertexProgram: 11,
  fragmentProgram: 15,
  /** 1 if the trace of a vertex warp depends on its vertices. Otherwise it is one clause. */
  hasVertexTraces: 19,
  /** Rest of the cost of a vertex warp without traces. */
  vertexIssueCycles: 20,
  vertexStallCycles: 21,
  /** Registers per lane of the programs. */
  vertexRegisters: 22,
  fragmentRegisters: 23,
  /** Number of lines of a primitive's record. */
  recordLines: 24,
} as const;
/** Number of words in a row of the table of draws. */
export const DRAW_WORDS = 25;
/** Lines of a draw's state in its display list. The constants of the draw follow. */
export const DRAW_STATE_LINES = 4;

/** Words of a program of a draw. */
export const PROGRAM = {
  /** Number of the program in the run. It identifies the contents of a program block. */
  number: 0,
  line: 1,
  lines: 2,
  /** 1 if the draw is the first to use the program, so that the program is stored to its block. */
  isStored: 3,
} as const;

/**
 * Words of an attribute array. All but the divisor are bytes of memory; `end` is the end of the
 * array's buffer.
 */
export const ARRAY = { base: 0, stride: 1, bytes: 2, divisor: 3, end: 4 } as const;
/** Number of words in an attribute array. */
export const ARRAY_WORDS = 5;

/**
 * Words of a vertex record: its index and its instance, both unsigned. Records are ordered by
 * vertex number.
 */
export const VERTEX_RECORD_WORDS = 2;

/**
 * Words of a warp's trace, from the start of a clause. A clause is a sequence of instructions up to
 * and including a texture lookup. The last clause runs to the end of the program. It occupies the
 * issue port for a number of cycles, and the warp waits for its own results in others. It starts
 * when at most a number of the warp's lookups are in flight: those whose results it does not use.
 *
 *     instructions   issue   stall   in flight   passes   lines   line numbers …   for each lookup
 *     instructions   issue   stall   0           END_OF_TRACE
 */
export const TRACE = {
  instructions: 0,
  issueCycles: 1,
  stallCycles: 2,
  /** Upper bound on the lookups of the warp that are in flight when the clause starts. */
  lookupsInFlight: 3,
  passes: 4,
  lineCount: 5,
  lines: 6,
} as const;
/**
 * Bits of `passes` that are the number of passes. The others are the site of the lookup in its
 * program, in runs whose warps are profiled, and else 0.
 */
export const PASSES_BITS = 16;
/** These bits. */
export const PASSES_MASK = 0xffff;
/** Value in place of `passes` at the end of the program. */
export const END_OF_TRACE = -1;

/**
 * Words of a message between chiplets: its kind, the other chiplet (the receiver in the outbox, the
 * sender in the inboxes), its line, a home in the reply of a directory, and the cycle in which it
 * leaves or arrives. A read has in place of a home the word of the traces of fragments that names
 * the line, or −1.
 */
export const REMOTE = { kind: 0, chiplet: 1, line: 2, home: 3, origin: 3, cycle: 4 } as const;
/** Number of words of a message. */
export const REMOTE_WORDS = 5;
/** Request to read a line. */
export const REMOTE_READ = 0;
/** Request to write a line, which the message carries. */
export const REMOTE_WRITE = 1;
/** Request to the directory of a line's page for the home of the page. */
export const REMOTE_FIND_HOME = 2;
/** Reply with a line; the first of the replies. */
export const REMOTE_LINE = 3;
/** Reply to a write. */
export const REMOTE_WRITTEN = 4;
/** Reply of a directory. */
export const REMOTE_HOME = 5;

/** Number of words of the places of a draw's waits: those of its vertex and fragment warps. */
export const WAIT_PLACE_WORDS = 2;
