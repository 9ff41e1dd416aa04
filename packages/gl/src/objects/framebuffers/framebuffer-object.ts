import type { TextureObject } from '../textures/texture-object.ts';
import type { RenderbufferObject } from './renderbuffer-object.ts';

/** Image attached to a framebuffer. */
export type Attachment =
  | {
      readonly kind: 'texture';
      readonly texture: TextureObject;
      readonly level: number;
      /** Face of a cube, layer of an array, or slice of a 3D texture: that of the first view. */
      readonly slice: number;
      /** Number of views in consecutive layers (OVR_multiview2). Default: 1. */
      readonly viewCount?: number;
    }
  | { readonly kind: 'renderbuffer'; readonly renderbuffer: RenderbufferObject };

/** Point of a framebuffer to which an image can be attached. */
export type AttachmentPoint = `color${number}` | 'depth' | 'stencil';

/** Maximum number of color attachments of a framebuffer. */
export const MAX_COLOR_ATTACHMENTS = 8;

/** Framebuffer of a context (OpenGL ES 2.0, section 4.4). */
export class FramebufferObject {
  readonly name: number;
  readonly attachments = new Map<AttachmentPoint, Attachment>();
  /**
   * Destination of each fragment shader output. Writes to a point without an attachment are
   * discarded.
   */
  colorPoints: readonly AttachmentPoint[] = ['color0'];
  /** Attachment that copies and reads use. */
  readPoint: AttachmentPoint = 'color0';
  /** Whether the framebuffer is one view of another; see framebuffer-views.ts. */
  isView = false;

  constructor(name: number) {
    this.name = name;
  }
}
