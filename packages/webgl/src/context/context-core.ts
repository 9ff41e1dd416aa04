/**
 * State of a rendering context: the OpenGL state machine that records draws (`GlContext`), and what
 * WebGL adds to OpenGL ES. WebGL uses objects instead of names, and has its own pixel storage
 * parameters and extensions.
 */
import { FEATURE_EXTENSIONS, type Feature, type GlContext, type WebGLRules } from '@tessera/gl';
import type { ReportFailure } from '../compiler/guard-compiler.ts';
import { enumName, GL } from '../interface/constants.ts';
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

/** Attributes that a context was created with, as `getContextAttributes` returns them. */
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

/** Options of {@link ContextCore}. */
export interface ContextCoreOptions {
  readonly rules: WebGLRules;
  readonly attributes: ContextAttributes;
  /** Receives the GLSL names of enabled extensions. */
  readonly shaderNames: Set<string>;
  /** Creates the state machine. It reports errors to `onError`. */
  readonly makeGl: (onError: (error: WebGlErrorRecord) => void) => GlContext;
  /** Whether frames have simulated cycles, which timer queries return. */
  readonly hasSimulatedTime: boolean;
  /** Receives the exceptions that calls contain. */
  readonly reportFailure: ReportFailure;
  /** Called for every GL error with its message, which `getError` does not return. */
  readonly onError?: ((error: WebGlErrorRecord) => void) | undefined;
}

/** State of one rendering context. */
export class ContextCore {
  readonly gl: GlContext;
  /** Differences between the versions of WebGL. */
  readonly rules: WebGLRules;
  readonly attributes: ContextAttributes;
  readonly errors: ContextErrors;
  readonly reportFailure: ReportFailure;
  readonly hasSimulatedTime: boolean;
  readonly extensions: EnabledExtensions;
  /** Loss state, set by the creator of the context. */
  loss: ContextLoss | null = null;
  readonly pixelStorage = new PixelStorage();
  readonly textureUnits = new TextureUnits();
  /** Bound buffers by target. The index buffer belongs to the vertex array instead. */
  readonly boundBuffers = new Map<number, WebGLBuffer>();
  readonly defaultVertexArray: WebGLVertexArrayObject;
  vertexArray: WebGLVertexArrayObject;
  /** Component types of the current attribute values: FLOAT, INT or UNSIGNED_INT. */
  readonly currentValueTypes: number[] = [];
  program: WebGLProgram | null = null;
  renderbuffer: WebGLRenderbuffer | null = null;
  drawFramebuffer: WebGLFramebuffer | null = null;
  readFramebuffer: WebGLFramebuffer | null = null;
  /** Draw and read buffers of the default framebuffer. */
  defaultDrawBuffers: readonly number[] = [GL.BACK];
  defaultReadBuffer: number = GL.BACK;
  /** Active queries by target. */
  readonly activeQueries = new Map<number, WebGLQuery>();
  /** Transform feedback object that is bound when the program binds `null`. */
  readonly defaultFeedback: WebGLTransformFeedback;
  transformFeedback: WebGLTransformFeedback;
  /** Transform feedback objects between begin and end, paused and unbound ones too. */
  readonly activeFeedbacks = new Set<WebGLTransformFeedback>();
  /** Buffers bound to the binding points of uniform blocks. */
  readonly uniformBuffers: (IndexedBuffer | null)[] = [];
  /** Hints by target. */
  readonly hints = new Map<number, number>();
  /** Sample coverage as set; the state machine keeps only the resulting mask. */
  sampleCoverage = { value: 1, isInverted: false };
  /** Clear color as set; the state machine replaces NaN and infinities in its copy. */
  clearColor: readonly [number, number, number, number] = [0, 0, 0, 0];
  /** Stencil references and masks as set, with 32 bits; the state machine keeps 8 bits. */
  stencil = {
    front: { reference: 0, readMask: 0xffffffff, writeMask: 0xffffffff },
    back: { reference: 0, readMask: 0xffffffff, writeMask: 0xffffffff },
  };
  /** Stencil clear value as set, with 32 bits; the state machine keeps 8 bits. */
  clearStencil = 0;

  constructor(options: ContextCoreOptions) {
    const { rules, attributes, shaderNames, makeGl, onError, reportFailure } = options;
    this.rules = rules;
    this.hasSimulatedTime = options.hasSimulatedTime;
    this.attributes = attributes;
    this.errors = new ContextErrors(onError);
    this.reportFailure = reportFailure;
    this.gl = makeGl(({ code, message }) => this.errors.raise(code, message));
    // WebGL packs rows itself before it passes pixels to the state machine.
    this.gl.textures.pixelStore.set(GL.UNPACK_ALIGNMENT, 1);
    this.extensions = new EnabledExtensions(shaderNames);
    this.defaultVertexArray = new WebGLVertexArrayObject(this, 0);
    this.vertexArray = this.defaultVertexArray;
    this.defaultFeedback = new WebGLTransformFeedback(this, 0);
    this.transformFeedback = this.defaultFeedback;
    for (let index = 0; index < this.vertexArray.arrays.length; index++) {
      this.currentValueTypes.push(GL.FLOAT);
    }
  }

  /** Number of errors so far. A call has failed if it increased the number. */
  get errorCount(): number {
    return this.errors.count;
  }

  /** Whether the version or an enabled extension has the feature. */
  hasFeature(feature: Feature): boolean {
    return (
      this.rules.hasAllFeatures ||
      FEATURE_EXTENSIONS[feature].some((name) => this.extensions.isEnabled(name))
    );
  }

  /** Raises an error. The failing call must have no other effect. */
  raise(code: number, caller: string, message: string): void {
    this.errors.raise(code, `${caller}: ${message}`);
  }

  /** Raises INVALID_ENUM for an argument whose value the call does not accept. */
  rejectEnum(caller: string, argument: string, value: number): void {
    this.raise(GL.INVALID_ENUM, caller, `${argument} ${enumName(value)} is not accepted`);
  }
}
