/**
 * Records of one run (a coarse bin, or the visibility phase of a pass) as a value. They are a pure
 * function of frame, bin and the parameters that records depend on, so any host can make them. A
 * simulated chip times them. `@tessera/chip/records` describes the words. Draws, vertices, blocks
 * and words of traces are numbered from 0.
 */

/**
 * Upper bound on the bytes of the arrays of one run. A message between processes has room for them
 * and for the pixels of the bin.
 */
export const MAX_RUN_BYTES = 2 ** 28;

/** Default upper bound on the bytes of the records of a frame, or of all frames of a sequence. */
export const DEFAULT_RECORD_BYTES = 2 ** 29;

/** Records of one run. */
export interface RecordedRun {
  /** Words of RUN_PLAN_WORDS. */
  readonly plan: Int32Array;
  /** Bytes that leave the chiplet at the end. */
  readonly outputBytes: number;
  /** Bytes of visibility streams that leave earlier, when all primitives are binned. */
  readonly streamBytes: number;
  readonly commands: Int32Array;
  readonly entries: Int32Array;
  readonly blocks: Int32Array;
  /** First word of each fragment warp's trace in `fragmentTraceWords`. */
  readonly fragmentTraces: Int32Array;
  readonly fragmentTraceWords: Int32Array;
  readonly vertices: Int32Array;
  readonly draws: Int32Array;
  readonly arrays: Float64Array;
  /** Programs of the first and the last draw; `null` if programs are not shared between runs. */
  readonly programs: {
    readonly first: ProgramKeys;
    readonly last: ProgramKeys;
  } | null;
  /** Objects in the user area; empty if objects have no lists of pages. */
  readonly pageHeads: Int32Array;
  /** Sites of the vertex programs that log. */
  readonly vertexSites: readonly LogSites[];
  /** Index in `vertexSites` by draw; −1 for programs that log nothing. */
  readonly drawSites: Int32Array;
  /** Logs of vertices, ascending. */
  readonly vertexLogs: readonly VertexLog[];
}

/** Keys of a draw's programs. Equal keys have equal code. */
export interface ProgramKeys {
  readonly vertex: string;
  readonly fragment: string;
}

/** Work of a piece of code in a shader core. */
export interface IssueCost {
  readonly instructions: number;
  /** Cycles for which the warp occupies the issue port. */
  readonly issueCycles: number;
  /** Cycles in which the warp waits for results of its own instructions. */
  readonly stallCycles: number;
}

/** Texture lookup, loop or section of a program. */
export interface LogSite {
  readonly kind: 'lookup' | 'loop' | 'section';
  /** Texture slot of a lookup, otherwise −1. */
  readonly slot: number;
  /** Sites of the enclosing loops, outermost first. */
  readonly loops: readonly number[];
  /**
   * Costs from the start of the program, then of a round of each enclosing loop, to the next inner
   * loop or to the site. Inner loops are not included. Sections that have ended are not included,
   * and of those around the site the part behind it is subtracted, because a section's `roundCost`
   * counts from its start.
   */
  readonly costs: readonly IssueCost[];
  /**
   * Cost of a round of a loop, or of a section that is entered, without inner loops and sections.
   * No cost for a lookup.
   */
  readonly roundCost: IssueCost;
  /**
   * Number of the warp's latest lookups that may be in flight when the clause that this lookup ends
   * starts; see LookupWaits of shader. 0 for loops and sections.
   */
  readonly lookupsInFlight: number;
}

/**
 * Sites of a program in the order of its code; a section is listed at its start, a loop at its end.
 */
export interface LogSites {
  readonly sites: readonly LogSite[];
  /** Cost outside of loops and sections. */
  readonly cost: IssueCost;
}

/** Log of a call of a vertex program. Vertices are in groups of four. */
export interface VertexLog {
  /** Number of the first vertex in the run, and number of vertices. */
  readonly first: number;
  readonly count: number;
  /** Records; the lines of lookups are those of memory. */
  readonly words: Int32Array;
  /** Indices into `words` of the records; group g has those from `starts[g]` on. */
  readonly order: Int32Array;
  readonly starts: Int32Array;
}
