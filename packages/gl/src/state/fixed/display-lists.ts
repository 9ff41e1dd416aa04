/** Display lists (OpenGL 2.1, section 5.4): commands that were kept, to be run by name. */
import { RenderError } from '@tessera/frame';
import { GL, nameOfEnum } from '../../api/constants.ts';
import { FIXED } from '../../api/fixed-constants.ts';
import type { GlErrors } from '../../api/gl-errors.ts';

export type ListCommand = () => void;

/** Lists called from lists, as deep as this. */
const MAX_NESTING = 64;
/** Commands that all calls of lists in a frame may run: lists that call lists multiply. */
const MAX_COMMANDS_A_FRAME = 20_000_000;
/** Names of lists that may be in use at once. */
const MAX_LISTS = 1 << 20;

export class DisplayLists {
  readonly #errors: GlErrors;
  readonly #lists = new Map<number, readonly ListCommand[]>();
  #compiling: {
    readonly name: number;
    readonly isExecuted: boolean;
    readonly commands: ListCommand[];
  } | null = null;
  /** One more than the largest name that was ever in use. */
  #firstUnused = 1;
  #nesting = 0;
  #commandCount = 0;
  /** Added to the names that `callLists` gets. */
  base = 0;

  constructor(errors: GlErrors) {
    this.#errors = errors;
  }

  get isCompiling(): boolean {
    return this.#compiling !== null;
  }

  /** The first of `count` names in a row that are free; 0 after an error. */
  generate(count: number): number {
    if (count < 0) {
      this.#errors.raise(GL.INVALID_VALUE, `genLists: ${count}`);
      return 0;
    }
    if (count === 0) return 0;
    if (this.#lists.size + count > MAX_LISTS) {
      this.#errors.raise(GL.OUT_OF_MEMORY, `genLists: more than ${MAX_LISTS} lists`);
      return 0;
    }
    const first = this.#firstUnused;
    for (let i = 0; i < count; i++) this.#add(first + i, []);
    return first;
  }

  remove(first: number, count: number): void {
    if (count < 0) {
      this.#errors.raise(GL.INVALID_VALUE, `deleteLists: ${count}`);
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
      this.#errors.raise(GL.INVALID_VALUE, 'newList: list 0');
      return;
    }
    if (mode !== FIXED.COMPILE && mode !== FIXED.COMPILE_AND_EXECUTE) {
      this.#errors.raise(GL.INVALID_ENUM, `newList: ${nameOfEnum(mode)}`);
      return;
    }
    if (this.#compiling !== null) {
      this.#errors.raise(GL.INVALID_OPERATION, 'newList: a list is being compiled');
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

  /** Runs a command, keeps it for the list that is being compiled, or both. */
  submit(command: ListCommand): void {
    const compiling = this.#compiling;
    if (compiling === null || this.#nesting > 0) {
      command();
      return;
    }
    compiling.commands.push(command);
    if (compiling.isExecuted) command();
  }

  /** Runs a list; one that is not there does nothing. @throws {RenderError} LIMIT_EXCEEDED. */
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

  /** A frame has ended. */
  startFrame(): void {
    this.#commandCount = 0;
  }
}

function namesFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => first + i);
}
