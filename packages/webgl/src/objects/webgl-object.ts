/**
 * Common base of the objects that a context creates, and the object classes that need little state.
 *
 * Programs store properties of their own on these objects, such as `image` on a texture or
 * `target`. The field names are therefore chosen so that programs are unlikely to use them.
 */

import { GL } from '../interface/constants.ts';

/**
 * Base class of all WebGL objects. Programs cannot construct them; WebIDL calls such constructors
 * illegal.
 */
export abstract class WebGLObject {
  /** Core of the context that created the object. Other contexts reject the object. */
  readonly owner: object;
  /** Name of the object in `GlContext`. */
  readonly glName: number;
  /** Whether the program has deleted the object. It can stay in use where it is attached. */
  isDeleted = false;

  /** @throws {TypeError} If a program calls it. */
  constructor(owner: object, glName: number) {
    if (owner === undefined) throw new TypeError('Illegal constructor');
    this.owner = owner;
    this.glName = glName;
  }
}

/** Renderbuffer object. */
export class WebGLRenderbuffer extends WebGLObject {
  /** Whether the object was ever bound; `is…` calls return true only then. */
  wasBound = false;
  /** Sized internal format. */
  internalFormat: number = GL.RGBA4;
  /** Internal format that the program requested. */
  reportedFormat: number = GL.RGBA4;
  widthPx = 0;
  heightPx = 0;
  sampleCount = 0;
}

/** Buffer object. Its first binding determines the targets that it can be bound to later. */
export class WebGLBuffer extends WebGLObject {
  wasBound = false;
  /** Kind of content; `null` until the buffer is bound to a target other than a copy target. */
  contentKind: 'indices' | 'other' | null = null;
}

/** Range of a buffer that is bound to an indexed binding point. */
export interface IndexedBuffer {
  readonly buffer: WebGLBuffer;
  readonly offsetBytes: number;
  /** Size of the range in bytes; 0 means up to the end of the buffer. */
  readonly sizeBytes: number;
}

/** Sampler object. */
export class WebGLSampler extends WebGLObject {}

/** Query object. */
export class WebGLQuery extends WebGLObject {
  /** Target of the first `beginQuery` call; 0 before that call. */
  begunTarget = 0;
  isActive = false;
  /** Number of `beginQuery` calls. */
  beginCount = 0;
  isAvailable = false;
}

/** Query object of EXT_disjoint_timer_query. */
export class WebGLTimerQueryEXT extends WebGLQuery {
  get [Symbol.toStringTag](): string {
    return 'WebGLTimerQueryEXT';
  }
}

/** Sync object. */
export class WebGLSync extends WebGLObject {
  isSignaled = false;
}

/** Transform feedback object. */
export class WebGLTransformFeedback extends WebGLObject {
  wasBound = false;
  isActive = false;
  isPaused = false;
  /** Buffers bound to the object's binding points. */
  readonly buffers: (IndexedBuffer | null)[] = [];
}
