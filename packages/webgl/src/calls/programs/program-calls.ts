/** Shader and program objects (WebGL 1.0, sections 5.14.9 and 6.20 to 6.25). */

import { checkObject, isAlive, isDeletable, requireObject } from '../../context/arguments.ts';
import { CORE, type ContextObject } from '../../context/call-table.ts';
import type { ContextCore } from '../../context/context-core.ts';
import { GL } from '../../interface/constants.ts';
import { describeProgram } from '../../objects/program-interface.ts';
import { WebGLProgram, WebGLShader } from '../../objects/webgl-program.ts';

/** Character outside the set that WebGL permits in GLSL names. */
const INVALID_CHARACTER = /[^\t\n\v\f\r !#%&()*+,\-./0-9:;<=>?A-Z[\]^_a-z{|}~]/;

/**
 * Returns whether a name of an attribute, uniform or block is valid. Raises the error otherwise.
 */
export function isName(core: ContextCore, caller: string, name: string): boolean {
  if (INVALID_CHARACTER.test(name)) {
    core.raise(GL.INVALID_VALUE, caller, 'the name has characters outside the GLSL character set');
    return false;
  }
  const { maxNameLength } = core.rules;
  if (name.length <= maxNameLength) return true;
  core.raise(
    GL.INVALID_VALUE,
    caller,
    `the name has ${name.length} characters, but the limit is ${maxNameLength}`,
  );
  return false;
}

/** Returns whether a name is reserved for implementations. */
export function isReservedName(name: string): boolean {
  return name.startsWith('gl_') || name.startsWith('webgl_') || name.startsWith('_webgl_');
}

/** Returns a linked program, or `null` after an error. */
export function requireLinked(
  core: ContextCore,
  caller: string,
  program: WebGLProgram | null,
): WebGLProgram | null {
  const found = requireObject(core, caller, program, WebGLProgram);
  if (found === null) return null;
  if (found.isLinked) return found;
  core.raise(GL.INVALID_OPERATION, caller, 'the program is not linked');
  return null;
}

const SCALARS = {
  float: GL.FLOAT,
  int: GL.INT,
  uint: GL.UNSIGNED_INT,
  bool: GL.BOOL,
} as const;

function releaseShader(shader: WebGLShader): void {
  shader.attachmentCount--;
  if (shader.isDeletePending && shader.attachmentCount === 0) shader.isDeleted = true;
}

/** Frees a deleted program unless it is in use. */
function freeProgram(core: ContextCore, program: WebGLProgram): void {
  if (!program.isDeletePending || core.program === program) return;
  program.isDeleted = true;
  for (const shader of [program.vertexShader, program.fragmentShader]) {
    if (shader !== null) releaseShader(shader);
  }
}

function shaderObject(core: ContextCore, shader: WebGLShader) {
  return core.gl.shaders.find('shader', shader.glName)!;
}

function programObject(core: ContextCore, program: WebGLProgram) {
  return core.gl.programs.find('program', program.glName)!;
}

const FIELD = {
  [GL.VERTEX_SHADER]: 'vertexShader',
  [GL.FRAGMENT_SHADER]: 'fragmentShader',
} as const;

function fieldOf(shader: WebGLShader): 'vertexShader' | 'fragmentShader' {
  return FIELD[shader.shaderType as keyof typeof FIELD];
}

/** WebGL calls for shader and program objects. */
export const programCalls = {
  createShader(this: ContextObject, type: number): WebGLShader | null {
    const core = this[CORE];
    const glName = core.gl.shaders.create(type >>> 0);
    return glName === 0 ? null : new WebGLShader(core, glName, type >>> 0);
  },
  deleteShader(this: ContextObject, shader: WebGLShader | null): void {
    const core = this[CORE];
    if (!isDeletable(core, 'deleteShader', shader, WebGLShader) || shader.isDeletePending) return;
    shader.isDeletePending = true;
    shader.isDeleted = shader.attachmentCount === 0;
    core.gl.shaders.remove(shader.glName);
  },
  isShader(this: ContextObject, shader: WebGLShader | null): boolean {
    return isAlive(this[CORE], 'isShader', shader, WebGLShader);
  },

  shaderSource(this: ContextObject, shader: WebGLShader, source: string): void {
    const core = this[CORE];
    const found = requireObject(core, 'shaderSource', shader, WebGLShader);
    // Accepts any text; the preprocessor reports invalid characters at compilation.
    if (found !== null) core.gl.shaders.setSource(found.glName, String(source));
  },
  getShaderSource(this: ContextObject, shader: WebGLShader): string | null {
    const core = this[CORE];
    const found = requireObject(core, 'getShaderSource', shader, WebGLShader);
    return found === null ? null : shaderObject(core, found).source;
  },
  compileShader(this: ContextObject, shader: WebGLShader): void {
    const core = this[CORE];
    const found = requireObject(core, 'compileShader', shader, WebGLShader);
    if (found !== null) core.gl.shaders.compile(found.glName);
  },
  getShaderInfoLog(this: ContextObject, shader: WebGLShader): string | null {
    const core = this[CORE];
    const found = requireObject(core, 'getShaderInfoLog', shader, WebGLShader);
    return found === null ? null : shaderObject(core, found).log;
  },
  getShaderParameter(this: ContextObject, shader: WebGLShader, parameter: number): unknown {
    const core = this[CORE];
    const caller = 'getShaderParameter';
    const found = requireObject(core, caller, shader, WebGLShader);
    if (found === null) return null;
    switch (parameter) {
      case GL.SHADER_TYPE:
        return found.shaderType;
      case GL.DELETE_STATUS:
        return found.isDeletePending;
      case GL.COMPILE_STATUS:
        return shaderObject(core, found).compiledSource !== null;
      default:
        core.rejectEnum(caller, 'parameter', parameter);
        return null;
    }
  },

  createProgram(this: ContextObject): WebGLProgram {
    const core = this[CORE];
    return new WebGLProgram(core, core.gl.programs.create());
  },
  deleteProgram(this: ContextObject, program: WebGLProgram | null): void {
    const core = this[CORE];
    const isGiven = isDeletable(core, 'deleteProgram', program, WebGLProgram);
    if (!isGiven || program.isDeletePending) return;
    program.isDeletePending = true;
    core.gl.programs.remove(program.glName);
    freeProgram(core, program);
  },
  isProgram(this: ContextObject, program: WebGLProgram | null): boolean {
    return isAlive(this[CORE], 'isProgram', program, WebGLProgram);
  },

  attachShader(this: ContextObject, program: WebGLProgram, shader: WebGLShader): void {
    const core = this[CORE];
    const caller = 'attachShader';
    const intoProgram = requireObject(core, caller, program, WebGLProgram);
    const found = intoProgram && requireObject(core, caller, shader, WebGLShader);
    if (intoProgram === null || found === null) return;
    const field = fieldOf(found);
    if (intoProgram[field] !== null) {
      core.raise(GL.INVALID_OPERATION, caller, 'a shader of this stage is already attached');
      return;
    }
    intoProgram[field] = found;
    found.attachmentCount++;
    core.gl.programs.attach(intoProgram.glName, found.glName);
  },
  detachShader(this: ContextObject, program: WebGLProgram, shader: WebGLShader): void {
    const core = this[CORE];
    const caller = 'detachShader';
    const fromProgram = requireObject(core, caller, program, WebGLProgram);
    const found = fromProgram && requireObject(core, caller, shader, WebGLShader);
    if (fromProgram === null || found === null) return;
    const field = fieldOf(found);
    if (fromProgram[field] !== found) {
      core.raise(GL.INVALID_OPERATION, caller, 'the shader is not attached to the program');
      return;
    }
    fromProgram[field] = null;
    core.gl.programs.detach(fromProgram.glName, found.glName);
    releaseShader(found);
  },
  getAttachedShaders(this: ContextObject, program: WebGLProgram): WebGLShader[] | null {
    const found = requireObject(this[CORE], 'getAttachedShaders', program, WebGLProgram);
    if (found === null) return null;
    return [found.vertexShader, found.fragmentShader].filter((shader) => shader !== null);
  },

  bindAttribLocation(
    this: ContextObject,
    program: WebGLProgram,
    index: number,
    name: string,
  ): void {
    const core = this[CORE];
    const caller = 'bindAttribLocation';
    const found = requireObject(core, caller, program, WebGLProgram);
    const attribute = String(name);
    if (found === null || !isName(core, caller, attribute)) return;
    if (isReservedName(attribute)) {
      core.raise(GL.INVALID_OPERATION, caller, `the name ${attribute} is reserved`);
      return;
    }
    core.gl.programs.bindLocation(found.glName, index >>> 0, attribute);
  },

  linkProgram(this: ContextObject, program: WebGLProgram): void {
    const core = this[CORE];
    const found = requireObject(core, 'linkProgram', program, WebGLProgram);
    if (found === null) return;
    const { errorCount } = core;
    core.gl.programs.link(found.glName);
    if (core.errorCount !== errorCount) return;
    const { isLinked, linked } = programObject(core, found);
    found.linkCount++;
    found.isLinked = isLinked;
    found.isValid = false;
    if (!isLinked || linked === null) return;
    found.interface = describeProgram(linked.reflected);
    found.feedback = found.nextFeedback;
    found.attributeMask = 0;
    found.attributeScalars = linked.attributes.map(({ location, reflected }) => {
      found.attributeMask |= ((1 << reflected.locationCount) - 1) << (location ?? 0);
      return { location: location ?? 0, scalar: SCALARS[reflected.scalarType] };
    });
  },
  validateProgram(this: ContextObject, program: WebGLProgram): void {
    const found = requireObject(this[CORE], 'validateProgram', program, WebGLProgram);
    if (found !== null) found.isValid = found.isLinked;
  },
  useProgram(this: ContextObject, program: WebGLProgram | null): void {
    const core = this[CORE];
    const caller = 'useProgram';
    const isNone = program === null || program === undefined;
    if (!isNone) {
      if (!checkObject(core, caller, program, WebGLProgram)) return;
      if (!program.isLinked) {
        core.raise(GL.INVALID_OPERATION, caller, 'the program is not linked');
        return;
      }
    }
    const { program: previous, errorCount } = core;
    core.gl.programs.use(isNone ? 0 : program.glName);
    if (core.errorCount !== errorCount) return;
    core.program = isNone ? null : program;
    if (previous !== null && previous !== program) freeProgram(core, previous);
  },
  getProgramInfoLog(this: ContextObject, program: WebGLProgram): string | null {
    const core = this[CORE];
    const found = requireObject(core, 'getProgramInfoLog', program, WebGLProgram);
    return found === null ? null : programObject(core, found).log;
  },
  getProgramParameter(this: ContextObject, program: WebGLProgram, parameter: number): unknown {
    const core = this[CORE];
    const caller = 'getProgramParameter';
    const found = requireObject(core, caller, program, WebGLProgram);
    if (found === null) return null;
    switch (parameter) {
      case GL.DELETE_STATUS:
        return found.isDeletePending;
      case GL.LINK_STATUS:
        return found.isLinked;
      case GL.VALIDATE_STATUS:
        return found.isValid;
      case GL.ATTACHED_SHADERS:
        return Number(found.vertexShader !== null) + Number(found.fragmentShader !== null);
      case GL.ACTIVE_ATTRIBUTES:
        return found.isLinked ? found.interface!.attributes.length : 0;
      case GL.ACTIVE_UNIFORMS:
        return found.isLinked ? found.interface!.uniforms.length : 0;
      default:
    }
    if (core.rules.hasBlocksAndFeedback) {
      switch (parameter) {
        case GL.ACTIVE_UNIFORM_BLOCKS:
          return found.isLinked ? found.interface!.blocks.length : 0;
        case GL.TRANSFORM_FEEDBACK_VARYINGS:
          return found.feedback.varyings.length;
        case GL.TRANSFORM_FEEDBACK_BUFFER_MODE:
          return found.feedback.bufferMode;
        default:
      }
    }
    core.rejectEnum(caller, 'parameter', parameter);
    return null;
  },
};
