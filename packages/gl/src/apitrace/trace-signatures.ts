/**
 * Signatures of functions, structures, enumerations, bit masks and stack frames: defined where they are
 * first used, named by number after that. Each kind counts for itself.
 */
import type { TraceBytes } from './trace-bytes.ts';

export interface FunctionSignature {
  readonly name: string;
  readonly argumentNames: readonly string[];
}

/** Names in all signatures together; a capture of OpenGL, GLX and EGL has about 5000. */
const MAX_NAMES = 1 << 18;

export class TraceSignatures {
  readonly #bytes: TraceBytes;
  readonly #functions = new Map<number, FunctionSignature>();
  readonly #structs = new Map<number, FunctionSignature>();
  readonly #enums = new Set<number>();
  readonly #bitmasks = new Set<number>();
  readonly #stackFrames = new Set<number>();
  #names = 0;

  constructor(bytes: TraceBytes) {
    this.#bytes = bytes;
  }

  readFunction(): FunctionSignature {
    return this.#readNamed(this.#functions);
  }

  readStruct(): FunctionSignature {
    return this.#readNamed(this.#structs);
  }

  /** Reads an enumeration's signature: its values only matter to people. */
  readEnum(): void {
    this.#readTable(this.#enums, () => {
      const type = this.#bytes.byte();
      if (type !== 3 && type !== 4) this.#bytes.fail(`an enumeration's value has the type ${type}`);
      this.#bytes.wideUint();
    });
  }

  readBitmask(): void {
    this.#readTable(this.#bitmasks, () => this.#bytes.wideUint());
  }

  readStackFrame(): void {
    const id = this.#bytes.uint();
    if (this.#stackFrames.has(id)) return;
    this.#count(1);
    this.#stackFrames.add(id);
    for (;;) {
      const kind = this.#bytes.byte();
      if (kind === 0) return;
      if (kind <= 3) this.#bytes.string();
      else if (kind <= 5) this.#bytes.wideUint();
      else this.#bytes.fail(`stack frame detail ${kind} is unknown`);
    }
  }

  #readNamed(known: Map<number, FunctionSignature>): FunctionSignature {
    const id = this.#bytes.uint();
    const found = known.get(id);
    if (found !== undefined) return found;
    const name = this.#bytes.string();
    const argumentCount = this.#bytes.uint();
    this.#count(argumentCount + 1);
    const argumentNames: string[] = [];
    for (let i = 0; i < argumentCount; i++) argumentNames.push(this.#bytes.string());
    const signature = { name, argumentNames };
    known.set(id, signature);
    return signature;
  }

  #readTable(known: Set<number>, readValue: () => void): void {
    const id = this.#bytes.uint();
    if (known.has(id)) return;
    const count = this.#bytes.uint();
    this.#count(count + 1);
    known.add(id);
    for (let i = 0; i < count; i++) {
      this.#bytes.string();
      readValue();
    }
  }

  #count(names: number): void {
    this.#names += names;
    if (this.#names > MAX_NAMES) this.#bytes.fail(`more than ${MAX_NAMES} names in signatures`);
  }
}
