/** Parts of resources that each chiplet stores in its memory, by their placement. */
import type { ChipletId, Placement } from '@tessera/frame';

/** Kinds of resources that a pass reads. Programs are in every memory. */
export type ResourceKind = 'buffers' | 'textures' | 'programs';

/** Part `part` of `parts` equal ones, or `size` parts from there on. */
export interface ResourceShare {
  readonly part: number;
  readonly parts: number;
  readonly size?: number;
}

/** The whole of a resource. */
export const WHOLE: ResourceShare = Object.freeze({ part: 0, parts: 1 });

/**
 * Returns the part of a resource that a chiplet stores; null for none. Pages that are placed by
 * their first access count as if they were interleaved, because their homes are not known before.
 */
export function shareOf(
  kind: ResourceKind,
  placement: Placement,
  chipletId: ChipletId,
  chipletCount: number,
): ResourceShare | null {
  const name = kind === 'programs' ? 'replicated' : placement[kind];
  switch (name) {
    case 'replicated':
      return WHOLE;
    case 'home':
      return chipletId === 0 ? WHOLE : null;
    case 'interleaved':
    case 'first-touch':
      return { part: chipletId, parts: chipletCount };
  }
}

/** Returns a share of a count. The shares of all parts add up to it. */
export function takeShare(count: number, { part, parts, size = 1 }: ResourceShare): number {
  return Math.floor((count * (part + size)) / parts) - Math.floor((count * part) / parts);
}

/**
 * Returns the share of a chiplet that has a part of all weights; null for none. If all weights are
 * 0, chiplet 0 has the whole.
 */
export function shareByWeight(
  weights: readonly number[],
  chipletId: ChipletId,
): ResourceShare | null {
  const sum = (to: number) => weights.slice(0, to).reduce((total, weight) => total + weight, 0);
  const parts = sum(weights.length);
  if (parts === 0) return chipletId === 0 ? WHOLE : null;
  const size = weights[chipletId]!;
  if (size === parts) return WHOLE;
  return size === 0 ? null : { part: sum(chipletId), parts, size };
}
