/**
 * Rules for framebuffers with views (OVR_multiview2). A framebuffer without attachments of
 * `framebufferTextureMultiviewOVR` has one view.
 */
import type { ContextCore } from '../context/context-core.ts';
import { GL } from '../interface/constants.ts';
import type { FramebufferAttachment, WebGLFramebuffer } from '../objects/webgl-framebuffer.ts';

/** Returns the views of an attachment; `null` if it was attached without views. */
export function viewsOf(
  attachment: FramebufferAttachment | undefined,
): { readonly first: number; readonly count: number } | null {
  if (attachment?.kind !== 'texture' || attachment.viewCount === undefined) return null;
  return { first: attachment.layer, count: attachment.viewCount };
}

/** Returns whether all attachments have the same views, or none has views. */
export function haveSameViews({ attachments }: WebGLFramebuffer): boolean {
  const [first, ...others] = [...attachments.values()].map(viewsOf);
  return others.every((views) => views?.first === first?.first && views?.count === first?.count);
}

/** Returns the number of views of a complete framebuffer; `null` if it has none. */
export function viewCountOf(framebuffer: WebGLFramebuffer | null): number | null {
  const [attachment] = framebuffer?.attachments.values() ?? [];
  return viewsOf(attachment)?.count ?? null;
}

/**
 * Returns whether a complete read framebuffer has one view, so that it can be read. Raises the
 * error otherwise.
 */
export function hasOneView(core: ContextCore, caller: string): boolean {
  const viewCount = viewCountOf(core.readFramebuffer) ?? 1;
  if (viewCount === 1) return true;
  const message = `the read framebuffer has ${viewCount} views`;
  core.raise(GL.INVALID_FRAMEBUFFER_OPERATION, caller, message);
  return false;
}

/**
 * Returns whether a draw has the number of views of its target. Draws with several views exclude
 * transform feedback and timer queries. Raises the error otherwise.
 */
export function canDrawViews(core: ContextCore, caller: string): boolean {
  if (!core.extensions.isEnabled('OVR_multiview2')) return true;
  const linked = core.gl.programs.linkedOf(core.program!.glName);
  const drawn = linked?.reflected.viewCount ?? 1;
  const viewCount = viewCountOf(core.drawFramebuffer) ?? 1;
  const { isActive, isPaused } = core.transformFeedback;
  if (drawn !== viewCount) {
    const message = `the program draws ${drawn} views, the framebuffer has ${viewCount}`;
    core.raise(GL.INVALID_OPERATION, caller, message);
  } else if (viewCount > 1 && isActive && !isPaused) {
    core.raise(GL.INVALID_OPERATION, caller, 'transform feedback captures one view');
  } else return !isTimingViews(core, caller);
  return false;
}

/** Returns whether a timer query is active and the target has several views. Raises the error. */
export function isTimingViews(core: ContextCore, caller: string): boolean {
  const isTiming = core.activeQueries.has(GL.TIME_ELAPSED_EXT);
  if (!isTiming || (viewCountOf(core.drawFramebuffer) ?? 1) === 1) return false;
  core.raise(GL.INVALID_OPERATION, caller, 'a timer query is active, which times one view');
  return true;
}
