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
