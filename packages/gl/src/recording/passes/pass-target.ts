/** Targets of recorded passes in the format of a frame. */
import type { Pass, TargetImage } from '@tessera/frame';
import {
  type BufferIdentity,
  type DrawnImage,
  FEEDBACK,
  isSameBuffer,
  type PassAttachments,
} from './pass-attachments.ts';

/** Attachments of a recorded pass, and its images with their texture indices in the frame. */
interface DrawnPass {
  readonly attachments: PassAttachments;
  readonly images: readonly { readonly image: DrawnImage; readonly textureIndex: number }[];
}

/**
 * Returns the target of a pass that is not on the screen. A single color image without depth or
 * stencil uses the short form.
 */
export function makeTarget({ attachments, images }: DrawnPass): NonNullable<Pass['target']> {
  if (attachments === FEEDBACK) return { kind: 'feedback' };
  const { colors, depth, stencil } = attachments;
  const imageOf = (buffer: BufferIdentity | null): TargetImage | null => {
    const found = images.find(({ image }) => isSameBuffer(image, buffer));
    if (found === undefined) return null;
    const { level, slice, isSrgbRaw = false } = found.image;
    return {
      textureIndex: found.textureIndex,
      ...(level === 0 ? {} : { level }),
      ...(slice === 0 ? {} : { slice }),
      ...(isSrgbRaw ? { isSrgbRaw } : {}),
    };
  };
  const only = colors.length === 1 ? imageOf(colors[0]!) : null;
  const depthStencil = imageOf(depth ?? stencil);
  if (only !== null && depthStencil === null) return { kind: 'texture', ...only };
  return { kind: 'images', colors: colors.map(imageOf), depthStencil };
}
