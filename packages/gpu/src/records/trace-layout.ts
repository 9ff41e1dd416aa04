/**
 * Memory layout of the quad-trace kernel: inputs, working data and results, as byte offsets from
 * `quadTracesPtr` of the chiplet's memory.
 */

/** Maximum number of groups in a warp. */
const MAX_STREAMS = 32;
const MAX_SITES = 512;
const MAX_WARPS = 1024;
/** Number of slots for the lines of one lookup, larger than any lookup needs. */
const LINE_SLOTS = 4096;

// Start offsets of the parts, in order.
const NEXT = 64;
const SITE = NEXT + 4 * MAX_STREAMS;
const SITES = SITE + 4 * MAX_STREAMS;
const WARPS = SITES + 8 * MAX_SITES;
const PLACES = WARPS + 4 * MAX_WARPS;
const WORDS = PLACES + 8 * LINE_SLOTS;
/** Trace length beyond which no warp is started, in bytes. */
const BYTES_BEFORE_STOP = 131_072;

/** Offsets and sizes of the parts, in bytes. */
export const QUAD_TRACES = {
  /** Totals of the call: lookups, their lines, words of the traces, warps. */
  lookups: 0,
  lines: 4,
  wordCount: 8,
  warpCount: 12,
  /** Stamp of the last lookup, incremented across calls. */
  stamp: 16,
  /** Position of the next record and its site, by group of the warp. */
  next: NEXT,
  site: SITE,
  /** Instructions from the program's start to the site, and the offset of its lines, by site. */
  sites: SITES,
  maxSites: MAX_SITES,
  /** Start of the trace in words, by warp. */
  warps: WARPS,
  maxWarps: MAX_WARPS,
  /**
   * Lines of the lookup in progress: line and stamp, by slot. A slot is in use if its stamp equals
   * that of the lookup.
   */
  places: PLACES,
  lineSlots: LINE_SLOTS,
  words: WORDS,
  bytesBeforeStop: BYTES_BEFORE_STOP,
  /** Size without the growth by the records of one warp, which is at most their own size. */
  bytes: WORDS + BYTES_BEFORE_STOP + 64,
} as const;
