/** Context classes of WebGL 1 and WebGL 2, assembled from the tables of calls. */

import { bufferCalls } from './calls/buffers/buffer-calls.ts';
import { indexedBufferCalls } from './calls/buffers/indexed-buffer-calls.ts';
import { attributeCalls } from './calls/draws/attribute-calls.ts';
import { drawCalls } from './calls/draws/draw-calls.ts';
import { feedbackCalls } from './calls/draws/feedback-calls.ts';
import { queryCalls } from './calls/draws/query-calls.ts';
import { syncCalls } from './calls/draws/sync-calls.ts';
import { vertexArrayCalls } from './calls/draws/vertex-array-calls.ts';
import { attachmentCalls } from './calls/framebuffers/attachment-calls.ts';
import { clearBufferCalls } from './calls/framebuffers/clear-buffer-calls.ts';
import { drawBufferCalls } from './calls/framebuffers/draw-buffer-calls.ts';
import { framebufferCalls } from './calls/framebuffers/framebuffer-calls.ts';
import { renderbufferCalls } from './calls/framebuffers/renderbuffer-calls.ts';
import { compressedCalls } from './calls/pixels/compressed-calls.ts';
import { copyCalls } from './calls/pixels/copy-calls.ts';
import { readCalls } from './calls/pixels/read-calls.ts';
import { textureStorageCalls } from './calls/pixels/texture-storage-calls.ts';
import { textureUploadCalls } from './calls/pixels/texture-upload-calls.ts';
import { blockCalls } from './calls/programs/block-calls.ts';
import { programCalls } from './calls/programs/program-calls.ts';
import { reflectionCalls } from './calls/programs/reflection-calls.ts';
import { uniformCalls } from './calls/programs/uniform-calls.ts';
import { parameterCalls } from './calls/state/parameter-calls.ts';
import { stateCalls } from './calls/state/state-calls.ts';
import { samplerCalls } from './calls/textures/sampler-calls.ts';
import { textureCalls } from './calls/textures/texture-calls.ts';
import {
  type CallTable,
  CORE,
  type ContextObject,
  installCalls,
  installConstants,
} from './context/call-table.ts';
import type { ContextCore } from './context/context-core.ts';
import { extensionCalls } from './extensions/extension-calls.ts';
import type { FrameSource } from './frames/frame-source.ts';
import { fitDrawingBuffer } from './interface/limits.ts';
import {
  WEBGL_CONSTANTS,
  WEBGL_METHODS,
  WEBGL_PARAMETERS,
  WEBGL2_CONSTANTS,
  WEBGL2_METHODS,
  WEBGL2_PARAMETERS,
} from './interface/webgl-interface.ts';

import { COLOR_SPACES, type ColorSpace } from './pixels/color-spaces.ts';

const SOURCE = Symbol('source');
const CANVAS = Symbol('canvas');

/**
 * Members that a context has in addition to WebGL. The two context classes share no base class,
 * because programs inspect their prototypes.
 */
interface OwnCalls extends ContextObject {
  readonly [SOURCE]: FrameSource;
  [CANVAS]: unknown;
  /** Canvas element of the context, or `null`. Programs may assign one of their own. */
  canvas: unknown;
  readonly drawingBufferWidth: number;
  readonly drawingBufferHeight: number;
  readonly drawingBufferColorSpace: ColorSpace;
  unpackColorSpace: ColorSpace;
  /** Resizes and clears the drawing buffer. Viewport and scissor box stay the same. */
  resize(width: number, height: number): void;
  /** Loses the context for good, as in headless-gl. */
  destroy(): void;
  /** Whether the drawing buffer has changes that the next frame would show. */
  readonly hasImage: boolean;
  /**
   * Ends the frame and returns the contents of the drawing buffer, with the report of everything
   * that was rendered for it.
   */
  frame(): ReturnType<FrameSource['finishFrame']>;
  /**
   * Ends the frame without showing it. Its draws are rendered only if a later call depends on them.
   */
  skipFrame(): void;
}

const OWN_PROPERTIES: PropertyDescriptorMap & ThisType<OwnCalls> = {
  // Belongs to the prototype, as in a browser. Programs of headless-gl, whose contexts have no
  // canvas, assign one if the context has no such property of its own.
  canvas: {
    get() {
      return this[CANVAS];
    },
    set(canvas: unknown) {
      this[CANVAS] = canvas;
    },
    enumerable: true,
  },
  drawingBufferWidth: {
    get() {
      return this[CORE].gl.targets.widthPx;
    },
    enumerable: true,
  },
  drawingBufferHeight: {
    get() {
      return this[CORE].gl.targets.heightPx;
    },
    enumerable: true,
  },
  // Assignments of other values have no effect, as of those that an enumeration of WebIDL lacks.
  drawingBufferColorSpace: {
    get(): ColorSpace {
      return 'srgb';
    },
    set() {},
    enumerable: true,
  },
  unpackColorSpace: {
    get(): ColorSpace {
      return this[CORE].pixelStorage.colorSpace;
    },
    set(given: unknown) {
      const found = COLOR_SPACES.find((each) => each === String(given));
      if (found !== undefined) this[CORE].pixelStorage.colorSpace = found;
    },
    enumerable: true,
  },
  // These members are not enumerable, so programs that list the properties of a context find only
  // WebGL's.
  resize: {
    value(this: OwnCalls, width: number, height: number): void {
      this[CORE].gl.targets.resize(...fitDrawingBuffer(width, height));
    },
  },
  destroy: {
    value(this: OwnCalls): void {
      this[CORE].loss?.destroy();
    },
  },
  hasImage: {
    get() {
      return this[CORE].gl.frames.hasImage;
    },
  },
  frame: {
    value(this: OwnCalls) {
      return this[SOURCE].finishFrame(this[CORE].gl);
    },
  },
  skipFrame: {
    value(this: OwnCalls): void {
      this[SOURCE].skipFrame(this[CORE].gl);
    },
  },
};

/** @throws {TypeError} If a program calls the constructor. */
function fillContext(context: object, core: ContextCore, source: FrameSource): void {
  if (core === undefined) throw new TypeError('Illegal constructor');
  Object.defineProperty(context, SOURCE, { value: source });
  Object.defineProperty(context, CORE, { value: core, configurable: true });
  Object.defineProperty(context, CANVAS, { value: null, writable: true });
}

/** WebGL 1 context, with the methods and constants of the DOM interface of the same name. */
export class WebGLRenderingContext {
  constructor(core: ContextCore, source: FrameSource) {
    fillContext(this, core, source);
  }
}

/** WebGL 2 context. It is not an instance of the WebGL 1 class. */
export class WebGL2RenderingContext {
  constructor(core: ContextCore, source: FrameSource) {
    fillContext(this, core, source);
  }
}

const CALLS: readonly CallTable[] = [
  attachmentCalls,
  attributeCalls,
  blockCalls,
  clearBufferCalls,
  feedbackCalls,
  indexedBufferCalls,
  queryCalls,
  syncCalls,
  renderbufferCalls,
  samplerCalls,
  bufferCalls,
  compressedCalls,
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
  textureStorageCalls,
  textureUploadCalls,
  uniformCalls,
  vertexArrayCalls,
];

const METHODS_OF_WEBGL2 = { ...WEBGL_METHODS, ...WEBGL2_METHODS };
const PARAMETERS_OF_WEBGL2 = { ...WEBGL_PARAMETERS, ...WEBGL2_PARAMETERS };

for (const calls of CALLS) {
  installCalls(WebGLRenderingContext.prototype, calls, WEBGL_METHODS, WEBGL_PARAMETERS);
  installCalls(WebGL2RenderingContext.prototype, calls, METHODS_OF_WEBGL2, PARAMETERS_OF_WEBGL2);
}
const { RGBA8: _storageOfDrawingBuffers, ...WEBGL1_CONSTANTS } = WEBGL_CONSTANTS;
installConstants(WebGLRenderingContext, WEBGL1_CONSTANTS);
installConstants(WebGL2RenderingContext, { ...WEBGL_CONSTANTS, ...WEBGL2_CONSTANTS });
for (const { prototype } of [WebGLRenderingContext, WebGL2RenderingContext]) {
  Object.defineProperties(prototype, OWN_PROPERTIES);
}
