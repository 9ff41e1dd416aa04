/**
 * Memory layout of the quad-trace kernel: inputs, working data and results, as byte offsets from
 * `quadTracesPtr` of the chiplet's memory.
 */

/** Maximum number of groups in a warp. */
const MAX_STREAMS = 32;
const MAX_SITES = 512;
/** Size of a site in bytes, a power of two. */
const SITE_BYTES = 32;
const MAX_WARPS = 1024;
/** Number of slots for the lines of one lookup, larger than any lookup needs. */
const LINE_SLOTS = 8192;

// Start offsets of the parts, in order.
const NEXT = 64;
const SITE = NEXT + 4 * MAX_STREAMS;
const SITES = SITE + 4 * MAX_STREAMS;
const WARPS = SITES + SITE_BYTES * MAX_SITES;
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
  /** Sites of the program, with the words of TRACE_SITE. */
  sites: SITES,
  siteBytes: SITE_BYTES,
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
  /**
   * Size without the growth by the records of one warp, which is at most their own size and a word
   * for each site.
   */
  bytes: WORDS + BYTES_BEFORE_STOP + 4 * MAX_SITES + 64,
} as const;

/**
 * Words of a site: cost from the program's start to a lookup, or of a section (see LogSite), the
 * first line of a lookup's texture, whether the site is a section, and the number of lookups that
 * may be in flight when a lookup's clause starts.
 */
export const TRACE_SITE = {
  instructions: 0,
  issueCycles: 1,
  stallCycles: 2,
  firstLine: 3,
  isSection: 4,
  lookupsInFlight: 5,
} as const;
