/** A vertex array object as WebGL sees it: where each attribute's array is, and the index buffer. */
import { GL } from '../interface/constants.ts';
import { type WebGLBuffer, WebGLObject } from './webgl-object.ts';

export const ATTRIBUTE_COUNT = 16;

/** What `getVertexAttrib` tells of an array. */
export interface AttributeArrayState {
  buffer: WebGLBuffer | null;
  size: number;
  type: number;
  isNormalized: boolean;
  isInteger: boolean;
  /** GL's number of what the shader gets: a float unless the array is one of integers. */
  scalar: number;
  strideBytes: number;
  offsetBytes: number;
  divisor: number;
}

export class WebGLVertexArrayObject extends WebGLObject {
  wasBound = false;
  elementBuffer: WebGLBuffer | null = null;
  /** A bit for each attribute whose array is on. */
  enabledMask = 0;
  /** A bit for each attribute that has a buffer. */
  bufferMask = 0;
  /** A bit for each attribute with a divisor. */
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

  /** Takes a deleted buffer off. */
  detachBuffer(buffer: WebGLBuffer): void {
    if (this.elementBuffer === buffer) this.elementBuffer = null;
    this.arrays.forEach((array, index) => {
      if (array.buffer !== buffer) return;
      array.buffer = null;
      this.bufferMask &= ~(1 << index);
    });
  }
}
