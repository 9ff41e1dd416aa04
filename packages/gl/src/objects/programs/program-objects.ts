/**
 * Program objects: attached shaders, linking, attribute locations (OpenGL ES 2.0, section 2.10.3).
 */
import type { ProgramSource } from '@tessera/frame';
import { GL } from '../../api/constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';
import type { ApiRules, DefaultGlslVersion } from '../../rules/api-rules.ts';
import { MAX_UNIFORM_BUFFER_BINDINGS } from '../buffers/indexed-buffers.ts';
import { MAX_COLOR_ATTACHMENTS } from '../framebuffers/framebuffer-object.ts';
import type { ObjectTable } from '../object-table.ts';
import { ATTRIBUTE_COUNT } from '../vertex-arrays/vertex-array.ts';
import {
  type FeedbackRequest,
  type FeedbackVarying,
  MAX_SEPARATE_VARYINGS,
  reflectFeedback,
} from './feedback-varyings.ts';
import { joinShaders } from './join-shaders.ts';
import type { ProgramReflection, ReflectedProgram } from './program-reflection.ts';
import { addInputs } from './reflected-inputs.ts';
import type { ShaderObject, ShaderState } from './shader-objects.ts';
import { UniformBlocks } from './uniform-blocks.ts';
import { type UniformUpload, UniformValues } from './uniform-values.ts';

/** Active attribute and its first location. Attributes that GLSL itself declares have none. */
export interface ActiveAttribute {
  readonly reflected: ReflectedProgram['attributes'][number];
  readonly location: number | null;
}

/** Executable of a successful link. */
export interface LinkedProgram {
  readonly source: ProgramSource;
  /** Stages of the program; a missing one is a fixed function (desktop only). */
  readonly given: { readonly vertexSource: string | null; readonly fragmentSource: string | null };
  readonly attributes: readonly ActiveAttribute[];
  readonly uniforms: UniformValues;
  readonly blocks: UniformBlocks;
  /** Outputs that transform feedback captures. */
  readonly feedback: {
    readonly varyings: readonly FeedbackVarying[];
    readonly isSeparate: boolean;
    /** Inputs of the program that captures them; `null` if they are those of this program. */
    readonly inputs: ReflectedProgram | null;
  };
  readonly reflected: ReflectedProgram;
}

/**
 * Source that replaces a missing stage at the link: it reads and writes everything that a fixed
 * stage may.
 */
const ANY_VERTEX_SOURCE = `#version 120
void main() {
  gl_Position = gl_ModelViewProjectionMatrix * gl_Vertex;
  gl_FrontColor = gl_Color;
  gl_FrontSecondaryColor = gl_SecondaryColor;
  gl_TexCoord[7] = gl_MultiTexCoord0;
  gl_FogFragCoord = gl_FogCoord;
}
`;
const ANY_FRAGMENT_SOURCE = `#version 120
void main() {
  vec4 sum = gl_Color + gl_SecondaryColor + vec4(gl_FogFragCoord);
  sum += gl_TexCoord[0] + gl_TexCoord[1] + gl_TexCoord[2] + gl_TexCoord[3];
  gl_FragColor = sum + gl_TexCoord[4] + gl_TexCoord[5] + gl_TexCoord[6] + gl_TexCoord[7];
}
`;

/** Program object. */
export class ProgramObject {
  readonly name: number;
  readonly shaders: ShaderObject[] = [];
  /** Requested locations, which apply from the next link. */
  readonly boundLocations = new Map<string, number>();
  /** Colors that fragment outputs are bound to by name, which apply from the next link. */
  readonly boundOutputs = new Map<string, number>();
  /** Requested outputs to capture, which apply from the next link. */
  feedback: FeedbackRequest = { names: [], isSeparate: false };
  /** Executable of the last successful link; `null` also for one without shaders. */
  linked: LinkedProgram | null = null;
  isLinked = false;
  log = '';
  isDeleted = false;

  constructor(name: number) {
    this.name = name;
  }
}

/** Parts of a context that programs depend on. */
interface ProgramParts {
  readonly errors: GlErrors;
  readonly rules: ApiRules;
  readonly shaders: ShaderState<ProgramObject>;
  readonly feedback: {
    /** Feedback object that is bound. */
    readonly current: { readonly isCapturing: boolean };
    /** Returns whether any transform feedback object captures a program. */
    isCaptured(program: LinkedProgram | null): boolean;
  };
}

/** Programs of one context. */
export class ProgramState {
  readonly #parts: ProgramParts;
  readonly #table: ObjectTable<ShaderObject | ProgramObject>;
  readonly #reflection: ProgramReflection;
  #current: ProgramObject | null = null;

  constructor(
    parts: ProgramParts,
    table: ObjectTable<ShaderObject | ProgramObject>,
    reflection: ProgramReflection,
  ) {
    this.#parts = parts;
    this.#table = table;
    this.#reflection = reflection;
  }

  get current(): ProgramObject | null {
    return this.#current;
  }

  /** Returns the executable of a program's last successful link; `null` if there is none. */
  linkedOf(name: number): LinkedProgram | null {
    const found = this.#table.get(name);
    return found instanceof ProgramObject ? found.linked : null;
  }

  create(): number {
    const name = this.#table.reserve(1)[0]!;
    this.#table.obtain(name, (made) => new ProgramObject(made));
    return name;
  }

  find(caller: string, name: number): ProgramObject | null {
    const found = this.#table.get(name);
    if (found instanceof ProgramObject) return found;
    if (found === null)
      this.#parts.errors.raise(GL.INVALID_VALUE, `${caller}: program ${name} does not exist`);
    else
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `${caller}: object ${name} is a shader, not a program`,
      );
    return null;
  }

  attach(programName: number, shaderName: number): void {
    const program = this.find('attachShader', programName);
    const shader = this.#parts.shaders.find('attachShader', shaderName);
    if (program === null || shader === null) return;
    const isTwice = this.#parts.rules.canStagesHaveSeveralShaders
      ? program.shaders.includes(shader)
      : program.shaders.some((attached) => attached.stage === shader.stage);
    if (isTwice) {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `attachShader: the program already has the shader, or its only ${shader.stage} shader`,
      );
      return;
    }
    program.shaders.push(shader);
    shader.attachmentCount++;
  }

  detach(programName: number, shaderName: number): void {
    const program = this.find('detachShader', programName);
    const shader = this.#parts.shaders.find('detachShader', shaderName);
    if (program === null || shader === null) return;
    if (!program.shaders.includes(shader)) {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        `detachShader: shader ${shaderName} is not attached to the program`,
      );
      return;
    }
    this.#release(program, shader);
  }

  bindLocation(programName: number, location: number, attribute: string): void {
    const program = this.find('bindAttribLocation', programName);
    if (program === null) return;
    if (!(location >= 0 && location < ATTRIBUTE_COUNT)) {
      this.#parts.errors.raise(
        GL.INVALID_VALUE,
        `bindAttribLocation: location ${location} is not in 0..${ATTRIBUTE_COUNT - 1}`,
      );
      return;
    }
    program.boundLocations.set(attribute, location);
  }

  /** Binds a fragment output to a color (`glBindFragDataLocation`). */
  bindOutput(programName: number, color: number, output: string): void {
    const program = this.find('bindFragDataLocation', programName);
    if (program === null) return;
    if (!(color >= 0 && color < MAX_COLOR_ATTACHMENTS)) {
      this.#parts.errors.raise(
        GL.INVALID_VALUE,
        `bindFragDataLocation: color ${color} is not in 0..${MAX_COLOR_ATTACHMENTS - 1}`,
      );
      return;
    }
    program.boundOutputs.set(output, color);
  }

  /**
   * Sets the outputs to capture.
   *
   * @param isSeparate Whether each output has its own buffer.
   */
  setFeedback(programName: number, names: readonly string[], isSeparate: boolean): void {
    const program = this.find('transformFeedbackVaryings', programName);
    if (program === null) return;
    if (isSeparate && names.length > MAX_SEPARATE_VARYINGS) {
      this.#parts.errors.raise(
        GL.INVALID_VALUE,
        `transformFeedbackVaryings: ${names.length} varyings exceed the limit of ${MAX_SEPARATE_VARYINGS}`,
      );
      return;
    }
    program.feedback = { names: [...names], isSeparate };
  }

  /**
   * Links a program. After a failure, draws use the old executable while the program stays current.
   */
  link(programName: number): void {
    if (this.#parts.feedback.isCaptured(this.linkedOf(programName))) {
      this.#parts.errors.raise(
        GL.INVALID_OPERATION,
        'linkProgram: active transform feedback uses the program',
      );
      return;
    }
    const program = this.find('linkProgram', programName);
    if (program === null) return;
    const version = this.#parts.rules.defaultGlslVersion;
    const source = (stage: ShaderObject['stage']) => {
      const shaders = program.shaders.filter((shader) => shader.stage === stage);
      const sources = shaders.flatMap(({ compiledSource }) => compiledSource ?? []);
      return sources.length === 0 ? null : joinShaders(sources, version);
    };
    if (program.shaders.some(({ stage }) => stage === 'geometry')) {
      program.isLinked = false;
      program.log = 'geometry shaders are not supported';
      return;
    }
    const givenVertex = source('vertex');
    const givenFragment = source('fragment');
    program.isLinked = false;
    const isMissing = givenVertex === null || givenFragment === null;
    const isNothing = givenVertex === null && givenFragment === null;
    if (program.shaders.length === 0 && this.#parts.rules.hasFixedFunctions) {
      // Without shaders, the fixed functions of both stages apply.
      program.linked = null;
      program.isLinked = true;
      program.log = '';
      return;
    }
    const isAttachedUncompiled = program.shaders.some((shader) => shader.compiledSource === null);
    if (isNothing || isAttachedUncompiled || (isMissing && version !== 110)) {
      program.log = 'a vertex and a fragment shader must be attached and compiled';
      return;
    }
    const vertexSource = stateVersion(givenVertex ?? ANY_VERTEX_SOURCE, version);
    const fragmentSource = stateOutputs(
      stateVersion(givenFragment ?? ANY_FRAGMENT_SOURCE, version),
      program.boundOutputs,
    );
    const { boundLocations } = program;
    const plain = this.#reflection.reflect(vertexSource, fragmentSource, version, boundLocations);
    program.log = plain.log;
    if (!plain.isLinked) return;
    const feedback = reflectFeedback(program.feedback, plain, vertexSource, this.#reflection);
    if (typeof feedback === 'string') {
      program.log = feedback;
      return;
    }
    const reflected = feedback.inputs === null ? plain : addInputs(plain, feedback.inputs);
    const attributes = assignLocations(reflected, program.boundLocations);
    if (attributes === null) {
      program.log = `the attributes do not fit into ${ATTRIBUTE_COUNT} locations`;
      return;
    }
    program.isLinked = true;
    program.linked = {
      source: { vertexSource, fragmentSource },
      given: {
        vertexSource: givenVertex === null ? null : vertexSource,
        fragmentSource: givenFragment === null ? null : fragmentSource,
      },
      attributes,
      uniforms: new UniformValues(reflected, this.#parts.rules.textureUnitCount),
      blocks: new UniformBlocks(reflected),
      feedback,
      reflected,
    };
  }

  use(name: number): void {
    if (this.#parts.feedback.current.isCapturing) {
      this.#parts.errors.raise(GL.INVALID_OPERATION, 'useProgram: transform feedback is active');
      return;
    }
    const program = name === 0 ? null : this.find('useProgram', name);
    if (name !== 0 && program === null) return;
    if (program !== null && !program.isLinked) {
      this.#parts.errors.raise(GL.INVALID_OPERATION, `useProgram: program ${name} is not linked`);
      return;
    }
    const previous = this.#current;
    this.#current = program;
    if (previous !== null && previous !== program) this.#free(previous);
  }

  remove(name: number): void {
    const program = name === 0 ? null : this.find('deleteProgram', name);
    if (program === null) return;
    program.isDeleted = true;
    this.#free(program);
  }

  attributeLocation(name: number, attribute: string): number {
    const linked = this.#linked('getAttribLocation', name);
    const found = linked?.attributes.find((active) => active.reflected.name === attribute);
    return found?.location ?? -1;
  }

  uniformLocation(name: number, uniform: string): number {
    return this.#linked('getUniformLocation', name)?.uniforms.location(uniform) ?? -1;
  }

  /**
   * Returns the index of a uniform block; 0xffffffff (`GL_INVALID_INDEX`) if there is no such
   * block.
   */
  blockIndex(name: number, block: string): number {
    const index = this.#linked('getUniformBlockIndex', name)?.blocks.index(block) ?? -1;
    return index === -1 ? 0xffff_ffff : index;
  }

  bindBlock(name: number, blockIndex: number, binding: number): void {
    const caller = 'uniformBlockBinding';
    const block = this.#linked(caller, name)?.blocks.blocks[blockIndex];
    if (block !== undefined && binding >= 0 && binding < MAX_UNIFORM_BUFFER_BINDINGS) {
      block.binding = binding;
    } else if (this.find(caller, name)?.isLinked === true) {
      this.#parts.errors.raise(
        GL.INVALID_VALUE,
        `${caller}: block ${blockIndex} does not exist, or binding ${binding} is not in 0..${MAX_UNIFORM_BUFFER_BINDINGS - 1}`,
      );
    }
  }

  /**
   * Sets scalars or vectors of floats (`glUniform{1,2,3,4}fv`).
   *
   * @param components Number of components, 1 to 4.
   */
  setFloats(location: number, components: number, values: ArrayLike<number>): void {
    this.#setUniform(location, { scalarType: 'float', rows: components, columns: 1, values });
  }

  /** Sets scalars or vectors of integers, booleans, or texture units (`glUniform{1,2,3,4}iv`). */
  setInts(location: number, components: number, values: ArrayLike<number>): void {
    this.#setUniform(location, { scalarType: 'int', rows: components, columns: 1, values });
  }

  /** Sets scalars or vectors of unsigned integers (`glUniform{1,2,3,4}uiv`). */
  setUints(location: number, components: number, values: ArrayLike<number>): void {
    this.#setUniform(location, { scalarType: 'uint', rows: components, columns: 1, values });
  }

  /**
   * Sets matrices (`glUniformMatrix…fv`).
   *
   * @param values Matrices column by column, or row by row if transposed.
   */
  setMatrix(
    location: number,
    columns: number,
    rows: number,
    isTransposed: boolean,
    values: ArrayLike<number>,
  ): void {
    if (isTransposed && !this.#parts.rules.canTransposeUniforms) {
      this.#parts.errors.raise(
        GL.INVALID_VALUE,
        'uniformMatrix: transpose must be false in this version of the API',
      );
      return;
    }
    const inColumns = isTransposed ? transpose(values, columns, rows) : values;
    this.#setUniform(location, { scalarType: 'float', rows, columns, values: inColumns });
  }

  #setUniform(location: number, upload: UniformUpload): void {
    const linked = this.#current?.linked ?? null;
    if (linked === null) {
      this.#parts.errors.raise(GL.INVALID_OPERATION, 'uniform: no program is current');
      return;
    }
    linked.uniforms.set(location, upload, this.#parts.errors);
  }

  #linked(caller: string, name: number): LinkedProgram | null {
    const program = this.find(caller, name);
    if (program === null) return null;
    if (!program.isLinked) {
      this.#parts.errors.raise(GL.INVALID_OPERATION, `${caller}: program ${name} is not linked`);
      return null;
    }
    return program.linked;
  }

  /** Frees a deleted program that is not current. */
  #free(program: ProgramObject): void {
    if (!program.isDeleted || this.#current === program) return;
    for (const shader of [...program.shaders]) this.#release(program, shader);
    this.#table.remove(program.name);
  }

  #release(program: ProgramObject, shader: ShaderObject): void {
    program.shaders.splice(program.shaders.indexOf(shader), 1);
    shader.attachmentCount--;
    this.#parts.shaders.release(shader);
  }
}

/** Returns matrices that are stored row by row as matrices stored column by column. */
function transpose(values: ArrayLike<number>, columns: number, rows: number): Float32Array {
  const length = columns * rows;
  return Float32Array.from(values, (_, i) => {
    const element = i - (i % length);
    const column = Math.floor((i % length) / rows);
    const row = (i % length) % rows;
    return values[element + row * columns + column]!;
  });
}

/**
 * Assigns bound names first, then the others to the lowest free locations. Returns `null` if they
 * do not fit.
 */
function assignLocations(
  reflected: ReflectedProgram,
  bound: ReadonlyMap<string, number>,
): ActiveAttribute[] | null {
  const isTaken = new Array<boolean>(ATTRIBUTE_COUNT).fill(false);
  // Attribute 0 and gl_Vertex are the same (OpenGL 2.1, section 2.15.3).
  isTaken[0] = reflected.attributes.some(({ name }) => name === 'gl_Vertex');
  const locations = new Map<string, number>();
  for (const { name, locationCount, location: stated } of reflected.attributes) {
    const location = stated ?? bound.get(name);
    if (location === undefined) continue;
    if (location + locationCount > ATTRIBUTE_COUNT) return null;
    isTaken.fill(true, location, location + locationCount);
    locations.set(name, location);
  }
  for (const { name, locationCount } of reflected.attributes) {
    if (locations.has(name) || name.startsWith('gl_')) continue;
    let location = 0;
    while (isTaken.slice(location, location + locationCount).includes(true)) location++;
    if (location + locationCount > ATTRIBUTE_COUNT) return null;
    isTaken.fill(true, location, location + locationCount);
    locations.set(name, location);
  }
  return reflected.attributes.map((attribute) => ({
    reflected: attribute,
    location: locations.get(attribute.name) ?? null,
  }));
}

/**
 * Returns the source with an explicit version, so that its meaning does not depend on the context.
 * `#line` preserves line numbers: it names the following line in GLSL ES 1.00, the preceding one in
 * GLSL 1.10.
 */
function stateVersion(source: string, version: DefaultGlslVersion): string {
  if (/^[ \t]*#[ \t]*version\b/m.test(source)) return source;
  return `#version ${version}\n#line ${version === 110 ? 0 : 1}\n${source}`;
}

/** Adds the bound colors of fragment outputs to a source, so that its meaning includes them. */
function stateOutputs(source: string, bound: ReadonlyMap<string, number>): string {
  const pragmas = [...bound]
    .filter(([name]) => /^\w+$/.test(name) && source.includes(name))
    .map(([name, color]) => `#pragma tessera_output_location(${name} ${color})\n`);
  return pragmas.length === 0 ? source : `${source}\n\n${pragmas.join('')}`;
}
