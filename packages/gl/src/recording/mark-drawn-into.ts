import type { PassTarget } from './passes/pass-attachments.ts';

/**
 * Marks the images of a target as drawn into, because uploaded texels and resolved samples are
 * outdated.
 */
export function markDrawnInto({ framebuffer }: PassTarget): void {
  if (framebuffer === null) return;
  for (const [point, attachment] of framebuffer.attachments) {
    const isColor = point !== 'depth' && point !== 'stencil';
    if (isColor && !framebuffer.colorPoints.includes(point)) continue;
    if (attachment.kind === 'texture') attachment.texture.markDrawnInto();
    else attachment.renderbuffer.isDrawnSinceResolve = true;
  }
}
