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
