/** WebGL over a simulated GPU. */
export type { WebGlErrorRecord } from './context/context-errors.ts';
export type { InternalFailure } from './context/internal-failure.ts';
export { WebGL2RenderingContext, WebGLRenderingContext } from './context/rendering-context.ts';
export {
  type CreateContextOptions,
  type CreateServiceContextOptions,
  createContext,
  createServiceContext,
  type TesseraContext,
  type TesseraContext2,
  type TesseraServiceContext,
} from './create-context.ts';
export type { DrawnFrame } from './frame-source.ts';
export type { SimulatedGpuChoice } from './in-process/simulated-gpu.ts';
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
export type { ServiceOptions } from './service/service-renderer.ts';
export type { ServedFrame } from './service/service-source.ts';
