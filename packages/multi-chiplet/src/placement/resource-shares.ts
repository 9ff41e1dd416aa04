/** Parts of resources that each chiplet stores in its memory, by their placement. */
import type { ChipletId, Placement } from '@tessera/frame';

/** Kinds of resources that a pass reads. Programs are in every memory. */
export type ResourceKind = 'buffers' | 'textures' | 'programs';

/** Part `part` of `parts` equal ones. */
export interface ResourceShare {
  readonly part: number;
  readonly parts: number;
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
export function takeShare(count: number, { part, parts }: ResourceShare): number {
  return Math.floor((count * (part + 1)) / parts) - Math.floor((count * part) / parts);
}
