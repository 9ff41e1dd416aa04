/** WebGL's view of a vertex array object: attribute arrays and the index buffer. */
import { GL } from '../interface/constants.ts';
import { type WebGLBuffer, WebGLObject } from './webgl-object.ts';

/** Number of vertex attributes of a context. */
export const ATTRIBUTE_COUNT = 16;

/** Attribute array, as `getVertexAttrib` reports it. */
export interface AttributeArrayState {
  buffer: WebGLBuffer | null;
  size: number;
  type: number;
  isNormalized: boolean;
  isInteger: boolean;
  /**
   * GL enumeration of the scalar type that the shader receives: FLOAT unless the array is an
   * integer array.
   */
  scalar: number;
  strideBytes: number;
  offsetBytes: number;
  divisor: number;
}

/** Vertex array object. */
export class WebGLVertexArrayObject extends WebGLObject {
  wasBound = false;
  elementBuffer: WebGLBuffer | null = null;
  /** Bit mask of attributes whose array is enabled. */
  enabledMask = 0;
  /** Bit mask of attributes that have a buffer. */
  bufferMask = 0;
  /** Bit mask of attributes with a divisor other than 0. */
  instancedMask = 0;
  readonly arrays: readonly AttributeArrayState[] = Array.from({ length: ATTRIBUTE_COUNT }, () => ({
    buffer: null,
    size: 4,
    type: GL.FLOAT,
    isNormalized: false,
    isInteger: false,
    scalar: GL.FLOAT,
    strideBytes: 0,
    offsetBytes: 0,
    divisor: 0,
  }));

  /** Removes a deleted buffer from all bindings of the vertex array. */
  detachBuffer(buffer: WebGLBuffer): void {
    if (this.elementBuffer === buffer) this.elementBuffer = null;
    this.arrays.forEach((array, index) => {
      if (array.buffer !== buffer) return;
      array.buffer = null;
      this.bufferMask &= ~(1 << index);
    });
  }
}
