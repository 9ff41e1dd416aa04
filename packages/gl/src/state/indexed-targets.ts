/**
 * State of single draw buffers that differs from the state of all (OpenGL 3.0, section 4.1.7 and
 * 4.2.2; ARB_draw_buffers_blend). A function without an index sets the state of all draw buffers.
 */
import type { BlendEquation, BlendFactor } from '@tessera/frame';
import { MAX_COLOR_ATTACHMENTS } from '../objects/framebuffers/framebuffer-object.ts';

/** State of one draw buffer. Missing fields have the values of all draw buffers. */
export interface IndexedTarget {
  readonly colorMask?: readonly [boolean, boolean, boolean, boolean];
  readonly isBlended?: boolean;
  readonly equations?: readonly [color: BlendEquation, alpha: BlendEquation];
  readonly factors?: readonly [BlendFactor, BlendFactor, BlendFactor, BlendFactor];
}

/** States by draw buffer; `null` if none differs. Replaced, never modified. */
export type IndexedTargets = readonly IndexedTarget[] | null;

/** Returns the states with fields of one draw buffer set. */
export function setTarget(
  targets: IndexedTargets,
  index: number,
  change: IndexedTarget,
): IndexedTargets {
  const all = targets ?? Array.from({ length: MAX_COLOR_ATTACHMENTS }, () => ({}));
  return all.map((target, i) => (i === index ? { ...target, ...change } : target));
}

/** Returns the states without a field, because all draw buffers got the same value. */
export function unsetTargets(targets: IndexedTargets, field: keyof IndexedTarget): IndexedTargets {
  if (targets === null) return null;
  const rest = targets.map(({ [field]: _unset, ...others }) => others);
  return rest.every((target) => Object.keys(target).length === 0) ? null : rest;
}
