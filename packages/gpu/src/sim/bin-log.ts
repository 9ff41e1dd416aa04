/**
 * What the functional side did in one run (a coarse bin, or the visibility phase of a pass), as records of
 * integers that the modules consume. Written batch by batch; modules hold numbers of records as tokens.
 */
import { RecordRing } from './record-ring.ts';

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
} as const;
export const COMMAND_WORDS = 10;
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
  vertexClause: 0,
  vertexClauseCount: 1,
  fragmentClause: 2,
  fragmentClauseCount: 3,
  /** Fetched per vertex. */
  vertexBytes: 4,
  /** Varying components that the fragment shader reads. */
  components: 5,
  /** 1 if the early test is done. */
  isEarlyDepth: 6,
  /** 1 if the output merger reads the target. */
  readsTarget: 7,
  /** 1 if the fragment shader has loops: warps then have counts of their own. */
  hasFragmentLoops: 8,
} as const;
export const DRAW_WORDS = 9;

/** Table of clauses: instructions up to and including a texture lookup, or the end of the program. */
export const CLAUSE = { instructions: 0, texture: 1 } as const;
export const CLAUSE_WORDS = 2;
/** `texture` of a program's last clause. */
export const NO_TEXTURE = -1;

export class BinLog {
  readonly commands = new RecordRing(COMMAND_WORDS, 4096);
  readonly entries = new RecordRing(ENTRY_WORDS, 4096);
  readonly blocks = new RecordRing(BLOCK_RECORD_WORDS, 16_384);
  /** Instructions that the loops of each fragment warp took, for draws that have loops; in warp order. */
  readonly loopCounts = new RecordRing(1, 1024);
  draws = new Int32Array(DRAW_WORDS * 64);
  drawCount = 0;
  clauses = new Int32Array(CLAUSE_WORDS * 256);
  clauseCount = 0;

  reset(): void {
    this.commands.reset();
    this.entries.reset();
    this.blocks.reset();
    this.loopCounts.reset();
    this.drawCount = 0;
    this.clauseCount = 0;
  }

  /** Makes a draw and returns its number; the caller fills its words. */
  addDraw(): number {
    if ((this.drawCount + 1) * DRAW_WORDS > this.draws.length) this.draws = grow(this.draws);
    return this.drawCount++;
  }

  /** Appends a clause and returns its number. */
  addClause(instructions: number, texture: number): number {
    if ((this.clauseCount + 1) * CLAUSE_WORDS > this.clauses.length) {
      this.clauses = grow(this.clauses);
    }
    const at = this.clauseCount * CLAUSE_WORDS;
    this.clauses[at + CLAUSE.instructions] = instructions;
    this.clauses[at + CLAUSE.texture] = texture;
    return this.clauseCount++;
  }
}

function grow(words: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * words.length);
  larger.set(words);
  return larger;
}
