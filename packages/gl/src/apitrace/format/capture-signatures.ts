/**
 * Signatures of functions, structures, enumerations, bit masks and stack frames. A signature is
 * defined at its first use and referenced by number afterwards; each kind has its own numbers. A
 * retried event repeats its definitions, so each one is stored with its position in the stream.
 */
import type { CaptureBytes } from './capture-bytes.ts';

/** Name of a function and of its arguments. */
export interface FunctionSignature {
  readonly name: string;
  readonly argumentNames: readonly string[];
}

/** Signature with the position of its definition in the stream. */
interface Defined<Signature> {
  readonly signature: Signature;
  readonly at: number;
}

/** Value of an enumeration that all its uses share in versions before 3; otherwise `null`. */
type EnumValue = number | bigint | null;

/** Maximum number of names in all signatures. A capture of OpenGL, GLX and EGL has about 5,000. */
const MAX_NAMES = 1 << 18;

/** Tables of all signatures defined so far. */
export class CaptureSignatures {
  readonly #bytes: CaptureBytes;
  readonly #functions = new Map<number, Defined<FunctionSignature>>();
  readonly #structs = new Map<number, Defined<FunctionSignature>>();
  readonly #enums = new Map<number, Defined<EnumValue>>();
  readonly #bitmasks = new Map<number, Defined<null>>();
  readonly #stackFrames = new Map<number, Defined<null>>();
  /** Number of names in all definitions, including the one in progress. */
  #names = 0;
  #newNames = 0;

  constructor(bytes: CaptureBytes) {
    this.#bytes = bytes;
  }

  readFunction(): FunctionSignature {
    return this.#read(this.#functions, () => this.#readNamed());
  }

  readStruct(): FunctionSignature {
    return this.#read(this.#structs, () => this.#readNamed());
  }

  /** Reads an enumeration's signature. Its values are for people only. */
  readEnum(): void {
    this.#read(this.#enums, () => this.#readTable(() => this.readSigned()));
  }

  /** Reads an enumeration before version 3, a single name with its value, and returns the value. */
  readOldEnum(): number | bigint {
    const value = this.#read(this.#enums, () => {
      this.#count(1);
      this.#bytes.string();
      return this.readSigned();
    });
    return value!;
  }

  readBitmask(): void {
    this.#read(this.#bitmasks, () => this.#readTable(() => this.#bytes.wideUint()));
  }

  readStackFrame(): void {
    this.#read(this.#stackFrames, () => {
      this.#count(1);
      for (;;) {
        const kind = this.#bytes.byte();
        if (kind === 0) return null;
        if (kind <= 3) this.#bytes.string();
        else if (kind <= 5) this.#bytes.wideUint();
        else this.#bytes.fail(`stack frame detail ${kind} is unknown`);
      }
    });
  }

  /** Reads a signed integer, the form of enumeration values. */
  readSigned(): number | bigint {
    const type = this.#bytes.byte();
    if (type !== 3 && type !== 4) this.#bytes.fail(`an enumeration's value has the type ${type}`);
    const value = this.#bytes.wideUint();
    return type === 3 ? -value : value;
  }

  #read<Signature>(
    known: Map<number, Defined<Signature>>,
    readDefinition: () => Signature,
  ): Signature {
    const at = this.#bytes.position;
    const id = this.#bytes.uint();
    const found = known.get(id);
    if (found !== undefined && found.at !== at) return found.signature;
    this.#newNames = 0;
    const signature = readDefinition();
    if (found === undefined) {
      known.set(id, { signature, at });
      this.#names += this.#newNames;
    }
    return signature;
  }

  #readNamed(): FunctionSignature {
    const name = this.#bytes.string();
    const argumentCount = this.#bytes.uint();
    this.#count(argumentCount + 1);
    const argumentNames: string[] = [];
    for (let i = 0; i < argumentCount; i++) argumentNames.push(this.#bytes.string());
    return { name, argumentNames };
  }

  #readTable(readValue: () => void): null {
    const count = this.#bytes.uint();
    this.#count(count + 1);
    for (let i = 0; i < count; i++) {
      this.#bytes.string();
      readValue();
    }
    return null;
  }

  #count(names: number): void {
    this.#newNames += names;
    if (this.#names + this.#newNames > MAX_NAMES)
      this.#bytes.fail(`more than ${MAX_NAMES} names in signatures`);
  }
}
