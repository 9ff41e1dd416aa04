/** Names of the slot policies, in the order of SLOT_POLICY; see slot-policy.ts. */
export const SLOT_POLICIES = [
  'vertex-first',
  'pixel-biased',
  'fair-random',
  'videocore',
  'gcn',
] as const;
export type SlotPolicyName = (typeof SLOT_POLICIES)[number];
