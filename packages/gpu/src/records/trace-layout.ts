/** Where the kernel of quad traces keeps what it works with and what it forms: bytes from `quadTracesPtr` of the chiplet's memory. */

/** Groups of a warp, at most. */
const MAX_STREAMS = 32;
const MAX_SITES = 512;
const MAX_WARPS = 1024;
/** Places for the lines of one lookup: more than it can have. */
const LINE_SLOTS = 4096;

// The parts, one after the other.
const NEXT = 64;
const SITE = NEXT + 4 * MAX_STREAMS;
const SITES = SITE + 4 * MAX_STREAMS;
const WARPS = SITES + 8 * MAX_SITES;
const PLACES = WARPS + 4 * MAX_WARPS;
const WORDS = PLACES + 8 * LINE_SLOTS;
/** No warp is begun when the traces are longer. */
const BYTES_BEFORE_STOP = 131_072;

export const QUAD_TRACES = {
  /** Of the call: lookups, their lines, words of the traces, warps. */
  lookups: 0,
  lines: 4,
  wordCount: 8,
  warpCount: 12,
  /** Of the last lookup: counts up from call to call. */
  stamp: 16,
  /** By group of the warp: where its next record is, and the site of that. */
  next: NEXT,
  site: SITE,
  /** By site: instructions from the start of the program to it, and what to add to its lines. */
  sites: SITES,
  maxSites: MAX_SITES,
  /** By warp: where its trace starts, in words. */
  warps: WARPS,
  maxWarps: MAX_WARPS,
  /** Lines of the lookup in hand, by place: the line, its stamp. A place is taken if that is the lookup's. */
  places: PLACES,
  lineSlots: LINE_SLOTS,
  words: WORDS,
  bytesBeforeStop: BYTES_BEFORE_STOP,
  /** Without what the records of one warp may become: no more than they are. */
  bytes: WORDS + BYTES_BEFORE_STOP + 64,
} as const;
