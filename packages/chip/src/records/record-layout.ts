/**
 * Words of the records that a run of the simulated chip consumes. The functional side writes them (bin-log.ts), modules
 * read them (run-records.ts) and hold their numbers as tokens.
 */

/** Records that the command processor reads, in order. */
export const COMMAND = {
  /** One of COMMAND_KINDS. */
  kind: 0,
  /** Number in the table of draws. */
  draw: 1,
  /** Numbers of the corners' vertices, which count up in a run; −1 where there is no corner. */
  vertex: 2,
  /** Raster records that set-up makes; 0 for a primitive that is dropped before. */
  pieces: 5,
  /** Lists of bins that the primitive is put into. */
  entries: 6,
  /** 1 if the primitive goes through the clipper. */
  isClipped: 7,
  /** Vertex warp that the primitive waits for; written by vertex fetch. */
  vertexWarp: 8,
  /** First and last line of memory that its indices lie in; −1 where there are none. */
  firstIndexLine: 9,
  lastIndexLine: 10,
} as const;
export const COMMAND_WORDS = 12;
export const PRIMITIVE = 0;
export const DRAW_STATE = 1;
export const BATCH_END = 2;
export const RUN_END = 3;

/** Records that the fine-bin reader reads: a primitive in a fine bin, or the end of a batch. */
export const ENTRY = { kind: 0, steps: 1, firstBlock: 2, blockCount: 3 } as const;
export const ENTRY_WORDS = 4;
export const ENTRY_PRIMITIVE = 0;
export const ENTRY_BATCH_END = 1;

/** Blocks of 4×4 pixels. */
export const BLOCK = {
  /** x / 4 + 2048 (y / 4); and HIERARCHICAL_KILL. */
  position: 0,
  /** Covered samples, bit 4 row + column; from bit 16 on those that the early test lets pass. */
  masks: 1,
  /** Number in the table of draws, or one of the marks. */
  draw: 2,
} as const;
export const BLOCK_RECORD_WORDS = 3;
export const POSITION_BITS = 22;
/** Hierarchical depth drops the block. */
export const HIERARCHICAL_KILL = 1 << POSITION_BITS;
/** Marks between blocks: the open warp is closed; the run ends. */
export const MARK_FLUSH = -1;
export const MARK_END = -2;

/** Table of draws. */
export const DRAW = {
  /** Of the vertex shader, outside of loops. */
  vertexInstructions: 0,
  /** 1 if the early test or the late one writes depth or stencil. */
  writesDepth: 1,
  /** Varying components that the fragment shader reads. */
  components: 2,
  /** 1 if the early test is done. */
  isEarlyDepth: 3,
  /** 1 if the output merger reads the target. */
  readsTarget: 4,
  /** 1 if depth or stencil are tested or written after shading. */
  isLateDepth: 5,
  /** 1 if colour is written. */
  writesColor: 6,
  /** Its arrays of attributes in the table of them. */
  firstArray: 7,
  arrayCount: 8,
  /** Its display list, in lines of memory. */
  listLine: 9,
  listLines: 10,
  /** Its programs; see PROGRAM. */
  vertexProgram: 11,
  fragmentProgram: 15,
  /** 1 if the trace of a vertex warp depends on its vertices; else it is one clause. */
  hasVertexTraces: 19,
} as const;
export const DRAW_WORDS = 20;

/** Words of a program of a draw. */
export const PROGRAM = {
  /** Counts the programs stored in the run: names what a block holds. */
  number: 0,
  line: 1,
  lines: 2,
  /** 1 if the draw is the first to use it, so that it is stored to its block. */
  isStored: 3,
} as const;

/** Words of an array of attributes: in bytes of memory, but for the divisor; `end` is that of its buffer. */
export const ARRAY = { base: 0, stride: 1, bytes: 2, divisor: 3, end: 4 } as const;
export const ARRAY_WORDS = 5;

/** Words of a vertex, by its number in the run: its index, its instance; both without sign. */
export const VERTEX_RECORD_WORDS = 2;

/**
 * Words of a warp's trace, from the start of a clause: what the warp does one after the other. A clause of instructions
 * up to and including a texture lookup, then that lookup, and so on; at last the clause to the end of the program.
 *
 *     instructions   passes   lines   line numbers …     for each lookup
 *     instructions   END_OF_TRACE
 */
export const TRACE = { instructions: 0, passes: 1, lineCount: 2, lines: 3 } as const;
/** In place of `passes`: the program is over. */
export const END_OF_TRACE = -1;
