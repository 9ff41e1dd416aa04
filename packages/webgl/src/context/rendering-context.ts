/** The classes of contexts: WebGL 1 and WebGL 2, put together from tables of calls by topic. */
import type { FrameSource } from '../frame-source.ts';
import { attributeCalls } from './attribute-calls.ts';
import { bufferCalls } from './buffer-calls.ts';
import {
  type CallTable,
  CORE,
  type ContextObject,
  installCalls,
  installConstants,
} from './call-table.ts';
import type { ContextCore } from './context-core.ts';
import { copyCalls } from './copy-calls.ts';
import { drawBufferCalls } from './draw-buffer-calls.ts';
import { drawCalls } from './draw-calls.ts';
import { extensionCalls } from './extension-calls.ts';
import { framebufferCalls } from './framebuffer-calls.ts';
import { parameterCalls } from './parameter-calls.ts';
import { programCalls } from './program-calls.ts';
import { readCalls } from './read-calls.ts';
import { reflectionCalls } from './reflection-calls.ts';
import { stateCalls } from './state-calls.ts';
import { textureCalls } from './texture-calls.ts';
import { textureUploadCalls } from './texture-upload-calls.ts';
import { uniformCalls } from './uniform-calls.ts';
import { vertexArrayCalls } from './vertex-array-calls.ts';
import {
  WEBGL_CONSTANTS,
  WEBGL_METHODS,
  WEBGL2_CONSTANTS,
  WEBGL2_METHODS,
} from './webgl-interface.ts';

const SOURCE = Symbol('source');

/** What both versions are; programs see one of the two classes below. */
abstract class RenderingContext implements ContextObject {
  declare readonly [CORE]: ContextCore;
  declare readonly [SOURCE]: FrameSource;
  /** The element that the context draws on, for those who have one. */
  canvas: unknown;

  /** @throws {TypeError} When a program calls it. */
  constructor(core: ContextCore, source: FrameSource) {
    if (core === undefined) throw new TypeError('Illegal constructor');
    // Programs that list a context's properties find what WebGL has.
    Object.defineProperty(this, SOURCE, { value: source });
    Object.defineProperty(this, CORE, { value: core });
    this.canvas = null;
  }

  get drawingBufferWidth(): number {
    return this[CORE].gl.widthPx;
  }

  get drawingBufferHeight(): number {
    return this[CORE].gl.heightPx;
  }

  /** Gives the drawing buffer another size; it is empty then. Viewport and scissor stay. */
  resize(width: number, height: number): void {
    this[CORE].gl.resize(width, height);
  }

  /** Ends the frame: what is in the drawing buffer, and the account of all that was rendered for it. */
  frame(): ReturnType<FrameSource['finishFrame']> {
    return this[SOURCE].finishFrame(this[CORE].gl);
  }
}

/** WebGL 1. Methods and constants are those of the DOM's interface of the name. */
export class WebGLRenderingContext extends RenderingContext {}

/** WebGL 2, which is not a WebGL 1: `instanceof` tells them apart. */
export class WebGL2RenderingContext extends RenderingContext {}

const CALLS: readonly CallTable[] = [
  attributeCalls,
  bufferCalls,
  copyCalls,
  drawBufferCalls,
  drawCalls,
  extensionCalls,
  framebufferCalls,
  parameterCalls,
  programCalls,
  readCalls,
  reflectionCalls,
  stateCalls,
  textureCalls,
  textureUploadCalls,
  uniformCalls,
  vertexArrayCalls,
];

for (const calls of CALLS) {
  installCalls(WebGLRenderingContext.prototype, calls, WEBGL_METHODS);
  installCalls(WebGL2RenderingContext.prototype, calls, { ...WEBGL_METHODS, ...WEBGL2_METHODS });
}
installConstants(WebGLRenderingContext, WEBGL_CONSTANTS);
installConstants(WebGL2RenderingContext, { ...WEBGL_CONSTANTS, ...WEBGL2_CONSTANTS });
for (const name of ['drawingBufferWidth', 'drawingBufferHeight']) {
  Object.defineProperty(RenderingContext.prototype, name, { enumerable: true });
}
for (const contextClass of [WebGLRenderingContext, WebGL2RenderingContext]) {
  const { name, prototype } = contextClass;
  Object.defineProperty(prototype, Symbol.toStringTag, { value: name, configurable: true });
}
