/**
 * Generated from table/spec-choices.ts by `npm run cycle-model:build`. Do not edit. Long because it is
 * generated.
 */
/** Numbers of the page policies. */
export const PAGE_POLICY = {
  open: 0,
  openAdaptive: 1,
  close: 2,
  closeAdaptive: 3,
} as const;

/** Numbers of the page structures. */
export const PAGE_STRUCTURE = {
  table: 0,
  list: 1,
} as const;

/** Numbers of the placements. */
export const PLACEMENT = {
  replicated: 0,
  interleaved: 1,
  firstTouch: 2,
  home: 3,
} as const;

/** Numbers of the caches of remote lines. */
export const REMOTE_CACHE = {
  l2: 0,
  own: 1,
  none: 2,
} as const;

/** Numbers of the slot policies. */
export const SLOT_POLICY = {
  vertexFirst: 0,
  pixelBiased: 1,
  fairRandom: 2,
  videocore: 3,
  gcn: 4,
} as const;

/** Numbers of the layouts of warp IDs. */
export const WARP_ID_LAYOUT = {
  interleaved: 0,
  blocks: 1,
} as const;
