/** Shaders and programs as WebGL sees them. */
import { GL } from '../interface/constants.ts';
import type { ActiveUniform, ProgramInterface } from './program-interface.ts';
import { WebGLObject } from './webgl-object.ts';

export class WebGLShader extends WebGLObject {
  readonly shaderType: number;
  attachmentCount = 0;
  /** Deleted by the program, but held by one that it is attached to. */
  isDeletePending = false;

  constructor(owner: object, glName: number, shaderType: number) {
    super(owner, glName);
    this.shaderType = shaderType;
  }
}

/** What transform feedback captures. */
export interface FeedbackChoice {
  readonly varyings: readonly string[];
  readonly bufferMode: number;
}

export class WebGLProgram extends WebGLObject {
  vertexShader: WebGLShader | null = null;
  fragmentShader: WebGLShader | null = null;
  /** What the last link that succeeded found; `null` before. */
  interface: ProgramInterface | null = null;
  isLinked = false;
  /** A bit for each location that an attribute takes. */
  attributeMask = 0;
  /** Location and GL's number of the scalar of each attribute that takes part. */
  attributeScalars: readonly { readonly location: number; readonly scalar: number }[] = [];
  isValid = false;
  /** Locations are those of one link. */
  linkCount = 0;
  /** Deleted by the program, but in use. */
  isDeletePending = false;
  /** Of the last link. */
  feedback: FeedbackChoice = { varyings: [], bufferMode: GL.INTERLEAVED_ATTRIBS };
  /** For the next link. */
  nextFeedback: FeedbackChoice = this.feedback;
}

/** Where a uniform of a program is; worth nothing after the next link. */
export class WebGLUniformLocation {
  readonly program: WebGLProgram;
  readonly linkCount: number;
  readonly uniform: ActiveUniform;
  /** Element of an array. */
  readonly element: number;
  /** What `GlContext` calls it. */
  readonly glLocation: number;

  /** @throws {TypeError} When a program calls it. */
  constructor(program: WebGLProgram, uniform: ActiveUniform, element: number, glLocation: number) {
    if (program === undefined) throw new TypeError('Illegal constructor');
    this.program = program;
    this.linkCount = program.linkCount;
    this.uniform = uniform;
    this.element = element;
    this.glLocation = glLocation;
  }
}

/** An active attribute, uniform or transform feedback varying. */
export class WebGLActiveInfo {
  readonly size: number;
  readonly type: number;
  readonly name: string;

  constructor(size: number, type: number, name: string) {
    if (name === undefined) throw new TypeError('Illegal constructor');
    this.size = size;
    this.type = type;
    this.name = name;
  }
}

/** Range and precision of numbers in shaders. */
export class WebGLShaderPrecisionFormat {
  readonly rangeMin: number;
  readonly rangeMax: number;
  readonly precision: number;

  constructor(rangeMin: number, rangeMax: number, precision: number) {
    if (precision === undefined) throw new TypeError('Illegal constructor');
    this.rangeMin = rangeMin;
    this.rangeMax = rangeMax;
    this.precision = precision;
  }
}
