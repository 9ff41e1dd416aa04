/**
 * The package as `require` returns it: the function `createContext`, as in headless-gl, with all
 * other exports as its properties.
 */
import { createContext, createServiceContext } from './create-context.ts';
import { WebGLFramebuffer } from './objects/webgl-framebuffer.ts';
import * as objects from './objects/webgl-object.ts';
import * as programs from './objects/webgl-program.ts';
import { WebGLTexture } from './objects/webgl-texture.ts';
import { WebGLVertexArrayObject } from './objects/webgl-vertex-array.ts';
import { WebGL2RenderingContext, WebGLRenderingContext } from './rendering-context.ts';

/** Function that creates contexts, with the other exports of the package. */
export const callable = Object.assign(createContext, {
  createContext,
  createServiceContext,
  WebGL2RenderingContext,
  WebGLActiveInfo: programs.WebGLActiveInfo,
  WebGLBuffer: objects.WebGLBuffer,
  WebGLFramebuffer,
  WebGLProgram: programs.WebGLProgram,
  WebGLQuery: objects.WebGLQuery,
  WebGLRenderbuffer: objects.WebGLRenderbuffer,
  WebGLRenderingContext,
  WebGLSampler: objects.WebGLSampler,
  WebGLShader: programs.WebGLShader,
  WebGLShaderPrecisionFormat: programs.WebGLShaderPrecisionFormat,
  WebGLSync: objects.WebGLSync,
  WebGLTexture,
  WebGLTransformFeedback: objects.WebGLTransformFeedback,
  WebGLUniformLocation: programs.WebGLUniformLocation,
  WebGLVertexArrayObject,
});
