import type { ProgramSource, ShaderProgram } from '@tessera/frame';
import {
  type CheckedProgram,
  compileChecked,
  compileProgram,
  describeProgram,
  describeVertexOutputs,
  type ProgramDescription,
  type ProgramInterface,
} from '@tessera/shader';

/**
 * Compiled programs by source, kept between frames. Bounded: evicts the least recently used
 * program.
 */
export class ProgramCache {
  readonly #programs = new Map<string, ShaderProgram>();
  readonly #maxPrograms: number;
  readonly #maxSourceCharacters: number;
  #sourceCharacters = 0;

  /**
   * @param maxPrograms Upper bound on the number of programs, at least 1.
   * @param maxSourceCharacters Upper bound on the characters of all sources. One program stays,
   *   whatever its length.
   */
  constructor(maxPrograms = 256, maxSourceCharacters = 2 ** 23) {
    this.#maxPrograms = maxPrograms;
    this.#maxSourceCharacters = maxSourceCharacters;
  }

  /** Returns the uniform blocks and the types of samplers of a program that compiles. */
  describe(source: ProgramSource): ProgramDescription {
    return describeProgram(source);
  }

  /** Returns the outputs of a vertex shader that compiles. */
  describeOutputs(vertexSource: string): ProgramInterface['vertexOutputs'] {
    return describeVertexOutputs(vertexSource);
  }

  /**
   * Compiles a program, or returns the cached one.
   *
   * @param checked The shaders of `source`, if they were already checked. This saves a fifth of the
   *   compilation.
   * @throws {RenderError} SHADER_COMPILE_FAILED with the compiler's log.
   */
  compile(source: ProgramSource, checked?: CheckedProgram): ShaderProgram {
    const key = `${source.vertexSource}\u0000${source.fragmentSource}`;
    let program = this.#programs.get(key);
    if (program === undefined) {
      program = checked === undefined ? compileProgram(source) : compileChecked(checked);
      this.#sourceCharacters += key.length;
    } else {
      this.#programs.delete(key);
    }
    this.#programs.set(key, program);
    for (const oldest of this.#programs.keys()) {
      const { size } = this.#programs;
      const isWithin = this.#sourceCharacters <= this.#maxSourceCharacters;
      if (size === 1 || (size <= this.#maxPrograms && isWithin)) break;
      this.#programs.delete(oldest);
      this.#sourceCharacters -= oldest.length;
    }
    return program;
  }
}
