/**
 * What all objects that a context makes have in common: whose they are, and whether they are deleted.
 *
 * Programs keep properties of their own on such objects, an `image` on a texture or a `target`. So what is noted here
 * has names that nobody would give these.
 */

import { GL } from '../interface/constants.ts';

/** Programs must not make objects by `new`; WebIDL calls such constructors illegal. */
export abstract class WebGLObject {
  /** Core of the context that created the object. Other contexts reject the object. */
  readonly owner: object;
  /** What `GlContext` calls it. */
  readonly glName: number;
  /** Whether the program has deleted it; it may live on where it is attached. */
  isDeleted = false;

  /** @throws {TypeError} When a program calls it. */
  constructor(owner: object, glName: number) {
    if (owner === undefined) throw new TypeError('Illegal constructor');
    this.owner = owner;
    this.glName = glName;
  }
}

/** Objects whose class says all. */
export class WebGLRenderbuffer extends WebGLObject {
  /** `is…` is true only once an object was bound. */
  wasBound = false;
  /** With sizes. */
  internalFormat: number = GL.RGBA4;
  /** As the program gave it. */
  reportedFormat: number = GL.RGBA4;
  widthPx = 0;
  heightPx = 0;
  sampleCount = 0;
}

/** What a buffer was first bound to decides what it may be bound to later. */
export class WebGLBuffer extends WebGLObject {
  wasBound = false;
  /** `null` until it was bound to anything but a copy target. */
  contentKind: 'indices' | 'other' | null = null;
}

/** What a binding point holds. */
export interface IndexedBuffer {
  readonly buffer: WebGLBuffer;
  readonly offsetBytes: number;
  /** 0: to the end. */
  readonly sizeBytes: number;
}

export class WebGLSampler extends WebGLObject {}

export class WebGLQuery extends WebGLObject {
  /** 0 until the query was begun. */
  begunTarget = 0;
  isActive = false;
  /** How often it was begun. */
  beginCount = 0;
  isAvailable = false;
}

export class WebGLSync extends WebGLObject {
  isSignaled = false;
}

export class WebGLTransformFeedback extends WebGLObject {
  wasBound = false;
  isActive = false;
  isPaused = false;
  /** What its binding points hold. */
  readonly buffers: (IndexedBuffer | null)[] = [];
}
