/**
 * What a rendering context knows, behind its methods: the state machine that records draws (`GlContext`), and what
 * WebGL has beside OpenGL ES: objects instead of numbers, its own pixel storage, extensions that are switched on.
 */
import type { GlContext } from '@tessera/gl';
import { GL } from '../interface/constants.ts';
import type { WebGLFramebuffer } from '../objects/webgl-framebuffer.ts';
import {
  type IndexedBuffer,
  type WebGLBuffer,
  type WebGLQuery,
  type WebGLRenderbuffer,
  WebGLTransformFeedback,
} from '../objects/webgl-object.ts';
import type { WebGLProgram } from '../objects/webgl-program.ts';
import { WebGLVertexArrayObject } from '../objects/webgl-vertex-array.ts';
import { PixelStorage } from '../pixels/pixel-storage.ts';
import { ContextErrors, type WebGlErrorRecord } from './context-errors.ts';
import type { ContextLoss } from './context-loss.ts';
import { EnabledExtensions } from './enabled-extensions.ts';
import { TextureUnits } from './texture-units.ts';

/** What a context was made with, as `getContextAttributes` tells it. */
export interface ContextAttributes {
  readonly alpha: boolean;
  readonly depth: boolean;
  readonly stencil: boolean;
  readonly antialias: boolean;
  readonly premultipliedAlpha: boolean;
  readonly preserveDrawingBuffer: boolean;
  readonly powerPreference: 'default' | 'high-performance' | 'low-power';
  readonly failIfMajorPerformanceCaveat: boolean;
  readonly desynchronized: boolean;
}

export interface ContextCoreOptions {
  readonly isWebGL2: boolean;
  readonly attributes: ContextAttributes;
  /** Filled with GLSL's names of the extensions that are switched on. */
  readonly shaderNames: Set<string>;
  /** Makes the state machine, given where its errors go. */
  readonly makeGl: (onError: (error: WebGlErrorRecord) => void) => GlContext;
  /** Called for every GL error, with the message that `getError` has not. */
  readonly onError?: ((error: WebGlErrorRecord) => void) | undefined;
}

export class ContextCore {
  readonly gl: GlContext;
  readonly isWebGL2: boolean;
  readonly attributes: ContextAttributes;
  readonly errors: ContextErrors;
  readonly extensions: EnabledExtensions;
  /** Set by whoever makes the context. */
  loss: ContextLoss | null = null;
  readonly pixelStorage = new PixelStorage();
  readonly textureUnits = new TextureUnits();
  /** By target; the index buffer is the vertex array's. */
  readonly boundBuffers = new Map<number, WebGLBuffer>();
  readonly defaultVertexArray: WebGLVertexArrayObject;
  vertexArray: WebGLVertexArrayObject;
  /** Types of the current values of attributes: float, int or unsigned int. */
  readonly currentValueTypes: number[] = [];
  program: WebGLProgram | null = null;
  renderbuffer: WebGLRenderbuffer | null = null;
  drawFramebuffer: WebGLFramebuffer | null = null;
  readFramebuffer: WebGLFramebuffer | null = null;
  /** What outputs go to, and reads come from, while no framebuffer is bound. */
  defaultDrawBuffers: readonly number[] = [GL.BACK];
  defaultReadBuffer: number = GL.BACK;
  /** Active queries by target. */
  readonly activeQueries = new Map<number, WebGLQuery>();
  /** Bound while no other is. */
  readonly defaultFeedback: WebGLTransformFeedback;
  transformFeedback: WebGLTransformFeedback;
  /** Binding points of uniform blocks. */
  readonly uniformBuffers: (IndexedBuffer | null)[] = [];
  /** By function: what `hint` was told. */
  readonly hints = new Map<number, number>();
  sampleCoverage = { value: 1, isInverted: false };
  clearColor: readonly [number, number, number, number] = [0, 0, 0, 0];
  blendColor: readonly [number, number, number, number] = [0, 0, 0, 0];
  stencil = {
    front: { reference: 0, readMask: 0xffffffff, writeMask: 0xffffffff },
    back: { reference: 0, readMask: 0xffffffff, writeMask: 0xffffffff },
  };
  clearStencil = 0;

  constructor({ isWebGL2, attributes, shaderNames, makeGl, onError }: ContextCoreOptions) {
    this.isWebGL2 = isWebGL2;
    this.attributes = attributes;
    this.errors = new ContextErrors(onError);
    this.gl = makeGl(({ code, message }) => this.errors.raise(code, message));
    // Rows are laid out here before the state machine sees them.
    this.gl.pixelStorei(GL.UNPACK_ALIGNMENT, 1);
    this.extensions = new EnabledExtensions(shaderNames);
    this.defaultVertexArray = new WebGLVertexArrayObject(this, 0);
    this.vertexArray = this.defaultVertexArray;
    this.defaultFeedback = new WebGLTransformFeedback(this, 0);
    this.transformFeedback = this.defaultFeedback;
    for (let index = 0; index < this.vertexArray.arrays.length; index++) {
      this.currentValueTypes.push(GL.FLOAT);
    }
  }

  /** How many errors there were; a call that made one more failed. */
  get errorCount(): number {
    return this.errors.count;
  }

  /** Raises an error; the call that does it has no other effect. */
  raise(code: number, caller: string, message: string): void {
    this.errors.raise(code, `${caller}: ${message}`);
  }
}
