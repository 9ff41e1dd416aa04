/** WebGL's view of a framebuffer: its attachments and its draw and read buffers. */
import { GL } from '../interface/constants.ts';
import { WebGLObject, type WebGLRenderbuffer } from './webgl-object.ts';
import type { WebGLTexture } from './webgl-texture.ts';

/** Renderbuffer or texture image that is attached to a framebuffer. */
export type FramebufferAttachment =
  | { readonly kind: 'renderbuffer'; readonly object: WebGLRenderbuffer }
  | {
      readonly kind: 'texture';
      readonly object: WebGLTexture;
      readonly level: number;
      /** `GL_TEXTURE_2D`, a face of a cube map, or 0 for a layer. */
      readonly textureTarget: number;
      /**
       * Layer of an array or slice of a 3D texture; 0 for others. With views, the first of them.
       */
      readonly layer: number;
      /** Number of views in consecutive layers, if OVR_multiview2 attached the texture. */
      readonly viewCount?: number;
    };

/** Framebuffer object. */
export class WebGLFramebuffer extends WebGLObject {
  wasBound = false;
  /**
   * Attachments by attachment point. WebGL 1 keeps DEPTH_STENCIL_ATTACHMENT apart from the points
   * for depth and for stencil.
   */
  readonly attachments = new Map<number, FramebufferAttachment>();
  /** Argument of the last `drawBuffers` call. */
  drawBuffers: readonly number[] = [GL.COLOR_ATTACHMENT0];
  readBuffer: number = GL.COLOR_ATTACHMENT0;
}
