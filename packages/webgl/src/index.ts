/** WebGL 1 and 2 on a simulated GPU. */

export { callable as 'module.exports' } from './callable.ts';
export type { InternalFailure } from './compiler/guard-compiler.ts';
export type { WebGlErrorRecord } from './context/context-errors.ts';
export {
  createContext,
  createContext as default,
  createServiceContext,
  type TesseraContext,
  type TesseraContext2,
  type TesseraServiceContext,
} from './create-context.ts';
export type { DrawnFrame } from './frames/frame-source.ts';
export type { ServiceOptions } from './frames/service-renderer.ts';
export type { ServedFrame } from './frames/service-source.ts';
export type { SimulatedGpuChoice } from './frames/simulated-gpu-choice.ts';
export { WebGLFramebuffer } from './objects/webgl-framebuffer.ts';
export {
  WebGLBuffer,
  WebGLQuery,
  WebGLRenderbuffer,
  WebGLSampler,
  WebGLSync,
  WebGLTransformFeedback,
} from './objects/webgl-object.ts';
export {
  WebGLActiveInfo,
  WebGLProgram,
  WebGLShader,
  WebGLShaderPrecisionFormat,
  WebGLUniformLocation,
} from './objects/webgl-program.ts';
export { WebGLTexture } from './objects/webgl-texture.ts';
export { WebGLVertexArrayObject } from './objects/webgl-vertex-array.ts';
export type {
  CreateContextOptions,
  CreateServiceContextOptions,
} from './options/create-context-options.ts';
export { WebGL2RenderingContext, WebGLRenderingContext } from './rendering-context.ts';
