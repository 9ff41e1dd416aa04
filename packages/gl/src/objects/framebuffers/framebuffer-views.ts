/**
 * Views of a framebuffer (OVR_multiview2). View i of a framebuffer is a framebuffer with layer
 * `slice + i` of each attachment. Draws and clears are recorded once per view.
 */
import { FramebufferObject } from './framebuffer-object.ts';

/** Returns the number of views of a complete framebuffer; 1 without one. */
export function viewCountOf(framebuffer: FramebufferObject | null): number {
  if (framebuffer === null) return 1;
  for (const attachment of framebuffer.attachments.values()) {
    return attachment.kind === 'texture' ? (attachment.viewCount ?? 1) : 1;
  }
  return 1;
}

/** Returns the views of a target: the target itself if it has one view. */
export function viewsOf<Target extends { readonly framebuffer: FramebufferObject | null }>(
  target: Target,
): readonly Target[] {
  const { framebuffer } = target;
  const count = viewCountOf(framebuffer);
  if (framebuffer === null || count === 1) return [target];
  return Array.from({ length: count }, (_, view) => ({
    ...target,
    framebuffer: viewOf(framebuffer, view),
  }));
}

function viewOf(framebuffer: FramebufferObject, view: number): FramebufferObject {
  const { name, attachments, colorPoints, readPoint } = framebuffer;
  const made = new FramebufferObject(name);
  for (const [point, attachment] of attachments) {
    if (attachment.kind === 'renderbuffer') continue;
    const { viewCount: _all, ...image } = attachment;
    made.attachments.set(point, { ...image, slice: image.slice + view });
  }
  made.colorPoints = colorPoints;
  made.readPoint = readPoint;
  made.isView = true;
  return made;
}
