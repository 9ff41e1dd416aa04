/** WebGL's view of shaders and programs. */
import { GL } from '../interface/constants.ts';
import type { ActiveUniform, ProgramInterface } from './program-interface.ts';
import { WebGLObject } from './webgl-object.ts';

/** Shader object. */
export class WebGLShader extends WebGLObject {
  readonly shaderType: number;
  attachmentCount = 0;
  /** Whether the program has deleted the shader while it is still attached. */
  isDeletePending = false;

  constructor(owner: object, glName: number, shaderType: number) {
    super(owner, glName);
    this.shaderType = shaderType;
  }
}

/** Varyings that transform feedback captures. */
export interface FeedbackChoice {
  readonly varyings: readonly string[];
  readonly bufferMode: number;
}

/** Program object. */
export class WebGLProgram extends WebGLObject {
  vertexShader: WebGLShader | null = null;
  fragmentShader: WebGLShader | null = null;
  /** Description from the last successful link; `null` before the first one. */
  interface: ProgramInterface | null = null;
  isLinked = false;
  /** Bit mask of the locations that active attributes occupy. */
  attributeMask = 0;
  /** Location of each active attribute, with the GL enumeration of its scalar type. */
  attributeScalars: readonly { readonly location: number; readonly scalar: number }[] = [];
  isValid = false;
  /** Number of links. Uniform locations are valid for one link. */
  linkCount = 0;
  /** Whether the object was deleted while it is in use. */
  isDeletePending = false;
  /** Varyings captured by the last link. */
  feedback: FeedbackChoice = { varyings: [], bufferMode: GL.INTERLEAVED_ATTRIBS };
  /** Varyings for the next link. */
  nextFeedback: FeedbackChoice = this.feedback;
}

/** Location of a uniform. The next link of the program invalidates it. */
export class WebGLUniformLocation {
  readonly program: WebGLProgram;
  readonly linkCount: number;
  readonly uniform: ActiveUniform;
  /** Index of the array element. */
  readonly element: number;
  /** Location in `GlContext`. */
  readonly glLocation: number;

  /** @throws {TypeError} If a program calls it. */
  constructor(program: WebGLProgram, uniform: ActiveUniform, element: number, glLocation: number) {
    if (program === undefined) throw new TypeError('Illegal constructor');
    this.program = program;
    this.linkCount = program.linkCount;
    this.uniform = uniform;
    this.element = element;
    this.glLocation = glLocation;
  }
}

/** Name, type and size of an active attribute, uniform or transform feedback varying. */
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

/** Range and precision of a numeric type in shaders. */
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
