/**
 * Classes of WebGL by the names that a page has as globals. Libraries identify objects by these
 * classes, and by the text `[object WebGLTexture]` of an object (WebIDL, section 3.7.6).
 */
import { WebGLFramebuffer } from './objects/webgl-framebuffer.ts';
import {
  WebGLBuffer,
  WebGLObject,
  WebGLQuery,
  WebGLRenderbuffer,
  WebGLSampler,
  WebGLSync,
  WebGLTransformFeedback,
} from './objects/webgl-object.ts';
import {
  WebGLActiveInfo,
  WebGLProgram,
  WebGLShader,
  WebGLShaderPrecisionFormat,
  WebGLUniformLocation,
} from './objects/webgl-program.ts';
import { WebGLTexture } from './objects/webgl-texture.ts';
import { WebGLVertexArrayObject } from './objects/webgl-vertex-array.ts';
import { WebGL2RenderingContext, WebGLRenderingContext } from './rendering-context.ts';

/** Classes of WebGL 1 and WebGL 2 by name. */
export const WEBGL_CLASSES = {
  WebGL2RenderingContext,
  WebGLActiveInfo,
  WebGLBuffer,
  WebGLFramebuffer,
  WebGLObject,
  WebGLProgram,
  WebGLQuery,
  WebGLRenderbuffer,
  WebGLRenderingContext,
  WebGLSampler,
  WebGLShader,
  WebGLShaderPrecisionFormat,
  WebGLSync,
  WebGLTexture,
  WebGLTransformFeedback,
  WebGLUniformLocation,
  WebGLVertexArrayObject,
} as const;

for (const [name, { prototype }] of Object.entries(WEBGL_CLASSES)) {
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
}
