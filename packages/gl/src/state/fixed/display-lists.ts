/** Display lists (OpenGL 2.1, section 5.4): recorded commands that run by name. */
import { RenderError } from '@tessera/frame';
import { GL, nameOfEnum } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';

/** Recorded command of a display list. */
export type ListCommand = () => void;

/** Maximum nesting of lists that call lists. */
const MAX_NESTING = 64;
/**
 * Maximum number of commands that calls of lists may run per frame, because nested lists multiply.
 */
const MAX_COMMANDS_A_FRAME = 20_000_000;
/** Maximum number of list names in use. */
const MAX_LISTS = 1 << 20;

/** Display lists of one context. */
export class DisplayLists {
  readonly #errors: GlErrors;
  readonly #lists = new Map<number, readonly ListCommand[]>();
  #compiling: {
    readonly name: number;
    readonly isExecuted: boolean;
    readonly commands: ListCommand[];
  } | null = null;
  /** Largest name ever used, plus one. */
  #firstUnused = 1;
  #nesting = 0;
  #commandCount = 0;
  /** Offset added to the names of `callLists`. */
  base = 0;

  constructor(errors: GlErrors) {
    this.#errors = errors;
  }

  get isCompiling(): boolean {
    return this.#compiling !== null;
  }

  /** Returns the first of `count` consecutive free names; 0 after an error. */
  generate(count: number): number {
    if (count < 0) {
      this.#errors.raise(GL.INVALID_VALUE, `genLists: count ${count} is negative`);
      return 0;
    }
    if (count === 0) return 0;
    if (this.#lists.size + count > MAX_LISTS) {
      this.#errors.raise(
        GL.OUT_OF_MEMORY,
        `genLists: ${count} lists exceed the limit of ${MAX_LISTS}`,
      );
      return 0;
    }
    const first = this.#firstUnused;
    for (let i = 0; i < count; i++) this.#add(first + i, []);
    return first;
  }

  remove(first: number, count: number): void {
    if (count < 0) {
      this.#errors.raise(GL.INVALID_VALUE, `deleteLists: count ${count} is negative`);
      return;
    }
    const names = count < this.#lists.size ? namesFrom(first, count) : this.#lists.keys();
    for (const name of names) {
      if (name >= first && name < first + count) this.#lists.delete(name);
    }
  }

  #add(name: number, commands: readonly ListCommand[]): void {
    this.#lists.set(name, commands);
    this.#firstUnused = Math.max(this.#firstUnused, name + 1);
  }

  isList(name: number): boolean {
    return this.#lists.has(name);
  }

  begin(name: number, mode: number): void {
    if (name === 0) {
      this.#errors.raise(GL.INVALID_VALUE, 'newList: 0 is not the name of a list');
      return;
    }
    if (mode !== FIXED.COMPILE && mode !== FIXED.COMPILE_AND_EXECUTE) {
      this.#errors.raise(
        GL.INVALID_ENUM,
        `newList: ${nameOfEnum(mode)} is not GL_COMPILE or GL_COMPILE_AND_EXECUTE`,
      );
      return;
    }
    if (this.#compiling !== null) {
      this.#errors.raise(GL.INVALID_OPERATION, 'newList: another list is being compiled');
      return;
    }
    this.#compiling = { name, isExecuted: mode === FIXED.COMPILE_AND_EXECUTE, commands: [] };
  }

  end(): void {
    if (this.#compiling === null) {
      this.#errors.raise(GL.INVALID_OPERATION, 'endList: no list is being compiled');
      return;
    }
    const { name, commands } = this.#compiling;
    this.#add(name, commands);
    this.#compiling = null;
  }

  /** Runs a command, adds it to the list in compilation, or both. */
  submit(command: ListCommand): void {
    const compiling = this.#compiling;
    if (compiling === null || this.#nesting > 0) {
      command();
      return;
    }
    compiling.commands.push(command);
    if (compiling.isExecuted) command();
  }

  /**
   * Runs a list. A missing list has no effect.
   *
   * @throws {RenderError} LIMIT_EXCEEDED if calls nest too deep or run too many commands.
   */
  call(name: number): void {
    const commands = this.#lists.get(name);
    if (commands === undefined || this.#nesting >= MAX_NESTING) return;
    this.#commandCount += commands.length + 1;
    if (this.#commandCount > MAX_COMMANDS_A_FRAME) {
      throw new RenderError(
        'LIMIT_EXCEEDED',
        `display lists: more than ${MAX_COMMANDS_A_FRAME} commands in a frame`,
      );
    }
    this.#nesting++;
    try {
      for (const command of commands) command();
    } finally {
      this.#nesting--;
    }
  }

  callMany(names: readonly number[]): void {
    const { base } = this;
    for (const name of names) this.call(base + name);
  }

  /** Resets the limits of a frame. */
  startFrame(): void {
    this.#commandCount = 0;
  }
}

function namesFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => first + i);
}
