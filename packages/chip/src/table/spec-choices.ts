/** Parameters of a specification that are chosen by name. */

/** Slot policies, described in shading/slot-policy.ts. */
export const SLOT_POLICIES = [
  'vertex-first',
  'pixel-biased',
  'fair-random',
  'videocore',
  'gcn',
] as const;
/** Name of a slot policy. */
export type SlotPolicyName = (typeof SLOT_POLICIES)[number];

/** Layouts of the warp IDs over the shader cores, described in shading/task-scheduler.ts. */
export const WARP_ID_LAYOUTS = ['interleaved', 'blocks'] as const;

/**
 * Page policies of local memory: when a row is closed after an access. `open`: when another row of
 * the bank is needed. `open-adaptive`: at once if another row waits and no access of this one.
 * `close`: at once. `close-adaptive`: at once unless another access of the row waits.
 */
export const PAGE_POLICIES = ['open', 'open-adaptive', 'close', 'close-adaptive'] as const;

/**
 * Structures that find the page of an address. `table`: a page table in memory, described in
 * memory/page-walker-module.ts. `list`: lists of pages in on-chip memory, described in
 * memory/page-lists.ts.
 */
export const PAGE_STRUCTURES = ['table', 'list'] as const;

/**
 * Caches of the chiplet that reads a line from the memory of another one. `l2`: its second-level
 * cache. `own`: a cache of remote lines alone, as the L1.5 cache of MCM-GPU (Arunkumar et al., ISCA
 * 2017). `none`: no cache behind those of the units.
 */
export const REMOTE_CACHES = ['l2', 'own', 'none'] as const;

/**
 * Placements of a class of resources in the memories of the chiplets. `replicated`: every memory
 * has all of it. `interleaved`: pages take the memories in turn. `first-touch`: a page is in the
 * memory of the chiplet that accesses it first. `home`: all of it is in the memory of chiplet 0.
 */
export const PLACEMENTS = ['replicated', 'interleaved', 'first-touch', 'home'] as const;
/** Name of a placement. */
export type PlacementName = (typeof PLACEMENTS)[number];
